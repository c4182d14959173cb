import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { StorageProblem } from "../port.js";
import { error, warning } from "./problems.js";

const MEGABYTE = 1024 * 1024;
/** What a few writes and the folding of the log may need. */
const SPACE_NEEDED = MEGABYTE;
const SPACE_WANTED = 64 * MEGABYTE;
/** Folding keeps the log at a few megabytes, unless a reader holds it up. */
const LONG_LOG = 64 * MEGABYTE;

/** What the file system says about a store, without opening it. */
export async function fileProblems(file: string): Promise<StorageProblem[]> {
  const directory = await nearest(dirname(file));
  const around = await placeProblem(directory);
  const found = [around];
  // Where the directory cannot be used at all, that is all there is to say of the file in it.
  if (!around || around.problem === "directory-read-only")
    found.push(await unwritable("file-read-only", file));
  const log = await stat(`${file}-wal`).catch(() => undefined);
  if (log && log.size > LONG_LOG)
    found.push(warning("log-long", `${Math.round(log.size / MEGABYTE)} MB in ${file}-wal`));
  const space = await statfs(directory).catch(() => undefined);
  if (space) found.push(spaceProblem(space.bavail * space.bsize, directory));
  return found.filter((problem) => problem !== undefined);
}

export function spaceProblem(free: number, directory: string): StorageProblem | undefined {
  const left = `${(free / MEGABYTE).toFixed(1)} MB left in ${directory}`;
  if (free < SPACE_NEEDED) return error("disk-full", left);
  return free < SPACE_WANTED ? warning("disk-nearly-full", left) : undefined;
}

/** Rows that are searched in memory because the index does not have them yet. */
export const waitingProblem = (rows: number, usual: number): StorageProblem | undefined =>
  rows > usual * 2 + 1024
    ? warning("upkeep-waiting", `${rows} transactions are not in the index`)
    : undefined;

/** What keeps the directory from being used: each wants another cure. */
async function placeProblem(directory: string): Promise<StorageProblem | undefined> {
  const is = await stat(directory).catch(() => undefined);
  if (is && !is.isDirectory()) return error("not-a-directory", directory);
  const isClosed = await access(directory, constants.X_OK).then(
    () => false,
    () => true,
  );
  return isClosed ? error("directory-closed", directory) : unwritable("directory-read-only", directory);
}

async function unwritable(problem: string, path: string): Promise<StorageProblem | undefined> {
  try {
    await access(path, constants.W_OK);
    return undefined;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    return error(code === "EROFS" ? "file-system-read-only" : problem, path);
  }
}

/** The directory, or, as long as it is not there, the nearest one that is. */
async function nearest(directory: string): Promise<string> {
  for (let path = directory; ; path = dirname(path)) {
    const isThere = await stat(path).catch(() => undefined);
    if (isThere || dirname(path) === path) return path;
  }
}
