import { chmodSync, existsSync, renameSync, rmSync } from "node:fs";
import { PalimpsestError } from "../../core/base/index.js";
import type { Database } from "./driver.js";
import { damaged } from "./errors.js";

/** "Pali" in ASCII: says in the file's header whose it is. */
export const APPLICATION_ID = 0x50616c69;

/**
 * One step per schema version; creating a store is all of them.
 * - journal: the truth, append only. A transaction is one or more rows, its seq the version of the store.
 * - nodes: derived objects, kept apart so that dropping them leaves no holes in the journal. Their seqs are
 *   drawn from the journal's, never above it.
 * - lookup: 48 bits of a hash -> place. Written late and sorted (`indexed` in meta says how far), because random
 *   index pages are what a commit would pay most for.
 * - waiting: entries of rows above that mark, gathered up to a seq, so that a new process need not read the rows.
 * - side: notes that may be lost.
 * - vectors: derived from texts, by 48 bits of the model's hash and the whole key. Rows are appended, because they
 *   are large and keys random; nothing hashes them, so each carries a crc32.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE journal (seq INTEGER PRIMARY KEY, touch BLOB, ops BLOB, directory BLOB, objects BLOB);
   CREATE TABLE nodes (seq INTEGER PRIMARY KEY, directory BLOB NOT NULL, objects BLOB NOT NULL);
   CREATE TABLE lookup (prefix INTEGER, at INTEGER, PRIMARY KEY (prefix, at)) WITHOUT ROWID;
   CREATE TABLE refs (name TEXT PRIMARY KEY, target BLOB NOT NULL, meta TEXT) WITHOUT ROWID;
   CREATE TABLE side (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
   INSERT INTO meta VALUES ('epoch', 0), ('indexed', 0);`,
  `CREATE TABLE vectors (at INTEGER PRIMARY KEY, model INTEGER NOT NULL, key BLOB NOT NULL, source BLOB NOT NULL,
     vectors BLOB NOT NULL, checksum INTEGER NOT NULL);
   CREATE UNIQUE INDEX vector_of ON vectors (model, key);`,
  `CREATE TABLE waiting (upto INTEGER PRIMARY KEY, entries BLOB NOT NULL);`,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

const pragma = (db: Database, name: string): unknown => {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, unknown> | undefined;
  return row && Object.values(row)[0];
};

/** Looks without touching: another program's file, or a newer one of ours, must stay as it is. */
export function identify(db: Database, location: string): { readonly version: number } {
  if (pragma(db, "application_id") !== APPLICATION_ID)
    throw new PalimpsestError("NOT_A_STORE", `Another program's database lies at ${location}.`);
  const version = Number(pragma(db, "user_version"));
  assertVersion(version, location);
  return { version };
}

export function assertVersion(version: number, location: string): void {
  if (version > SCHEMA_VERSION)
    throw new PalimpsestError(
      "STORE_NEWER",
      `The store ${location} has version ${version}; this program knows ${SCHEMA_VERSION}.`,
    );
}

/** Brings the file from `version` to the current one; inside a write transaction. */
export function migrate(db: Database, version: number): void {
  for (const step of MIGRATIONS.slice(version)) db.exec(step);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/**
 * For a store of an older program: the file as it was is kept beside it, then the new one is made and looked through in
 * one transaction, which either holds or never was. Another process may be doing the same, so the version is read again.
 */
export function upgrade(db: Database, file: string, version: number): void {
  keepOld(db, `${file.replace(/\.db$/, "")}.v${version}.db`);
  db.exec("BEGIN IMMEDIATE");
  try {
    migrate(db, Number(pragma(db, "user_version")));
    const found = pragma(db, "integrity_check");
    if (found !== "ok") throw damaged(`The store cannot be brought to version ${SCHEMA_VERSION}: ${found}.`);
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

/** Whole or not at all. One that is there already was kept by somebody else, a moment ago or after a failure. */
function keepOld(db: Database, old: string): void {
  if (existsSync(old)) return;
  const copy = `${old}.${process.pid}.tmp`;
  rmSync(copy, { force: true });
  db.exec(`VACUUM INTO '${copy.replaceAll("'", "''")}'`);
  chmodSync(copy, 0o600);
  renameSync(copy, old);
}

/** What is committed, and what is folded into the file, outlives a power cut. */
export const DURABLE = `PRAGMA synchronous = FULL${
  process.platform === "darwin" ? "; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1" : ""
}`;

/** Settings of a connection. Durability is not left to the defaults of a build, and is read back. */
export function configure(db: Database, options: { readonly maxPages?: number | undefined }): void {
  db.exec(DURABLE);
  // Removed bytes are overwritten: erase means erase. Appending does not pay for it.
  db.exec("PRAGMA secure_delete = ON");
  db.exec(
    "PRAGMA cache_size = -16384; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF",
  );
  // Checkpoints belong into tend(), not into a commit somebody waits for; this is for those who never tend.
  db.exec("PRAGMA wal_autocheckpoint = 8000; PRAGMA journal_size_limit = 67108864");
  if (options.maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${options.maxPages}`);
  if (pragma(db, "journal_mode") !== "wal") db.exec("PRAGMA journal_mode = WAL");
  if (pragma(db, "synchronous") !== 2 || pragma(db, "journal_mode") !== "wal")
    throw new PalimpsestError("STORE_UNREADABLE", "SQLite refuses WAL with synchronous = FULL here.", {
      hint: "Put the store on a local disk.",
    });
}
