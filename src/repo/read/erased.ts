import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { type Hash, hashBytes, idKey, isBlank, scopeKey } from "../../core/base/index.js";
import {
  decodeObject,
  ERASED,
  encodeObject,
  type MemoryRecord,
  type Tombstone,
} from "../../core/ledger/index.js";
import type { Storage } from "../../storage/index.js";

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

/**
 * A slow digest with a salt of its own: what remains of an erased text, so that it is known when it comes back. One who
 * has the store can try texts against it, but each try costs it milliseconds and megabytes.
 */
const COST = { N: 4_096, r: 8, p: 1 } as const;
/** What a later version may have chosen; more would only be a way to keep us busy. */
const MOST = 131_072;
const BYTES = 32;

export async function textDigest(text: string): Promise<string> {
  const salt = randomBytes(16);
  const digest = await derive(text, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("hex"), digest.toString("hex")].join("$");
}

/** Was the digest made of this text? One of an unknown making is of no text. */
async function isDigestOf(digest: string, text: string): Promise<boolean> {
  const [name, n, r, p, salt = "", expected = ""] = digest.split("$");
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  const isOurs = name === "scrypt" && cost.N >= 1024 && cost.N <= MOST && cost.r === 8 && cost.p === 1;
  if (!isOurs || expected.length !== 2 * BYTES) return false;
  const found = await derive(text, Buffer.from(salt, "hex"), cost);
  return timingSafeEqual(found, Buffer.from(expected, "hex"));
}

function derive(
  text: string,
  salt: Uint8Array,
  cost: { readonly N: number; readonly r: number; readonly p: number },
) {
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(text, salt, BYTES, { ...cost, maxmem: 256 * cost.N * cost.r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
