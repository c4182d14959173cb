import { type FSWatcher, watch } from "node:fs";
import { endianness } from "node:os";
import { basename, dirname } from "node:path";
import { crcOf } from "../touch-codec.js";
import { asBuffer, eachObject } from "./chunk.js";
import type { Queries } from "./driver.js";
import { isDamage } from "./errors.js";
import { type EachPlace, type Entries, JOURNAL, NODES, type ObjectTable } from "./place.js";
import { readRows } from "./rows.js";
import type { Tail } from "./tail.js";
import { eachTouchKey } from "./touch-index.js";

/** Finds out where the system's word does not come: network file systems, too many watches, no directory yet. */
const SLOW_MS = 2_000;
/** One commit is several events. */
const SETTLE_MS = 2;

/**
 * Tells listeners when the version of the store has moved. The directory is watched and never the file: some systems
 * watch a file by opening it, and closing that would drop SQLite's locks.
 */
export class Watcher {
  readonly #file: string;
  readonly #version: () => Promise<number>;
  readonly #listeners = new Set<() => void>();
  #announced = -1;
  #slow: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #system: FSWatcher | undefined;

  constructor(file: string, version: () => Promise<number>) {
    this.#file = file;
    this.#version = version;
  }

  add(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    if (!this.#slow) this.#start();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.end();
    };
  }

  /** An own commit needs no detour through the file system. */
  committed(version: number): void {
    if (this.#listeners.size > 0) this.#tell(version);
  }

  end(): void {
    this.#listeners.clear();
    clearInterval(this.#slow);
    clearTimeout(this.#soon);
    this.#system?.close();
    this.#slow = this.#soon = this.#system = undefined;
  }

  #start(): void {
    this.#slow = setInterval(() => {
      this.#followSystem();
      void this.#look();
    }, SLOW_MS).unref();
    this.#followSystem();
    void this.#look();
  }

  #followSystem(): void {
    if (this.#system) return;
    try {
      const system = watch(dirname(this.#file), { persistent: false }, (_, name) => {
        if (name === null || name.startsWith(basename(this.#file)))
          this.#soon ??= setTimeout(() => void this.#look(), SETTLE_MS).unref();
      });
      system.on("error", () => {
        system.close();
        if (this.#system === system) this.#system = undefined;
      });
      this.#system = system;
    } catch {
      // The slow look goes on, and tries this again.
    }
  }

  async #look(): Promise<void> {
    this.#soon = undefined;
    // A store that cannot be read now may be so at the next look.
    const version = await this.#version().catch(() => this.#announced);
    if (version !== this.#announced) this.#tell(version);
  }

  #tell(version: number): void {
    this.#announced = version;
    for (const listener of this.#listeners) queueMicrotask(listener);
  }
}

interface JournalKeys {
  readonly seq: number;
  readonly touch: Uint8Array | null;
  readonly directory: Uint8Array | null;
}
interface NodesKeys {
  readonly seq: number;
  readonly directory: Uint8Array;
}

/** Without their objects rows are small. */
const KEYS = { pageSize: 256 };

/** Everything the index says about the rows with after < seq <= upTo. A damaged row says nothing. */
export function eachKey(queries: Queries, after: number, upTo: number, each: EachPlace): void {
  const journal = queries.sql<JournalKeys>(
    "SELECT seq, touch, directory FROM journal WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
  );
  for (const { seq, touch, directory } of readRows(journal, after, upTo, KEYS)) {
    if (touch) ofTouch(touch, seq, each);
    if (directory) ofObjects(directory, seq, JOURNAL, each);
  }
  const nodes = queries.sql<NodesKeys>(
    "SELECT seq, directory FROM nodes WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
  );
  for (const { seq, directory } of readRows(nodes, after, upTo, KEYS)) ofObjects(directory, seq, NODES, each);
}

function ofTouch(touch: Uint8Array, seq: number, each: EachPlace): void {
  try {
    eachTouchKey(asBuffer(touch), seq, each);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

function ofObjects(directory: Uint8Array, seq: number, table: ObjectTable, each: EachPlace): void {
  try {
    eachObject(asBuffer(directory), seq, table, each);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** So few rows are read sooner than looked for in notes. */
export const FEW_ROWS = 32;

/** Adds the rows committed since, by whomever. */
export function followTail(
  queries: Queries,
  tail: Tail,
  state: { readonly seq: number; readonly epoch: number },
): void {
  if (state.seq - tail.upTo > FEW_ROWS) takeNotes(queries, tail, state);
  eachKey(queries, tail.upTo, state.seq, tail.add);
  tail.upTo = state.seq;
}

/**
 * What waits for the index, noted a few hundred rows at a time: a new process takes the notes over instead of reading
 * the rows, so that many more of them can wait and share a page when they are merged.
 * A note = [seq it begins after, epoch, prefixes, places] as doubles, then their crc32. It is derived: who cannot use one
 * reads the rows. A new epoch forgets all of them; one that stayed all the same says of which epoch it is.
 */
export interface Note {
  readonly after: number;
  readonly epoch: number;
  readonly prefixes: Float64Array;
  readonly places: Float64Array;
}

export interface NoteRow {
  readonly upto: number;
  readonly entries: Uint8Array;
}

/** Not that of other columns: bytes in the wrong place must not pass. */
const SEED = 4;
const DOUBLE = 8;
const CHECKSUM = 4;
/** Doubles before the entries. */
const HEAD = 2;
/** Those up to a seq are read at once: they are as much as may wait, a few megabytes at most. */
export const NOTES = "SELECT upto, entries FROM waiting WHERE upto > ? AND upto <= ? ORDER BY upto";

export function packNote(after: number, epoch: number, { prefixes, places }: Entries): Buffer {
  const doubles = new Float64Array(HEAD + prefixes.length * 2);
  doubles.set([after, epoch]);
  doubles.set(prefixes, HEAD);
  doubles.set(places, HEAD + prefixes.length);
  const bytes = Buffer.alloc(doubles.byteLength + CHECKSUM);
  bytes.set(new Uint8Array(doubles.buffer));
  swap(bytes);
  bytes.writeUInt32LE(crcOf(bytes, doubles.byteLength, SEED), doubles.byteLength);
  return bytes;
}

/** Undefined when it is damaged. */
export function unpackNote(column: unknown): Note | undefined {
  if (!(column instanceof Uint8Array)) return undefined;
  const end = column.byteLength - CHECKSUM;
  if (end < HEAD * DOUBLE || (end / DOUBLE) % 2 !== 0) return undefined;
  // A copy, because doubles have to lie at a multiple of eight.
  const bytes = Buffer.from(new Uint8Array(column).buffer);
  if (bytes.readUInt32LE(end) !== crcOf(bytes, end, SEED)) return undefined;
  swap(bytes);
  const doubles = new Float64Array(bytes.buffer, 0, end / DOUBLE);
  const middle = HEAD + (doubles.length - HEAD) / 2;
  const [after, epoch] = doubles as unknown as [number, number];
  return { after, epoch, prefixes: doubles.subarray(HEAD, middle), places: doubles.subarray(middle) };
}

/** The file is the same wherever it was written. */
function swap(bytes: Buffer): void {
  if (endianness() === "BE") bytes.subarray(0, bytes.length - CHECKSUM).swap64();
}

/** Inside a write transaction. */
export function writeNote(
  queries: Queries,
  { seq, epoch }: { readonly seq: number; readonly epoch: number },
  after: number,
  entries: Entries,
): void {
  queries.sql("INSERT INTO waiting VALUES (?, ?)").run(seq, packNote(after, epoch, entries));
}

/** Inside a write transaction: what the index has by now. */
export function forgetNotes(queries: Queries, upTo = Number.MAX_SAFE_INTEGER): void {
  queries.sql("DELETE FROM waiting WHERE upto <= ?").run(upTo);
}

/** As far as notes without a gap reach. What was taken out since is still in them, so they are not exact. */
function takeNotes(
  queries: Queries,
  tail: Tail,
  { seq, epoch }: { readonly seq: number; readonly epoch: number },
): void {
  try {
    for (const { upto, entries } of queries.sql<NoteRow>(NOTES).all(tail.upTo, seq)) {
      const note = unpackNote(entries);
      if (!note || note.epoch !== epoch || note.after > tail.upTo) return;
      tail.addAll(note.prefixes, note.places, note.after < tail.upTo);
      tail.upTo = upto;
      tail.doubt(upto);
    }
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
  }
}
