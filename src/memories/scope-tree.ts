import { type Hash, type MemoryId, type Scope, scopeKey } from "../core/base/index.js";
import {
  contentHash,
  type MemoryRecord,
  positionBetween,
  scopeEntries,
  stateDiff,
  type Tip,
  treeHash,
} from "../core/ledger/index.js";
import type { Context, Holder, Reader } from "../repo/index.js";
import { inOrder } from "./placing.js";

/**
 * What a session sees of one scope as trees, for callers that look at thousands of nodes. It is read once and then
 * follows the head by the difference of two states, so that a whole folder of files costs one read of the scope.
 */
export class ScopeTree {
  readonly #context: Context;
  readonly #scope: Scope;
  readonly #records = new Map<MemoryId, MemoryRecord>();
  readonly #children = new Map<MemoryId, Set<MemoryId>>();
  readonly #order = new Map<MemoryId, readonly MemoryId[]>();
  readonly #hashes = new Map<MemoryId, Hash>();
  /** Those that end some day. */
  readonly #mortal = new Set<MemoryId>();
  #tip: Tip | undefined;
  #now = "";
  #epoch = 0;

  constructor(context: Context, scope: Scope) {
    this.#context = context;
    this.#scope = scope;
  }

  /** Brings it to this state; what has ended by then is gone. */
  async follow(reader: Reader, tip: Tip, now: string): Promise<void> {
    // What has ended cannot come back by a difference of states, so an earlier time starts afresh.
    if (now < this.#now || reader.epoch !== this.#epoch) this.#clear();
    this.#epoch = reader.epoch;
    this.#now = now;
    while (this.#tip?.hash !== tip.hash) {
      const from = this.#tip;
      const apply = from ? await this.#difference(reader, from, tip) : await this.#whole(reader, tip);
      // Somebody else may have moved it meanwhile; then this is no longer the way there.
      if (this.#tip !== from) continue;
      apply();
      this.#tip = tip;
    }
    for (const id of this.#mortal) {
      const ends = this.#records.get(id)?.expiresAt;
      if (ends !== undefined && ends <= now) this.#drop(id);
    }
  }

  async #whole(reader: Reader, tip: Tip): Promise<() => void> {
    const { entries } = await reader.read([tip], (source) =>
      scopeEntries(tip.commit.root, scopeKey(this.#scope), source),
    );
    const hashes = entries.map(([, hash]) => hash);
    const records = await reader.values("memory", hashes);
    for (const hash of hashes) if (!records.has(hash)) await reader.missed(hash);
    return () => {
      for (const hash of hashes) {
        const record = records.get(hash);
        if (record && this.#context.sight.seesRecord(record)) this.#put(record);
      }
    };
  }

  async #difference(reader: Reader, from: Tip, tip: Tip): Promise<() => void> {
    const { changes } = await reader.read([from, tip], (source) =>
      stateDiff(from.commit.root, tip.commit.root, source),
    );
    const here = changes.filter(({ scope }) => scope === scopeKey(this.#scope));
    const hashes = here.flatMap(({ before, after }) => [before, after].filter((hash) => hash !== undefined));
    const records = await reader.values("memory", hashes);
    return () => {
      for (const { before, after } of here) {
        const [was, is] = [before && records.get(before), after && records.get(after)];
        if (was) this.#drop(was.id);
        if (is && this.#context.sight.seesRecord(is)) this.#put(is);
      }
    };
  }

  #clear(): void {
    for (const map of [this.#records, this.#children, this.#order, this.#hashes, this.#mortal]) map.clear();
    this.#tip = undefined;
  }

  get(id: MemoryId): MemoryRecord | undefined {
    return this.#records.get(id);
  }

  all(): Iterable<MemoryRecord> {
    return this.#records.values();
  }

  childrenOf(id: MemoryId): Holder[] {
    return this.#ordered(id).map((child) => ({ record: this.#records.get(child) as MemoryRecord }));
  }

  /** A record and everything below it, parents first, siblings in order. */
  below(id: MemoryId): MemoryRecord[] {
    const root = this.#records.get(id);
    const found: MemoryRecord[] = [];
    const seen = new Set<MemoryId>();
    const waiting = root ? [root] : [];
    for (let at = waiting.pop(); at; at = waiting.pop()) {
      if (seen.has(at.id)) continue;
      seen.add(at.id);
      found.push(at);
      for (const child of this.#ordered(at.id).toReversed())
        waiting.push(this.#records.get(child) as MemoryRecord);
    }
    return found;
  }

  /** Merkle hash of a tree. What was hashed before and has not changed below is not hashed again. */
  merkle(id: MemoryId): Hash | undefined {
    const open: MemoryId[] = [id];
    const entered = new Set<MemoryId>();
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      const record = this.#records.get(at);
      const isReady = entered.has(at) || this.#hashes.has(at);
      entered.add(at);
      const waiting = isReady
        ? []
        : this.#ordered(at).filter((child) => !this.#hashes.has(child) && !entered.has(child));
      for (const child of waiting) open.push(child);
      if (waiting.length > 0) continue;
      open.pop();
      if (record && !this.#hashes.has(at)) this.#hashes.set(at, this.#hash(record));
    }
    return this.#hashes.get(id);
  }

  #hash(record: MemoryRecord): Hash {
    const below = this.#ordered(record.id).map(
      (child) => this.#hashes.get(child) ?? contentHash(this.#records.get(child) as MemoryRecord),
    );
    return treeHash(contentHash(record), below);
  }

  #ordered(id: MemoryId): readonly MemoryId[] {
    const known = this.#order.get(id);
    if (known) return known;
    const children = [...(this.#children.get(id) ?? [])];
    const records = inOrder(children.map((child) => ({ record: this.#records.get(child) as MemoryRecord })));
    const order = records.map(({ record }) => record.id);
    this.#order.set(id, order);
    return order;
  }

  #put(record: MemoryRecord): void {
    this.#drop(record.id);
    this.#records.set(record.id, record);
    if (record.expiresAt !== undefined) this.#mortal.add(record.id);
    if (record.parent === undefined) return;
    const siblings = this.#children.get(record.parent);
    if (siblings) siblings.add(record.id);
    else this.#children.set(record.parent, new Set([record.id]));
    this.#order.delete(record.parent);
    this.#stale(record.parent);
  }

  #drop(id: MemoryId): void {
    this.#stale(id);
    const parent = this.#records.get(id)?.parent;
    this.#records.delete(id);
    this.#mortal.delete(id);
    if (parent === undefined) return;
    this.#children.get(parent)?.delete(id);
    this.#order.delete(parent);
  }

  /** Forgets the hashes of a node and of all above it. Above one without a hash nobody has one. */
  #stale(id: MemoryId): void {
    for (let at: MemoryId | undefined = id; at !== undefined && this.#hashes.delete(at); )
      at = this.#records.get(at)?.parent;
  }
}

/** One reading per session and scope, kept as long as the session is. */
const kept = new WeakMap<Context, Map<Scope, ScopeTree>>();

/** Has this session read the scope before? Then following it costs only what has changed. */
export const isScopeKnown = (context: Context, scope: Scope): boolean =>
  kept.get(context)?.has(scope) === true;

/** What a session sees of a scope in a state. */
export async function scopeTree(context: Context, scope: Scope, tip: Tip, now: string): Promise<ScopeTree> {
  const { reader } = context.engine;
  const own = kept.get(context) ?? new Map<Scope, ScopeTree>();
  kept.set(context, own);
  const tree = own.get(scope) ?? new ScopeTree(context, scope);
  own.set(scope, tree);
  await tree.follow(reader, tip, now);
  return tree;
}

/**
 * Positions for siblings in a given order that change as few as possible: the longest run that is in order already
 * stays, the others get places in between.
 */
export function positionsFor(current: readonly (string | undefined)[]): string[] {
  const kept = longestAscending(current);
  const positions: string[] = [];
  let low: string | undefined;
  for (let at = 0, next = 0; at < current.length; at++) {
    next = Math.max(next, at);
    while (next < current.length && !kept.has(next)) next++;
    low = next === at ? (current[at] as string) : positionBetween(low, current[next]);
    positions.push(low);
  }
  return positions;
}

/** Indexes of a longest strictly ascending run among the values that are there (patience sorting). */
function longestAscending(values: readonly (string | undefined)[]): Set<number> {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, value] of values.entries()) {
    if (value === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as string) < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = at;
  }
  const kept = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] as number) kept.add(at);
  return kept;
}
