import { type Hash, hashFromBytes, writeHash } from "./hash.js";

/** Of a hash the first half is held: nobody finds two objects that agree in 128 bits. */
const WORDS = 4;

/**
 * A set of hashes that takes some thirty bytes for each where strings take hundreds, and numbers them in the order in which
 * they were added, for callers that keep columns beside it.
 */
export class HashSet {
  #words = new Uint32Array(64 * WORDS);
  /** Where a hash may lie by its first word, the number it has plus one; zero is free. At most two thirds are taken. */
  #slots = new Uint32Array(128);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(hash: Hash): boolean {
    return this.numberOf(hash) !== undefined;
  }

  numberOf(hash: Hash): number | undefined {
    const taken = this.#slots[this.#find(hash)] as number;
    return taken === 0 ? undefined : taken - 1;
  }

  /** Answers whether it is new. */
  add(hash: Hash): boolean {
    const slot = this.#find(hash);
    if (this.#slots[slot] !== 0) return false;
    const at = this.#size++ * WORDS;
    if (at === this.#words.length) this.#words = grown(this.#words);
    for (let word = 0; word < WORDS; word++) this.#words[at + word] = wordOf(hash, word);
    this.#slots[slot] = this.#size;
    if (this.#size * 3 > this.#slots.length * 2) this.#spread();
    return true;
  }

  /** One that another set holds and this one does not. */
  addFrom(other: HashSet, number: number): void {
    const from = number * WORDS;
    const at = this.#size++ * WORDS;
    if (at === this.#words.length) this.#words = grown(this.#words);
    for (let word = 0; word < WORDS; word++) this.#words[at + word] = other.#words[from + word] as number;
    this.#take(this.#size - 1);
    if (this.#size * 3 > this.#slots.length * 2) this.#spread();
  }

  /** Takes the next free slot for a hash that is in none. */
  #take(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = (this.#words[number * WORDS] as number) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }

  /** The slot where it is, or where it would be. */
  #find(hash: Hash): number {
    const mask = this.#slots.length - 1;
    const first = wordOf(hash, 0);
    for (let slot = first & mask; ; slot = (slot + 1) & mask) {
      const taken = this.#slots[slot] as number;
      if (taken === 0 || this.#isAt((taken - 1) * WORDS, first, hash)) return slot;
    }
  }

  #isAt(at: number, first: number, hash: Hash): boolean {
    const words = this.#words;
    return (
      words[at] === first &&
      words[at + 1] === wordOf(hash, 1) &&
      words[at + 2] === wordOf(hash, 2) &&
      words[at + 3] === wordOf(hash, 3)
    );
  }

  #spread(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#size; number++) this.#take(number);
  }
}

/** Twice as long, with what was in it. */
export function grown<T extends Uint8Array | Uint32Array | Float64Array>(old: T): T {
  const next = new (old.constructor as new (length: number) => T)(old.length * 2);
  next.set(old);
  return next;
}

/** The same of a buffer: what is not written yet takes no room, as it would if it were filled with zeros by hand. */
export function grownBuffer(old: Buffer, length = old.length * 2): ReturnType<typeof Buffer.alloc> {
  const next = Buffer.alloc(length);
  next.set(old);
  return next;
}

/** Eight digits as a number: in ASCII the low four bits of a digit are its value, of a letter nine less. */
function wordOf(hash: Hash, word: number): number {
  let value = 0;
  for (let at = word * 8; at < word * 8 + 8; at++) {
    const code = hash.charCodeAt(at);
    value = (value << 4) | ((code & 15) + (code >> 6) * 9);
  }
  return value >>> 0;
}

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
