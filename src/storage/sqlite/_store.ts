import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Storage, StorageProblem } from "../port.js";
import { type Database, systemDriver } from "./driver.js";
import { type SqliteOptions, sqliteStorage } from "./sqlite-storage.js";

/** A directory of one test, and as many storages on it as it likes; all closed and removed at its end. */
export async function testStore(): Promise<{
  readonly directory: string;
  readonly file: string;
  open(options?: SqliteOptions): Storage;
  sql(work: (db: Database) => void): Promise<void>;
}> {
  const directory = await mkdtemp(join(tmpdir(), "palimpsest-"));
  const opened: Storage[] = [];
  onTestFinished(async () => {
    for (const storage of opened) await storage.close().catch(() => undefined);
    await rm(directory, { recursive: true, force: true });
  });
  const file = join(directory, "palimpsest.db");
  return {
    directory,
    file,
    open(options) {
      const storage = sqliteStorage(directory, options);
      opened.push(storage);
      return storage;
    },
    async sql(work) {
      const db = (await systemDriver()).open(`file:${file}`, { timeout: 1000 });
      try {
        work(db);
      } finally {
        db.close();
      }
    },
  };
}

export async function problemsOf(storage: Storage): Promise<StorageProblem[]> {
  const found: StorageProblem[] = [];
  for await (const problem of storage.check()) found.push(problem);
  return found;
}

export const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no error",
    (error: { code?: unknown }) => error.code ?? error,
  );
