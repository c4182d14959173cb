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
  bias: -10.951,
  bySign: {
    share: 5.057,
    shareAround: 8.872,
    words: 0.779,
    absent: 2.848,
    terms: -1.237,
    dated: -0.637,
    date: 6.852,
    phrase: 2.536,
    near: 5.684,
    passage: 5.136,
  },
  threshold: 0.616,
};
