/**
 * Weights of the signs that a question can be answered. Written by bench/train-answerable.mjs: logistic regression on the
 * answerable questions of LoCoMo (without the adversarial) against never-stored ones; not to be changed by hand.
 */
export interface Judgement {
  readonly bias: number;
  readonly bySign: Readonly<Record<string, number>>;
  /** Below this, abstain: three in a hundred of the never-stored questions of the training were above it. */
  readonly threshold: number;
}

export const ANSWERABLE_LEXICAL: Judgement = {
  bias: -9.278,
  bySign: {
    share: 5.3,
    shareAround: 9.455,
    words: 6.522,
    absent: 2.163,
    terms: -0.055,
    dated: -0.848,
    date: 7.292,
    phrase: 2.915,
  },
  threshold: 0.573,
};

export const ANSWERABLE_HYBRID: Judgement = {
  bias: -10.29,
  bySign: {
    share: 5.322,
    shareAround: 8.934,
    words: 0.329,
    absent: 2.796,
    terms: -1.272,
    dated: -0.696,
    date: 6.936,
    phrase: 2.619,
    near: 9.864,
  },
  threshold: 0.588,
};
