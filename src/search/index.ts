/** search: finding memories by words and meaning. */

export { type EmbedderChoice, threadsOf } from "./embed/load.js";
export type { Embedder, EmbedKind } from "./embed/port.js";
export type { EmbeddingControl, EmbeddingState } from "./embedding.js";
export { EMBEDDED, type EmbeddingNote, readNote, vectorSource } from "./embedding-text.js";
export { type BisectOptions, SEARCH, type SearchOptions, type SemanticSearchOptions } from "./options.js";
export type { SearchHit } from "./ranking.js";
export type { SearchMode, VectorUse } from "./vector-leg.js";
export { embedNow, isMarked, Vectors } from "./vectors.js";
export type { BisectResult } from "./verbs/bisect.js";
export { limitOf, MOST, type SearchResult, search } from "./verbs/search.js";
export type { SemanticAnswer, SemanticHit } from "./verbs/semantic-search.js";
export { searchVerbs } from "./verbs.js";
