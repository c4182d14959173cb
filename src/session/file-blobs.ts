import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Blobs, Storage } from "../storage/index.js";

/** Where a store's blobs are: with the storage, or in files of its directory; undefined where there is no place. */
export function blobsOf({ blobs, directory }: Storage): Blobs | undefined {
  return blobs ?? (directory === undefined ? undefined : fileBlobs(directory));
}

const fileBlobs = (directory: string): Blobs => ({
  read: (name) => readFile(join(directory, name)).catch(() => undefined),
  write: (name, bytes) => writeFile(join(directory, name), bytes, { flag: "wx", mode: 0o600 }),
  remove: (name) => rm(join(directory, name), { force: true }),
  async list() {
    const names = await readdir(directory).catch(() => []);
    const found = await Promise.all(
      names.map(async (name) => {
        const stats = await stat(join(directory, name)).catch(() => undefined);
        return stats?.isFile() ? [{ name, ageMs: Date.now() - stats.mtimeMs }] : [];
      }),
    );
    return found.flat();
  },
});
