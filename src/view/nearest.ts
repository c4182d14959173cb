import { byLane, byText } from "./facets.js";
import type { Scene } from "./scene.js";
import { byAge } from "./select.js";
import { analyse, detectLanguage, queryTokens } from "./text/index.js";

export interface Scored {
  readonly doc: number;
  readonly score: number;
}

/** Entries of lists to look at. Who says nearly the same shares rare words, so the common ones need not be looked at. */
const BUDGET = 512;
/** Of a longer list it is enough to know that it is long. */
const LONG = 4 * BUDGET;
const K1 = 1.2;
const B = 0.75;

/**
 * The beliefs seen that say most nearly the same as a text, nearest first: those that say it word for word, then by BM25
 * over its rarest words. What it costs does not depend on how many memories there are.
 */
export function nearest(scene: Scene, text: string, limit: number): Scored[] {
  const { view } = scene;
  const { count, length } = scene.totals;
  const lists = [...new Set(queryTokens(text).map(({ term }) => term))]
    .map((term) => ({ term, size: frequencyOf(scene, term) }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => a.size - b.size);
  const scores = new Map<number, number>();
  for (const run of view.runs(byText(text), scene.seesPartition))
    for (const doc of scene.holders(run)) scores.set(doc, Number.POSITIVE_INFINITY);
  let looked = 0;
  for (const { term, size } of lists) {
    if (looked > 0 && looked + size > BUDGET) break;
    looked += size;
    const rarity = Math.log(1 + (Math.max(count, size) - size + 0.5) / (size + 0.5));
    for (const run of view.runs(term, scene.seesPartition))
      for (const [doc, weight] of scene.entries(run)) {
        const norm = K1 * (1 - B + (B * view.lengthOf(doc) * count) / Math.max(1, length));
        scores.set(doc, (scores.get(doc) ?? 0) + (rarity * weight * (K1 + 1)) / (weight + norm));
      }
  }
  return best(scene, scores, limit);
}

/** In how many of the memories seen a term occurs; of a long list how long it is. */
export function frequencyOf(scene: Scene, term: string): number {
  const amount = scene.view.amount(term, scene.seesPartition);
  return amount > LONG || amount === 0 || scene.isWhole ? amount : scene.frequency(term);
}

/** A word of a text as the term it is found by. */
export const wordTerm = (word: string, text: string): string =>
  analyse(word, detectLanguage(text)?.code ?? "en")[0]?.term ?? word;

function best(scene: Scene, scores: ReadonlyMap<number, number>, limit: number): Scored[] {
  const { view } = scene;
  const older = byAge(view);
  const beliefs = byLane("belief");
  const top: Scored[] = [];
  for (const [doc, score] of scores) {
    const last = top.at(-1);
    if (last && top.length >= limit && score < last.score) continue;
    if (!view.holds(doc, beliefs)) continue;
    const at = top.findIndex((one) => one.score < score || (one.score === score && older(doc, one.doc) < 0));
    top.splice(at < 0 ? top.length : at, 0, { doc, score });
    if (top.length > limit) top.pop();
  }
  return top;
}
