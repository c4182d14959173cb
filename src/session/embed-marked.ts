import type { MemoryInput, Verdict } from "../gate/index.js";
import type { Engine } from "./engine.js";

/** A node that asks to be embedded when it comes in. */
export const isMarked = (item: string | MemoryInput | undefined): boolean =>
  typeof item === "object" && item.attributes?.EMBED === "t";

/** What asks for its vector has it before its writer is answered; a failure is no failure of the write, and made good later. */
export async function embedMarked(
  engine: Engine,
  judged: Promise<Verdict[]>,
  items: readonly (string | MemoryInput)[],
): Promise<Verdict[]> {
  const verdicts = await judged;
  const written = verdicts.filter(({ commit }, at) => commit !== undefined && isMarked(items[at]));
  const versions = written.flatMap(({ hash }) => hash ?? []);
  if (versions.length > 0) {
    const embedding = await engine.embedding();
    await embedding.now(written[0]!.branch, versions).catch(() => undefined);
  }
  return verdicts;
}
