import { closeSync, fstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Hash, hashBytes, hashFromBytes, type JsonObject } from "../../core/base/index.js";
import { openPlainSync } from "../plain-file.js";
import type { ObjectKind, Ref, StoredObject } from "../port.js";
import { unpackChunk } from "./chunk.js";
import { APPLICATION_ID, assertVersion } from "./schema.js";
import { isRefWhole, unpackOps } from "./tables.js";

/** What can still be read of a damaged store. Every object matches its hash. */
export interface Salvage {
  readonly objects: ReadonlyMap<Hash, StoredObject>;
  /**
   * Texts that look like objects, under the hash they would have, from pages whose structure is gone. Whether they are
   * any is for those to say that name them.
   */
  readonly loose: ReadonlyMap<Hash, StoredObject>;
  readonly refs: ReadonlyMap<string, Ref>;
  /** The operation log, as far as it is left. */
  readonly ops: readonly Hash[];
}

/** Reads the file without SQLite and without trusting anything in it; it is never written to. */
export async function salvageStore(directory: string): Promise<Salvage> {
  const pages = new Pages(join(directory, "palimpsest.db"));
  const found = new Finds();
  try {
    assertKnown(pages.page(1), directory);
    for (let number = 1; number <= pages.count; number++) {
      found.take(pages, pages.page(number), number === 1, true);
      if (pages.isInLog(number)) found.take(pages, pages.filePage(number), number === 1, false);
      if (number % 64 === 0) await nextTurn();
    }
  } finally {
    pages.close();
  }
  return found;
}

/** Places in the header of a database, https://sqlite.org/fileformat.html. */
const [USER_VERSION, APPLICATION] = [60, 68];
/** No program will ever come so far: then it is the header that is damaged. */
const ABSURD_VERSION = 1000;

/** A newer program may keep the truth where this one does not look for it. */
function assertKnown(header: Buffer, location: string): void {
  const version = header.readUInt32BE(USER_VERSION);
  if (header.readUInt32BE(APPLICATION) === APPLICATION_ID && version < ABSURD_VERSION)
    assertVersion(version, location);
}

class Finds implements Salvage {
  readonly objects = new Map<Hash, StoredObject>();
  readonly loose = new Map<Hash, StoredObject>();
  readonly refs = new Map<string, Ref>();
  readonly #ops = new Map<number, readonly Hash[]>();
  /** Text that goes on from page to page. */
  #text: Buffer = Buffer.alloc(0);

  /** In the order of their rows, wherever in the file those lie. */
  get ops(): Hash[] {
    return [...this.#ops].sort(([a], [b]) => a - b).flatMap(([, hashes]) => hashes);
  }

  take(pages: Pages, page: Buffer, isFirst: boolean, isCurrent: boolean): void {
    for (const { key, columns } of rowsOn(pages, page, isFirst)) this.#row(key, columns, isCurrent);
    this.#carve(page);
  }

  #row(key: number, row: readonly Column[], isCurrent: boolean): void {
    if (row.length === 5) {
      this.#chunk(row[3], row[4]);
      if (row[2] instanceof Buffer) this.#log(key, row[2]);
    } else if (row.length === 3 && typeof row[0] === "string") {
      if (isCurrent) this.#ref(row[0], row[1], row[2]);
    } else if (row.length === 3) this.#chunk(row[1], row[2]);
  }

  #chunk(directory: Column, objects: Column): void {
    if (!(directory instanceof Buffer && objects instanceof Buffer)) return;
    try {
      for (const object of unpackChunk({ directory, objects }))
        if (hashBytes(object.kind, object.bytes) === object.hash) this.objects.set(object.hash, object);
    } catch {
      this.#carveText(objects);
    }
  }

  #log(seq: number, ops: Buffer): void {
    try {
      this.#ops.set(seq, unpackOps(ops));
    } catch {
      // The operations themselves may be there, and say when they happened.
    }
  }

  #ref(name: string, target: Column, said: Column): void {
    const meta = typeof said === "string" ? said : null;
    if (!(target instanceof Buffer) || !isRefWhole({ name, target, meta })) return;
    const hash = hashFromBytes(target);
    this.refs.set(
      name,
      meta === null ? { target: hash } : { target: hash, meta: JSON.parse(meta) as JsonObject },
    );
  }

  /** Pages that continue others begin with a number of four bytes; text that goes on behind it is joined. */
  #carve(page: Buffer): void {
    this.#carveText(page);
    const joined = Buffer.concat([this.#text, page.subarray(4)]);
    this.#text = this.#carveText(joined);
    if (this.#text.length > 8 * 1024 * 1024) this.#text = Buffer.alloc(0);
  }

  /** Answers the beginning of a text that has no end yet. */
  #carveText(bytes: Buffer): Buffer {
    for (let at = bytes.indexOf('{"'); at >= 0; at = bytes.indexOf('{"', at)) {
      const end = endOfObject(bytes, at);
      if (end === undefined) return Buffer.from(bytes.subarray(at));
      if (end > at) this.#look(bytes.subarray(at, end));
      at = Math.max(end, at + 1);
    }
    return Buffer.alloc(0);
  }

  #look(text: Buffer): void {
    const kind = kindOf(text);
    const hash = hashBytes(kind, text);
    if (!this.objects.has(hash)) this.loose.set(hash, { kind, hash, bytes: new Uint8Array(text) });
  }
}

/** By the fields that only this kind has. */
function kindOf(text: Buffer): ObjectKind {
  if (text.includes('"textDigest":')) return "tombstone";
  if (text.subarray(0, 11).toString() === '{"events":[') return "changeset";
  if (text.includes('"changeset":"') && text.includes('"generation":')) return "commit";
  if (text.includes('"verb":"') && text.includes('"refs":[')) return "operation";
  return text.includes('"origin":{') ? "memory" : "note";
}

const LONGEST = 6 * 1024 * 1024;
const [QUOTE, ESCAPE, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];

/** Where the object that begins here ends; the place itself when it is none, undefined when the bytes end before it. */
function endOfObject(bytes: Buffer, from: number): number | undefined {
  let [depth, isText] = [0, false];
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    // Canonical JSON has no control characters: they are no text of ours.
    if (byte < 0x20 || at - from > LONGEST) return from;
    if (isText) {
      if (byte === ESCAPE) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) return at + 1;
  }
  return undefined;
}

/** A value of a row: a number is not decoded, because no row is found by one. */
type Column = Buffer | string | null | undefined;

const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;

/** `key` is the number of a row of a table. */
interface Row {
  readonly key: number;
  readonly columns: readonly Column[];
}

/** The rows whose cells start on a page, as far as they can be read. What is wrong is left out. */
function* rowsOn(pages: Pages, page: Buffer, isFirst: boolean): Generator<Row> {
  const start = isFirst ? 100 : 0;
  const type = page[start];
  if (type !== TABLE_LEAF && type !== INDEX_LEAF) return;
  const cells = Math.min(page.readUInt16BE(start + 3), page.length / 4);
  for (let cell = 0; cell < cells; cell++) {
    const pointer = start + 8 + 2 * cell;
    if (pointer + 2 > page.length) return;
    const found = cellAt(pages, page, page.readUInt16BE(pointer), type === TABLE_LEAF);
    const columns = found && columnsOf(found.payload);
    if (columns) yield { key: found.key, columns };
  }
}

/** A cell's bytes; where the chain of further pages breaks, what was read so far, and zeros. */
function cellAt(
  pages: Pages,
  page: Buffer,
  at: number,
  isTable: boolean,
): { readonly key: number; readonly payload: Buffer } | undefined {
  const length = varint(page, at);
  const key = length && isTable ? varint(page, length.end) : length;
  if (!length || !key || length.value > 2 ** 30 || length.value < 2) return undefined;
  const usable = pages.size;
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const from = key.end;
  if (length.value <= most) return { key: key.value, payload: page.subarray(from, from + length.value) };
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length.value - least) % (usable - 4));
  const here = fitting <= most ? fitting : least;
  if (from + here + 4 > page.length) return undefined;
  const payload = Buffer.alloc(Math.min(length.value, pages.count * usable));
  let filled = page.copy(payload, 0, from, from + here);
  let next = page.readUInt32BE(from + here);
  for (let steps = 0; next > 0 && next <= pages.count && filled < payload.length; steps++) {
    if (steps > pages.count) break;
    const further = pages.page(next);
    filled += further.copy(payload, filled, 4);
    next = further.readUInt32BE(0);
  }
  return { key: key.value, payload };
}

function varint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let n = 0; n < 9 && at + n < bytes.length; n++) {
    const byte = bytes[at + n]!;
    if (n === 8) return { value: value * 256 + byte, end: at + 9 };
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + n + 1 };
  }
  return undefined;
}

/** Sizes of the numeric types 0 to 9. */
const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function columnsOf(payload: Buffer): Column[] | undefined {
  const header = varint(payload, 0);
  if (!header || header.value > 64 || header.value > payload.length) return undefined;
  const columns: Column[] = [];
  let at = header.end;
  let body = header.value;
  while (at < header.value) {
    const type = varint(payload, at);
    if (!type || type.value === 10 || type.value === 11) return undefined;
    at = type.end;
    const { value } = type;
    const size = value < 10 ? SIZES[value]! : Math.floor((value - 12) / 2);
    const bytes = payload.subarray(body, body + size);
    if (value === 0) columns.push(null);
    else if (value < 10) columns.push(undefined);
    else columns.push(value % 2 === 0 ? bytes : bytes.toString());
    body += size;
  }
  return columns;
}

/** A database of SQLite read page by page, without SQLite: nothing of its structure need be whole. */
class Pages {
  readonly #file: number;
  readonly #log: number | undefined;
  /** The last copy of a page in the log, by number. */
  readonly #newer = new Map<number, number>();
  readonly size: number;
  readonly count: number;

  constructor(file: string) {
    this.#file = openPlainSync(file);
    const bytes = fstatSync(this.#file).size;
    this.size = 4096;
    this.#log = openIfThere(`${file}-wal`);
    this.#readLog();
    this.count = Math.max(Math.ceil(bytes / this.size), ...this.#newer.keys());
  }

  /** Pages count from 1; what lies beyond the end is zeros. */
  page(number: number): Buffer {
    const inLog = this.#newer.get(number);
    if (inLog !== undefined) return this.#read(this.#log as number, inLog);
    return this.filePage(number);
  }

  /** As it lies in the file, whatever the log says. */
  filePage(number: number): Buffer {
    return this.#read(this.#file, (number - 1) * this.size);
  }

  isInLog(number: number): boolean {
    return this.#newer.has(number);
  }

  close(): void {
    closeSync(this.#file);
    if (this.#log !== undefined) closeSync(this.#log);
  }

  #read(file: number, at: number): Buffer {
    const page = Buffer.alloc(this.size);
    readSync(file, page, 0, this.size, at);
    return page;
  }

  /** Frames of a header and a page; those of an earlier round have another salt. */
  #readLog(): void {
    if (this.#log === undefined) return;
    const header = Buffer.alloc(32);
    readSync(this.#log, header, 0, 32, 0);
    const frame = Buffer.alloc(24);
    for (let at = 32; at + 24 + this.size <= fstatSync(this.#log).size; at += 24 + this.size) {
      readSync(this.#log, frame, 0, 24, at);
      const number = frame.readUInt32BE(0);
      if (frame.compare(header, 16, 24, 8, 16) === 0 && number > 0 && number < 2 ** 31)
        this.#newer.set(number, at + 24);
    }
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openPlainSync(path);
  } catch {
    return undefined;
  }
}
