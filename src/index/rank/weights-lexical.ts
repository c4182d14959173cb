import type { Weights } from "./weights.js";

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
