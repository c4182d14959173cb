import { type Hash, hashFromBytes, writeHash } from "../../core/base/index.js";
import type { ObjectKind, StoredObject } from "../port.js";
import { crcOf } from "../touch-codec.js";
import { damaged } from "./errors.js";
import { type EachPlace, type ObjectTable, placeOf, prefixAt } from "./place.js";
import type { RowBuffer } from "./row-buffer.js";

/**
 * Objects lie in rows of many ("chunks"), because what a write costs is the number of pages it touches.
 * directory = per slot [hash 32, kind 1, end of the bytes 4], then crc32 of the objects and crc32 of all before
 * it; objects = the bytes, end to end. Kind 0 is a hole left by a removal: the slots of the others stay.
 */
export interface Chunk {
  readonly directory: Uint8Array;
  readonly objects: Uint8Array;
}

const KINDS: readonly (ObjectKind | undefined)[] = [
  undefined,
  "memory",
  "changeset",
  "commit",
  "note",
  "operation",
  "tombstone",
  "node",
];
const CODE_OF = Object.fromEntries(KINDS.map((kind, code) => [kind, code])) as Record<ObjectKind, number>;

/** Not that of other columns: bytes in the wrong place must not pass. */
const SEED = 3;
const ENTRY = 37;
const TRAILER = 8;
export const MAX_OBJECTS = 128;
const MAX_BYTES = 32 * 1024;
/** Nodes are read one by one, from the root of a state down, and SQLite reads a row whole whatever is wanted of it. */
export const MAX_NODE_BYTES = 8 * 1024;

/** A column that SQLite gives out need not be what was put into it. */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes;
  if (!(bytes instanceof Uint8Array)) throw damaged("A column holds something else than bytes.");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Cuts a list of objects where a chunk is full; a bigger object gets a chunk of its own. */
export function cut(objects: readonly StoredObject[], most = MAX_BYTES): (readonly StoredObject[])[] {
  const chunks: (readonly StoredObject[])[] = [];
  let current: StoredObject[] = [];
  let size = 0;
  for (const object of objects) {
    if (current.length > 0 && (current.length >= MAX_OBJECTS || size + object.bytes.length > most)) {
      chunks.push(current);
      current = [];
      size = 0;
    }
    current.push(object);
    size += object.bytes.length;
  }
  if (current.length > 0) chunks.push(current);
  return chunks;
}

export function packChunk(objects: readonly StoredObject[]): Chunk {
  let size = 0;
  for (const { bytes } of objects) size += bytes.length;
  const directory = Buffer.allocUnsafe(objects.length * ENTRY + TRAILER);
  const packed = Buffer.allocUnsafe(size);
  let at = 0;
  let end = 0;
  for (const { hash, kind, bytes } of objects) {
    packed.set(bytes, end);
    end += bytes.length;
    writeHash(hash, directory, at);
    directory[at + 32] = CODE_OF[kind];
    directory.writeUInt32BE(end, at + 33);
    at += ENTRY;
  }
  return seal(directory, packed);
}

/** The same in a row buffer that has room for them. */
export function layChunk(objects: readonly StoredObject[], row: RowBuffer): Chunk {
  const directory = row.column(objects.length * ENTRY + TRAILER);
  let at = 0;
  for (const object of objects) {
    writeHash(object.hash, directory, at);
    directory[at + 32] = CODE_OF[object.kind];
    directory.writeUInt32BE(row.add(object), at + 33);
    at += ENTRY;
  }
  return seal(directory, row.objects());
}

function seal(directory: Buffer, objects: Uint8Array): Chunk {
  const end = directory.length - TRAILER;
  directory.writeUInt32BE(crcOf(objects, objects.length), end);
  directory.writeUInt32BE(crcOf(directory, end + 4, SEED), end + 4);
  return { directory, objects };
}

export function slotsOf(directory: Uint8Array): number {
  const slots = (directory.length - TRAILER) / ENTRY;
  if (!Number.isInteger(slots) || slots < 0) throw damaged("A directory of objects has a wrong length.");
  return slots;
}

/** Does this slot hold that object? */
export function holds(directory: Buffer, slot: number, hash: Hash): boolean {
  const at = slot * ENTRY;
  return at + ENTRY <= directory.length && directory[at + 32] !== 0 && hashFromBytes(directory, at) === hash;
}

export const kindAt = (directory: Buffer, slot: number): ObjectKind | undefined =>
  KINDS[directory[slot * ENTRY + 32]!];

const endAt = (directory: Buffer, slot: number): number =>
  slot < 0 ? 0 : directory.readUInt32BE(slot * ENTRY + 33);

/** Where the bytes of a slot begin and end. */
export function rangeAt(directory: Buffer, slot: number): { readonly start: number; readonly end: number } {
  const start = endAt(directory, slot - 1);
  const end = endAt(directory, slot);
  if (end < start) throw damaged("A directory of objects is out of order.");
  return { start, end };
}

/** A copy, so that a caller who keeps a small object does not keep its whole chunk. */
export function bytesAt(directory: Buffer, objects: Uint8Array, slot: number): Uint8Array {
  const { start, end } = rangeWithin(directory, asBuffer(objects), slot);
  return objects.slice(start, end);
}

function rangeWithin(directory: Buffer, objects: Uint8Array, slot: number) {
  const range = rangeAt(directory, slot);
  if (range.end > objects.length) throw damaged("A row of objects is shorter than its directory says.");
  return range;
}

/** The part of a directory that tells about one slot: the entry before it, for the start, and its own. */
export const entryRange = (
  slot: number,
): { readonly from: number; readonly length: number; readonly slot: number } =>
  slot === 0 ? { from: 0, length: ENTRY, slot: 0 } : { from: (slot - 1) * ENTRY, length: 2 * ENTRY, slot: 1 };

/** The objects of a chunk, or only those of some kinds, as views of its bytes: a caller that reads many keeps few. */
export function unpackChunk(chunk: Chunk, kinds?: readonly ObjectKind[]): StoredObject[] {
  const [directory, objects] = [asBuffer(chunk.directory), asBuffer(chunk.objects)];
  const found: StoredObject[] = [];
  for (let slot = 0; slot < slotsOf(directory); slot++) {
    const kind = kindAt(directory, slot);
    if (!kind || (kinds && !kinds.includes(kind))) continue;
    const { start, end } = rangeWithin(directory, objects, slot);
    const bytes = chunk.objects.subarray(start, end);
    found.push({ hash: hashFromBytes(directory, slot * ENTRY), kind, bytes });
  }
  return found;
}

export function eachObject(directory: Buffer, seq: number, table: ObjectTable, each: EachPlace): void {
  const slots = slotsOf(directory);
  for (let slot = 0; slot < slots; slot++)
    if (directory[slot * ENTRY + 32] !== 0)
      each(prefixAt(directory, slot * ENTRY), placeOf(seq, slot, table));
}

/** The chunk without the objects in `slots`, and without the room of those gone before; undefined when none is left. */
export function withoutSlots(chunk: Chunk, slots: ReadonlySet<number>): Chunk | undefined {
  const before = asBuffer(chunk.directory);
  const directory = Buffer.from(before);
  const kept: Uint8Array[] = [];
  let end = 0;
  for (let slot = 0; slot < slotsOf(before); slot++) {
    const at = slot * ENTRY;
    if (slots.has(slot)) directory.fill(0, at, at + ENTRY);
    if (directory[at + 32] !== 0) {
      const bytes = bytesAt(before, chunk.objects, slot);
      kept.push(bytes);
      end += bytes.length;
    }
    directory.writeUInt32BE(end, at + 33);
  }
  return kept.length === 0 ? undefined : seal(directory, Buffer.concat(kept));
}

/** The chunk with zeros for the objects in `slots`, and as long as before: SQLite writes it over the old one in place. */
export function blankSlots(chunk: Chunk, slots: ReadonlySet<number>): Chunk {
  const directory = Buffer.from(asBuffer(chunk.directory));
  const objects = Buffer.from(asBuffer(chunk.objects));
  for (const slot of slots) {
    const { start, end } = rangeAt(directory, slot);
    objects.fill(0, start, end);
    directory.fill(0, slot * ENTRY, slot * ENTRY + 33);
  }
  return seal(directory, objects);
}

/** Does a removed object still take room? */
export function hasHoles(directory: Buffer): boolean {
  for (let slot = 0; slot < slotsOf(directory); slot++) {
    if (directory[slot * ENTRY + 32] !== 0) continue;
    const { start, end } = rangeAt(directory, slot);
    if (end > start) return true;
  }
  return false;
}

/** What is wrong with a chunk beyond what the hashes of its objects show. */
export function chunkProblem(chunk: Chunk): string | undefined {
  const directory = asBuffer(chunk.directory);
  const end = directory.length - TRAILER;
  if (end < 0 || end % ENTRY !== 0) return "directory-damaged";
  if (directory.readUInt32BE(end + 4) !== crcOf(directory, end + 4, SEED)) return "directory-damaged";
  return directory.readUInt32BE(end) === crcOf(chunk.objects, chunk.objects.length)
    ? undefined
    : "objects-damaged";
}
