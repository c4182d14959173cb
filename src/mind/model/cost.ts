import { PalimpsestError } from "../../core/base/index.js";

/** What asking models took. */
export interface Cost {
  readonly [unit: string]: number;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

export const FREE: Cost = { calls: 0, tokensIn: 0, tokensOut: 0 };

export const sumCosts = (a: Cost, b: Cost): Cost => ({
  calls: a.calls + b.calls,
  tokensIn: a.tokensIn + b.tokensIn,
  tokensOut: a.tokensOut + b.tokensOut,
});

/** A model that cannot help: rules stand in for it, and that is said. */
export const isModelFailure = (error: unknown): error is PalimpsestError =>
  error instanceof PalimpsestError &&
  ["MODEL_UNAVAILABLE", "MODEL_ANSWER", "BUDGET_SPENT"].includes(error.code);
