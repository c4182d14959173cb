import type { Hash } from "../../core/base/index.js";
import type { Storage } from "../../storage/index.js";

const PAGE = 1000;
const TOP = Number.MAX_SAFE_INTEGER;

/**
 * Versions of memories that wait for something, handed out newest first. The touch rows know the order: they are
 * walked downwards only as far as is asked for, and from the top again down to what was seen when there are new ones.
 */
export class Newest {
  readonly #storage: Storage;
  readonly #waiting = new Set<Hash>();
  readonly #postponed = new Set<Hash>();
  /** What the rows showed so far, newest first. */
  #order: Hash[] = [];
  /** Rows up to here were there when the walk began. */
  #seen: number | undefined;
  /** How far down the walk came. */
  #before = TOP;
  #hasNew = false;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(hash: Hash): void {
    this.#waiting.add(hash);
    this.#hasNew = true;
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
    if (this.#hasNew) await this.#lookAtNew();
    const found = new Set<Hash>();
    const take = (hash: Hash): void => {
      if (found.size < limit && this.#waiting.has(hash) && !this.#postponed.has(hash)) found.add(hash);
    };
    this.#order = this.#order.filter((hash) => this.#waiting.has(hash));
    this.#order.forEach(take);
    while (found.size < limit && this.#before > 0 && this.#waiting.size > found.size + this.#postponed.size) {
      const { seq, hashes } = await this.#page(this.#before);
      this.#before = seq;
      this.#order.push(...hashes);
      hashes.forEach(take);
    }
    // Then what the rows did not show, and what failed before.
    this.#waiting.forEach(take);
    for (const hash of this.#postponed) if (found.size < limit) found.add(hash);
    return [...found];
  }

  async #lookAtNew(): Promise<void> {
    this.#hasNew = false;
    const { seq: now } = await this.#storage.version();
    const fresh: Hash[] = [];
    for (let before = TOP; this.#seen !== undefined && before > this.#seen + 1; ) {
      const { seq, hashes } = await this.#page(before);
      fresh.push(...hashes);
      before = seq;
    }
    this.#order = [...fresh, ...this.#order];
    this.#seen = now;
  }

  async #page(before: number): Promise<{ readonly seq: number; readonly hashes: Hash[] }> {
    const { seq, touch } = await this.#storage.touchBefore(before, PAGE);
    const hashes = touch.flatMap(({ record }) =>
      record !== undefined && this.#waiting.has(record) ? record : [],
    );
    return { seq, hashes };
  }
}
