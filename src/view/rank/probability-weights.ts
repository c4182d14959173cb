/**
 * What tells how likely a hit is evidence. Written by bench/train-probability.mjs: logistic regression on the first hits of
 * every question; not to be changed by hand.
 */
export interface Likelihood {
  readonly bias: number;
  /** Of the log-odds that the question can be answered. */
  readonly answerable: number;
  /** Of a score, less the best one. */
  readonly behind: number;
  /** Of the logarithm of its rank. */
  readonly rank: number;
}

export const LIKELY_LEXICAL: Likelihood = { bias: 0, answerable: 0.2, behind: 0.3, rank: -0.5 };

export const LIKELY_HYBRID: Likelihood = { bias: 0, answerable: 0.2, behind: 0.3, rank: -0.5 };
