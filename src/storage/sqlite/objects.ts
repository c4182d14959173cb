import type { Hash } from "../../core/base/index.js";
import { asBuffer, bytesAt, entryRange, holds, MAX_NODE_BYTES, rangeAt } from "./chunk.js";
import type { Connection } from "./connection.js";
import { isDamage } from "./errors.js";
import { FIND, placesOf } from "./lookup.js";
import { JOURNAL, NODES, prefixOf, seqOf, slotOf, whatOf } from "./place.js";

interface Row {
  readonly directory: Uint8Array | null;
  readonly objects: Uint8Array | null;
}
interface Part {
  readonly part: Uint8Array | null;
  readonly objects?: Uint8Array | null;
}

/** By `What`: the statement for objects in the journal, and for nodes. */
const perTable = (sql: string): string[] =>
  ["journal", "nodes"].map((table) => `${sql} FROM ${table} WHERE seq = ?`);
const ENTRY = perTable("SELECT substr(directory, ?, ?) AS part");
/** A small row comes whole at once: asking twice costs more than its bytes. */
const ENTRY_AND_SMALL = perTable(
  `SELECT substr(directory, ?, ?) AS part, iif(length(objects) <= ${MAX_NODE_BYTES}, objects, NULL) AS objects`,
);
const BYTES = perTable("SELECT substr(directory, ?, ?) AS part, substr(objects, ?, ?) AS objects");
const WHOLE = perTable("SELECT directory, objects");

const isObject = (place: number): boolean => whatOf(place) === JOURNAL || whatOf(place) === NODES;

export const objectPlaces = (connection: Connection, hash: Hash): number[] =>
  placesOf(connection, hash).filter(isObject);

/** Reads one object alone, without handing its whole chunk over to JavaScript. */
function readAlone(connection: Connection, place: number, hash: Hash): Uint8Array | undefined {
  const { from, length } = entryRange(slotOf(place));
  for (;;) {
    const found = findEntry(connection, place, hash, ENTRY_AND_SMALL);
    if (!found) return undefined;
    const { directory, slot, objects } = found;
    if (objects) return bytesAt(directory, objects, slot);
    const { start, end } = rangeAt(directory, slot);
    if (start === end) return new Uint8Array(0);
    const row = connection
      .sql<Part>(BYTES[whatOf(place)]!)
      .get(from + 1, length, start + 1, end - start, seqOf(place));
    // Between the two looks another process may have moved what lies in the row.
    if (row?.part && directory.equals(asBuffer(row.part)))
      return row.objects ? asBuffer(row.objects) : undefined;
  }
}

function findEntry(
  connection: Connection,
  place: number,
  hash: Hash,
  statement: readonly string[],
): { directory: Buffer; slot: number; objects: Uint8Array | null | undefined } | undefined {
  const { from, length, slot } = entryRange(slotOf(place));
  const row = connection.sql<Part>(statement[whatOf(place)]!).get(from + 1, length, seqOf(place));
  if (!row?.part) return undefined;
  const directory = asBuffer(row.part);
  return holds(directory, slot, hash) ? { directory, slot, objects: row.objects } : undefined;
}

/** Does the place really hold the object, or is it only like it in 48 bits, or gone? */
export const isThere = (connection: Connection, place: number, hash: Hash): boolean =>
  findEntry(connection, place, hash, ENTRY) !== undefined;

/** The table is asked when the tail does not have it. */
function* candidates(connection: Connection, prefix: number): Generator<number> {
  yield* connection.tail().find(prefix);
  for (const { at } of connection.sql<{ at: number }>(FIND).all(prefix)) yield at;
}

/** The first candidate that holds the object. A damaged copy only matters when there is no other. */
function pick<T>(places: Iterable<number>, read: (place: number) => T | undefined): T | undefined {
  let failure: unknown;
  for (const place of places) {
    if (!isObject(place)) continue;
    try {
      const found = read(place);
      if (found !== undefined) return found;
    } catch (error) {
      if (!isDamage(error)) throw error;
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return undefined;
}

/**
 * What is found needs no look at other processes: bytes under a hash never change. Only before it answers
 * "absent" a read makes sure that it has seen every commit.
 */
export function readObject(connection: Connection, hash: Hash): Uint8Array | undefined {
  const prefix = prefixOf(hash);
  const read = (place: number) => readAlone(connection, place, hash);
  const look = () => pick(candidates(connection, prefix), read);
  const found = look();
  if (found) return found;
  const before = connection.state;
  return connection.refresh() === before ? undefined : look();
}

/** Goes through the rows in their order, and reads a row as a whole when several of its objects are wanted. */
export function readObjects(connection: Connection, hashes: readonly Hash[]): Map<Hash, Uint8Array> {
  if (hashes.length === 1) {
    const found = readObject(connection, hashes[0]!);
    return found ? new Map([[hashes[0]!, found]]) : new Map();
  }
  let key = -1;
  let row: Row | undefined;
  const rowOf = (place: number) => seqOf(place) * 2 + whatOf(place);
  return resolve(connection, hashes, (place, hash, next) => {
    if (rowOf(place) !== key) {
      if (next === undefined || rowOf(next) !== rowOf(place)) return readAlone(connection, place, hash);
      key = rowOf(place);
      row = connection.sql<Row>(WHOLE[whatOf(place)]!).get(seqOf(place));
    }
    if (!row?.directory || !row.objects) return undefined;
    const directory = asBuffer(row.directory);
    return holds(directory, slotOf(place), hash) ? bytesAt(directory, row.objects, slotOf(place)) : undefined;
  });
}

export function readMissing(connection: Connection, hashes: readonly Hash[]): Hash[] {
  const there = resolve(connection, hashes, (place, hash) => isThere(connection, place, hash) || undefined);
  return [...new Set(hashes)].filter((hash) => !there.has(hash));
}

function resolve<T>(
  connection: Connection,
  hashes: readonly Hash[],
  read: (place: number, hash: Hash, next: number | undefined) => T | undefined,
): Map<Hash, T> {
  const found = new Map<Hash, T>();
  const look = (wanted: Iterable<Hash>) => {
    const all = Array.from(wanted, (hash) => ({ hash, places: objectPlaces(connection, hash) }));
    all.sort((a, b) => (a.places[0] ?? 0) - (b.places[0] ?? 0));
    all.forEach(({ hash, places }, at) => {
      const value = pick(places, (place) => read(place, hash, all[at + 1]?.places[0]));
      if (value !== undefined) found.set(hash, value);
    });
  };
  look(new Set(hashes));
  if (hashes.every((hash) => found.has(hash))) return found;
  const before = connection.state;
  if (connection.refresh() !== before) look(new Set(hashes.filter((hash) => !found.has(hash))));
  return found;
}
