import type { Scope } from "../core/base/index.js";
import { clears, type Sensitivity } from "../core/ledger/index.js";
import { byAge } from "./docs.js";
import type { Run } from "./parts.js";
import type { View } from "./view.js";

/** What somebody may see. */
export interface Viewer {
  readonly clearance: Sensitivity;
  sees(scope: Scope): boolean;
}

/**
 * A view as one viewer sees it at one time. Statistics are sums over what is seen, so that nothing invisible can
 * change an answer.
 */
export class Scene {
  readonly view: View;
  readonly now: number;
  readonly #seen: Uint8Array;
  /** Those that were to end by now. */
  readonly #ended = new Set<number>();

  constructor(view: View, viewer: Viewer, now: number, only?: Scope) {
    this.view = view;
    this.now = now;
    for (const [doc, time] of view.ending) if (time <= now) this.#ended.add(doc);
    this.#seen = Uint8Array.from(view.partitions, ({ scope, sensitivity }) =>
      (only === undefined || scope === only) && viewer.sees(scope) && clears(viewer.clearance, sensitivity)
        ? 1
        : 0,
    );
  }

  readonly seesPartition = (partition: number): boolean => this.#seen[partition] === 1;

  /** Is it live, not expired and to be seen? */
  sees(doc: number): boolean {
    return this.#isLive(doc) && this.seesPartition(this.view.partitionOf(doc));
  }

  #isLive(doc: number): boolean {
    return !this.view.isDead(doc) && !this.#ended.has(doc);
  }

  /** The memories of a stretch that are seen, with how much the term counts in each. */
  *entries({ docs, weights, from, to, partition }: Run): Generator<[doc: number, weight: number]> {
    for (let at = from; at < to; at++) {
      const doc = docs[at]!;
      if (partition === undefined ? this.sees(doc) : this.#isLive(doc)) yield [doc, weights[at]!];
    }
  }

  *holders(run: Run): Generator<number> {
    for (const [doc] of this.entries(run)) yield doc;
  }

  /** All that is seen, in stretches. */
  *stretches(): Generator<{ readonly docs: Iterable<number>; readonly sorted: boolean }> {
    for (const [from, to, sorted] of this.view.everything(this.seesPartition))
      yield { docs: this.#within(from, to, sorted), sorted };
  }

  *#within(from: number, to: number, seen: boolean): Generator<number> {
    for (let doc = from; doc < to; doc++) if (seen ? this.#isLive(doc) : this.sees(doc)) yield doc;
  }

  /** Names every number within the partitions seen, or of a part that is not sorted by them, that is not to be seen. */
  hide(take: (doc: number) => void): void {
    for (const [from, to, sorted] of this.view.everything(this.seesPartition)) {
      if (sorted && this.view.isClean) continue;
      for (let doc = from; doc < to; doc++)
        if (this.view.isDead(doc) || !(sorted || this.seesPartition(this.view.partitionOf(doc)))) take(doc);
    }
    for (const doc of this.#ended) take(doc);
  }

  /** Is there a number within the partitions seen that is not to be seen? */
  get hidesAny(): boolean {
    return !this.view.isClean || this.#ended.size > 0;
  }

  /** Is everything there is to be seen? */
  get isWhole(): boolean {
    return (
      !this.hidesAny && this.view.partitions.every(({ count }, at) => count === 0 || this.seesPartition(at))
    );
  }

  /** 1 for every memory that is seen. */
  mask(): Uint8Array {
    const mask = new Uint8Array(this.view.size);
    for (const [from, to] of this.view.everything(this.seesPartition)) mask.fill(1, from, to);
    this.hide((doc) => {
      mask[doc] = 0;
    });
    return mask;
  }

  /** In how many of the memories seen a term occurs. */
  frequency(term: string): number {
    let count = 0;
    this.eachHolder(term, () => {
      count++;
    });
    return count;
  }

  /** Names the memories seen that hold a term, in no particular order, with how much it counts in each. */
  eachHolder(term: string, take: (doc: number, weight: number) => void): void {
    this.view.eachHolder(term, this.seesPartition, (doc, weight, partition) => {
      if (partition === undefined ? this.sees(doc) : this.#isLive(doc)) take(doc, weight);
    });
  }

  byScope(): Map<Scope, number> {
    const counts = new Map<Scope, number>();
    const add = (scope: Scope, count: number) => counts.set(scope, (counts.get(scope) ?? 0) + count);
    for (const [at, { scope, count }] of this.view.partitions.entries())
      if (this.seesPartition(at)) add(scope, count);
    for (const doc of this.#ended)
      if (this.seesPartition(this.view.partitionOf(doc))) add(this.view.scopeOf(doc), -1);
    return counts;
  }

  /** How many memories are seen, and how long they are together. */
  get totals(): { readonly count: number; readonly length: number } {
    let count = 0;
    let length = 0;
    for (const [at, partition] of this.view.partitions.entries())
      if (this.seesPartition(at)) {
        count += partition.count;
        length += partition.length;
      }
    for (const doc of this.#ended)
      if (this.seesPartition(this.view.partitionOf(doc))) {
        count--;
        length -= this.view.lengthOf(doc);
      }
    return { count, length };
  }
}

/** One facet, or several of which a memory holds at most one, such as parents: then any of them will do. */
export type Wanted = string | readonly string[];

/** The memories seen that hold every one of the facets, oldest first, at most `limit`. */
export function select(
  scene: Scene,
  facets: readonly Wanted[],
  limit = Number.POSITIVE_INFINITY,
  accepts: (doc: number) => boolean = () => true,
): number[] {
  const { view } = scene;
  const lists = facets.map((wanted) =>
    (typeof wanted === "string" ? [wanted] : wanted).flatMap((facet) =>
      view.runs(facet, scene.seesPartition),
    ),
  );
  const [first, ...others] = lists.sort((a, b) => amount(a) - amount(b));
  const holdsAll = others.length === 0 ? accepts : both(heldByAll(view, others), accepts);
  const stretches = first
    ? first.map((run) => ({ docs: scene.holders(run), sorted: run.partition !== undefined }))
    : scene.stretches();
  const found: number[][] = [];
  for (const { docs, sorted } of stretches) {
    const kept: number[] = [];
    for (const doc of docs) {
      if (sorted && kept.length >= limit) break;
      if (holdsAll(doc)) kept.push(doc);
    }
    if (kept.length > 0) found.push(sorted ? kept : kept.sort(byAge(view)));
  }
  const all = found.length === 1 ? found[0]! : found.flat().sort(byAge(view));
  return limit < all.length ? all.slice(0, limit) : all;
}

const amount = (runs: readonly Run[]): number => runs.reduce((sum, { from, to }) => sum + to - from, 0);
const both =
  (a: (doc: number) => boolean, b: (doc: number) => boolean) =>
  (doc: number): boolean =>
    a(doc) && b(doc);

function heldByAll(view: View, lists: readonly (readonly Run[])[]): (doc: number) => boolean {
  const held = new Uint8Array(view.size);
  for (const runs of lists)
    for (const { docs, from, to } of runs) for (let at = from; at < to; at++) held[docs[at]!]!++;
  return (doc) => held[doc] === lists.length;
}
