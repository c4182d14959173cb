import { type Hash, hashBytes, PalimpsestError } from "../../core/base/index.js";
import {
  type Commit,
  decodeObject,
  foldEvents,
  GENESIS,
  GENESIS_CHANGESET,
  GENESIS_TIP,
  type Kinds,
  type LedgerEvent,
  type MemoryRecord,
  parseObject,
  type Tip,
} from "../../core/ledger/index.js";
import { EMPTY_ROOT, isNeed, type Need, type NodeSource } from "../../core/merkle/index.js";
import type { SeqRange, Storage, StoreVersion } from "../../storage/index.js";
import { NodeCache, Unstored, ValueCache } from "./caches.js";
import type { KnownEnds } from "./child-ends.js";
import { type Erased, NOTHING_ERASED, readErased } from "./erased.js";
import { Lineage } from "./lineage.js";

/** What every store begins with is known without reading. */
const CONSTANTS: ReadonlyMap<Hash, Kinds[keyof Kinds]> = new Map<Hash, Kinds[keyof Kinds]>([
  [GENESIS.hash, GENESIS_TIP.commit],
  [GENESIS_CHANGESET.hash, { events: [] }],
]);

/**
 * Verified, cached reads of immutable objects. Whatever comes from storage is hashed before it is believed,
 * and what is immutable is never stale: only an erasure empties the caches.
 */
export class Reader {
  readonly storage: Storage;
  readonly nodes = new NodeCache();
  readonly #values = new ValueCache();
  readonly lineage = new Lineage((hash) => this.value("commit", hash));
  /** Objects found damaged so far; a reader of many goes on with the rest and says so. */
  readonly damaged = new Set<Hash>();
  /** Where children end in the state that the last writer left. */
  ends: KnownEnds | undefined;
  /** What writers of this process did since they last stored a state. */
  readonly unstored = new Unstored();
  readonly #onErasure: () => void;
  #epoch = 0;
  #hasLooked = false;
  #erased: Promise<Erased> | undefined;

  /** `onErasure` is called when a look at the store finds that something was erased: nothing kept in RAM counts. */
  constructor(storage: Storage, onErasure: () => void = () => undefined) {
    this.storage = storage;
    this.#onErasure = onErasure;
  }

  /** As of the last look at the store. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Looks at the store, and forgets what it held in RAM if something was erased. */
  async version(): Promise<StoreVersion> {
    const version = await this.storage.version();
    this.#hasLooked = true;
    if (version.epoch !== this.#epoch) {
      this.#epoch = version.epoch;
      this.#erased = undefined;
      this.#values.clear();
      this.#onErasure();
    }
    return version;
  }

  /** What was erased, as of the last look. A read of the past alone may come here without one. */
  async erased(): Promise<Erased> {
    if (!this.#hasLooked) await this.version();
    if (this.#epoch === 0) return NOTHING_ERASED;
    this.#erased ??= readErased(this.storage).catch((error) => {
      this.#erased = undefined;
      throw error;
    });
    return this.#erased;
  }

  /** Notes what could not be read as damaged, unless it was erased. */
  async missed(hash: Hash): Promise<"damaged" | "erased"> {
    if ((await this.erased()).has(hash)) return "erased";
    this.damaged.add(hash);
    return "damaged";
  }

  /** A ledger object if it is in RAM: a loop over thousands need not wait for each. */
  known<K extends keyof Kinds>(_kind: K, hash: Hash): Kinds[K] | undefined {
    return (CONSTANTS.get(hash) ?? this.#values.get(hash)) as Kinds[K] | undefined;
  }

  /** A ledger object that must be there; its absence is damage. */
  async value<K extends keyof Kinds>(kind: K, hash: Hash): Promise<Kinds[K]> {
    const found = this.known(kind, hash) ?? (await this.values(kind, [hash])).get(hash);
    if (found !== undefined) return found;
    throw this.damaged.has(hash) ? unlike(kind, hash) : missing(kind, hash);
  }

  /** Several at once; those that are not there, or are damaged, are absent from the answer. */
  async values<K extends keyof Kinds>(kind: K, hashes: readonly Hash[]): Promise<Map<Hash, Kinds[K]>> {
    const found = new Map<Hash, Kinds[K]>();
    const absent: Hash[] = [];
    for (const hash of hashes) {
      const value = this.#values.get(hash);
      if (value === undefined) absent.push(hash);
      else found.set(hash, value as Kinds[K]);
    }
    if (absent.length === 0) return found;
    const epoch = this.#epoch;
    for (const [hash, bytes] of await this.storage.getMany(absent)) {
      if (hashBytes(kind, bytes) !== hash) {
        if (!isOtherKind(hash, bytes)) this.damaged.add(hash);
        continue;
      }
      const value = decodeObject(kind, bytes);
      // It may have been read just before it was erased.
      if (epoch === this.#epoch) this.#values.set(hash, value);
      found.set(hash, value);
    }
    return found;
  }

  /**
   * What lies in a range of transactions, in the order it was written: for many neighbours that is far cheaper than
   * looking each one up. Only what is wanted is decoded; the caches stay as they are, so that a long walk does not drive
   * out what is in daily use.
   */
  async gather(
    kinds: readonly (keyof Kinds)[],
    range: SeqRange,
    isWanted: (hash: Hash, kind: string) => boolean,
  ): Promise<Map<Hash, Kinds[keyof Kinds]>> {
    const found = new Map<Hash, Kinds[keyof Kinds]>();
    for (const { hash, kind, bytes } of await this.storage.objectsIn(range, kinds))
      if (isWanted(hash, kind) && hashBytes(kind, bytes) === hash)
        found.set(hash, parseObject(kind as keyof Kinds, bytes));
    return found;
  }

  /** Takes what lies in a range of transactions into RAM at once, for somebody who is about to ask for each. */
  async preload(kinds: readonly (keyof Kinds)[], range: SeqRange): Promise<void> {
    const epoch = this.#epoch;
    for (const { hash, kind, bytes } of await this.storage.objectsIn(range, kinds))
      if (epoch === this.#epoch && !this.#values.get(hash) && hashBytes(kind, bytes) === hash)
        this.#values.set(hash, decodeObject(kind as keyof Kinds, bytes));
  }

  /** Undefined when it was erased. */
  async record(hash: Hash): Promise<MemoryRecord | undefined> {
    const found = (await this.values("memory", [hash])).get(hash);
    if (found || (await this.erased()).has(hash)) return found;
    return this.value("memory", hash);
  }

  async tip(hash: Hash): Promise<Tip> {
    return { hash, commit: await this.value("commit", hash) };
  }

  /** Hands a freshly committed value to readers without a round trip. */
  remember(hash: Hash, value: Kinds[keyof Kinds]): void {
    this.#values.remember(hash, value);
  }

  /**
   * Runs a pure function over the states of `tips`, fetching the nodes it needs. A node that is no longer
   * stored was derived data: the state it belongs to is folded again from the nearest state that is whole. At once where
   * every node is at hand.
   */
  read<T extends object>(
    tips: readonly Tip[],
    run: (source: NodeSource) => T | Need,
    own?: ReadonlyMap<Hash, Uint8Array>,
  ): T | Promise<T> {
    const result = run((hash) => own?.get(hash) ?? this.nodes.get(hash));
    return isNeed(result) ? this.#readOn(tips, run, own, result, true) : result;
  }

  /** The same for a walk over a whole state: what is fetched for one step of it is let go after it. */
  readPassing<T extends object>(tip: Tip, run: (source: NodeSource) => T | Need): Promise<T> {
    const first = run((hash) => this.nodes.get(hash));
    return this.#readOn([tip], run, undefined, first, false);
  }

  async #readOn<T extends object>(
    tips: readonly Tip[],
    run: (source: NodeSource) => T | Need,
    own: ReadonlyMap<Hash, Uint8Array> | undefined,
    first: T | Need,
    isKept: boolean,
  ): Promise<T> {
    const fetched = new Map<Hash, Uint8Array>();
    const source: NodeSource = (hash) => own?.get(hash) ?? fetched.get(hash) ?? this.nodes.get(hash);
    // The root of a state may be stored and a node deep below it not: then only the whole line of changes helps.
    const ways = (["known", "nothing"] as const).flatMap((from) => tips.map((tip) => ({ tip, from })));
    for (let result: T | Need = first; ; result = run(source)) {
      if (!isNeed(result)) return result;
      const absent = await this.#fetch(result.need, fetched, isKept);
      if (absent === undefined) continue;
      const way = ways.shift();
      if (!way) throw missing("node", absent);
      for (const [hash, bytes] of await this.fold(way.tip, way.from)) fetched.set(hash, bytes);
    }
  }

  /** Fetches nodes; answers the first that is not stored whole. */
  async #fetch(need: readonly Hash[], into: Map<Hash, Uint8Array>, isKept = true): Promise<Hash | undefined> {
    const found = await this.storage.getMany(need);
    let absent: Hash | undefined;
    for (const hash of need) {
      const bytes = found.get(hash);
      if (bytes === undefined) absent ??= hash;
      else if (hashBytes("node", bytes) !== hash) {
        this.damaged.add(hash);
        absent ??= hash;
      } else {
        into.set(hash, bytes);
        if (isKept) this.nodes.set(hash, bytes);
      }
    }
    return absent;
  }

  /**
   * Makes the nodes of a state again: all changesets since the nearest state that is whole, as one batch. To
   * store them, that state must be a stored one; to read, one in RAM will do; from nothing, no state is believed whole.
   * What the store does not have yet is given by who made it.
   */
  async fold(
    tip: Tip,
    from: "stored" | "known" | "nothing" = "stored",
    unstored?: ReadonlyMap<Hash, Kinds[keyof Kinds]>,
  ): Promise<Map<Hash, Uint8Array>> {
    const read = async <K extends keyof Kinds>(kind: K, hash: Hash): Promise<Kinds[K]> =>
      (unstored?.get(hash) as Kinds[K] | undefined) ?? this.value(kind, hash);
    const batches: (readonly LedgerEvent[])[] = [];
    const stored = new Map<Hash, boolean>([[EMPTY_ROOT, true]]);
    for (let at: Tip | undefined = tip; at; ) {
      batches.push((await read("changeset", at.commit.changeset)).events);
      const parent: Hash | undefined = at.commit.parents[0];
      at = parent === undefined ? undefined : { hash: parent, commit: await read("commit", parent) };
      const start = at?.commit.root ?? EMPTY_ROOT;
      const isInRam = from === "known" && this.nodes.get(start) !== undefined;
      if (from !== "nothing" && at && !isInRam && !stored.has(start)) await this.#lookFor(at, stored);
      const isThere = isInRam || stored.get(start) === true;
      const made = isThere ? await this.#foldFrom(start, batches) : undefined;
      if (!made) continue;
      if (made.root !== tip.commit.root) break;
      this.nodes.add(made.nodes);
      return made.nodes;
    }
    throw new PalimpsestError("DAMAGED", `The state of commit ${tip.hash.slice(0, 12)} cannot be rebuilt.`);
  }

  /** Which states from this one downwards are stored? First one is asked for, then many in one question. */
  async #lookFor(tip: Tip, stored: Map<Hash, boolean>): Promise<void> {
    const roots: Hash[] = [];
    let at: Commit | undefined = tip.commit;
    for (const most = stored.size === 1 ? 1 : LOOK_AHEAD; at && roots.length < most; ) {
      roots.push(at.root);
      const parent: Hash | undefined = at.parents[0];
      at = parent === undefined ? undefined : this.known("commit", parent);
    }
    const missing = new Set(await this.storage.missing(roots));
    for (const root of roots) stored.set(root, root === EMPTY_ROOT || !missing.has(root));
  }

  /** Are the nodes of this state in storage? They are stored and dropped together, so the root tells. */
  async isStored(root: Hash): Promise<boolean> {
    return root === EMPTY_ROOT || (await this.storage.missing([root])).length === 0;
  }

  /** Answers undefined when a node below `start` is missing too, so that folding has to begin earlier. */
  async #foldFrom(start: Hash, batches: readonly (readonly LedgerEvent[])[]) {
    const events = batches.toReversed().flat();
    const fetched = new Map<Hash, Uint8Array>();
    for (;;) {
      const result = foldEvents(start, events, (hash) => fetched.get(hash) ?? this.nodes.get(hash));
      if (!isNeed(result)) return result;
      if ((await this.#fetch(result.need, fetched)) !== undefined) return undefined;
    }
  }
}

/** As many as commonly lie between two states that are stored. */
const LOOK_AHEAD = 64;

const damaged = (kind: string, hash: Hash, how: string): PalimpsestError =>
  new PalimpsestError("DAMAGED", `The ${kind} ${hash.slice(0, 12)} ${how}.`, { data: { kind, hash } });
const unlike = (kind: string, hash: Hash) => damaged(kind, hash, "does not match its hash");
const missing = (kind: string, hash: Hash) => damaged(kind, hash, "is missing from the store");

const KINDS = ["memory", "changeset", "commit", "note", "operation", "tombstone", "node"] as const;

/** A caller may name any hash: one of another kind is simply not what was asked for. */
const isOtherKind = (hash: Hash, bytes: Uint8Array): boolean =>
  KINDS.some((kind) => hashBytes(kind, bytes) === hash);
