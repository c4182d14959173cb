import { byLane } from "./facets.js";
import type { Run } from "./parts.js";
import type { Scene } from "./scene.js";
import { byAge } from "./select.js";
import { queryTokens } from "./text/index.js";

export interface Scored {
  readonly doc: number;
  readonly score: number;
}

/** Entries of lists to look at. Who says nearly the same shares rare words, so the common ones need not be looked at. */
const BUDGET = 4096;
const K1 = 1.2;
const B = 0.75;

/** The beliefs seen that say most nearly the same as a text, nearest first: BM25 by its rarest words. */
export function nearest(scene: Scene, text: string, limit: number): Scored[] {
  const { view } = scene;
  const { count, length } = scene.totals;
  const lists = queryTokens(text)
    .map(({ term }) => view.runs(term, scene.seesPartition))
    .map((runs) => ({ runs, size: runs.reduce((sum, run) => sum + sizeOf(scene, run), 0) }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => a.size - b.size);
  const scores = new Map<number, number>();
  let looked = 0;
  for (const { runs, size } of lists) {
    if (looked > 0 && looked + size > BUDGET) break;
    looked += size;
    const rarity = Math.log(1 + (Math.max(count, size) - size + 0.5) / (size + 0.5));
    for (const run of runs)
      for (const [doc, weight] of scene.entries(run)) {
        const norm = K1 * (1 - B + (B * view.lengthOf(doc) * count) / Math.max(1, length));
        scores.set(doc, (scores.get(doc) ?? 0) + (rarity * weight * (K1 + 1)) / (weight + norm));
      }
  }
  const older = byAge(view);
  const best = [...scores]
    .map(([doc, score]) => ({ doc, score }))
    .sort((a, b) => b.score - a.score || older(a.doc, b.doc));
  const beliefs: Scored[] = [];
  for (const one of best) {
    if (beliefs.length >= limit) break;
    if (view.holds(one.doc, byLane("belief"))) beliefs.push(one);
  }
  return beliefs;
}

/** How many memories of a stretch are seen. Of a long one of a seen partition it is enough to know that it is long. */
const sizeOf = (scene: Scene, run: Run): number =>
  run.partition !== undefined && run.to - run.from > 4 * BUDGET ? run.to - run.from : scene.countSeen(run);
