import { closeSync, existsSync, fstatSync, readSync } from "node:fs";
import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Blobs, type OpenBlob, openPlainSync, type Storage } from "../../storage/index.js";

/** Where a store's blobs are: with the storage, or in files of its directory; undefined where there is no place. */
export function blobsOf({ blobs, directory }: Storage): Blobs | undefined {
  return blobs ?? (directory === undefined ? undefined : fileBlobs(directory));
}

const LARGEST_READ = 1 << 30;

/** Without turns of the event loop: what is wanted is a small part, mostly still in the system's cache. */
function openFile(path: string): OpenBlob {
  let file: number | undefined = openPlainSync(path);
  return {
    size: fstatSync(file).size,
    read(from, to) {
      if (file === undefined) throw new Error("It was closed.");
      const bytes = Buffer.allocUnsafeSlow(to - from);
      for (let at = 0; at < bytes.length; ) {
        const count = readSync(file, bytes, at, Math.min(bytes.length - at, LARGEST_READ), from + at);
        if (count === 0) return bytes.subarray(0, at);
        at += count;
      }
      return bytes;
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** In one go: between a busy writer's turns each piece would wait, and hold what it was taken from. */
async function writeNew(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for (let left = [...pieces]; left.length > 0; )
      left = without(left, (await file.writev(left)).bytesWritten);
  } finally {
    await file.close();
  }
}

/** The pieces without their first so many bytes. */
function without(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes;
  return pieces.flatMap((piece) => {
    const rest = piece.subarray(skip);
    skip -= piece.length - rest.length;
    return rest.length > 0 ? [rest] : [];
  });
}

const fileBlobs = (directory: string): Blobs => ({
  open: async (name) => (existsSync(join(directory, name)) ? openFile(join(directory, name)) : undefined),
  write: (name, pieces) => writeNew(join(directory, name), pieces),
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
