import { crc32 } from "node:zlib";
import {
  type Hash,
  hashFromBytes,
  hashToBytes,
  hashValue,
  type JsonObject,
  writeHash,
} from "../../core/base/index.js";
import type { Ref, RefMove, StoredVectors } from "../port.js";
import { crcOf } from "../touch-codec.js";
import { asBuffer, bytesAt, entryRange, holds, MAX_NODE_BYTES, rangeAt } from "./chunk.js";
import type { Connection } from "./connection.js";
import { damaged, isDamage } from "./errors.js";
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

interface RefRow {
  readonly name: string;
  readonly target: Uint8Array;
  readonly meta: string | null;
}

/** Nothing hashes a ref, so its row carries a crc32 of all it says behind the 32 bytes of the target. */
function checksum(name: string, target: Uint8Array, meta: string | null): number {
  if (name !== said.name || meta !== said.meta)
    said = { name, meta, bytes: Buffer.from(`${name}\0${meta ?? ""}`) };
  return crcOf(said.bytes, said.bytes.length, crcOf(target, 32));
}

/** Of the ref that was moved last, which nearly always is the one that is moved next. */
let said = { name: "", meta: null as string | null, bytes: Buffer.of(0) };

export function readRef(connection: Connection, name: string): Ref | undefined {
  const row = connection.sql<RefRow>("SELECT name, target, meta FROM refs WHERE name = ?").get(name);
  return row && refOf(row);
}

/** By the bytes of the names: a range of the primary key, so no character of a prefix has a meaning of its own. */
export function readRefs(connection: Connection, prefix: string): Map<string, Ref> {
  const rows = connection
    .sql<RefRow>("SELECT name, target, meta FROM refs WHERE name >= ? AND name < ? ORDER BY name")
    .all(prefix, `${prefix}\u{10ffff}`);
  return new Map(rows.map((row) => [row.name, refOf(row)]));
}

function refOf({ name, target, meta }: RefRow): Ref {
  if (!isRefWhole({ name, target, meta })) throw damaged(`The ref ${name} is damaged.`, { ref: name });
  const hash = hashFromBytes(target);
  return meta === null ? { target: hash } : { target: hash, meta: JSON.parse(meta) as JsonObject };
}

export function isRefWhole({ name, target, meta }: RefRow): boolean {
  if (!(target instanceof Uint8Array) || (meta !== null && typeof meta !== "string")) return false;
  const bytes = asBuffer(target);
  return bytes.length === 36 && bytes.readUInt32BE(32) === checksum(name, bytes, meta);
}

/**
 * Compare and swap in one statement; false when the target is not the expected one. Only the bare target is
 * compared: a move that expects it also heals a damaged row.
 */
export function moveRef(connection: Connection, { name, expect, next, join }: RefMove): boolean {
  if (!next) {
    if (expect === null) return !connection.sql("SELECT 1 FROM refs WHERE name = ?").get(name);
    connection.refMeta.delete(name);
    return changed(connection.sql(DELETE).run(name, hashToBytes(expect)));
  }
  const kept = join || next.meta === undefined ? keptMeta(connection, name, expect) : null;
  const merged = join && kept !== null ? { ...JSON.parse(kept), ...next.meta } : next.meta;
  const meta = merged === undefined ? kept : JSON.stringify(merged);
  const target = rowOfRef(name, next.target, meta);
  const done =
    expect === null
      ? connection.sql(INSERT).run(name, target, meta)
      : connection.sql(UPDATE).run(target, meta, name, hashToBytes(expect));
  // One that was not moved makes the whole transaction stale, and what it noted goes with the rollback.
  connection.refMeta.set(name, meta);
  return changed(done);
}

/** The column of a target. */
export function rowOfRef(
  name: string,
  target: Hash,
  meta: string | null,
  room: (size: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  const row = room(36);
  writeHash(target, row, 0);
  row.writeUInt32BE(checksum(name, row, meta), 32);
  return row;
}

/** What a ref says beside its target stays when a move does not speak of it. The last mover need not read it again. */
export function keptMeta(connection: Connection, name: string, expect: Hash | null): string | null {
  if (expect === null) return null;
  const known = connection.refMeta.get(name);
  if (known !== undefined) return known;
  const row = connection.sql<RefRow>("SELECT name, target, meta FROM refs WHERE name = ?").get(name);
  return row && isRefWhole(row) ? row.meta : null;
}

const INSERT = "INSERT OR IGNORE INTO refs VALUES (?, ?, ?)";
const UPDATE = "UPDATE refs SET target = ?, meta = ? WHERE name = ? AND substr(target, 1, 32) = ?";
const DELETE = "DELETE FROM refs WHERE name = ? AND substr(target, 1, 32) = ?";

const changed = ({ changes }: { readonly changes: number | bigint }): boolean => Number(changes) === 1;

interface VectorRow {
  readonly at: number;
  readonly model: number;
  readonly key: Uint8Array;
  readonly source: Uint8Array;
  readonly vectors: Uint8Array;
  readonly checksum: number;
}

/** Few models ever meet in one store: 48 bits of the name's hash tell them apart. */
const modelKey = (model: string): number => prefixOf(hashValue("id", model));

const checksumOf = ({ model, key, source, vectors }: Omit<VectorRow, "at" | "checksum">): number =>
  crc32(vectors, crc32(source, crc32(key, crc32(String(model)))));

const isBytes = (column: unknown): boolean => column instanceof Uint8Array;

const isWhole = (row: VectorRow): boolean =>
  isBytes(row.key) && isBytes(row.source) && isBytes(row.vectors) && row.checksum === checksumOf(row);

export function readVectors(
  connection: Connection,
  model: string,
  keys: readonly Hash[],
): Map<Hash, Int8Array> {
  const select = connection.sql<VectorRow>("SELECT * FROM vectors WHERE model = ? AND key = ?");
  const number = modelKey(model);
  const found = new Map<Hash, Int8Array>();
  for (const key of keys) {
    const row = select.get(number, hashToBytes(key));
    if (row && isWhole(row)) found.set(key, new Int8Array(row.vectors));
  }
  return found;
}

/** Inside a write transaction; undefined when the epoch is another than expected. */
export function writeVectors(
  connection: Connection,
  model: string,
  entries: readonly StoredVectors[],
  epoch: number,
): { readonly written: number } | undefined {
  if (connection.refresh().epoch !== epoch) return undefined;
  // Some versions of Node bind an empty view of bytes as NULL.
  const insert = connection.sql(
    "INSERT OR REPLACE INTO vectors (model, key, source, vectors, checksum) VALUES (?, ?, ?, ifnull(?, x''), ?)",
  );
  const number = modelKey(model);
  for (const { key, source, vectors } of entries) {
    const bytes = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    const row = { model: number, key: hashToBytes(key), source: hashToBytes(source), vectors: bytes };
    insert.run(number, row.key, row.source, bytes, checksumOf(row));
  }
  return { written: entries.length };
}

/** Reads the whole table once: erasing is rare, and an index of sources would be paid for by every write. */
export function removeVectors(
  connection: Connection,
  sources: readonly Hash[],
): { readonly removed: number } {
  const gone = new Set(sources);
  const rows = connection.sql<{ at: number; source: Uint8Array }>("SELECT at, source FROM vectors").all();
  const doomed = rows.filter(
    ({ source }) => isBytes(source) && source.length === 32 && gone.has(hashFromBytes(source)),
  );
  // Overwritten in place before they go: the room that a deletion frees may be filled by moving what is left.
  const blank = connection.sql("UPDATE vectors SET vectors = zeroblob(length(vectors)) WHERE at = ?");
  const remove = connection.sql("DELETE FROM vectors WHERE at = ?");
  for (const { at } of doomed) {
    blank.run(at);
    remove.run(at);
  }
  return { removed: doomed.length };
}

/** The rows whose checksum does not fit. */
export function damagedVectors(connection: Connection): number[] {
  const page = connection.sql<VectorRow>("SELECT * FROM vectors WHERE at > ? ORDER BY at LIMIT 1000");
  const damaged: number[] = [];
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = page.all(after);
    damaged.push(...rows.filter((row) => !isWhole(row)).map(({ at }) => at));
    if (rows.length === 0) return damaged;
    after = rows.at(-1)!.at;
  }
}

/** Not that of other columns: bytes in the wrong place must not pass. */
const SEED = 2;

/** The operations of one row: their hashes, oldest first, and a crc32. */
export function packOps(ops: readonly Hash[], room: (size: number) => Buffer = Buffer.allocUnsafe): Buffer {
  const out = room(ops.length * 32 + 4);
  let at = 0;
  for (const hash of ops) at = writeHash(hash, out, at);
  out.writeUInt32BE(crcOf(out, at, SEED), at);
  return out;
}

export function unpackOps(bytes: Buffer): Hash[] {
  const end = bytes.length - 4;
  if (end < 0 || end % 32 !== 0 || bytes.readUInt32BE(end) !== crcOf(bytes, end, SEED))
    throw damaged("A row of the operation log is damaged.");
  return Array.from({ length: end / 32 }, (_, at) => hashFromBytes(bytes, at * 32));
}
