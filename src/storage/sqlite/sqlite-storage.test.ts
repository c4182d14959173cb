import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { storageContract } from "../contract.js";
import { sqliteStorage } from "./index.js";

/**
 * Closed by all, everything is in the one file. (An empty log and its shared memory may lie there until the garbage
 * collector has met the driver's statements.)
 */
async function leftovers(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const left = names.filter((name) => !["palimpsest.db", "palimpsest.db-shm"].includes(name));
  const sizeOf = (name: string) =>
    stat(join(directory, name)).then(
      ({ size }) => size,
      () => 0,
    );
  const sizes = await Promise.all(left.map(sizeOf));
  return left.filter((name, at) => !(name === "palimpsest.db-wal" && sizes[at] === 0));
}

/** With a short tail, so that the index is merged within the cases, and with the usual one. */
describe.each([{ tailRows: 0 }, { tailRows: 40 }, {}])("the contract, on SQLite %o", (options) => {
  const cases = storageContract(async () => {
    const directory = await mkdtemp(join(tmpdir(), "palimpsest-"));
    return {
      open: async () => sqliteStorage(join(directory, "store"), options),
      async cleanup() {
        const left = await leftovers(join(directory, "store"));
        await rm(directory, { recursive: true });
        expect(left).toEqual([]);
      },
    };
  });
  for (const { name, run } of cases) it(name, run);
});
