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
  bias: -9.671,
  bySign: {
    share: 5.327,
    shareAround: 9.578,
    words: 6.994,
    absent: 2.063,
    terms: 0.075,
    dated: -0.859,
    date: 7.411,
    phrase: 2.854,
  },
  threshold: 0.574,
};

export const ANSWERABLE_HYBRID: Judgement = {
  bias: -10.605,
  bySign: {
    share: 5.281,
    shareAround: 9.006,
    words: 1.14,
    absent: 2.7,
    terms: -1.124,
    dated: -0.755,
    date: 7.076,
    phrase: 2.57,
    near: 9.667,
  },
  threshold: 0.549,
};
