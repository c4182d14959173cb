import { closeSync, openSync, statfsSync } from "node:fs";
import { devNull } from "node:os";
import { type ErrorCode, PalimpsestError } from "../../core/base/index.js";

/** Primary result codes of SQLite, https://sqlite.org/rescode.html. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  3: "STORE_UNREADABLE", // PERM
  5: "STORE_BUSY", // BUSY
  6: "STORE_BUSY", // LOCKED
  7: "STORE_IO", // NOMEM
  8: "STORE_READONLY", // READONLY
  10: "STORE_IO", // IOERR
  11: "DAMAGED", // CORRUPT
  13: "STORE_FULL", // FULL
  14: "STORE_UNREADABLE", // CANTOPEN
  15: "STORE_BUSY", // PROTOCOL: the locks of the WAL stayed taken
  18: "INVALID_VALUE", // TOOBIG
  22: "STORE_UNREADABLE", // NOLFS
  23: "STORE_UNREADABLE", // AUTH
  26: "DAMAGED", // NOTADB
};

const SYSTEM: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: "STORE_FULL",
  EDQUOT: "STORE_FULL",
  EFBIG: "STORE_FULL",
  EROFS: "STORE_READONLY",
  EACCES: "STORE_READONLY",
  EPERM: "STORE_READONLY",
  ENOENT: "STORE_UNREADABLE",
  ENOTDIR: "STORE_UNREADABLE",
  EEXIST: "STORE_UNREADABLE",
  ENAMETOOLONG: "STORE_UNREADABLE",
  ELOOP: "STORE_UNREADABLE",
  EIO: "STORE_IO",
  EMFILE: "STORE_IO",
  ENFILE: "STORE_IO",
  ENOMEM: "STORE_IO",
};

const WHAT: Partial<Record<ErrorCode, string>> = {
  STORE_UNREADABLE: "The store cannot be opened",
  STORE_BUSY: "The store is in use by another process",
  STORE_IO: "The disk or the file of the store failed",
  STORE_READONLY: "The store cannot be written",
  STORE_FULL: "The disk of the store is full",
  INVALID_VALUE: "An object is too big for the store",
  DAMAGED: "The file of the store is damaged",
};

/** SQLite's own words, for `all()` of `@photostructure/sqlite` 1.x, whose errors carry no number. */
const WORDS: readonly (readonly [string, number])[] = [
  ["database is locked", 5],
  ["table is locked", 6],
  ["out of memory", 7],
  ["readonly database", 8],
  ["disk I/O error", 10],
  ["malformed", 11],
  ["disk is full", 13],
  ["unable to open database file", 14],
  ["locking protocol", 15],
  ["too big", 18],
  ["not a database", 26],
];

/** The primary result code, or undefined when the error is not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === "number") return errcode & 0xff;
  if (code !== "ERR_SQLITE_ERROR") return undefined;
  return WORDS.find(([words]) => error.message.includes(words))?.[1] ?? 1;
}

export const isBusy = (error: unknown): boolean => {
  const code = sqliteCode(error);
  return code !== undefined && CODES[code] === "STORE_BUSY";
};

/** A number that we never write, or a place outside of its row: what was read is not what was written. */
const isUnfit = (error: unknown): boolean =>
  error instanceof RangeError &&
  ((error as NodeJS.ErrnoException).code === "ERR_OUT_OF_RANGE" ||
    error.message.startsWith("Value is too large to be represented"));

/**
 * Can no file be opened at all? SQLite does not say so: it tells of a file that cannot be opened, or of a log that cannot be
 * read, and neither the store nor its permissions are to blame.
 */
export function outOfFiles(): PalimpsestError | undefined {
  try {
    closeSync(openSync(devNull, "r"));
    return undefined;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EMFILE" && code !== "ENFILE") return undefined;
    const who = code === "EMFILE" ? "This program has" : "This machine has";
    return new PalimpsestError("STORE_IO", `${who} too many files open to open the store.`, {
      hint: "Close what has them open, or allow more (`ulimit -n`), and try again.",
      cause,
    });
  }
}

/** Damage of single pages or rows: the rest of the file may still be whole. */
export const isDamage = (error: unknown): boolean =>
  error instanceof PalimpsestError ? error.code === "DAMAGED" : sqliteCode(error) === 11 || isUnfit(error);

export const damaged = (
  what: string,
  { hint, ...data }: { readonly hint?: string; readonly [about: string]: unknown } = {},
): PalimpsestError =>
  new PalimpsestError("DAMAGED", what, {
    ...(hint !== undefined && { hint }),
    ...(Object.keys(data).length > 0 && { data }),
  });

/** A typed error with the cause kept; what is not an error of the medium (a bug, say) passes unchanged. */
export function storageError(error: unknown, location: string): unknown {
  if (error instanceof PalimpsestError || !(error instanceof Error)) return error;
  const sqlite = sqliteCode(error);
  const system = (error as NodeJS.ErrnoException).code;
  const code =
    sqlite !== undefined
      ? // An unknown code (a table that is not there, a broken constraint) means the file is not as we wrote it.
        (CODES[sqlite] ?? "DAMAGED")
      : isUnfit(error)
        ? "DAMAGED"
        : system !== undefined && /^E[A-Z0-9]+$/.test(system) && !system.startsWith("ERR_")
          ? (SYSTEM[system] ?? "STORE_UNREADABLE")
          : undefined;
  if (code === undefined) return error;
  const shown = code === "STORE_IO" && isFull(location) ? "STORE_FULL" : code;
  return new PalimpsestError(shown, `${WHAT[shown]}: ${location} (${error.message}).`, { cause: error });
}

/** What SQLite needs beside the store to read it at all: the map of its log. */
const LEAST_SPACE = 64 * 1024;

/** Without room for that map SQLite says only that something failed. */
function isFull(location: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(location);
    return bavail * bsize < LEAST_SPACE;
  } catch {
    return false;
  }
}
