import { mkdir, mkdtemp, readdir, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ErrorCode, PalimpsestError } from "../base/index.js";
import type { Storage } from "./port.js";

const PREFIX = "scratch-";
const NAME = /^scratch-(\d+)-/;

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
  const made = directory === undefined ? undefined : await mkdir(directory, { recursive: true, mode: 0o700 });
  await sweepScratchFolders({ directory });
  return { made, folder: await mkdtemp(join(directory ?? tmpdir(), `${PREFIX}${process.pid}-`)) };
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  ...{ EACCES: "STORE_READONLY", EPERM: "STORE_READONLY", EROFS: "STORE_READONLY" },
  ...{ ENOSPC: "STORE_FULL", EDQUOT: "STORE_FULL" },
};

function asStoreError(error: NodeJS.ErrnoException, directory: string): Error {
  const code = CODES[error.code ?? ""];
  return code
    ? new PalimpsestError(code, `Nothing can be written beside the store: ${directory}.`, { cause: error })
    : error;
}

/** Takes away what processes left that were killed while they had one. */
export async function sweepScratchFolders({ directory }: { readonly directory?: string | undefined }) {
  if (directory === undefined) return;
  for (const name of await readdir(directory).catch(() => [])) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(directory, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
