import { type Hash, hashBytes, idKey, isBlank, scopeKey } from "../../core/base/index.js";
import {
  decodeObject,
  ERASED,
  encodeObject,
  type MemoryRecord,
  type Tombstone,
} from "../../core/ledger/index.js";
import type { Storage } from "../../storage/index.js";
import { isDigestOf } from "./text-digest.js";

/** What tombstones say must not be, as of one epoch of the store. */
export class Erased {
  readonly #records = new Set<Hash>();
  readonly #keys = new Map<string, Tombstone[]>();

  constructor(tombstones: Iterable<Tombstone>) {
    for (const tombstone of tombstones) {
      for (const record of tombstone.records) this.#records.add(record);
      const key = tombstone.scope + tombstone.id;
      this.#keys.set(key, [...(this.#keys.get(key) ?? []), tombstone]);
    }
  }

  get isEmpty(): boolean {
    return this.#records.size === 0;
  }

  has(record: Hash): boolean {
    return this.#records.has(record);
  }

  /** Was anything ever erased under this key? Then what was said of its commits went too. */
  hasKey({ scope, id }: { readonly scope: Hash; readonly id: Hash }): boolean {
    return this.#keys.has(scope + id);
  }

  /**
   * Is this what was erased, coming back? The slow digest is asked only where something was erased under this very key,
   * so that nobody can use it to try texts cheaply, and ordinary writes never pay for it.
   */
  async forbids(record: MemoryRecord): Promise<boolean> {
    if (this.isEmpty) return false;
    const graves = this.#keys.get(scopeKey(record.scope) + idKey(record.id)) ?? [];
    if (graves.length === 0) return false;
    if (this.#records.has(encodeObject("memory", record).hash)) return true;
    // To say nothing is not to say what was erased.
    if (isBlank(record.text)) return false;
    for (const { textDigest } of graves) if (await isDigestOf(textDigest, record.text)) return true;
    return false;
  }
}

export const NOTHING_ERASED = new Erased([]);

export async function readErased(storage: Storage): Promise<Erased> {
  return new Erased((await readTombstones(storage)).values());
}

/** By their hashes; a damaged one is left to `verify`. */
export async function readTombstones(storage: Storage): Promise<Map<Hash, Tombstone>> {
  const targets = [...(await storage.refs(ERASED)).values()].map(({ target }) => target);
  const found = new Map<Hash, Tombstone>();
  for (const [hash, bytes] of await storage.getMany(targets))
    if (hashBytes("tombstone", bytes) === hash) found.set(hash, decodeObject("tombstone", bytes));
  return found;
}
