import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { makeDirectory } from "../make-directory.js";
import type { Driver } from "./driver.js";
import { damaged } from "./errors.js";
import { hasLog } from "./read-only.js";
import { APPLICATION_ID, migrate } from "./schema.js";

/**
 * The file appears whole or not at all: it is built under another name, made durable, and given its name by a
 * hard link, which fails when another process was faster. That one's file is then as good as ours.
 */
export async function createStore(driver: Driver, file: string): Promise<void> {
  const directory = dirname(file);
  assertNoLog(file);
  await makeDirectory(directory, 0o700);
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await (await open(temporary, "wx", 0o600)).close();
    build(driver, temporary);
    await sync(temporary, "r+");
    await name(temporary, file);
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) await ignore(unlink(temporary + suffix), "ENOENT");
  }
  await sync(directory, "r");
}

/** SQLite would write the log of a store that is gone into the new file. */
export function assertNoLog(file: string): void {
  // In this order: whoever creates the store just now has its file before its log.
  if (!hasLog(file) || existsSync(file)) return;
  throw damaged(`The store ${file} is not there, but a log of one is: ${file}-wal.`, {
    hint: "Put the store's file back beside its log; or remove the log, if the store was removed on purpose.",
  });
}

/** WAL comes last, and no statement is prepared: so all is in the one file when it is closed. */
function build(driver: Driver, path: string): void {
  const db = driver.open(`${pathToFileURL(path).href}?mode=rw`, { timeout: 0 });
  try {
    db.exec(`PRAGMA page_size = 4096; PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec("PRAGMA synchronous = FULL; BEGIN IMMEDIATE");
    migrate(db, 0);
    db.exec("COMMIT; PRAGMA journal_mode = WAL");
  } finally {
    db.close();
  }
}

async function name(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST") return;
    if (!["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"].includes(code ?? "")) throw error;
    // No hard links here (exFAT, some network mounts): whoever makes the empty file may replace it.
    try {
      await (await open(file, "wx", 0o600)).close();
    } catch (lost) {
      if ((lost as NodeJS.ErrnoException).code === "EEXIST") return;
      throw lost;
    }
    await rename(temporary, file);
  }
}

/** Directories cannot be synced everywhere (Windows); what cannot be done is not an error. */
async function sync(path: string, flags: "r" | "r+"): Promise<void> {
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (["EISDIR", "EPERM", "EACCES"].includes(error.code ?? "")) return undefined;
    throw error;
  });
  try {
    await handle?.sync().catch((error: NodeJS.ErrnoException) => {
      if (!["EISDIR", "EPERM", "EINVAL", "ENOTSUP"].includes(error.code ?? "")) throw error;
    });
  } finally {
    await handle?.close();
  }
}

async function ignore(work: Promise<void>, code: string): Promise<void> {
  await work.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== code) throw error;
  });
}
