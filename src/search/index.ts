/** search: finding memories by words and meaning. */

export { type EmbedderChoice, threadsOf } from "./embed/load.js";
export type { Embedder, EmbedKind } from "./embed/port.js";
export { embedNow, isMarked } from "./embed-marked.js";
export type { EmbeddingControl, EmbeddingState } from "./embedding-control.js";
export { EMBEDDED, type EmbeddingNote, readNote } from "./embedding-note.js";
export { vectorSource } from "./embedding-text.js";
export { type BisectOptions, SEARCH, type SearchOptions, type SemanticSearchOptions } from "./options.js";
export type { SearchHit } from "./search-hit.js";
export type { SearchMode, VectorUse } from "./vector-leg.js";
export { Vectors } from "./vectors.js";
export type { BisectResult } from "./verbs/bisect.js";
export { limitOf, MOST, type SearchResult, search } from "./verbs/search.js";
export type { SemanticAnswer, SemanticHit } from "./verbs/semantic-search.js";
export { searchVerbs } from "./verbs.js";
