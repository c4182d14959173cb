/** encoder: the engine of the small models, in WebAssembly: tokenizer, weights in int8, threads. */

export { cacheFolder } from "./cache-folder.js";
export {
  CACHE_FILE,
  EMBEDDER_ID,
  HIDDEN,
  JUDGE_OUTPUTS,
  JUDGE_TOKENS,
  MAX_TOKENS,
} from "./config.js";
export type { Job } from "./protocol.js";
export { resolveModelDir } from "./safetensors.js";
export { type EncoderOptions, EncoderThreads } from "./threads.js";
