import type { StoredObject } from "../port.js";

const COLUMNS = 1 << 13;
const OBJECTS = 1 << 15;
/** Bytes of UTF-8 for one unit of a string, at most. */
const WIDEST = 3;

/**
 * Where the row of a small transaction is laid out, on top of the one before: SQLite copies what it is given, and room of
 * its own for each column would cost more than filling it.
 */
export class RowBuffer {
  readonly #columns = Buffer.allocUnsafeSlow(COLUMNS);
  readonly #objects = Buffer.allocUnsafeSlow(OBJECTS);
  /** What was handed out last: most rows have columns of the same lengths. */
  readonly #views: Buffer[] = [];
  #taken = 0;
  #used = 0;
  #end = 0;

  clear(): void {
    this.#taken = 0;
    this.#used = 0;
    this.#end = 0;
  }

  readonly column = (size: number): Buffer => {
    const from = this.#used;
    if (from + size > COLUMNS) return Buffer.allocUnsafe(size);
    this.#used += size;
    const known = this.#views[this.#taken];
    const view =
      known?.length === size && known.byteOffset === from ? known : this.#columns.subarray(from, from + size);
    this.#views[this.#taken++] = view;
    return view;
  };

  /** Is there room for all of these, however wide their characters are? */
  static fits(objects: readonly StoredObject[]): boolean {
    let size = 0;
    for (const object of objects)
      size += object.text === undefined ? object.bytes.length : object.text.length * WIDEST;
    return size <= OBJECTS;
  }

  /** Answers where it ends. Of all objects together it must be known that they fit. */
  add(object: StoredObject): number {
    if (object.text !== undefined) this.#end += this.#objects.write(object.text, this.#end);
    else {
      this.#objects.set(object.bytes, this.#end);
      this.#end += object.bytes.length;
    }
    return this.#end;
  }

  /** All of them, end to end. */
  objects(): Buffer {
    return this.#objects.subarray(0, this.#end);
  }
}
