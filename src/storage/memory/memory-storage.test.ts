import { describe, it } from "vitest";
import { storageContract } from "../contract.js";
import { memoryStorage } from "./index.js";

/** Memory has nowhere to keep what it would open again. */
const NEEDS_A_MEDIUM = ["S16", "S74"];

describe("the contract, in memory", () => {
  const cases = storageContract(async () => ({
    open: async () => memoryStorage(),
    cleanup: async () => undefined,
  }));
  for (const { name, run } of cases) {
    if (NEEDS_A_MEDIUM.some((rule) => name.startsWith(`${rule} `))) it.skip(name, run);
    else it(name, run);
  }
});
