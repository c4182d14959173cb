/**
 * Weights of the signs that a question can be answered. Written by bench/train-answerable.mjs: logistic regression on the
 * answerable questions of LoCoMo (without the adversarial) against never-stored ones; checked on stores of 1
 * to 300 of its turns; not to be changed by hand.
 */
export interface Judgement {
  readonly bias: number;
  readonly bySign: Readonly<Record<string, number>>;
  /** Below this, abstain: three in a hundred of the never-stored questions of the training were above it. */
  readonly threshold: number;
}

export const ANSWERABLE_LEXICAL: Judgement = {
  bias: -9.662,
  bySign: {
    share: 5.284,
    shareAround: 9.571,
    words: 7.11,
    absent: 2.057,
    terms: 0.068,
    dated: -0.864,
    date: 7.427,
    phrase: 2.869,
  },
  threshold: 0.573,
};

export const ANSWERABLE_HYBRID: Judgement = {
  bias: -10.606,
  bySign: {
    share: 5.267,
    shareAround: 9.005,
    words: 1.179,
    absent: 2.699,
    terms: -1.128,
    dated: -0.759,
    date: 7.085,
    phrase: 2.578,
    near: 9.678,
  },
  threshold: 0.549,
};
