import { amounts } from "./contract/amounts.js";
import { caring } from "./contract/caring.js";
import { lifetime } from "./contract/lifetime.js";
import { locking } from "./contract/locking.js";
import { notes } from "./contract/notes.js";
import { history } from "./contract/reading.js";
import { removing } from "./contract/removing.js";
import { vectors } from "./contract/vectors.js";
import { writing } from "./contract/writing.js";
import type { Storage } from "./port.js";

/** One store for one case. `open` may be called again after a close: it is the same store. */
export interface StorageUnderTest {
  open(): Promise<Storage>;
  cleanup(): Promise<void>;
}

/** A case for any test runner; `name` begins with the id of the rule it shows (src/storage/SPEC.md). */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** What every adapter must do, as cases that need no test runner. */
export function storageContract(make: () => Promise<StorageUnderTest>): ContractCase[] {
  const checks = [
    ...writing,
    ...history,
    ...removing,
    ...locking,
    ...amounts,
    ...notes,
    ...lifetime,
    ...vectors,
    ...caring,
  ];
  return checks.map(([name, check]) => ({
    name,
    async run() {
      const { open, cleanup } = await make();
      const opened: Storage[] = [];
      const reopen = async () => {
        const storage = await open();
        opened.push(storage);
        return storage;
      };
      try {
        await check(await reopen(), reopen);
      } finally {
        for (const storage of opened) await storage.close();
        await cleanup();
      }
    },
  }));
}
