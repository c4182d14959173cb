import type { Hash } from "../core/base/index.js";
import { decodeObject, foldEvents, type LedgerEvent, stateNodes, type Tip } from "../core/ledger/index.js";
import {
  checkTrie,
  countEntries,
  EMPTY_ROOT,
  isNeed,
  listEntries,
  lookupMany,
  type Made,
} from "../core/merkle/index.js";
import type { Storage, StoredObject } from "../storage/index.js";
import type { Chain } from "./chain.js";
import { fitsOp, unfoundedEvents } from "./events.js";
import type { Inventory } from "./objects.js";
import type { Findings } from "./problems.js";
import { fetchWhole } from "./reads.js";
import { NodeHeap } from "./thin.js";

/** States in memory before those that no commit builds on any more are dropped. */
const MIN_NODES = 20_000;

/**
 * Folds the whole history from nothing, commit by commit, and compares each root. Stored nodes are not used: they
 * are derived, and a state that was folded is right whatever they say. (Nor need they be walked: a stored node
 * that matches its hash is, under that hash, the node the fold made.) Only where a commit cannot be folded is
 * its state read from stored nodes, so that the commits after it are checked all the same.
 */
export class States {
  readonly #nodes = new NodeHeap();
  /** States that commits still to come are folded over. */
  readonly #open = new Map<Hash, { readonly root: Hash; left: number }>();
  #limit = MIN_NODES;

  constructor(
    readonly storage: Storage,
    readonly chain: Chain,
    readonly inventory: Inventory,
    readonly findings: Findings,
    /** Gets the roots of the scopes that a commit changed. */
    readonly onScopeRoots: ((tip: Tip, roots: Iterable<Hash>) => void) | undefined,
  ) {}

  readonly #source = (hash: Hash): Uint8Array | undefined => this.#nodes.get(hash);

  /** Takes the next commit in the order of the chain. Answers whether its state is known. */
  async advance(tip: Tip, events: readonly LedgerEvent[] | undefined): Promise<boolean> {
    const { hash, commit } = tip;
    const start = this.#startOf(tip);
    const folded = events && start !== undefined ? this.#fold(tip, start, events) : undefined;
    if (folded === undefined) this.findings.add("state-unverified", hash);
    const known = folded === true || (await this.#read(commit.root));
    if (!known && this.chain.targets.has(hash)) this.findings.add("state-lost", hash);
    const left = this.chain.children.get(hash) ?? 0;
    if (known && left > 0) this.#open.set(hash, { root: commit.root, left });
    if (known && events) this.#tellScopes(tip, events);
    return known;
  }

  /** Nobody asks any more. */
  clear(): void {
    this.#nodes.clear();
    this.#open.clear();
  }

  /** How many memories a state holds that was just advanced to. */
  count(root: Hash): number {
    const scopes = listEntries(root, this.#source);
    if (isNeed(scopes)) return 0;
    return scopes.entries.reduce((sum, [, scope]) => {
      const counted = countEntries(scope, this.#source);
      return isNeed(counted) ? sum : sum + counted.count;
    }, 0);
  }

  /** The nodes of a state that was just advanced to, those below before those above; what is left out leads to nothing more. */
  *nodesOf(root: Hash, isWanted: (hash: Hash) => boolean): Generator<StoredObject> {
    const found = stateNodes([root], this.#source, isWanted);
    if (isNeed(found)) return;
    for (const hash of [...found.nodes].reverse())
      yield { kind: "node", hash, bytes: this.#nodes.get(hash) as Uint8Array };
  }

  #startOf({ commit: { parents } }: Tip): Hash | undefined {
    const parent = parents[0];
    if (parent === undefined) return EMPTY_ROOT;
    const state = this.#open.get(parent);
    if (state && --state.left === 0) this.#open.delete(parent);
    return state?.root;
  }

  /** Whether it folds to its root; undefined when that is not known. */
  #fold({ hash, commit }: Tip, start: Hash, events: readonly LedgerEvent[]): boolean | undefined {
    try {
      const unfounded = unfoundedEvents(start, events, this.#source);
      const folded = foldEvents(start, events, this.#source);
      if (isNeed(folded) || !unfounded) return undefined;
      for (const event of unfounded) this.findings.add("wrong-before", placeOf(hash, event));
      for (const event of events) if (!fitsOp(event)) this.findings.add("wrong-op", placeOf(hash, event));
      const isRight = folded.root === commit.root;
      if (!isRight) this.findings.add("wrong-root", hash);
      else {
        this.#keep(folded.nodes);
        this.#drop(folded);
      }
      return isRight;
    } catch {
      // Only a state that was read, not folded, can be malformed.
      return undefined;
    }
  }

  #keep(nodes: ReadonlyMap<Hash, Uint8Array>): void {
    for (const [hash, bytes] of nodes) {
      this.#nodes.set(hash, bytes);
      this.inventory.reach(hash);
    }
  }

  /** Lets go of what only the state before needed: on one line at once, where several are open now and then. */
  #drop({ root, nodes, gone }: Made & { readonly root: Hash }): void {
    if (this.#open.size === 0) {
      for (const hash of gone) if (!nodes.has(hash)) this.#nodes.delete(hash);
    } else if (this.#nodes.size > this.#limit) {
      const roots = [root, ...[...this.#open.values()].map((state) => state.root)];
      const live = stateNodes(roots, this.#source, () => true);
      if (isNeed(live)) return;
      for (const hash of this.#nodes.keys()) if (!live.nodes.has(hash)) this.#nodes.delete(hash);
      this.#limit = Math.max(MIN_NODES, this.#nodes.size * 1.5);
    }
  }

  /** Reads a state from stored nodes, all of it or nothing. */
  async #read(root: Hash): Promise<boolean> {
    if (root === EMPTY_ROOT) return true;
    const nodes = new Map<Hash, Uint8Array>();
    const source = (hash: Hash) => nodes.get(hash) ?? this.#nodes.get(hash);
    try {
      for (;;) {
        const found = stateNodes([root], source, () => true);
        if (!isNeed(found)) break;
        if (found.need.some((hash) => !this.inventory.has("node", hash))) return false;
        const fetched = await fetchWhole(this.storage, "node", found.need);
        if (fetched.size < new Set(found.need).size) return false;
        for (const [hash, bytes] of fetched) nodes.set(hash, bytes);
      }
      const scopes = listEntries(root, source);
      if (isNeed(scopes)) return false;
      for (const trie of [root, ...scopes.entries.map(([, scope]) => scope)]) {
        const checked = checkTrie(trie, source);
        if (isNeed(checked) || checked.problems.length > 0) return false;
      }
    } catch {
      return false;
    }
    this.#keep(nodes);
    return true;
  }

  #tellScopes(tip: Tip, events: readonly LedgerEvent[]): void {
    if (!this.onScopeRoots) return;
    const scopes = [...new Set(events.map(({ scope }) => scope))];
    const found = lookupMany(tip.commit.root, scopes, this.#source);
    if (!isNeed(found)) this.onScopeRoots(tip, found.values.values());
  }
}

/** A place in a history as problems name it. */
export const placeOf = (commit: Hash, { scope, id }: { readonly scope: Hash; readonly id: Hash }): string =>
  `${commit} ${scope.slice(0, 12)}/${id.slice(0, 12)}`;

/** Changesets fetched at once: about so many bytes of them, by what the last ones took. */
const AHEAD_BYTES = 1 << 20;
const MOST_AHEAD = 256;

/**
 * The events of commits in a given order, fetched some commits ahead. They are read twice, for states and for
 * touch rows, rather than kept: they are the biggest part of a history after the records.
 */
export async function* withEvents(
  storage: Storage,
  tips: readonly Tip[],
  inventory: Inventory,
): AsyncGenerator<{ readonly tip: Tip; readonly events: readonly LedgerEvent[] | undefined }> {
  for (let at = 0, ahead = 1; at < tips.length; ) {
    const part = tips.slice(at, at + ahead);
    at += ahead;
    const wanted = new Set<Hash>();
    for (const { commit } of part)
      if (inventory.has("changeset", commit.changeset)) wanted.add(commit.changeset);
    const found = await fetchWhole(storage, "changeset", [...wanted]);
    for (const tip of part) {
      const bytes = found.get(tip.commit.changeset);
      yield { tip, events: bytes && decodeObject("changeset", bytes).events };
    }
    const size = [...found.values()].reduce((sum, { length }) => sum + length, 1);
    ahead = Math.max(1, Math.min(MOST_AHEAD, 2 * ahead, Math.floor((AHEAD_BYTES * ahead) / size)));
  }
}
