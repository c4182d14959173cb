import type { Verdict } from "../../gate/index.js";
import type { Job } from "../../repo/index.js";
import { update } from "./update.js";

/** Makes a belief canon, in its own words or in better ones. The gate asks whether the writer may. */
export const promoteToCanon = (
  job: Job,
  id: string,
  text: string | undefined,
  scope: string | undefined,
): Promise<Verdict> => {
  return update(job, id, promotion(text), scope === undefined ? {} : { scope });
};

/** What a promotion changes. */
export const promotion = (text: string | undefined) =>
  ({ tier: "canon", source: "promotion", ...(text !== undefined && { text }) }) as const;
