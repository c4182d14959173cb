import type { MemoryRecord } from "../../core/ledger/index.js";
import type { Check, Neighbourhood } from "../check.js";
import type { Rules } from "../config.js";
import { differenceOf, hasSameNumbers, namesBeyond } from "../likeness/difference.js";
import { tellsItsOwn } from "../likeness/gaps.js";
import { type Reading, read } from "../likeness/reading.js";
import { ratio, similarity, type Weight } from "../likeness/similarity.js";
import { refuse } from "../verdict.js";

export const duplicate: Check = {
  name: "duplicate",
  lanes: ["belief"],
  compares: true,
  run: (record, { near, rules, target }) => {
    if (target?.text === record.text) return undefined;
    const fresh = read(record.text);
    const floor = floorAt(near.count);
    const weightOf = weightsIn(near);
    let best: { of: typeof record; score: number } | undefined;
    for (const other of near.nearest) {
      if (other.id === record.id || other.id === target?.id || !coversTimeOf(other, record)) continue;
      const known = read(other.text);
      const score = saysMore(fresh, known) ? undefined : likeness(known, fresh, rules, floor, weightOf);
      if (score === undefined || score <= (best?.score ?? 0) || tellsItsOwn(known, fresh)) continue;
      best = { of: other, score };
    }
    if (!best) return undefined;
    const same = best.score === 1;
    return {
      ...refuse(
        "DUPLICATE",
        "duplicate",
        `Duplicate: the memory ${best.of.id} already says ${same ? "this" : "nearly this"}.`,
        same
          ? "Nothing needs to be done."
          : "If it says something else, say more clearly what; else update that memory.",
      ),
      verdict: "duplicate",
      of: best.of.id,
      similarity: best.score,
    };
  },
};

/** Does a belief hold at least as long as another one says? A writer who hears that it is known relies on that. */
export const coversTimeOf = (known: MemoryRecord, { expiresAt, valid }: MemoryRecord): boolean =>
  (known.expiresAt === undefined || (expiresAt !== undefined && expiresAt <= known.expiresAt)) &&
  (known.valid?.to === undefined || (valid?.to !== undefined && valid.to <= known.valid.to)) &&
  (known.valid?.from === undefined || valid === undefined || (valid.from ?? "") >= known.valid.from);

/** All of the other and a name besides, of a place or a product: it says more than is known. */
const saysMore = (fresh: Reading, known: Reading): boolean =>
  [...known.content.keys()].every((word) => fresh.content.has(word)) && namesBeyond(fresh, known);

/** A word that stands in a few beliefs counts whole, one that stands in a hundred about a quarter. */
const weightAt = (frequency: number): number => 1 / (1 + Math.log1p(frequency / 8));

const weights = new WeakMap<Neighbourhood, Map<string, number>>();

/** The weights of words around a write; several neighbours share most of them. */
export function weightsIn(near: Neighbourhood): Weight {
  const known = weights.get(near) ?? new Map<string, number>();
  weights.set(near, known);
  return (word, form) => {
    const weight = known.get(word) ?? weightAt(near.frequency(form));
    known.set(word, weight);
    return weight;
  };
}

/** What both measures together must reach: either alone is fooled by long or by short texts. */
const FLOOR = 0.46;

/** The more there is to compare with, the more often two texts are alike by chance. */
const floorAt = (count: number): number => FLOOR + 0.045 * Math.log10(Math.max(1, count));

/**
 * How alike two texts are if they say the same, else undefined. The thresholds are those of words shared by the smaller
 * text and of the sequence ratio; numbers, negation, names, dates, paths, direction or the object that differ make two
 * texts different however alike they look.
 */
export function likeness(
  a: Reading,
  b: Reading,
  rules: Rules,
  floor = FLOOR,
  weightOf?: Weight,
): number | undefined {
  if (a.key === b.key) return 1;
  if (!hasSameNumbers(a, b)) return undefined;
  const { overlap, jaccard, shared } = similarity(a, b, weightOf);
  if (shared < 2 || 0.7 * jaccard + 0.2 + 0.1 * overlap < floor || differenceOf(a, b) !== undefined)
    return undefined;
  const sequence = ratio(a.key, b.key, 0);
  if (overlap < rules.tokenOverlapThreshold && sequence < rules.similarityThreshold) return undefined;
  const score = 0.7 * jaccard + 0.2 * sequence + 0.1 * overlap;
  return score < floor
    ? undefined
    : Math.min(0.99, Math.round(Math.max(score, overlap, sequence) * 100) / 100);
}

/** How alike two texts look, whether or not they say the same. */
export function resemblance(a: Reading, b: Reading): number {
  if (a.key === b.key) return 1;
  const { overlap, jaccard } = similarity(a, b);
  const score = 0.7 * jaccard + 0.2 * ratio(a.key, b.key, 0) + 0.1 * overlap;
  return Math.min(0.99, Math.round(score * 100) / 100);
}
