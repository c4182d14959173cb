export { type MiniLmOptions, miniLmEmbedder } from "./minilm.js";
