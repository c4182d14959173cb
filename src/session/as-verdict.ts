import { PalimpsestError } from "../base/index.js";
import type { Verdict } from "../gate/index.js";
import type { Draft } from "./draft.js";

/** What a file says is judged item by item: what is malformed there is refused, and does not stop the rest. */
export async function asVerdict(draft: Draft, judge: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof PalimpsestError) || !error.code.startsWith("INVALID_")) throw error;
    const { code, message: reason, hint } = error;
    return { verdict: "rejected", code, check: "shape", reason, hint, branch: draft.branch };
  }
}
