/** What a new embedder has to pass, for any test runner. */
export { type EmbedderUnderTest, embedderContract } from "./contract.js";
