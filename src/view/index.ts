/** view: the live state of a branch in RAM. */
export { cosineSimilarity, type Numbers } from "./vectors/cosine.js";
export { quantizeVector } from "./vectors/quantize.js";
export { packVectors, VectorIndex } from "./vectors/vector-index.js";
