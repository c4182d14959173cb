import { endianness } from "node:os";
import { crcOf } from "../crc.js";
import type { Queries } from "./driver.js";
import { isDamage } from "./errors.js";
import type { Entries } from "./place.js";
import type { Tail } from "./tail.js";

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
export function takeNotes(
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
