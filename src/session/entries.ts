import type { Hash, Timestamp } from "../base/index.js";
import { type Author, type MemoryRecord, stateLookup, type Tip, type Touch } from "../ledger/index.js";
import type { Reader } from "./reader.js";

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

export const isExpired = ({ record }: Entry, now: string): boolean =>
  record.expiresAt !== undefined && record.expiresAt <= now;

/** Loads what is live under a key at a commit. */
export async function loadEntry(reader: Reader, tip: Tip, scope: Hash, id: Hash): Promise<Entry | undefined> {
  const found = await reader.read([tip], (source) => stateLookup(tip.commit.root, scope, id, source));
  if (found.record === undefined) return undefined;
  const [record, rows] = await Promise.all([reader.record(found.record), reader.storage.touchOf(scope, id)]);
  return entryFrom(record, found.record, rows, tip);
}

/** Joins a record with its counters; rows later than the commit asked about do not count. */
export function entryFrom(record: MemoryRecord, hash: Hash, rows: readonly Touch[], tip: Tip): Entry {
  const row = rows.findLast(
    (candidate) => candidate.record === hash && candidate.generation <= tip.commit.generation,
  );
  return {
    record,
    hash,
    version: row?.version ?? 1,
    created: row?.created ?? tip.commit.time,
    updated: row?.time ?? tip.commit.time,
    commit: row?.commit ?? tip.hash,
    author: row?.author ?? tip.commit.author,
  };
}

/** The live entries among those that ever carried a link; the caller checks that they still do. */
export async function linkedEntries(reader: Reader, tip: Tip, link: Hash): Promise<Entry[]> {
  const rows = await reader.storage.touchLinked(link);
  const keys = new Map(rows.map((row) => [row.scope + row.id, row]));
  const entries: Entry[] = [];
  for (const { scope, id } of keys.values()) {
    const entry = await loadEntry(reader, tip, scope, id);
    if (entry) entries.push(entry);
  }
  return entries;
}
