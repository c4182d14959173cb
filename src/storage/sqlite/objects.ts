import type { Hash } from "../../base/index.js";
import { asBuffer, bytesAt, holds } from "./chunk.js";
import type { Connection } from "./connection.js";
import { isDamage } from "./errors.js";
import { placesOf } from "./lookup.js";
import { JOURNAL, NODES, seqOf, slotOf, whatOf } from "./place.js";

interface Row {
  readonly directory: Uint8Array | null;
  readonly objects: Uint8Array | null;
}

const WHOLE = ["journal", "nodes"].map((table) => `SELECT directory, objects FROM ${table} WHERE seq = ?`);
export const DIRECTORY = ["journal", "nodes"].map((table) => `SELECT directory FROM ${table} WHERE seq = ?`);

export const objectPlaces = (connection: Connection, hash: Hash): number[] =>
  placesOf(connection, hash, (what) => what === JOURNAL || what === NODES);

/** Reads one row at a time and keeps the last one, for callers that go through places in order. */
export class RowReader {
  #key = -1;
  #row: Row | undefined;
  constructor(
    readonly connection: Connection,
    readonly statements: readonly string[],
  ) {}

  at(place: number): Row | undefined {
    const key = seqOf(place) * 2 + whatOf(place);
    if (key !== this.#key) {
      this.#row = this.connection.sql<Row>(this.statements[whatOf(place)]!).get(seqOf(place));
      this.#key = key;
    }
    return this.#row;
  }
}

/** The first candidate that really holds the object. A damaged copy only matters when there is no other. */
function pick<T>(places: readonly number[], read: (place: number) => T | undefined): T | undefined {
  let failure: unknown;
  for (const place of places) {
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

function readBytes(rows: RowReader, place: number, hash: Hash): Uint8Array | undefined {
  const row = rows.at(place);
  if (!row?.directory || !row.objects) return undefined;
  const directory = asBuffer(row.directory);
  if (!holds(directory, slotOf(place), hash)) return undefined;
  return bytesAt({ directory, objects: row.objects }, slotOf(place));
}

export function isThere(rows: RowReader, place: number, hash: Hash): true | undefined {
  const directory = rows.at(place)?.directory;
  return directory && holds(asBuffer(directory), slotOf(place), hash) ? true : undefined;
}

/**
 * What is found needs no look at other processes: bytes under a hash never change. Only before it answers
 * "absent" a read makes sure that it has seen every commit.
 */
export function readObject(connection: Connection, hash: Hash): Uint8Array | undefined {
  const rows = new RowReader(connection, WHOLE);
  const look = () => pick(objectPlaces(connection, hash), (place) => readBytes(rows, place, hash));
  const found = look();
  if (found) return found;
  const before = connection.state;
  return connection.refresh() === before ? undefined : look();
}

export const readObjects = (connection: Connection, hashes: readonly Hash[]): Map<Hash, Uint8Array> =>
  resolve(connection, hashes, WHOLE, readBytes);

export function readMissing(connection: Connection, hashes: readonly Hash[]): Hash[] {
  const there = resolve(connection, hashes, DIRECTORY, isThere);
  return [...new Set(hashes)].filter((hash) => !there.has(hash));
}

function resolve<T>(
  connection: Connection,
  hashes: readonly Hash[],
  statements: readonly string[],
  read: (rows: RowReader, place: number, hash: Hash) => T | undefined,
): Map<Hash, T> {
  const found = new Map<Hash, T>();
  const rows = new RowReader(connection, statements);
  const look = (wanted: Iterable<Hash>) => {
    const places = Array.from(wanted, (hash) => ({ hash, places: objectPlaces(connection, hash) }));
    places.sort((a, b) => (a.places[0] ?? 0) - (b.places[0] ?? 0));
    for (const { hash, places: candidates } of places) {
      const value = pick(candidates, (place) => read(rows, place, hash));
      if (value !== undefined) found.set(hash, value);
    }
  };
  look(new Set(hashes));
  if (hashes.every((hash) => found.has(hash))) return found;
  const before = connection.state;
  if (connection.refresh() !== before) look(new Set(hashes.filter((hash) => !found.has(hash))));
  return found;
}
