import { type Hash, hashBytes } from "../core/base/index.js";
import type { Tip, Touch } from "../core/ledger/index.js";
import { packTouch, type Storage, type TouchedBy, unpackTouch } from "../storage/index.js";
import { withEvents } from "./changesets.js";
import type { Inventory } from "./objects.js";
import type { Pace } from "./pace.js";
import { byCommit, isOf, TouchMaker } from "./touch-maker.js";

const PAGE = 500;

/** All touch rows of a history, made again while they are taken: none is held longer than its transaction. */
export class RowMaking {
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
