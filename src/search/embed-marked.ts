import type { BranchName, Hash, JsonObject } from "../core/base/index.js";
import type { Engine } from "../repo/index.js";
import { Vectors } from "./vectors.js";

/** A node that asks to be embedded when it comes in. What cannot be read is refused elsewhere. */
export function isMarked(
  item: string | { readonly attributes?: JsonObject | undefined } | undefined,
): boolean {
  try {
    return typeof item === "object" && item.attributes?.EMBED === "t";
  } catch {
    return false;
  }
}

/** What asks for its vector has it before its writer is answered; a failure is no failure of the write, and made good later. */
export async function embedNow(engine: Engine, branch: BranchName, versions: readonly Hash[]): Promise<void> {
  if (versions.length === 0) return;
  const embedding = await engine.companion(Vectors).embedding();
  await embedding.now(branch, versions).catch(() => undefined);
}
