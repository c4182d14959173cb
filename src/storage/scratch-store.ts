import { mkdir, mkdtemp, readdir, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "./port.js";
import { sqliteStorage } from "./sqlite/index.js";

const PREFIX = "scratch-";
const NAME = /^scratch-(\d+)-/;

/**
 * Lends an empty store, to build in it what only enters another when it is whole. It lies beside that one, where there is room for
 * as much again and where only those look who may read it.
 */
export async function withScratchStore<T>(
  beside: Storage,
  work: (scratch: Storage) => Promise<T>,
): Promise<T> {
  const { directory } = beside;
  const made = directory === undefined ? undefined : await mkdir(directory, { recursive: true, mode: 0o700 });
  await sweepScratchStores(beside);
  const place = await mkdtemp(join(directory ?? tmpdir(), `${PREFIX}${process.pid}-`));
  const scratch = sqliteStorage(place);
  try {
    return await work(scratch);
  } finally {
    await scratch.close();
    await rm(place, { recursive: true, force: true });
    if (made !== undefined && directory !== undefined) await rmdir(directory).catch(() => undefined);
  }
}

/** Takes away what processes left that were killed while they had one. */
export async function sweepScratchStores({ directory }: Storage): Promise<void> {
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
