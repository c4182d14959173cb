/** embed: texts to vectors. The port, the names it can be chosen by, and how texts are prepared. Models load late. */
export { chunkText } from "./chunks.js";
export { type EmbedderChoice, loadEmbedder } from "./load.js";
export type { MiniLmOptions } from "./minilm/index.js";
export { type Mention, Names } from "./names.js";
export type { OllamaOptions } from "./ollama.js";
export type { OpenAiOptions } from "./openai.js";
export type { Embedder, EmbedKind } from "./port.js";
