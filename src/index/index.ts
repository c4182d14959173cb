/** index: what finds memories by words and vectors, and ranks them. It holds no texts. */

export { ImageDamage } from "./checked-bytes.js";
export { corpusOf, frequencyOf, nearest, type SceneCorpus, search, termsOf } from "./corpus.js";
export type { Doc } from "./document.js";
export * as facet from "./facets.js";
export type { Frozen } from "./frozen.js";
export { byIdPart } from "./ids.js";
export { decodeImage, encodeImage, type ImageTag } from "./image.js";
export { type AskedDate, datesIn } from "./rank/dates.js";
export { NEAREST, type Nearness } from "./rank/features.js";
export { best } from "./rank/first-pass.js";
export { plainCorpus } from "./rank/plain-corpus.js";
export { type Hit, type Reason, rank } from "./rank/rank.js";
export { Scene, select, type Wanted } from "./scene.js";
export type { Steps } from "./slices.js";
export { cosineSimilarity, packVectors, VectorIndex } from "./vectors/vector-index.js";
export { View, WorkingView } from "./view.js";
