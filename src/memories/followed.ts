import { type Hash, idKey, type Scope, scopeKey } from "../core/base/index.js";
import { type MemoryRecord, scopeEntries, stateDiff, type Tip } from "../core/ledger/index.js";
import type { Reader, Sight } from "../repo/index.js";

/** Called for each change of the records: one went, one came, or one became another. */
export type OnChange = (was: MemoryRecord | undefined, is: MemoryRecord | undefined) => void;

/**
 * The records of some types in one scope that a session sees, in RAM. Read once, then kept in step with the head by the
 * difference of two states.
 */
export class Followed {
  readonly #sight: Sight;
  readonly #scope: Scope;
  readonly #types: ReadonlySet<string>;
  readonly #onChange: OnChange;
  /** By the key of their ids: that is all that is left to tell of one that was erased. */
  readonly #records = new Map<Hash, MemoryRecord>();
  #tip: Tip | undefined;
  /** Written here and not followed yet, by hash. */
  #fresh = new Map<Hash, MemoryRecord>();

  constructor(sight: Sight, scope: Scope, types: readonly string[], onChange: OnChange) {
    this.#sight = sight;
    this.#scope = scope;
    this.#types = new Set(types);
    this.#onChange = onChange;
  }

  /** A record that its writer has at hand need not be read when the head comes to hold it. */
  expect(hash: Hash, record: MemoryRecord): void {
    this.#fresh.set(hash, record);
  }

  async follow(reader: Reader, tip: Tip): Promise<void> {
    while (this.#tip?.hash !== tip.hash) {
      const from = this.#tip;
      const apply = from ? await this.#difference(reader, from, tip) : await this.#whole(reader, tip);
      // Somebody else may have moved it meanwhile; then this is no longer the way there.
      if (this.#tip !== from) continue;
      apply();
      this.#tip = tip;
      if (this.#fresh.size > 0) this.#fresh = new Map();
    }
  }

  async #whole(reader: Reader, tip: Tip): Promise<() => void> {
    const { entries } = await reader.read([tip], (source) =>
      scopeEntries(tip.commit.root, scopeKey(this.#scope), source),
    );
    const records = await reader.values(
      "memory",
      entries.map(([, hash]) => hash),
    );
    return () => {
      for (const [, hash] of entries) {
        const record = records.get(hash);
        if (record) this.#put(record);
        else reader.damaged.add(hash);
      }
    };
  }

  async #difference(reader: Reader, from: Tip, tip: Tip): Promise<() => void> {
    const { changes } = await reader.read([from, tip], (source) =>
      stateDiff(from.commit.root, tip.commit.root, source),
    );
    const here = changes.filter(({ scope }) => scope === scopeKey(this.#scope));
    const fresh = this.#fresh;
    const records = await reader.values(
      "memory",
      here.flatMap(({ after }) => (after === undefined || fresh.has(after) ? [] : after)),
    );
    return () => {
      for (const { id, after } of here) {
        const record = after && (fresh.get(after) ?? records.get(after));
        if (record) this.#put(record);
        else this.#drop(id);
      }
    };
  }

  #put(record: MemoryRecord): void {
    const key = idKey(record.id);
    if (!this.#types.has(record.type) || !this.#sight.seesRecord(record)) {
      this.#drop(key);
      return;
    }
    const was = this.#records.get(key);
    this.#records.set(key, record);
    this.#onChange(was, record);
  }

  #drop(key: Hash): void {
    const was = this.#records.get(key);
    if (was && this.#records.delete(key)) this.#onChange(was, undefined);
  }
}
