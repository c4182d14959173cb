/** view: the live memories of one state in RAM, looked up and searched. Pure and synchronous; its owner keeps it in step. */
export { byAge } from "./age.js";
export { corpusOf, SceneCorpus } from "./corpus.js";
export type { Doc, Held } from "./document.js";
export * as facet from "./facets.js";
export type { Frozen } from "./frozen.js";
export { byIdPart } from "./ids.js";
export { decodeImage, encodeImage, type ImageTag } from "./image.js";
export { ImageDamage } from "./image-damage.js";
export { frequencyOf, nearest, type Scored, termsOf } from "./nearest.js";
export {
  best,
  type Hit,
  NEAREST,
  type Nearness,
  type PlainDocument,
  plainCorpus,
  type Ranking,
  type Reason,
  rank,
} from "./rank/index.js";
export { Scene, type Viewer } from "./scene.js";
export { type SearchSettings, search } from "./search.js";
export { select, type Wanted } from "./select.js";
export type { Steps } from "./slices.js";
export {
  analyse,
  analyserId,
  detectLanguage,
  glanceAt,
  holdsPhrase,
  parseQuery,
  type Query,
  queryTokens,
  tailOf,
  toldNames,
} from "./text/index.js";
export { cosineSimilarity, type Numbers } from "./vectors/cosine.js";
export { quantizeVector } from "./vectors/quantize.js";
export { packVectors, VectorIndex } from "./vectors/vector-index.js";
export { View } from "./view.js";
export { WorkingView } from "./working-view.js";
