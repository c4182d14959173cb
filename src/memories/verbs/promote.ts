import type { Verdict } from "../../gate/index.js";
import type { Context, Draft } from "../../repo/index.js";
import { update } from "./update.js";

/** Makes a belief canon, in its own words or in better ones. The gate asks whether the writer may. */
export const promoteToCanon = (
  context: Context,
  draft: Draft,
  id: string,
  text: string | undefined,
  scope: string | undefined,
): Promise<Verdict> => update(context, draft, id, promotion(text), scope === undefined ? {} : { scope });

/** What a promotion changes. */
export const promotion = (text: string | undefined) =>
  ({ tier: "canon", source: "promotion", ...(text !== undefined && { text }) }) as const;
