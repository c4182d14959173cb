import type { Hash, MemoryId, PalimpsestError, Scope, Timestamp } from "../../core/base/index.js";
import type { Author, MemoryRecord, Tip, Touch } from "../../core/ledger/index.js";
import { countEntries, isNeed, listEntries, type NodeSource } from "../../core/merkle/index.js";
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

/** A map of more entries than this is listed in parts; in no more of them than this, whatever it says of itself. */
const MOST = 4096;
const DIGITS = Array.from({ length: 16 }, (_, at) => at.toString(16));

type Entries = readonly (readonly [key: Hash, value: Hash])[];

/** What lies in one scope, or a part of it: the keys of ids, and the version each has. */
export interface LiveEntries {
  readonly scope: Hash;
  readonly entries: Entries;
}

/**
 * All entries of a state, some thousands of a million at a time. Of its nodes none is kept in RAM: what is in daily use stays
 * there, and a large state takes no more room than a small one.
 */
export async function* liveEntries(reader: Reader, tip: Tip): AsyncGenerator<LiveEntries> {
  for await (const scopes of inParts(reader, tip, tip.commit.root))
    for (const [scope, root] of scopes)
      for await (const entries of inParts(reader, tip, root)) yield { scope, entries };
}

/** Keys are hashes, so that each digit parts a map into sixteen of about the same size. */
async function* inParts(reader: Reader, tip: Tip, root: Hash): AsyncGenerator<Entries> {
  const first = await reader.readPassing(tip, (source) => listOrCount(root, source));
  if ("entries" in first) {
    if (first.entries.length > 0) yield first.entries;
    return;
  }
  let parts = DIGITS;
  for (let size = first.count / 16; size > MOST && parts.length < MOST; size /= 16)
    parts = parts.flatMap((part) => DIGITS.map((digit) => part + digit));
  for (const part of parts) {
    const { entries } = await reader.readPassing(tip, (source) => listEntries(root, source, part));
    if (entries.length > 0) yield entries;
  }
}

function listOrCount(root: Hash, source: NodeSource) {
  const counted = countEntries(root, source);
  return isNeed(counted) || counted.count > MOST ? counted : listEntries(root, source);
}

/** A place where a memory may live. */
export interface Key {
  readonly scope: Scope;
  readonly id: MemoryId;
}

/** What lookups ask of the state they look in: a committed head or a draft on top of one. */
export interface Lookup {
  readonly tip: Tip;
  record(scope: Scope, id: MemoryId): Promise<MemoryRecord | undefined>;
  holder(scope: Scope, topic: string): Promise<MemoryRecord | undefined>;
  /** Was something of this id here before, also where only what is not stored yet tells? */
  was?(scope: Scope, id: MemoryId): Promise<boolean>;
}
