/** What each feature of the table is worth, and where the numbers come from. */
export interface Weights {
  readonly provenance: string;
  readonly byFeature: Readonly<Record<string, number>>;
  /** What it is worth to share rare words with the best hits; nothing unless said. */
  readonly kin?: number;
}

/** Written by bench/train-ranker.mjs; not to be changed by hand. */
export const LEXICAL: Weights = {
  provenance:
    "bench/train-ranker.mjs: 2057 questions of locomo, beam-100k, assistant-said, memdaily-zh, madial-en, cranfield; softmax of evidence against others, non-negative unless signed",
  byFeature: {
    words: 0.446,
    around: 3.627,
    session: 2.584,
    phrase: 1.642,
    speaker: 1.249,
    isQuestion: -1.307,
    follows: 0.395,
    answers: 1.185,
    assistant: -3.752,
    askedAssistant: 3.502,
    date: 4.824,
    holdsName: 2.352,
    holdsTime: 2.117,
  },
  kin: 0.75,
};

/** Written by bench/train-ranker.mjs; not to be changed by hand. */
export const HYBRID: Weights = {
  provenance:
    "bench/train-ranker.mjs --vectors: 2057 questions of locomo, beam-100k, assistant-said, memdaily-zh, madial-en, cranfield; softmax of evidence against others, non-negative unless signed",
  byFeature: {
    words: 0.289,
    around: 2.501,
    session: 2.066,
    phrase: 1.05,
    speaker: 1.295,
    isQuestion: -1.488,
    follows: -0.243,
    answers: 0.55,
    assistant: -3.571,
    askedAssistant: 3.407,
    date: 4.746,
    holdsName: 2.22,
    holdsTime: 2.284,
    near: 1.061,
    tail: 1.552,
    answersNear: 1.431,
  },
  kin: 0.6,
};

/**
 * From what it is worked out how likely a hit is evidence. Written by bench/train-probability.mjs: logistic regression on the first hits of
 * every question that has evidence; not to be changed by hand.
 */
interface Likelihood {
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
