import { PalimpsestError } from "../../core/base/index.js";
import type { Verdict } from "../../gate/index.js";
import type { Draft } from "./draft.js";

/** One item of many: an error of its own becomes its verdict. Failures of the store still stop everything. */
export async function asVerdict(draft: Draft, judge: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof PalimpsestError) || !isInputError(error)) throw error;
    const { code, message: reason, hint } = error;
    const check = isUnclear(error) ? "id" : "shape";
    return { verdict: "rejected", code, check, reason, hint, branch: draft.branch };
  }
}

const isInputError = (error: PalimpsestError): boolean =>
  error.code.startsWith("INVALID_") || error.code === "SESSION_REQUIRED" || isUnclear(error);

/** Does an id mean no memory, or several? */
const isUnclear = ({ code }: PalimpsestError): boolean => code === "NOT_FOUND" || code === "AMBIGUOUS";
