import { type Hash, scopeKey } from "../../core/base/index.js";
import { clears, type MemoryRecord, type Touch } from "../../core/ledger/index.js";
import type { Storage } from "../../storage/index.js";
import type { Context } from "../context.js";
import type { Reader } from "./reader.js";

/** May a session see this row? At once wherever no record has to be read. */
export type RowSight = (row: Touch) => boolean | Promise<boolean>;

/** Decides which touch rows a session may see, without reading records unless its scopes are patterns. */
export function rowSight(context: Context): RowSight {
  const { reader } = context.engine;
  const { sight } = context;
  const named = new Set<Hash>(sight.named.map(scopeKey));
  const others = new Map<Hash, boolean>();
  const asked = async (row: Touch): Promise<boolean> => {
    const record = await anyRecord(reader, row);
    if (!record) return false;
    others.set(row.scope, sight.sees(record.scope));
    return sight.sees(record.scope);
  };
  return (row) => {
    if (!clears(sight.clearance, row.sensitivity)) return false;
    if (named.has(row.scope)) return true;
    if (!sight.open) return false;
    return others.get(row.scope) ?? asked(row);
  };
}

/** Some version of the memory a row is about; a forget row has none of its own. */
export async function anyRecord(reader: Reader, row: Touch): Promise<MemoryRecord | undefined> {
  const own = row.record && (await reader.values("memory", [row.record])).get(row.record);
  if (own) return own;
  const hashes = (await reader.storage.touchOf(row.scope, row.id)).flatMap(({ record }) => record ?? []);
  return [...(await reader.values("memory", hashes.slice(-8))).values()][0];
}

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
