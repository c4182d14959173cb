import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Hash, hashBytes, hashFromBytes, type JsonObject } from "../../core/base/index.js";
import type { ObjectKind, Ref, StoredObject } from "../port.js";
import { type Column, rowsOn } from "./cells.js";
import { unpackChunk } from "./chunk.js";
import { unpackOps } from "./ops.js";
import { Pages } from "./pages.js";
import { isRefWhole } from "./refs.js";
import { APPLICATION_ID, assertVersion } from "./schema.js";

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
