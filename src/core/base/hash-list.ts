import { type Hash, hashFromBytes, writeHash } from "./hash.js";
import { grownBuffer, HashSet } from "./hash-set.js";

const HASH = 32;

/** Hashes by number, each once, in some sixty bytes outside the heap: those of a set that are also given back whole. */
export class HashList {
  readonly #numbers = new HashSet();
  #bytes = Buffer.alloc(64 * HASH);
  /** Neighbours often have the same. */
  #last: { readonly hash: Hash; readonly number: number } | undefined;

  get size(): number {
    return this.#numbers.size;
  }

  /** The number of a hash, which is the next one if it is new. */
  add(hash: Hash): number {
    if (this.#last?.hash === hash) return this.#last.number;
    const isNew = this.#numbers.add(hash);
    const number = isNew ? this.size - 1 : this.#numbers.numberOf(hash)!;
    if (isNew) {
      if (number * HASH === this.#bytes.length) this.#bytes = grownBuffer(this.#bytes);
      writeHash(hash, this.#bytes, number * HASH);
    }
    this.#last = { hash, number };
    return number;
  }

  numberOf(hash: Hash): number | undefined {
    return this.#last?.hash === hash ? this.#last.number : this.#numbers.numberOf(hash);
  }

  at(number: number): Hash {
    if (this.#last?.number !== number)
      this.#last = { hash: hashFromBytes(this.#bytes, number * HASH), number };
    return this.#last!.hash;
  }

  /** All of them, one after the other. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.size * HASH));
  }
}
