/**
 * Strings laid end to end in one block of bytes, so that a hundred thousand of them are read from a file without making
 * one. With a table they are also found by what they say.
 */
export interface Strings {
  readonly bytes: Uint8Array;
  /** Where each begins; one more entry than there are strings. */
  readonly starts: Uint32Array;
}

export interface Dictionary extends Strings {
  /** Open addressing: 1 + number of the string, 0 for a free place. Its length is a power of two. */
  readonly table: Uint32Array;
}

const BUFFER = new Uint8Array(4096);
const encoder = new TextEncoder();

/** The bytes of a text; good until the next call. */
function encoded(text: string): Uint8Array {
  if (text.length * 3 > BUFFER.length) return encoder.encode(text);
  return BUFFER.subarray(0, encoder.encodeInto(text, BUFFER).written);
}

export const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString("utf8");

/** The number of a string, or -1. */
export function findString({ bytes, starts, table }: Dictionary, text: string): number {
  const wanted = encoded(text);
  const mask = table.length - 1;
  for (let place = hashOf(wanted, 0, wanted.length) & mask; ; place = (place + 1) & mask) {
    const at = table[place]! - 1;
    if (at < 0) return -1;
    const from = starts[at]!;
    if (starts[at + 1]! - from === wanted.length && isEqual(bytes, from, wanted)) return at;
  }
}

/** Every string that begins like this. */
export function stringsFrom({ bytes, starts }: Strings, start: string): string[] {
  const wanted = encoder.encode(start);
  const found: string[] = [];
  for (let at = 0; at < starts.length - 1; at++)
    if (isEqual(bytes, starts[at]!, wanted) && starts[at + 1]! - starts[at]! >= wanted.length)
      found.push(textOf(bytes.subarray(starts[at]!, starts[at + 1]!)));
  return found;
}

/** Appends strings, given as texts or copied from another block. */
export class StringsBuilder {
  #bytes: Uint8Array<ArrayBuffer>;
  #starts: number[] = [0];
  #used = 0;

  /** A caller that knows about how many bytes there will be avoids growing. */
  constructor(size = 1 << 16) {
    this.#bytes = new Uint8Array(size);
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  add(text: string): void {
    this.#append(encoded(text));
  }

  copy({ bytes, starts }: Strings, at: number): void {
    this.#append(bytes.subarray(starts[at], starts[at + 1]));
  }

  done(): Strings {
    const isFull = this.#used === this.#bytes.length;
    const bytes = isFull ? this.#bytes : this.#bytes.slice(0, this.#used);
    return { bytes, starts: Uint32Array.from(this.#starts) };
  }

  #append(part: Uint8Array): void {
    if (this.#used + part.length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#used + part.length));
      grown.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = grown;
    }
    this.#bytes.set(part, this.#used);
    this.#used += part.length;
    this.#starts.push(this.#used);
  }
}

/** Makes distinct strings findable. */
export function withTable({ bytes, starts }: Strings): Dictionary {
  const count = starts.length - 1;
  const table = new Uint32Array(tableSize(count));
  const mask = table.length - 1;
  for (let at = 0; at < count; at++) {
    let place = hashOf(bytes, starts[at]!, starts[at + 1]!) & mask;
    while (table[place] !== 0) place = (place + 1) & mask;
    table[place] = at + 1;
  }
  return { bytes, starts, table };
}

/** At most half full, so that a search ends soon. */
export const tableSize = (count: number): number => 2 ** Math.ceil(Math.log2(Math.max(4, count * 2)));

/** FNV-1a. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function isEqual(bytes: Uint8Array, from: number, wanted: Uint8Array): boolean {
  for (let at = 0; at < wanted.length; at++) if (bytes[from + at] !== wanted[at]) return false;
  return true;
}
