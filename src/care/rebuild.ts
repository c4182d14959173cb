import { type Hash, HashSet, hashBytes } from "../core/base/index.js";
import {
  type Commit,
  countersBefore,
  type LedgerEvent,
  type Tip,
  type Touch,
  touchOf,
} from "../core/ledger/index.js";
import { beginNodeAge, packTouch, type Storage, type TouchedBy, unpackTouch } from "../storage/index.js";
import { checkChain } from "./chain.js";
import { CheckpointNodes, dropNodes } from "./checkpoint-nodes.js";
import { type Inventory, takeInventory } from "./objects.js";
import type { RebuildOptions } from "./options.js";
import { Pace } from "./pace.js";
import { Findings, type VerifyProblem } from "./problems.js";
import { readSnapshot } from "./reads.js";
import { States, withEvents } from "./states.js";
import { KeyRows } from "./touch-maker.js";

export interface RebuildReport {
  /** Touch rows that were made. */
  readonly events: number;
  /** Nodes that are stored now, of the states that are kept. */
  readonly nodes: number;
  /** What is damaged of that from which everything is made: what hangs on it could not be made again. */
  readonly problems: readonly VerifyProblem[];
}

/** Makes everything derived again from objects and refs: touch rows, indexes, nodes. What is lost stays lost. */
export async function rebuildStore(storage: Storage, options: RebuildOptions = {}): Promise<RebuildReport> {
  const pace = new Pace(options.onProgress);
  const findings = new Findings();
  const { seq, refs = new Map() } = await readSnapshot(storage, findings);
  pace.stretch(0, 0.5);
  const inventory = await takeInventory(storage, seq, findings, pace);
  pace.stretch(0.5, 0.7);
  const events = await makeRows(storage, seq, inventory, pace);
  if (!options.keepNodes) {
    await dropNodes(storage);
    // What writers stored meanwhile may lean on what was just dropped; what they store from now on does not.
    await beginNodeAge(storage);
    await dropNodes(storage);
  }
  const chain = checkChain(refs, inventory, findings);
  const states = new States(storage, chain, inventory, findings, undefined);
  const kept = new CheckpointNodes(storage, chain, inventory);
  pace.stretch(0.7, 1);
  let followed = 0;
  for await (const { tip, events } of withEvents(storage, chain.order, inventory)) {
    if (await states.advance(tip, events)) await kept.keep(tip, states);
    await pace.step(++followed / chain.order.length);
  }
  await storage.tend();
  pace.end();
  // What was only a warning was derived, and has been made again.
  const problems = findings.list().filter(({ severity }) => severity === "error");
  return { events, nodes: kept.size, problems };
}

/** Answers how many. What it takes to make them is let go before states are folded. */
async function makeRows(storage: Storage, seq: number, inventory: Inventory, pace: Pace): Promise<number> {
  const rows = new RowMaking(storage, seq, inventory, pace);
  await storage.rebuild(rows.make(), seq);
  return rows.count;
}

const PAGE = 500;

/** All touch rows of a history, made again while they are taken: none is held longer than its transaction. */
class RowMaking {
  /** Rows made so far. */
  count = 0;
  readonly #maker: TouchMaker;

  constructor(
    readonly storage: Storage,
    readonly upTo: number,
    readonly inventory: Inventory,
    readonly pace: Pace,
  ) {
    this.#maker = new TouchMaker(inventory);
  }

  /** The rows of all commits, by the transaction that a commit came with. */
  async *make(): AsyncGenerator<TouchedBy> {
    const places = await this.#places();
    const tips: Tip[] = [];
    for (const hash of places.keys()) {
      const commit = this.inventory.commits.get(hash);
      if (commit) tips.push({ hash, commit });
    }
    const isMixed = !areInOrder(tips);
    if (isMixed) tips.sort((a, b) => a.commit.generation - b.commit.generation);
    const rows = this.#rowsOf(tips, places);
    yield* byTransaction(isMixed ? sorted(rows) : rows);
  }

  async *#rowsOf(tips: readonly Tip[], places: ReadonlyMap<Hash, number>): AsyncGenerator<TouchedBy> {
    const stored = await this.#storedRows();
    let followed = 0;
    for await (const { tip, events = [] } of withEvents(this.storage, tips, this.inventory)) {
      const known = (stored.get(tip.hash) ?? []).flatMap((packed) => unpackTouch(packed));
      const touch = events.map((event) =>
        this.#maker.make(
          event,
          tip,
          known.find((row) => isOf(event, row)),
        ),
      );
      this.count += touch.length;
      yield { seq: places.get(tip.hash) as number, touch };
      await this.pace.step(++followed / tips.length);
    }
  }

  /** The transaction that each commit came with first. */
  async #places(): Promise<Map<Hash, number>> {
    const places = new Map<Hash, number>();
    for await (const { hash, bytes, seq } of this.storage.scan({ kinds: ["commit"] }))
      if (seq <= this.upTo && !places.has(hash) && hashBytes("commit", bytes) === hash) places.set(hash, seq);
    return places;
  }

  /**
   * What is kept of touch rows, packed, by commit. Needed are those that tell what an erased or damaged record was, and where
   * histories fork, all.
   */
  async #storedRows(): Promise<Map<Hash, Buffer[]>> {
    const found = new Map<Hash, Buffer[]>();
    const isNeeded = ({ record }: Touch) =>
      !this.#maker.isLinear || (record !== undefined && !this.inventory.has("memory", record));
    for (let after = 0; after < this.upTo; ) {
      const page = await readPage(this.storage, after);
      for (const rows of byCommit(page.touch.filter(isNeeded))) {
        const { commit } = rows[0] as Touch;
        const known = found.get(commit);
        if (known) known.push(packTouch(rows));
        else found.set(commit, [packTouch(rows)]);
      }
      if (page.seq <= after) break;
      after = page.seq;
    }
    return found;
  }
}

/** Parents before children, as they were written, unless somebody has mixed them up. */
function areInOrder(tips: readonly Tip[]): boolean {
  const seen = new Set<Hash>();
  return tips.every(({ hash, commit }) => {
    seen.add(hash);
    return commit.parents.every((parent) => seen.has(parent));
  });
}

async function* sorted(rows: AsyncIterable<TouchedBy>): AsyncGenerator<TouchedBy> {
  const all: TouchedBy[] = [];
  for await (const made of rows) all.push(made);
  yield* all.sort((a, b) => a.seq - b.seq);
}

async function* byTransaction(rows: AsyncIterable<TouchedBy>): AsyncGenerator<TouchedBy> {
  let last: { seq: number; touch: Touch[] } | undefined;
  for await (const { seq, touch } of rows) {
    if (last?.seq === seq) last.touch.push(...touch);
    else {
      if (last) yield last;
      last = { seq, touch: [...touch] };
    }
  }
  if (last) yield last;
}

/** A page that cannot be read tells nothing; the next one may. */
async function readPage(storage: Storage, after: number): Promise<{ seq: number; touch: Touch[] }> {
  try {
    return await storage.touchSince(after, PAGE);
  } catch {
    return { seq: after + 1, touch: [] };
  }
}

/** Makes touch rows again from commits, changesets and records, in the order in which they were made. */
export class TouchMaker {
  readonly #rows = new KeyRows();
  /** Does no commit have two children? */
  readonly isLinear: boolean;

  constructor(readonly inventory: Inventory) {
    this.isLinear = areAllDifferent(parentsOf(inventory.commits.values()));
  }

  /** The row of an event; `stored` is what is kept of it, if there is anything. */
  make(event: LedgerEvent, tip: Tip, stored: Touch | undefined): Touch {
    const made = this.#derive(event, tip, stored);
    this.#rows.add(made);
    return made;
  }

  /** The row as it has to be. What only an erased or damaged record could tell is taken from the stored row. */
  #derive(event: LedgerEvent, tip: Tip, row: Touch | undefined): Touch {
    const from = event.after === undefined ? undefined : (this.inventory.details(event.after) ?? row);
    const details = from && { sensitivity: from.sensitivity, links: from.links };
    const known = this.#rows.of(event.scope, event.id);
    const made = { ...touchOf(event, undefined, tip, countersBefore(known, event.before)), ...details };
    if (this.isLinear || !row || isSame(row, made)) return made;
    // Where histories fork, the version an event goes on from may not be the one that was stored last; nor need it be
    // the replaced one where two lines are joined.
    const isMerge = tip.commit.parents.length > 1;
    const others = [...this.#rows.of(event.scope, event.id)].filter(
      ({ record }) => isMerge || event.before === undefined || record === event.before,
    );
    // Elsewhere a memory may never have been.
    const priors = event.before === undefined ? [undefined, ...others] : others;
    const possible = priors.map((prior) => ({ ...touchOf(event, undefined, tip, prior), ...details }));
    return possible.find((other) => isSame(row, other)) ?? made;
  }
}

function* parentsOf(commits: Iterable<Commit>): Generator<Hash> {
  for (const { parents } of commits) yield* parents;
}

function areAllDifferent(hashes: Iterable<Hash>): boolean {
  const seen = new HashSet();
  for (const hash of hashes) if (!seen.add(hash)) return false;
  return true;
}

/** Neighbours of one commit together, added to groups that were begun. */
export function byCommit(rows: readonly Touch[], groups: Touch[][] = []): Touch[][] {
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0]?.commit === row.commit) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

export const isOf = (event: LedgerEvent, row: Touch): boolean =>
  row.id === event.id && row.scope === event.scope && row.op === event.op && row.record === event.after;

export function isSame(a: Touch, b: Touch): boolean {
  return (
    a.commit === b.commit &&
    a.generation === b.generation &&
    a.time === b.time &&
    a.author.kind === b.author.kind &&
    a.author.id === b.author.id &&
    a.version === b.version &&
    a.created === b.created &&
    a.sensitivity === b.sensitivity &&
    a.links.length === b.links.length &&
    a.links.every((link, at) => link === b.links[at])
  );
}
