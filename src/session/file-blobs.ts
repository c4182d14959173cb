import { open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Blobs, Storage } from "../storage/index.js";

/** Where a store's blobs are: with the storage, or in files of its directory; undefined where there is no place. */
export function blobsOf({ blobs, directory }: Storage): Blobs | undefined {
  return blobs ?? (directory === undefined ? undefined : fileBlobs(directory));
}

const LARGEST_READ = 1 << 30;

/** In one read: `readFile` goes piece by piece, which for an image of a view takes twice as long. */
async function wholeFile(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const bytes = Buffer.allocUnsafeSlow((await file.stat()).size);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, Math.min(bytes.length - at, LARGEST_READ), at);
      // It was cut short meanwhile; whoever reads an image checks that.
      if (bytesRead === 0) return bytes.subarray(0, at);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

const fileBlobs = (directory: string): Blobs => ({
  read: (name) => wholeFile(join(directory, name)).catch(() => undefined),
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
