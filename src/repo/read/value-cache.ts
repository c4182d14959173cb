import type { Hash } from "../../core/base/index.js";
import type { Kinds } from "../../core/ledger/index.js";
import { Cache } from "./cache.js";

type Value = Kinds[keyof Kinds];

/** Objects of the ledger in RAM, by their hashes. */
export class ValueCache {
  readonly #read = new Cache<Value>(20_000);
  /**
   * What was just written here: whoever follows a commit asks for it at once, and hardly anybody later. What lived as
   * long as what is read would be most of what the garbage collector has to look through again and again.
   */
  readonly #written = new Cache<Value>(192);

  get(hash: Hash): Value | undefined {
    return this.#written.get(hash) ?? this.#read.get(hash);
  }

  set(hash: Hash, value: Value): void {
    this.#read.set(hash, value);
  }

  /** Takes what was just committed. */
  remember(hash: Hash, value: Value): void {
    this.#written.set(hash, value);
  }

  clear(): void {
    this.#read.clear();
    this.#written.clear();
  }
}
