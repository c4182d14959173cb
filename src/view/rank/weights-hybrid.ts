import type { Weights } from "./weights.js";

/** Written by bench/train-ranker.mjs; not to be changed by hand. */
export const HYBRID: Weights = {
  provenance:
    "bench/train-ranker.mjs --vectors: 2057 questions of locomo, beam-100k, assistant-said, memdaily-zh, madial-en, cranfield; softmax of evidence against others, non-negative unless signed",
  byFeature: {
    words: 0.326,
    around: 2.471,
    session: 2.16,
    phrase: 1.043,
    speaker: 1.291,
    isQuestion: -1.444,
    follows: -0.224,
    answers: 0.536,
    assistant: -3.572,
    askedAssistant: 3.419,
    date: 4.717,
    holdsName: 2.205,
    holdsTime: 2.307,
    near: 1.134,
    tail: 1.537,
    answersNear: 1.436,
  },
};
