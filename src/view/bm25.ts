import type { Run } from "./parts.js";
import type { Scene } from "./scene.js";
import { byAge } from "./select.js";

export interface Scored {
  readonly doc: number;
  readonly score: number;
}

/** How soon repeating a word stops counting, and how much a long text is held against it. */
const K1 = 1.2;
const B = 0.75;

/** What BM25 adds to the weight of a term in each memory; infinite for what is not seen, whose share is then nothing. */
function normsOf(scene: Scene): Float32Array {
  const { view } = scene;
  const { count, length } = scene.totals;
  const lengths = view.lengths();
  const norms = new Float32Array(view.size).fill(Number.POSITIVE_INFINITY);
  const each = count > 0 && length > 0 ? (K1 * B * count) / length : 0;
  for (const [from, to] of view.everything(scene.seesPartition))
    for (let doc = from; doc < to; doc++) norms[doc] = K1 * (1 - B) + each * lengths[doc]!;
  scene.hide((doc) => {
    norms[doc] = Number.POSITIVE_INFINITY;
  });
  return norms;
}

/** One pass of BM25 over a scene; keeps its arrays, because a session asks again and again. */
export class Bm25 {
  readonly scene: Scene;
  readonly #norms: Float32Array;
  readonly #scores: Float32Array;
  readonly #count: number;

  constructor(scene: Scene) {
    this.scene = scene;
    this.#norms = normsOf(scene);
    this.#scores = new Float32Array(this.#norms.length);
    this.#count = scene.totals.count;
  }

  /** In how many of the memories seen a term occurs. */
  frequency(runs: readonly Run[]): number {
    let count = 0;
    for (const run of runs) count += countSeen(run, this.#norms);
    return count;
  }

  idf(frequency: number): number {
    return Math.log(1 + (this.#count - frequency + 0.5) / (frequency + 0.5));
  }

  /** The best memories for some terms, each of which may count more or less; best first. */
  best(
    terms: ReadonlyMap<string, number>,
    limit: number,
    accepts: ((doc: number) => boolean) | undefined = undefined,
  ): Scored[] {
    const { view, seesPartition } = this.scene;
    for (const [term, weight] of terms) {
      const runs = view.runs(term, seesPartition);
      const share = weight * this.idf(this.frequency(runs)) * (K1 + 1);
      for (const run of runs) accumulate(run, share, this.#norms, this.#scores);
    }
    const found = highest(this.#scores, limit, byAge(view), accepts);
    this.#scores.fill(0);
    return found;
  }
}

function countSeen({ docs, from, to }: Run, norms: Float32Array): number {
  let count = 0;
  for (let at = from; at < to; at++) if (norms[docs[at]!]! !== Number.POSITIVE_INFINITY) count++;
  return count;
}

function accumulate(run: Run, share: number, norms: Float32Array, scores: Float32Array): void {
  const { docs, weights, from, to } = run;
  for (let at = from; at < to; at++) {
    const doc = docs[at]!;
    const weight = weights[at]!;
    scores[doc] = scores[doc]! + (share * weight) / (weight + norms[doc]!);
  }
}

/** The highest scores above 0, best first; equal ones by `order`. A heap whose root is the worst that is kept. */
function highest(
  scores: Float32Array,
  limit: number,
  order: (a: number, b: number) => number,
  accepts: ((doc: number) => boolean) | undefined,
): Scored[] {
  if (limit <= 0) return [];
  const heap: Scored[] = [];
  const isWorse = (a: Scored, b: Scored): boolean =>
    a.score < b.score || (a.score === b.score && order(a.doc, b.doc) > 0);
  const sink = (item: Scored): void => {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isWorse(heap[child + 1]!, heap[child]!)) child++;
      if (!isWorse(heap[child]!, item)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = item;
  };
  const rise = (item: Scored): void => {
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isWorse(item, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = item;
  };
  /** Nothing below it is of interest; above 0 in any case. */
  let least = Number.MIN_VALUE;
  for (let doc = 0; doc < scores.length; doc++) {
    const score = scores[doc]!;
    if (score < least || (accepts && !accepts(doc))) continue;
    const item = { doc, score };
    if (heap.length < limit) rise(item);
    else if (isWorse(heap[0]!, item)) sink(item);
    if (heap.length === limit) least = heap[0]!.score;
  }
  return heap.sort((a, b) => (isWorse(a, b) ? 1 : -1));
}
