import { analyse, detectLanguage, queryTokens } from "../language/index.js";
import { byAge } from "./age.js";
import { byLane } from "./facets.js";
import { sayingOf } from "./saying.js";
import type { Scene } from "./scene.js";

export interface Scored {
  readonly doc: number;
  readonly score: number;
}

/** Entries of lists to look at. Who says nearly the same shares rare words, so the common ones need not be looked at. */
const BUDGET = 128;
/** Of a longer list it is enough to know that it is long. */
const LONG = 16 * BUDGET;
/** Among so few everybody may be a neighbour. */
const FEW = 1_000;
/** Who shares less than this of what a text tells is no neighbour. The more there are, the more share something by chance. */
const leastOf = (count: number): number => (count < FEW ? 0 : 0.15 + 0.05 * Math.log10(count / 10));
/** A word that nearly every text holds tells nothing. */
const SLIGHT = 0.5;
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
    .map((term) => {
      const size = frequencyOf(scene, term);
      return { term, size, rarity: Math.log(1 + (Math.max(count, size) - size + 0.5) / (size + 0.5)) };
    })
    .sort((a, b) => a.size - b.size);
  const least = leastOf(count) * lists.reduce((sum, { rarity }) => sum + rarity, 0);
  const scores = new Map<number, number>();
  for (const doc of view.whoSays(sayingOf(text)))
    if (scene.sees(doc)) scores.set(doc, Number.POSITIVE_INFINITY);
  let looked = 0;
  let passed = 0;
  for (const { term, size, rarity } of lists) {
    if (looked > 0 && looked + size > BUDGET) break;
    looked += size;
    passed++;
    scene.eachHolder(term, (doc, weight) => {
      const norm = K1 * (1 - B + (B * view.lengthOf(doc) * count) / Math.max(1, length));
      scores.set(doc, (scores.get(doc) ?? 0) + (rarity * weight * (K1 + 1)) / (weight + norm));
    });
  }
  const common = lists.slice(passed).filter(({ rarity }) => rarity > SLIGHT);
  const restOf = (doc: number): number =>
    common.reduce((sum, { term, rarity }) => sum + (view.holds(doc, term) ? rarity : 0), 0);
  const most = common.reduce((sum, { rarity }) => sum + rarity, 0);
  return best(scene, scores, least - most, limit)
    .map(({ doc, score }) => ({ doc, score: score + restOf(doc) }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score);
}

/** In how many of the memories seen a term occurs; of a long list how long it is. */
export function frequencyOf(scene: Scene, term: string): number {
  const amount = scene.view.amount(term, scene.seesPartition);
  return amount > LONG || amount === 0 || scene.isWhole ? amount : scene.frequency(term);
}

/** Words of a text as the terms they are found by. */
export function termsOf(text: string): (word: string) => string {
  const language = detectLanguage(text)?.code ?? "en";
  return (word) => analyse(word, language)[0]?.term ?? word;
}

function best(scene: Scene, scores: ReadonlyMap<number, number>, least: number, limit: number): Scored[] {
  const { view } = scene;
  const older = byAge(view);
  const beliefs = byLane("belief");
  const top: Scored[] = [];
  for (const [doc, score] of scores) {
    const last = top.length < limit ? undefined : top[limit - 1];
    if (score < (last?.score ?? least)) continue;
    if (last?.score === score && older(doc, last.doc) >= 0) continue;
    if (!view.holds(doc, beliefs)) continue;
    const at = top.findIndex((one) => one.score < score || (one.score === score && older(doc, one.doc) < 0));
    top.splice(at < 0 ? top.length : at, 0, { doc, score });
    if (top.length > limit) top.pop();
  }
  return top;
}
