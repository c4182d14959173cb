import { createReadStream } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RawPart } from "../port.js";
import type { Connection } from "./connection.js";

/** Page numbers of the log, shared by processes, and locked: never opened, and without anything that was written. */
const SHARED_MEMORY = "palimpsest.db-shm";
const DATABASE = "palimpsest.db";
const STORED = new Set([DATABASE, `${DATABASE}-wal`]);

const filesOf = async (directory: string): Promise<string[]> =>
  (await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile() && entry.name !== SHARED_MEMORY)
    .map((entry) => join(entry.parentPath, entry.name));

/** The store as it was before an upgrade (see `upgrade`), or a copy of it that was never finished. */
const OLD = /^palimpsest\.v\d+\.db(?:\.\d+\.tmp)?$/;

export async function removeOld(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => []))
    if (OLD.test(name)) await rm(join(directory, name), { force: true });
}

/** Everything that lies in the directory of the store; a file that goes meanwhile is gone. */
export async function* rawFiles(directory: string): AsyncGenerator<RawPart> {
  for (const path of await filesOf(directory)) {
    const size = await sizeOf(path);
    if (size === 0) continue;
    const isDatabase = path === join(directory, DATABASE);
    const { readOutside } = await import("./outside.js");
    const source = isDatabase ? readOutside(path, directory) : createReadStream(path);
    const name = path.slice(directory.length + 1);
    try {
      const kind = { isOld: OLD.test(name), isStored: STORED.has(name) || name.endsWith(".img") };
      for await (const bytes of source) yield { name, bytes: bytes as Uint8Array, ...kind };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

export async function storeSize(directory: string): Promise<number> {
  let bytes = 0;
  for (const path of await filesOf(directory)) bytes += await sizeOf(path);
  return bytes;
}

export function freeBytes(connection: Connection): number {
  const { freelist_count } = connection.sql<{ freelist_count: number }>("PRAGMA freelist_count").get()!;
  const { page_size } = connection.sql<{ page_size: number }>("PRAGMA page_size").get()!;
  return freelist_count * page_size;
}
