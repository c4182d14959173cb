import type { Weights } from "./weights.js";

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
