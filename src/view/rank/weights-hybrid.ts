import type { Weights } from "./weights.js";

/** Written by bench/train-ranker.mjs; not to be changed by hand. */
export const HYBRID: Weights = {
  provenance:
    "bench/train-ranker.mjs --vectors: 2057 questions of locomo, beam-100k, assistant-said, memdaily-zh, madial-en, cranfield; softmax of evidence against others, non-negative unless signed",
  byFeature: {
    words: 0.081,
    around: 2.576,
    session: 2.007,
    phrase: 1.075,
    speaker: 1.315,
    isQuestion: -1.451,
    follows: -0.228,
    answers: 0.369,
    assistant: -3.413,
    askedAssistant: 3.448,
    date: 4.714,
    holdsName: 2.146,
    holdsTime: 2.266,
    near: 0.381,
    passage: 1.055,
    tail: 1.426,
    answersNear: 1.731,
  },
};
