export { type AnotherMatter, type Judged, judge, SIGNS, type Sign } from "./answerable.js";
export { ANSWERABLE_HYBRID, ANSWERABLE_LEXICAL, type Judgement } from "./answerable-weights.js";
export { type Corpus, type Document, FIELD_WEIGHTS, type Postings } from "./corpus.js";
export { dayOf } from "./dates.js";
export { FEATURES, type Feature, NEAREST, type Nearness, type Scene, traitsOf } from "./features.js";
export { best } from "./first-pass.js";
export { type PlainDocument, plainCorpus } from "./plain-corpus.js";
export {
  evaluate,
  type Hit,
  likelihoodSigns,
  type Ranking,
  type RankOptions,
  type Reason,
  rank,
  setScene,
} from "./rank.js";
export type { Weights } from "./weights.js";
export { HYBRID } from "./weights-hybrid.js";
export { LEXICAL } from "./weights-lexical.js";
