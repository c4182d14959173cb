import { type Hash, hashBytes } from "../../core/base/index.js";
import { GENESIS_CHANGESET, type Kinds, parseObject } from "../../core/ledger/index.js";
import type { SeqRange, StoredObject } from "../../storage/index.js";
import type { Reader } from "./reader.js";

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

/** An object, if it need not be waited for. */
export type Glance = <K extends keyof Kinds>(kind: K, hash: Hash) => Kinds[K] | undefined;

/** Commits that are part of the line and were not met yet. A child is always stored after its parents. */
export class Wanted {
  readonly #reader: Reader;
  readonly #wanted = new Set<Hash>();
  readonly #met = new Set<Hash>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  get size(): number {
    return this.#wanted.size;
  }

  has(commit: Hash): boolean {
    return this.#wanted.has(commit);
  }

  /** At once wherever no commit has to be read. */
  add(commits: readonly Hash[], glance: Glance): undefined | Promise<void> {
    const waiting = [...commits];
    for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
      if (this.#met.has(hash)) continue;
      const commit = glance("commit", hash);
      if (!commit) return this.#addLate(hash, waiting, glance);
      this.#met.add(hash);
      // A commit without events has no rows by which it could be met.
      if (commit.changeset === GENESIS_CHANGESET.hash) waiting.push(...commit.parents);
      else this.#wanted.add(hash);
    }
    return undefined;
  }

  /** Takes the parents of a commit in its place. */
  take(commit: Hash, glance: Glance): undefined | Promise<void> {
    this.#wanted.delete(commit);
    const known = glance("commit", commit);
    return known ? this.add(known.parents, glance) : this.#takeLate(commit, glance);
  }

  async #addLate(hash: Hash, others: readonly Hash[], glance: Glance): Promise<void> {
    const read = await this.#reader.value("commit", hash);
    await this.add([...others, hash], (kind, one) =>
      one === hash ? (read as Kinds[typeof kind]) : glance(kind, one),
    );
  }

  async #takeLate(commit: Hash, glance: Glance): Promise<void> {
    await this.add((await this.#reader.value("commit", commit)).parents, glance);
  }
}
