import type { Hash } from "../base/index.js";

/** Keeps the newest values up to a total weight; the oldest leave first. */
export class Cache<V> {
  readonly #items = new Map<Hash, V>();
  #weight = 0;
  readonly #limit: number;
  readonly #weigh: (value: V) => number;

  constructor(limit: number, weigh: (value: V) => number) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get(hash: Hash): V | undefined {
    return this.#items.get(hash);
  }

  set(hash: Hash, value: V): void {
    if (this.#items.has(hash)) return;
    this.#items.set(hash, value);
    this.#weight += this.#weigh(value);
    while (this.#weight > this.#limit) {
      const [oldest, leaving] = this.#items.entries().next().value as [Hash, V];
      this.#items.delete(oldest);
      this.#weight -= this.#weigh(leaving);
    }
  }
}
