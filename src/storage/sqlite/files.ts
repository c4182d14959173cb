import { createReadStream, statfsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
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

/** The type of the file system a path lies on, as in statfs(2). */
export type FileSystemType = (path: string) => number;

/** Linux magic numbers of file systems whose locks and shared memory SQLite's WAL cannot rely on. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE (sshfs, a shared folder)"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x73757245, "Coda"],
  [0x47504653, "GPFS"],
  [0x7461636f, "OCFS2"],
  [0x786f4256, "VirtualBox shared folder"],
  [0x19830326, "BeeGFS"],
  [0x20030528, "OrangeFS"],
]);

const systemType: FileSystemType = (path) => statfsSync(path).type;

/** A warning when the directory (or, as long as it is not there, its nearest parent) lies on a network. */
export function networkWarnings(directory: string, typeOf: FileSystemType = systemType): string[] {
  // Other systems number their file systems differently, or not at all.
  if (process.platform !== "linux" && typeOf === systemType) return [];
  for (let path = directory; ; path = dirname(path)) {
    try {
      const name = NETWORK.get(typeOf(path) >>> 0);
      if (name === undefined) return [];
      return [
        `The store ${directory} lies on a network file system (${name}), where SQLite cannot keep processes on ` +
          "different machines apart. Use a local disk, or let one machine only use it.",
      ];
    } catch {
      if (dirname(path) === path) return [];
    }
  }
}
