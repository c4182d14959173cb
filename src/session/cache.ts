import type { Hash } from "../base/index.js";

/**
 * Keeps what was used lately, up to about a total weight, in two generations: when the young one is full the old
 * one is dropped whole. Nothing is ever moved one by one, so a write of thousands costs no eviction each.
 */
export class Cache<V> {
  #young = new Map<Hash, V>();
  #old = new Map<Hash, V>();
  #weight = 0;
  readonly #limit: number;
  readonly #weigh: (value: V) => number;

  constructor(limit: number, weigh: (value: V) => number) {
    this.#limit = limit / 2;
    this.#weigh = weigh;
  }

  get(hash: Hash): V | undefined {
    const found = this.#young.get(hash);
    if (found !== undefined) return found;
    const older = this.#old.get(hash);
    if (older !== undefined) this.set(hash, older);
    return older;
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#weight = 0;
  }

  delete(hash: Hash): void {
    const value = this.#young.get(hash);
    if (value !== undefined) {
      this.#young.delete(hash);
      this.#weight -= this.#weigh(value);
    }
    this.#old.delete(hash);
  }

  set(hash: Hash, value: V): void {
    const { size } = this.#young;
    // What is there already is the same, as its hash is: to look first would be to look twice.
    if (this.#young.set(hash, value).size === size) return;
    this.#weight += this.#weigh(value);
    if (this.#weight <= this.#limit) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
  }
}
