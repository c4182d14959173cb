import type { Hash, MemoryId, PalimpsestError, Timestamp } from "../../core/base/index.js";
import type { Author, MemoryRecord, Tip, Touch } from "../../core/ledger/index.js";
import { damagedRows } from "../../storage/index.js";
import type { Reader } from "./reader.js";
import { recordAt, rowAt } from "./versions.js";

/** A memory as it stands at some head: the record and what its touch rows say of it. */
export interface Entry {
  readonly record: MemoryRecord;
  readonly hash: Hash;
  readonly version: number;
  readonly created: Timestamp;
  readonly updated: Timestamp;
  /** The commit that made this version; undefined while it is being built. */
  readonly commit: Hash | undefined;
  readonly author: Author;
}

/** Anything that holds a record. */
export type Holder = Pick<Entry, "record">;

export const isExpired = ({ record }: Holder, now: string): boolean =>
  record.expiresAt !== undefined && record.expiresAt <= now;

/** Loads what is live under a key at a commit. */
export async function loadEntry(reader: Reader, tip: Tip, scope: Hash, id: Hash): Promise<Entry | undefined> {
  const hash = await recordAt(reader, tip, scope, id);
  if (hash === undefined) return undefined;
  const record = await reader.record(hash);
  if (!record) return undefined;
  return entryFrom(record, hash, await rowAt(reader, tip, scope, id, hash));
}

export const unreadHistory = (id: MemoryId): PalimpsestError =>
  damagedRows(`The history of memory ${JSON.stringify(id)} cannot be read.`);

/** What the row of a version says of it. */
export type Counted = Pick<Touch, "version" | "created" | "time" | "commit" | "author">;

/** Joins a record with its counters. Without a row nothing is made up: then the derived rows are damaged. */
export function entryFrom(record: MemoryRecord, hash: Hash, row: Counted | undefined): Entry {
  if (!row) throw unreadHistory(record.id);
  const { version, created, time, commit, author } = row;
  return { record, hash, version, created, updated: time, commit, author };
}

/** The live entries among those that ever carried a link; the caller checks that they still do. */
export async function linkedEntries(reader: Reader, tip: Tip, link: Hash, newest?: number): Promise<Entry[]> {
  return entriesOf(reader, tip, await reader.storage.touchLinked(link, newest));
}

/** The live entries of all that these rows are about. */
export async function entriesOf(reader: Reader, tip: Tip, rows: readonly Touch[]): Promise<Entry[]> {
  const keys = new Map(rows.map((row) => [row.scope + row.id, row]));
  const entries: Entry[] = [];
  for (const { scope, id } of keys.values()) {
    const entry = await loadEntry(reader, tip, scope, id);
    if (entry) entries.push(entry);
  }
  return entries;
}
