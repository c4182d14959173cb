/** palimpsest/testing: what a new storage adapter has to pass, for any test runner. */
export { type ContractCase, type StorageUnderTest, storageContract } from "./contract.js";
export { type FaultPlan, withFaults } from "./faults.js";
export { memoryStorage } from "./memory/index.js";
