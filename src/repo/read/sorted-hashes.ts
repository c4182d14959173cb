import { grown, grownBuffer, type Hash, writeHash } from "../../core/base/index.js";

const HASH = 32;
const LENGTH = 2;

/**
 * Hashes in the order of a key, for as many as there are records: packed, each takes its key and some forty bytes. What
 * has been asked for once takes nothing more.
 */
export class SortedHashes {
  #bytes = Buffer.allocUnsafe(1 << 12);
  #used = 0;
  #starts = new Float64Array(64);
  #count = 0;
  #isSorted = true;

  /** Of equal keys the first added comes first. */
  add(key: string, hash: Hash): void {
    const length = Buffer.byteLength(key);
    const next = this.#used + HASH + LENGTH + length;
    if (next > this.#bytes.length) this.#bytes = grownBuffer(this.#bytes, Math.max(next, 2 * this.#used));
    if (this.#count === this.#starts.length) this.#starts = grown(this.#starts);
    writeHash(hash, this.#bytes, this.#used);
    this.#bytes.writeUInt16LE(length, this.#used + HASH);
    this.#bytes.write(key, this.#used + HASH + LENGTH);
    this.#starts[this.#count++] = this.#used;
    this.#used = next;
    this.#isSorted = false;
  }

  /** Those whose key begins with a prefix. */
  *under(prefix: string): Generator<Hash> {
    if (!this.#isSorted) this.#sort();
    const wanted = Buffer.from(prefix);
    for (let at = this.#firstFrom(wanted); at < this.#count; at++) {
      const start = this.#starts[at] as number;
      const key = start + HASH + LENGTH;
      if (this.#bytes.compare(wanted, 0, wanted.length, key, Math.min(key + wanted.length, this.#end(start))))
        return;
      yield this.#bytes.toString("hex", start, start + HASH) as Hash;
    }
  }

  #end(start: number): number {
    return start + HASH + LENGTH + this.#bytes.readUInt16LE(start + HASH);
  }

  #sort(): void {
    const [bytes, skip] = [this.#bytes, HASH + LENGTH];
    this.#starts
      .subarray(0, this.#count)
      .sort((a, b) => bytes.compare(bytes, b + skip, this.#end(b), a + skip, this.#end(a)) || a - b);
    this.#isSorted = true;
  }

  #firstFrom(wanted: Buffer): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >> 1;
      const start = this.#starts[middle] as number;
      const order = this.#bytes.compare(wanted, 0, wanted.length, start + HASH + LENGTH, this.#end(start));
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
