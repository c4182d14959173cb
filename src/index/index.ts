/** index: what finds memories by words and vectors, and ranks them. It holds no texts. */

export { corpusOf } from "./corpus.js";
export type { Doc } from "./document.js";
export * as facet from "./facets.js";
export type { Frozen } from "./frozen.js";
export { byIdPart } from "./ids.js";
export { decodeImage, encodeImage, type ImageTag } from "./image.js";
export { ImageDamage } from "./image-damage.js";
export { frequencyOf, nearest, termsOf } from "./nearest.js";
export { best } from "./rank/best.js";
export { NEAREST, type Nearness } from "./rank/nearness.js";
export { plainCorpus } from "./rank/plain-corpus.js";
export { type Hit, rank } from "./rank/rank.js";
export type { Reason } from "./rank/rows.js";
export { Scene } from "./scene.js";
export { search } from "./search.js";
export { select, type Wanted } from "./select.js";
export type { Steps } from "./slices.js";
export { cosineSimilarity } from "./vectors/cosine.js";
export { packVectors, VectorIndex } from "./vectors/vector-index.js";
export { View } from "./view.js";
export { WorkingView } from "./working-view.js";
