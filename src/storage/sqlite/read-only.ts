import { statSync } from "node:fs";
import { sqliteCode } from "./errors.js";
import { realOf } from "./whereabouts.js";

/** READONLY, and CANTOPEN: in a folder that may not be written SQLite cannot make the files beside the store. */
const UNWRITABLE: ReadonlySet<number | undefined> = new Set([8, 14]);

export const isUnwritable = (error: unknown): boolean => UNWRITABLE.has(sqliteCode(error));

/**
 * A log with content belongs to somebody who writes, or was left by one who was killed: to read it, the files beside the store
 * must be readable too. Without one the file is all there is.
 */
export const hasLog = (file: string): boolean => sizeOf(`${realOf(file)}-wal`) > 0;

/** Changes when what a connection reads is no longer what it has opened: the file itself, or with it the log that belongs to it. */
export function markOf(file: string, withLog: boolean): string {
  const { ino, size, mtimeMs } = statSync(file);
  const log = statSync(`${realOf(file)}-wal`, { throwIfNoEntry: false });
  return withLog ? `${ino} ${log?.ino}` : `${ino} ${size} ${mtimeMs} ${log?.size ?? 0}`;
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
