/**
 * What tells how likely a hit is evidence. Written by bench/train-probability.mjs: logistic regression on the first hits of
 * every question that has evidence; not to be changed by hand.
 */
export interface Likelihood {
  readonly bias: number;
  /** Of a score, less the best one. */
  readonly behind: number;
  /** Of the logarithm of its rank. */
  readonly rank: number;
}

export const LIKELY_LEXICAL: Likelihood = {
  bias: 0.508,
  behind: 0.175,
  rank: -1.205,
};

export const LIKELY_HYBRID: Likelihood = {
  bias: 0.653,
  behind: 0.268,
  rank: -1.113,
};
