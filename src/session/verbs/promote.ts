import type { Verdict } from "../../gate/index.js";
import type { Context } from "../context.js";
import type { Draft } from "../draft.js";
import { requireEntry } from "../find.js";
import { renew } from "./remember.js";

/** Makes a belief canon, in its own words or in better ones. The gate asks whether the writer may. */
export async function promoteToCanon(
  context: Context,
  draft: Draft,
  id: string,
  text: string | undefined,
  scope: string | undefined,
): Promise<Verdict> {
  const entry = await requireEntry(context, draft, id, scope);
  return renew(context, draft, entry, promotion(text), "modify");
}

/** What a promotion changes. */
export const promotion = (text: string | undefined) =>
  ({ tier: "canon", source: "promotion", ...(text !== undefined && { text }) }) as const;
