import type { Hash } from "../../core/base/index.js";
import type { Touch } from "../../core/ledger/index.js";
import { type TouchWanted, unpackTouch } from "../touch-codec.js";
import { asBuffer } from "./chunk.js";
import type { Connection } from "./connection.js";
import type { Statement } from "./driver.js";
import { damaged } from "./errors.js";
import { newestPlaces } from "./lookup.js";
import { seqOf, TOUCH_ID, TOUCH_LINK, whatOf } from "./place.js";
import { unpackOps } from "./tables.js";
import { countEvents, TouchIndex } from "./touch-index.js";

interface TouchRow {
  readonly seq: number;
  readonly touch: Uint8Array;
}
interface OpsRow {
  readonly seq: number;
  readonly ops: Uint8Array;
}

const PAGE = 64;

export const touchOfKey = (connection: Connection, scope: Hash, id: Hash, newest: number): Touch[] =>
  touchAt(connection, id, TOUCH_ID, { scope, id }, newest);

export const touchOfLink = (connection: Connection, link: Hash, newest: number): Touch[] =>
  touchAt(connection, link, TOUCH_LINK, { link }, newest);

/** From the newest row downwards, so that the last version of a memory with a long history is found at once. */
function touchAt(
  connection: Connection,
  key: Hash,
  kind: typeof TOUCH_ID | typeof TOUCH_LINK,
  wanted: NonNullable<TouchWanted>,
  newest: number,
): Touch[] {
  const { epoch } = connection.refresh();
  const { places, isAll } = newestPlaces(connection, key, newest);
  const seqs = places.filter((place) => whatOf(place) === kind).map(seqOf);
  const found: Touch[][] = [];
  let count = 0;
  for (const seq of seqs.sort((a, b) => b - a)) {
    const events = eventsIn(connection, seq, wanted);
    found.push(events);
    count += events.length;
    if (count >= newest) break;
  }
  if (count < newest) {
    // A process that makes the index anew empties the table: what this look did not find there is in the tail by now.
    if (connection.refresh().epoch !== epoch) return touchAt(connection, key, kind, wanted, newest);
    // Places of another scope or hash that begin alike may have taken the room.
    if (!isAll) return touchAt(connection, key, kind, wanted, Number.MAX_SAFE_INTEGER);
  }
  return found.reverse().flat();
}

/** Rows of so many events are kept with an index of them: a caller that asks for one is likely to ask for more. */
const MANY = 24;
const KEPT = 48;

function eventsIn(connection: Connection, seq: number, wanted: NonNullable<TouchWanted>): Touch[] {
  const known = connection.largeRows.get(seq);
  if (known) return known.find(wanted);
  const { touch } = connection.sql<{ touch: Uint8Array | null }>(SELECT_TOUCH).get(seq) ?? {};
  if (!touch) return [];
  const bytes = asBuffer(touch);
  if (countEvents(bytes) < MANY) return unpackTouch(bytes, wanted);
  const index = new TouchIndex(Buffer.from(bytes));
  connection.largeRows.set(seq, index);
  const [oldest] = connection.largeRows.keys();
  if (connection.largeRows.size > KEPT) connection.largeRows.delete(oldest!);
  return index.find(wanted);
}

const SELECT_TOUCH = "SELECT touch FROM journal WHERE seq = ?";

export function touchSince(
  connection: Connection,
  after: number,
  limit: number,
): { seq: number; touch: Touch[] } {
  // The end is read first: rows that appear meanwhile must not be counted as read.
  const { seq: end } = connection.refresh();
  const page = connection.sql<TouchRow>(
    "SELECT seq, touch FROM journal WHERE seq > ? AND seq <= ? AND touch IS NOT NULL ORDER BY seq LIMIT ?",
  );
  const touch: Touch[] = [];
  // As below, few rows are read at first.
  for (let at = after, size = 4; ; size = Math.min(2 * size, PAGE)) {
    const rows = page.all(at, end, size);
    for (const row of rows) {
      if (row.seq <= at) throw damaged("The journal is out of order.");
      for (const one of unpackTouch(asBuffer(row.touch))) touch.push(one);
      at = row.seq;
      if (touch.length >= limit) return { seq: at, touch };
    }
    if (rows.length < size) return { seq: Math.max(after, end), touch };
  }
}

export function touchBefore(
  connection: Connection,
  before: number,
  limit: number,
): { seq: number; touch: Touch[] } {
  const page = connection.sql<TouchRow>(
    "SELECT seq, touch FROM journal WHERE seq < ? AND touch IS NOT NULL ORDER BY seq DESC LIMIT ?",
  );
  const { seq, found } = downwards(page, before, limit, (row) => unpackTouch(asBuffer(row.touch)));
  return { seq, touch: found };
}

export function opsBefore(
  connection: Connection,
  before: number,
  limit: number,
): { seq: number; ops: Hash[] } {
  const page = connection.sql<OpsRow>(
    "SELECT seq, ops FROM journal WHERE seq < ? AND ops IS NOT NULL ORDER BY seq DESC LIMIT ?",
  );
  const { seq, found } = downwards(page, before, limit, (row) => unpackOps(asBuffer(row.ops)));
  return { seq, ops: found };
}

function downwards<Row extends { readonly seq: number }, T>(
  page: Statement<Row>,
  before: number,
  limit: number,
  unpack: (row: Row) => T[],
): { seq: number; found: T[] } {
  const found: T[] = [];
  // A row may hold one event or more than are asked for: few are read at first.
  for (let at = before, size = 4; ; size = Math.min(2 * size, PAGE)) {
    const rows = page.all(at, size);
    for (const row of rows) {
      if (row.seq >= at) throw damaged("The journal is out of order.");
      for (const one of unpack(row).reverse()) found.push(one);
      at = row.seq;
      if (found.length >= limit) return { seq: at, found };
    }
    if (rows.length < size) return { seq: 0, found };
  }
}
