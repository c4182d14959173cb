import type { Weights } from "./weights.js";

/** Written by bench/train-ranker.mjs; not to be changed by hand. */
export const LEXICAL: Weights = {
  provenance:
    "bench/train-ranker.mjs: 2057 questions of locomo, beam-100k, assistant-said, memdaily-zh, madial-en, cranfield; softmax of evidence against others, non-negative unless signed",
  byFeature: {
    words: 0.679,
    around: 3.509,
    session: 2.747,
    phrase: 1.822,
    speaker: 1.228,
    isQuestion: -1.319,
    follows: 0.333,
    answers: 1.313,
    assistant: -3.793,
    askedAssistant: 3.491,
    date: 4.491,
    holdsName: 2.423,
    holdsTime: 2.207,
  },
};
