/** search: finding memories by words and meaning. */

export { type EmbedderChoice, threadsOf } from "./embed/load.js";
export type { Embedder, EmbedKind } from "./embed/port.js";
export { embedMarked, embedNow, isMarked } from "./embed-marked.js";
export type { EmbeddingControl, EmbeddingState } from "./embedding-control.js";
export { EMBEDDED, type EmbeddingNote, readNote } from "./embedding-note.js";
export { vectorSource } from "./embedding-text.js";
export type { SearchHit } from "./search-hit.js";
export type { SearchMode, VectorUse } from "./vector-leg.js";
export { Vectors } from "./vectors.js";
export type { BisectOptions, BisectResult } from "./verbs/bisect.js";
export { limitOf, MOST, type SearchOptions, type SearchResult, search } from "./verbs/search.js";
export type { SemanticAnswer, SemanticHit, SemanticSearchOptions } from "./verbs/semantic-search.js";
