import type { Hash } from "../../core/base/index.js";
import type { ScannedObject, ScanOptions, StoredObject } from "../port.js";
import { type Chunk, unpackChunk } from "./chunk.js";
import type { Connection, State } from "./connection.js";
import type { Statement } from "./driver.js";
import { isDamage } from "./errors.js";
import { type EachPlace, Entries, prefixOf } from "./place.js";
import { readRows } from "./rows.js";
import { eachKey, forgetNotes, writeNote } from "./watch.js";

export const FIND = "SELECT at FROM lookup WHERE prefix = ?";
const FIND_NEWEST = "SELECT at FROM lookup WHERE prefix = ? ORDER BY at DESC LIMIT ?";

/** Every place that may hold what the hash names. */
export function placesOf(connection: Connection, hash: Hash): number[] {
  const prefix = prefixOf(hash);
  const places = new Set(connection.tail().find(prefix));
  for (const { at } of connection.sql<{ at: number }>(FIND).all(prefix)) places.add(at);
  return [...places];
}

/** As `placesOf`, but of those in the table only the last so many; `isAll` says if there are no more. */
export function newestPlaces(
  connection: Connection,
  hash: Hash,
  newest: number,
): { readonly places: number[]; readonly isAll: boolean } {
  const prefix = prefixOf(hash);
  const places = new Set(connection.tail().find(prefix));
  const page = connection.sql<{ at: number }>(FIND_NEWEST).all(prefix, newest);
  for (const { at } of page) places.add(at);
  return { places: [...places], isAll: page.length < newest };
}

/**
 * Numbers of the entries ordered by prefix, so that each index page is written once. 32 bits of the prefix and
 * 21 of the number fit a double; the order needs no more, it serves locality only.
 */
function sorted({ prefixes }: Entries, from: number, to: number): Float64Array {
  const keys = new Float64Array(to - from);
  for (let at = from; at < to; at++)
    keys[at - from] = Math.floor(prefixes[at]! / 65536) * 2 ** 21 + (at - from);
  return keys.sort();
}

const BATCH = 32;
const one = "INSERT OR IGNORE INTO lookup VALUES (?, ?)";
const many = one + ", (?, ?)".repeat(BATCH - 1);

export function insertEntries(connection: Connection, entries: Entries): void {
  const { prefixes, places } = entries;
  for (let from = 0; from < prefixes.length; from += 2 ** 21) {
    const order = sorted(entries, from, Math.min(from + 2 ** 21, prefixes.length));
    let params: number[] = [];
    for (const key of order) {
      const at = from + (key % 2 ** 21);
      params.push(prefixes[at]!, places[at]!);
      if (params.length === BATCH * 2) {
        connection.sql(many).run(...params);
        params = [];
      }
    }
    for (let at = 0; at < params.length; at += 2) connection.sql(one).run(params[at]!, params[at + 1]!);
  }
}

export function setIndexed(connection: Connection, seq: number): void {
  connection.sql("UPDATE meta SET value = ? WHERE key = 'indexed'").run(seq);
  forgetNotes(connection, seq);
}

/**
 * Moves the index entries of about `span` seqs up to `end` from the tail to the table; inside a write transaction, because
 * another process may have done so meanwhile. Undefined when there is nothing to move.
 */
export function mergeSlice(
  connection: Connection,
  span: number,
  end: number,
): { readonly state: State; readonly rows: number } | undefined {
  const state = connection.refresh();
  const rows = Math.min(end, state.seq) - state.indexed;
  if (rows <= 0) return undefined;
  // In equal parts, a quarter longer at most: a short one at the end would touch nearly as many pages as a long one.
  const upTo = state.indexed + Math.ceil(rows / Math.max(1, Math.ceil(rows / span - 0.25)));
  const entries = new Entries();
  eachWaiting(connection, state.indexed, upTo, entries.add);
  insertEntries(connection, entries);
  setIndexed(connection, upTo);
  return { state: { ...state, indexed: upTo }, rows: upTo - state.indexed };
}

/** Rows that are in no note yet, and not in the index either. */
export function unnoted(connection: Connection): { readonly after: number; readonly upTo: number } {
  const { seq, indexed } = connection.refresh();
  const { last } = connection
    .sql<{ last: number }>("SELECT coalesce(max(upto), 0) AS last FROM waiting WHERE upto <= ?")
    .get(seq)!;
  return { after: Math.max(indexed, last), upTo: seq };
}

/** Of so many rows: more would hold up the other writers for too long. */
const MOST_ROWS = 2048;

/**
 * Notes what waits, for processes to come; inside a write transaction, because another one may have done so meanwhile.
 * Undefined when there is nothing to note.
 */
export function noteWaiting(connection: Connection): State | undefined {
  const { after, upTo } = unnoted(connection);
  if (upTo <= after) return undefined;
  const entries = new Entries();
  const seq = Math.min(upTo, after + MOST_ROWS);
  eachWaiting(connection, after, seq, entries.add);
  writeNote(connection, { ...connection.state, seq }, after, entries);
  return connection.state;
}

/** As `eachKey`, but what the tail knows for certain is not read again. */
export function eachWaiting(connection: Connection, after: number, upTo: number, each: EachPlace): void {
  const tail = connection.loadedTail();
  const known = tail ? Math.max(after, Math.min(upTo, tail.exactAbove)) : upTo;
  eachKey(connection, after, known, each);
  tail?.each(known, upTo, each);
}

type ChunkRow = Chunk & { readonly seq: number };

type Kinds = Pick<ScanOptions, "kinds" | "containing">;

/** Where more is looked for, SQLite is no faster than the caller. */
const MOST_NEEDLES = 4;

/** Can SQLite leave out most rows? Then far more of them are asked for at once. */
export const isSifted = ({ containing = [] }: Kinds): boolean =>
  containing.length > 0 && containing.length <= MOST_NEEDLES;

/** Needles are handed over with each call, because texts of statements are kept. */
function rowsOf(connection: Connection, table: string, options: Kinds): Pick<Statement<ChunkRow>, "all"> {
  const needles = isSifted(options) ? (options.containing ?? []) : [];
  const sifted = needles.map(() => "instr(objects, ?) > 0").join(" OR ");
  const statement = connection.sql<ChunkRow>(
    `SELECT seq, directory, objects FROM ${table}
     WHERE ${sifted === "" ? "" : `(${sifted}) AND`} seq > ? AND seq <= ? AND directory IS NOT NULL ORDER BY seq LIMIT ?`,
  );
  return needles.length === 0 ? statement : { all: (...page) => statement.all(...needles, ...page) };
}

/** All rows of the range are held at the end, so larger pages take no more room. */
const AT_ONCE = { pageSize: 64 };

/** Objects of the rows with after < seq <= upTo, in order. What cannot be read is left to check(). */
export function scanRows(
  connection: Connection,
  after: number,
  upTo: number,
  options: Kinds,
): ScannedObject[] {
  const { kinds } = options;
  const rows: ChunkRow[] = [];
  if (!kinds || kinds.some((kind) => kind !== "node"))
    rows.push(...readRows(rowsOf(connection, "journal", options), after, upTo, AT_ONCE));
  if (!kinds || kinds.includes("node"))
    rows.push(...readRows(rowsOf(connection, "nodes", options), after, upTo, AT_ONCE));
  const found: ScannedObject[] = [];
  for (const row of rows.sort((a, b) => a.seq - b.seq))
    for (const { hash, kind, bytes } of unpack(row, kinds)) found.push({ hash, kind, bytes, seq: row.seq });
  return found;
}

function unpack(chunk: Chunk, kinds: Kinds["kinds"]): StoredObject[] {
  try {
    return unpackChunk(chunk, kinds);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [];
  }
}
