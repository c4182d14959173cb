import { statSync } from "node:fs";
import { sqliteCode } from "./errors.js";

/** READONLY, and CANTOPEN: in a folder that may not be written SQLite cannot make the files beside the store. */
const UNWRITABLE: ReadonlySet<number | undefined> = new Set([8, 14]);

export const isUnwritable = (error: unknown): boolean => UNWRITABLE.has(sqliteCode(error));

/**
 * A log with content belongs to somebody who writes, or was left by one who was killed: to read it, the files beside the store
 * must be readable too. Without one the file is all there is.
 */
export const hasLog = (file: string): boolean => sizeOf(`${file}-wal`) > 0;

/** Changes when somebody who may write has begun to. */
export function markOf(file: string): string {
  const { ino, size, mtimeMs } = statSync(file);
  return `${ino} ${size} ${mtimeMs} ${sizeOf(`${file}-wal`)}`;
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
