import type { Hash } from "../base/index.js";

/**
 * A set of hashes that takes some thirty bytes for each where strings take hundreds. It holds the first half of a hash:
 * nobody finds two objects that agree in 128 bits.
 */
export class HashSet {
  #slots = new BigUint64Array(2 * 1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Above every number that `slotOf` answers until something is added. */
  get capacity(): number {
    return this.#slots.length / 2;
  }

  has(hash: Hash): boolean {
    return this.slotOf(hash) !== undefined;
  }

  /** The number of a hash that is in it, for whoever keeps marks beside; it holds until something is added. */
  slotOf(hash: Hash): number | undefined {
    const [high, low] = halves(hash);
    const at = this.#find(high, low);
    return this.#slots[at + 1] === low ? at / 2 : undefined;
  }

  /** Answers whether it is new. */
  add(hash: Hash): boolean {
    const [high, low] = halves(hash);
    const at = this.#find(high, low);
    if (this.#slots[at + 1] === low) return false;
    this.#slots[at] = high;
    this.#slots[at + 1] = low;
    this.#size++;
    if (this.#size * 8 > this.#slots.length * 3) this.#grow();
    return true;
  }

  /** Where it is, or where it would be. An empty slot is all zero, which `halves` never answers. */
  #find(high: bigint, low: bigint): number {
    const mask = this.#slots.length - 1;
    for (let at = (Number(low & 0xffff_ffffn) * 2) & mask; ; at = (at + 2) & mask) {
      const found = this.#slots[at + 1];
      if (found === 0n || (found === low && this.#slots[at] === high)) return at;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new BigUint64Array(old.length * 2);
    for (let at = 0; at < old.length; at += 2) {
      const [high, low] = [old[at] as bigint, old[at + 1] as bigint];
      if (low === 0n) continue;
      const to = this.#find(high, low);
      this.#slots[to] = high;
      this.#slots[to + 1] = low;
    }
  }
}

const halves = (hash: Hash): readonly [bigint, bigint] => [
  BigInt(`0x${hash.slice(0, 16)}`),
  BigInt(`0x${hash.slice(16, 32)}`) | 1n,
];
