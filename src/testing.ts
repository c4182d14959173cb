/** palimpsest/testing: what a storage adapter or an embedder of one's own has to pass, for any test runner. */
export { type EmbedderUnderTest, embedderContract } from "./search/embed/testing.js";
export {
  type ContractCase,
  type FaultPlan,
  memoryStorage,
  type StorageUnderTest,
  storageContract,
  withFaults,
} from "./storage/testing.js";
