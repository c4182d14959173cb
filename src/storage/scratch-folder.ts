import { mkdtemp, readdir, rm, rmdir, stat } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type ErrorCode, PalimpsestError } from "../core/base/index.js";
import { makeDirectory } from "./make-directory.js";
import type { Storage } from "./port.js";

/** A process is known by its number on its own machine, or in its own container, only. */
const HOST = crc32(hostname()).toString(36);
const NAME = /^scratch-(\w+)-(\d+)-/;
/** Nothing that is built is left alone for as long. */
const DAY_MS = 24 * 3_600_000;

/** A folder for as long as some work takes, beside a store: there is room for as much again, and only those look who may read it. */
export async function withScratchFolder<T>(
  { directory }: Storage,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const { made, folder } = await makeFolder(directory).catch((error) => {
    throw asStoreError(error, directory ?? tmpdir());
  });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (made !== undefined && directory !== undefined) await rmdir(directory).catch(() => undefined);
  }
}

async function makeFolder(directory: string | undefined) {
  const made = directory === undefined ? undefined : await makeDirectory(directory, 0o700);
  await sweepScratchFolders({ directory });
  return { made, folder: await mkdtemp(join(directory ?? tmpdir(), `scratch-${HOST}-${process.pid}-`)) };
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  ...{ EACCES: "STORE_READONLY", EPERM: "STORE_READONLY", EROFS: "STORE_READONLY" },
  ...{ ENOENT: "STORE_UNREADABLE", ENOTDIR: "STORE_UNREADABLE", EEXIST: "STORE_UNREADABLE" },
  ...{ ENOSPC: "STORE_FULL", EDQUOT: "STORE_FULL" },
};

function asStoreError(error: NodeJS.ErrnoException, directory: string): Error {
  const code = CODES[error.code ?? ""];
  return code
    ? new PalimpsestError(code, `Nothing can be written beside the store: ${directory}.`, { cause: error })
    : error;
}

/**
 * Takes away what processes left that were killed while they had one. In a container every process may have the same number,
 * so that a running one is no proof for ever.
 */
export async function sweepScratchFolders({ directory }: { readonly directory?: string | undefined }) {
  if (directory === undefined) return;
  for (const name of await readdir(directory).catch(() => [])) {
    const [, host, pid] = NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const folder = join(directory, name);
    if ((host !== HOST || isRunning(Number(pid))) && (await isInUse(folder))) continue;
    // What another user left may not be taken away by everybody; nobody's work waits for that.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Was anything written to it in the last day? */
async function isInUse(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    [folder, ...names.map((name) => join(folder, name))].map(async (path) => {
      const found = await stat(path).catch(() => undefined);
      return found?.mtimeMs ?? 0;
    }),
  );
  return Date.now() - Math.max(...times) < DAY_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
