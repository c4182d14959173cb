/** encoder: the engine of the small models, in WebAssembly: tokenizer, weights in int8, the program of its threads. */

export { CACHE_FILE, EMBEDDER_ID, HIDDEN, MAX_TOKENS } from "./config.js";
export type { Job, SharedWeights, WorkerInput, WorkerOutput } from "./protocol.js";
export { resolveModelDir } from "./safetensors.js";
