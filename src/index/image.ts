import { crc32 } from "node:zlib";
import type { OpenBlob } from "../storage/index.js";
import { ImageDamage } from "./checked-bytes.js";
import { type Columns, type Frozen, LAYOUT } from "./frozen.js";
import type { Steps } from "./slices.js";
import { tableSize } from "./strings.js";

/** Of which state an image is, and by which rules it was made: only an exact match is used. */
export interface ImageTag {
  readonly commit: string;
  readonly root: string;
  readonly analyser: string;
  /** How often something had been erased; an image from before would still hold its words. */
  readonly epoch: number;
}

interface Header {
  readonly tag: ImageTag;
  readonly partitions: Frozen["partitions"];
  readonly names: Frozen["names"];
  /** Where each column lies in the body. */
  readonly sections: Sections;
}

/** "PALVIEW" and the version of the layout. */
const MAGIC = Buffer.from("PALVIEW\u0005", "latin1");
const PREFIX = 32;

/**
 * Layout: magic 8 | crc32 of what follows up to the body u32 | length of the header u32 | where the body begins u64 | length
 * of all u64 | header (JSON) | a crc32 for each block of the body, u32 | body: the columns.
 *
 * In pieces, the columns as they lie in RAM: a copy of them would take as much room as the view itself.
 */
export function encodeImage(frozen: Frozen, tag: ImageTag): Uint8Array[] {
  const sections: Partial<Record<keyof Columns, Section>> = {};
  const columns: Uint8Array[] = [];
  let size = 0;
  for (const name of NAMES) {
    const { buffer, byteOffset, byteLength, length } = frozen[name];
    sections[name] = [size, length];
    const end = aligned(size + byteLength);
    columns.push(new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(end - size - byteLength));
    size = end;
  }
  const { partitions, names } = frozen;
  const header = Buffer.from(JSON.stringify({ tag, partitions, names, sections }));
  const checks = PREFIX + header.length;
  const head = Buffer.alloc(aligned(checks + checksSize(size)));
  MAGIC.copy(head);
  head.writeUInt32LE(header.length, 12);
  head.writeBigUInt64LE(BigInt(head.length), 16);
  head.writeBigUInt64LE(BigInt(head.length + size), 24);
  head.set(header, PREFIX);
  head.set(checksOf(columns, size), checks);
  head.writeUInt32LE(crc32(head.subarray(12)), 8);
  return [head, ...columns];
}

/**
 * Undefined when it is cut, its head is changed or does not add up, or it is the image of something else. The columns are read and checked when
 * they are first wanted: asking for a damaged one throws an `ImageDamage`.
 */
export function decodeImage(blob: OpenBlob, tag: ImageTag): Frozen | undefined {
  const prefix = Buffer.from(blob.read(0, Math.min(PREFIX, blob.size)));
  if (prefix.length < PREFIX || !prefix.subarray(0, 8).equals(MAGIC)) return undefined;
  const body = prefix.readBigUInt64LE(16);
  if (prefix.readBigUInt64LE(24) !== BigInt(blob.size) || body > blob.size) return undefined;
  if (body < PREFIX) return undefined;
  const head = Buffer.from(blob.read(0, Number(body)));
  if (head.length !== Number(body) || head.readUInt32LE(8) !== crc32(head.subarray(12))) return undefined;
  const checks = PREFIX + head.readUInt32LE(12);
  const header = JSON.parse(head.toString("utf8", PREFIX, checks)) as Header;
  if (!isSameTag(header.tag, tag)) return undefined;
  const { sections, partitions, names } = header;
  const size = blob.size - head.length;
  if (head.length !== aligned(checks + checksSize(size))) return undefined;
  if (!areSound(sections, size, partitions.length, names.length)) return undefined;
  const bytes = new CheckedBytes(blob, head.length, head.subarray(checks));
  return Object.assign(lazyColumns(bytes, sections), { partitions, names });
}

const isSameTag = (a: ImageTag, b: ImageTag): boolean =>
  a.commit === b.commit && a.root === b.root && a.analyser === b.analyser && a.epoch === b.epoch;

/**
 * Columns that are read when they are first wanted: one question needs a few of them, and of the long ones some parts. A
 * process that goes on for a while, or writes, completes them, and then holds nothing open.
 */
function lazyColumns(bytes: CheckedBytes, sections: Sections): Columns & Pick<Frozen, "part" | "complete"> {
  const wholes = new Map<keyof Columns, Columns[keyof Columns]>();
  const asked = new Map<keyof Columns, number>();

  function read<K extends keyof Columns>(name: K, from: number, to: number): Columns[K] {
    const Type = LAYOUT[name];
    const [start] = sections[name];
    const size = Type.BYTES_PER_ELEMENT;
    const { buffer, byteOffset } = bytes.read(start + from * size, start + to * size);
    return new Type(buffer as ArrayBuffer, byteOffset, to - from) as Columns[K];
  }
  function whole<K extends keyof Columns>(name: K): Columns[K] {
    const known = wholes.get(name) ?? read(name, 0, sections[name][1]);
    wholes.set(name, known);
    return known as Columns[K];
  }
  function part<K extends keyof Columns>(name: K, from: number, to: number): Columns[K] {
    const known = wholes.get(name);
    if (known) return known.subarray(from, to) as Columns[K];
    const times = (asked.get(name) ?? 0) + 1;
    asked.set(name, times);
    return times > MANY ? (whole(name).subarray(from, to) as Columns[K]) : read(name, from, to);
  }
  function* complete(): Steps<void> {
    for (const name of NAMES) {
      whole(name);
      yield;
    }
    bytes.close();
  }

  const columns = { part, complete };
  for (const name of NAMES) {
    let known: Columns[typeof name] | undefined;
    const get = () => (known ??= whole(name));
    Object.defineProperty(columns, name, { enumerable: true, get });
  }
  return columns as unknown as Columns & Pick<Frozen, "part" | "complete">;
}

/** A caller that asks for so many parts of a column goes through all of it, and it is cheaper to have it. */
const MANY = 256;

/** Small, so that a few bytes from the middle of a column cost little. */
const BLOCK = 1 << 14;

const checksSize = (size: number): number => 4 * Math.ceil(size / BLOCK);

/** A crc32 of each block of what these pieces, of this size together, make one after the other. */
function checksOf(pieces: readonly Uint8Array[], size: number): Buffer {
  const checks = Buffer.alloc(checksSize(size));
  let done = 0;
  for (const piece of pieces)
    for (let from = 0; from < piece.length; ) {
      const to = Math.min(piece.length, from + BLOCK - (done % BLOCK));
      const place = 4 * Math.floor(done / BLOCK);
      checks.writeUInt32LE(crc32(piece.subarray(from, to), checks.readUInt32LE(place)), place);
      done += to - from;
      from = to;
    }
  return checks;
}

/** The end of a blob, from `start` on. No byte of it is handed out that was not checked. */
class CheckedBytes {
  readonly #blob: OpenBlob;
  readonly #start: number;
  readonly #checks: Buffer;
  readonly #blocks = new Map<number, Uint8Array>();

  constructor(blob: OpenBlob, start: number, checks: Buffer) {
    this.#blob = blob;
    this.#start = start;
    this.#checks = checks;
  }

  /** What begins at a multiple of 8 lies at one in its buffer as well. */
  read(from: number, to: number): Uint8Array {
    const first = from - (from % BLOCK);
    const bytes = to <= first + BLOCK ? this.#block(first) : this.#checked(first, to);
    return bytes.subarray(from - first, to - first);
  }

  /** A caller that wants a little mostly wants its neighbours next. */
  #block(first: number): Uint8Array {
    const known = this.#blocks.get(first);
    if (known) return known;
    const read = this.#checked(first, first + BLOCK);
    this.#blocks.set(first, read);
    return read;
  }

  #checked(first: number, to: number): Uint8Array {
    const end = Math.min(Math.ceil(to / BLOCK) * BLOCK, this.#blob.size - this.#start);
    const bytes = this.#bytes(this.#start + first, this.#start + end);
    for (let at = 0; at < bytes.length; at += BLOCK)
      if (crc32(bytes.subarray(at, at + BLOCK)) !== this.#checks.readUInt32LE((4 * (first + at)) / BLOCK))
        throw new ImageDamage();
    return bytes;
  }

  #bytes(from: number, to: number): Uint8Array {
    try {
      const bytes = this.#blob.read(from, to);
      if (bytes.length === to - from) return bytes;
    } catch {
      // As good as damaged: it is made again either way.
    }
    throw new ImageDamage();
  }

  close(): void {
    this.#blocks.clear();
    this.#blob.close();
  }
}

/** Where a column lies, and how many numbers it has. */
type Section = readonly [start: number, length: number];
type Sections = Readonly<Record<keyof Columns, Section>>;

/** Every array begins at a multiple of this, so that the bytes of a file can be used as they are. */
const ALIGN = 8;
const aligned = (at: number): number => Math.ceil(at / ALIGN) * ALIGN;

const NAMES = Object.keys(LAYOUT) as (keyof Columns)[];

/**
 * Do columns lie as they are written, one behind the other and nothing beside them, and have they as many numbers as belong
 * together? Checksums only say that nothing was changed by chance, and a reader that trusted a place would read beside the file.
 */
function areSound(sections: Sections, bodySize: number, partitions: number, names: number): boolean {
  let at = 0;
  for (const name of NAMES) {
    const [start, length] = sections[name];
    if (start !== at || !Number.isSafeInteger(length) || length < 0) return false;
    at = aligned(at + length * LAYOUT[name].BYTES_PER_ELEMENT);
  }
  return at === bodySize && haveLengths(sections, partitions, names);
}

/** One number for each memory. */
const EACH = [
  "version",
  "created",
  "updated",
  "commit",
  "author",
  "expires",
  "session",
  "turn",
  "speaker",
  "role",
  "said",
  "language",
  "traits",
  "confidence",
  "length",
  "saying",
  "sayingNext",
] as const satisfies readonly (keyof Columns)[];

function haveLengths(sections: Sections, partitions: number, names: number): boolean {
  const has = (name: keyof Columns, length: number): boolean => sections[name][1] === length;
  const memories = sections.idStarts[1] - 1;
  const terms = sections.starts[1] - 1;
  return (
    EACH.every((name) => has(name, memories)) &&
    has("hashes", memories * 32) &&
    has("hashTable", tableSize(memories)) &&
    has("sayingTable", tableSize(memories / 2)) &&
    has("termStarts", terms + 1) &&
    has("termTable", tableSize(terms)) &&
    has("weights", sections.docs[1]) &&
    has("bounds", partitions + 1) &&
    has("turnStarts", names + 1)
  );
}
