import type { Hash } from "../../core/base/index.js";

/**
 * Keeps what was used lately, up to about so many values, in two generations: when the young one is full the old
 * one is dropped whole. Nothing is ever moved one by one, so a write of thousands costs no eviction each.
 */
export class Cache<V> {
  #young = new Map<Hash, V>();
  #old = new Map<Hash, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most / 2;
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
  }

  set(hash: Hash, value: V): void {
    this.#young.set(hash, value);
    if (this.#young.size <= this.#most) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
