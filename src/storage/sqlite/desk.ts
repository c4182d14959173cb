const COLUMNS = 1 << 13;
const TEXTS = 1 << 15;
/** Bytes of UTF-8 for one unit of a string, at most. */
const WIDEST = 3;

/**
 * Where the row of a small transaction is laid out, on top of the one before: SQLite copies what it is given, and room of
 * its own for each column would cost more than filling it.
 */
export class Desk {
  readonly #columns = Buffer.allocUnsafeSlow(COLUMNS);
  readonly #texts = Buffer.allocUnsafeSlow(TEXTS);
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

  static fits(characters: number): boolean {
    return characters * WIDEST <= TEXTS;
  }

  /** Answers where it ends. Of all of them together it must be known that they fit. */
  addText(text: string): number {
    this.#end += this.#texts.write(text, this.#end);
    return this.#end;
  }

  /** All of them, end to end. */
  texts(): Buffer {
    return this.#texts.subarray(0, this.#end);
  }
}
