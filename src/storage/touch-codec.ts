import { crc32 } from "node:zlib";
import {
  type Hash,
  hashFromBytes,
  millisecondsOf,
  PalimpsestError,
  type Timestamp,
  timestamp,
  writeHash,
} from "../core/base/index.js";
import type { Author, Op, Sensitivity, Touch } from "../core/ledger/index.js";

/**
 * The touch rows of one journal row, as adapters keep them. Authors, scopes and commits stand once in tables at the front, so that an
 * event of a bulk write costs about 80 bytes and 32 per link:
 *   u16 n, n x author [kind 1, length u16, utf8] · u16 n, n x scope 32 · u16 n, n x commit [hash 32, generation u32,
 *   time f64, author u16] · u16 n, n x event [flags 1, scope u16, commit u16, version u32, links u16, created f64,
 *   id 32, record 32 when flagged, links 32 each] · crc32 of all before it
 * Touch rows are not hashed by anybody, so a wrong bit must show here.
 */
const OPS: readonly Op[] = ["add", "modify", "forget", "observe"];
const SENSITIVITIES: readonly Sensitivity[] = ["normal", "private", "confidential"];
const AUTHORS: readonly Author["kind"][] = ["user", "operator", "agent", "system"];
const HAS_RECORD = 0x10;
const EVENT = 19;
/** Not that of other columns: bytes in the wrong place must not pass. */
const SEED = 1;

/** Numbers values in the order of their first use. Most events repeat the value before them. */
class Table<T> {
  readonly items: T[] = [];
  readonly #same: (a: T, b: T) => boolean;
  readonly #key: (item: T) => string;
  #index: Map<string, number> | undefined;
  #last = -1;

  constructor(same: (a: T, b: T) => boolean, key: (item: T) => string) {
    this.#same = same;
    this.#key = key;
  }

  add(item: T): number {
    if (this.#last >= 0 && this.#same(this.items[this.#last]!, item)) return this.#last;
    if (this.items.length === 0) return this.#append(item);
    this.#index ??= new Map([[this.#key(this.items[0]!), 0]]);
    const key = this.#key(item);
    this.#last = this.#index.get(key) ?? this.#append(item);
    this.#index.set(key, this.#last);
    return this.#last;
  }

  #append(item: T): number {
    this.#last = this.items.push(item) - 1;
    return this.#last;
  }
}

const sameAuthor = (a: Author, b: Author): boolean => a === b || (a.kind === b.kind && a.id === b.id);
const sameHash = (a: Hash, b: Hash): boolean => a === b;

/** What stands in the tables at the front, and for each event which of it is meant. */
interface Numbered {
  readonly authors: readonly Author[];
  readonly scopes: readonly Hash[];
  readonly commits: readonly Touch[];
  readonly scopeOf: readonly number[];
  readonly commitOf: readonly number[];
  readonly authorOfCommit: readonly number[];
}

function numbered(touch: readonly Touch[]): Numbered {
  const [first] = touch;
  // What nearly every commit is needs no tables.
  if (first && touch.length === 1)
    return {
      authors: [first.author],
      scopes: [first.scope],
      commits: touch,
      scopeOf: FIRST,
      commitOf: FIRST,
      authorOfCommit: FIRST,
    };
  const authors = new Table<Author>(sameAuthor, ({ kind, id }) => `${kind} ${id}`);
  const scopes = new Table<Hash>(sameHash, (scope) => scope);
  const commits = new Table<Touch>(
    (a, b) => a.commit === b.commit,
    (event) => event.commit,
  );
  for (const { author } of touch) authors.add(author);
  const scopeOf = touch.map(({ scope }) => scopes.add(scope));
  const commitOf = touch.map((event) => commits.add(event));
  const authorOfCommit = commits.items.map(({ author }) => authors.add(author));
  const [{ items }, { items: ofScopes }, { items: ofCommits }] = [authors, scopes, commits];
  return { authors: items, scopes: ofScopes, commits: ofCommits, scopeOf, commitOf, authorOfCommit };
}

const FIRST: readonly number[] = [0];

/** The bytes of the id of an author; the author of a session is one object for all its writes. */
function nameOf(author: Author): Uint8Array {
  if (author !== named.author) named = { author, bytes: Buffer.from(author.id) };
  return named.bytes;
}

let named = { author: undefined as Author | undefined, bytes: new Uint8Array(0) };

export function packTouch(
  touch: readonly Touch[],
  room: (size: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  const { authors, scopes, commits, scopeOf, commitOf, authorOfCommit } = numbered(touch);
  let size = 2 * 4 + 4;
  for (const event of touch) size += EVENT + 32 + (event.record ? 32 : 0) + event.links.length * 32;
  for (const author of authors) size += 3 + nameOf(author).length;
  size += scopes.length * 32 + commits.length * 46;

  const out = room(size);
  putU16(out, 0, authors.length);
  let at = 2;
  for (const author of authors) {
    const name = nameOf(author);
    out[at] = AUTHORS.indexOf(author.kind);
    putU16(out, at + 1, name.length);
    out.set(name, at + 3);
    at += 3 + name.length;
  }
  putU16(out, at, scopes.length);
  at += 2;
  for (const scope of scopes) at = writeHash(scope, out, at);
  putU16(out, at, commits.length);
  at += 2;
  for (let n = 0; n < commits.length; n++) {
    const { commit, generation, time } = commits[n]!;
    at = writeHash(commit, out, at);
    putU32(out, at, generation);
    putF64(out, at + 4, millisecondsOf(time));
    putU16(out, at + 12, authorOfCommit[n]!);
    at += 14;
  }
  putU16(out, at, touch.length);
  at += 2;
  for (let n = 0; n < touch.length; n++) {
    const event = touch[n]!;
    const flags = OPS.indexOf(event.op) | (SENSITIVITIES.indexOf(event.sensitivity) << 2);
    out[at] = flags | (event.record ? HAS_RECORD : 0);
    putU16(out, at + 1, scopeOf[n]!);
    putU16(out, at + 3, commitOf[n]!);
    putU32(out, at + 5, event.version);
    putU16(out, at + 9, event.links.length);
    putF64(out, at + 11, millisecondsOf(event.created));
    at = writeHash(event.id, out, at + EVENT);
    if (event.record) at = writeHash(event.record, out, at);
    for (const link of event.links) at = writeHash(link, out, at);
  }
  putU32(out, at, crcOf(out, at, SEED));
  return out;
}

export const isTouchWhole = (bytes: Buffer): boolean =>
  bytes.length > 4 && bytes.readUInt32BE(bytes.length - 4) === crcOf(bytes, bytes.length - 4, SEED);

export interface TouchLayout {
  readonly authors: number;
  readonly scopes: number;
  readonly commits: number;
  readonly events: number;
}

/** Touch rows are derived: what is wrong with them alone costs nothing that anybody said. */
export const damagedRows = (what: string): PalimpsestError =>
  new PalimpsestError("DAMAGED", what, {
    hint: "Run `pal verify`; if it names nothing but touch rows, `pal rebuild` makes them again from the rest.",
  });

/** Positions of the three tables and of the first event. */
export function touchLayout(bytes: Buffer): TouchLayout {
  if (!isTouchWhole(bytes)) throw damagedRows("A row of touch data is damaged.");
  let at = 2;
  for (let left = bytes.readUInt16BE(0); left > 0; left--) at += 3 + bytes.readUInt16BE(at + 1);
  const scopes = at + 2;
  at = scopes + bytes.readUInt16BE(at) * 32;
  const commits = at + 2;
  at = commits + bytes.readUInt16BE(at) * 46;
  return { authors: 2, scopes, commits, events: at + 2 };
}

/** Byte positions of an event: its head, its id, its links. */
export type EventPlace = readonly [head: number, id: number, links: number, count: number];

export function touchAt(bytes: Buffer, head: number): EventPlace {
  const links = head + EVENT + 32 + (bytes[head]! & HAS_RECORD ? 32 : 0);
  return [head, head + EVENT, links, bytes.readUInt16BE(head + 9)];
}

export function eachTouch(bytes: Buffer, first: number, each: (...place: EventPlace) => void): void {
  let at = first;
  for (let left = bytes.readUInt16BE(first - 2); left > 0; left--) {
    const place = touchAt(bytes, at);
    each(...place);
    at = place[2] + place[3] * 32;
  }
}

/** The events that match: by scope and id, by a link, or all. */
export type TouchWanted = { readonly scope: Hash; readonly id: Hash } | { readonly link: Hash } | undefined;

export function unpackTouch(bytes: Buffer, wanted?: TouchWanted): Touch[] {
  const at = touchLayout(bytes);
  const isWanted = wanted && touchMatcher(bytes, at.scopes, wanted);
  const read = touchReader(bytes, at);
  const found: Touch[] = [];
  eachTouch(bytes, at.events, (...place) => {
    if (!isWanted || isWanted(...place)) found.push(read(...place));
  });
  return found;
}

export function touchMatcher(
  bytes: Buffer,
  scopes: number,
  wanted: NonNullable<TouchWanted>,
): (...place: EventPlace) => boolean {
  const key = Buffer.from("link" in wanted ? wanted.link : wanted.id, "hex");
  const same = (position: number) => key.compare(bytes, position, position + 32) === 0;
  return (head, id, links, count) => {
    if (!("link" in wanted)) return same(id) && scopeAt(bytes, scopes, head) === wanted.scope;
    for (let n = 0; n < count; n++) if (same(links + n * 32)) return true;
    return false;
  };
}

const scopeAt = (bytes: Buffer, scopes: number, head: number): Hash =>
  hashFromBytes(bytes, scopes + bytes.readUInt16BE(head + 1) * 32);

/** Reads events of a row. What stands in the tables at the front is made into values once and shared. */
export function touchReader(bytes: Buffer, at: TouchLayout): (...place: EventPlace) => Touch {
  const authors = kept((index) => readAuthor(bytes, at.authors, index));
  const scopes = kept((index) => hashFromBytes(bytes, at.scopes + index * 32));
  const commits = kept((index) => {
    const place = at.commits + index * 46;
    return {
      commit: hashFromBytes(bytes, place),
      generation: bytes.readUInt32BE(place + 32),
      time: readTime(bytes, place + 36),
      author: authors(bytes.readUInt16BE(place + 44)),
    };
  });
  return (head, id, links, count) => {
    const flags = bytes[head]!;
    const { commit, generation, time, author } = commits(bytes.readUInt16BE(head + 3));
    const touch: Writable<Touch> = {
      scope: scopes(bytes.readUInt16BE(head + 1)),
      id: hashFromBytes(bytes, id),
      op: OPS[flags & 3]!,
      commit,
      generation,
      time,
      author,
      version: bytes.readUInt32BE(head + 5),
      created: readTime(bytes, head + 11),
      sensitivity: SENSITIVITIES[(flags >> 2) & 3]!,
      links: count === 0 ? NO_LINKS : hashesAt(bytes, links, count),
    };
    if (flags & HAS_RECORD) touch.record = hashFromBytes(bytes, id + 32);
    return touch;
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const NO_LINKS: readonly Hash[] = [];

const hashesAt = (bytes: Buffer, at: number, count: number): Hash[] =>
  Array.from({ length: count }, (_, n) => hashFromBytes(bytes, at + n * 32));

function kept<T>(make: (index: number) => T): (index: number) => T {
  const made: T[] = [];
  return (index) => (made[index] ??= make(index));
}

const readTime = (bytes: Buffer, at: number): Timestamp => timestamp(bytes.readDoubleBE(at));

function readAuthor(bytes: Buffer, first: number, index: number): Author {
  let at = first;
  for (let before = 0; before < index; before++) at += 3 + bytes.readUInt16BE(at + 1);
  const end = at + 3 + bytes.readUInt16BE(at + 1);
  return { id: bytes.toString("utf8", at + 3, end), kind: AUTHORS[bytes[at]!]! };
}

/*
 * Numbers, the high byte first. Every commit writes a dozen of them, and the methods of a buffer, with all that they check,
 * would cost more than the rest of a row.
 */
function putU16(out: Uint8Array, at: number, value: number): void {
  out[at] = value >>> 8;
  out[at + 1] = value;
}

function putU32(out: Uint8Array, at: number, value: number): void {
  putU16(out, at, value >>> 16);
  putU16(out, at + 2, value);
}

const float = new Float64Array(1);
const floatBytes = new Uint8Array(float.buffer);
/** A machine may have the low byte of a number first. */
const isLowFirst = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function putF64(out: Uint8Array, at: number, value: number): void {
  float[0] = value;
  for (let byte = 0; byte < 8; byte++) out[at + byte] = floatBytes[isLowFirst ? 7 - byte : byte]!;
}

/** Up to here a loop of our own is cheaper than a call out of the language. */
const SHORT = 256;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The crc32 of the first `end` bytes. A seed keeps bytes of one column from passing in another. */
export function crcOf(bytes: Uint8Array, end: number, seed = 0): number {
  if (end > SHORT) return crc32(end === bytes.length ? bytes : bytes.subarray(0, end), seed);
  let crc = ~seed;
  for (let at = 0; at < end; at++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}
