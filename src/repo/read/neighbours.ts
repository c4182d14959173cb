import { type Hash, hashBytes } from "../../core/base/index.js";
import { type Kinds, parseObject } from "../../core/ledger/index.js";
import type { SeqRange, StoredObject } from "../../storage/index.js";
import type { Reader } from "./reader.js";
import type { Glance } from "./wanted-commits.js";

/**
 * What was written beside the touch rows of a walk from the newest downwards, read by range: looking each object up would cost many
 * times as much. An object is checked and decoded when it is asked for, and the caches of the reader stay as they are, so that a
 * long walk does not drive out what is in daily use.
 */
export class Neighbours {
  readonly #reader: Reader;
  readonly #kinds: readonly (keyof Kinds)[];
  #stored = new Map<Hash, StoredObject>();
  /** The rows of a large transaction may lie below its objects, on the next page. */
  #above = new Map<Hash, StoredObject>();
  #decoded = new Map<Hash, Kinds[keyof Kinds]>();

  constructor(reader: Reader, kinds: readonly (keyof Kinds)[]) {
    this.#reader = reader;
    this.#kinds = kinds;
  }

  /** Goes on to a range below those before. */
  async read(range: SeqRange): Promise<void> {
    this.#above = this.#stored;
    this.#stored = new Map();
    this.#decoded = new Map();
    for (const object of await this.#reader.storage.objectsIn(range, this.#kinds))
      this.#stored.set(object.hash, object);
  }

  readonly glance: Glance = (kind, hash) =>
    (this.#decoded.get(hash) as Kinds[typeof kind] | undefined) ??
    this.#decode(kind, hash) ??
    this.#reader.known(kind, hash);

  #decode<K extends keyof Kinds>(kind: K, hash: Hash): Kinds[K] | undefined {
    const bytes = (this.#stored.get(hash) ?? this.#above.get(hash))?.bytes;
    if (!bytes || hashBytes(kind, bytes) !== hash) return undefined;
    const value = parseObject(kind, bytes);
    this.#decoded.set(hash, value);
    return value;
  }
}
