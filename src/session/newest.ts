import type { Hash } from "../base/index.js";
import type { Storage } from "../storage/index.js";

const PAGE = 1000;

/**
 * Versions of memories that wait for something, handed out newest first. What was there at the start is found by
 * walking the touch rows downwards only as far as it is asked for; what comes later stands before it.
 */
export class Newest {
  readonly #storage: Storage;
  readonly #waiting = new Set<Hash>();
  readonly #postponed = new Set<Hash>();
  /** Last in, first out. */
  #fresh: Hash[] = [];
  #older: Hash[] = [];
  #before = Number.MAX_SAFE_INTEGER;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** `isOld` for what the touch rows will show in its order. */
  add(hash: Hash, isOld: boolean): void {
    this.#waiting.add(hash);
    if (!isOld) this.#fresh.push(hash);
  }

  delete(hash: Hash): void {
    this.#waiting.delete(hash);
    this.#postponed.delete(hash);
  }

  /** Comes after all that were not postponed. */
  postpone(hash: Hash): void {
    if (this.#waiting.has(hash)) this.#postponed.add(hash);
  }

  async next(limit: number): Promise<Hash[]> {
    const found = new Set<Hash>();
    const take = (hash: Hash): void => {
      if (this.#waiting.has(hash) && !this.#postponed.has(hash)) found.add(hash);
    };
    for (let at = this.#fresh.length - 1; at >= 0 && found.size < limit; at--) take(this.#fresh[at]!);
    this.#fresh = this.#fresh.filter((hash) => this.#waiting.has(hash));
    while (found.size < limit && this.#waiting.size > found.size + this.#postponed.size) {
      this.#older = this.#older.filter((hash) => this.#waiting.has(hash));
      for (const hash of this.#older) if (found.size < limit) take(hash);
      if (found.size >= limit || this.#before === 0) break;
      await this.#page();
    }
    // Then what the rows did not show, and what failed before.
    for (const hash of this.#waiting) if (found.size < limit) take(hash);
    for (const hash of this.#postponed) if (found.size < limit) found.add(hash);
    return [...found];
  }

  async #page(): Promise<void> {
    const { seq, touch } = await this.#storage.touchBefore(this.#before, PAGE);
    this.#before = seq;
    for (const { record } of touch)
      if (record !== undefined && this.#waiting.has(record)) this.#older.push(record);
  }
}
