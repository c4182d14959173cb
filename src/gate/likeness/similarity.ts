import type { Reading } from "./reading.js";
import { ratioBound, sequenceRatio } from "./sequence-ratio.js";

export interface Similarity {
  /** Shared words over those of the smaller text. */
  readonly overlap: number;
  /** Shared words over all words. */
  readonly jaccard: number;
  readonly shared: number;
}

/** How much a word weighs, by its stem and as written; alike for all when nothing is known of the words around. */
export type Weight = (stem: string, word: string) => number;
const ALIKE: Weight = () => 1;

export function similarity(a: Reading, b: Reading, weightOf: Weight = ALIKE): Similarity {
  let [shared, common, ofA, ofB] = [0, 0, 0, 0];
  for (const [word, form] of a.content) {
    const weight = weightOf(word, form);
    ofA += weight;
    if (!b.content.has(word)) continue;
    shared++;
    common += weight;
  }
  for (const [word, form] of b.content) ofB += weightOf(word, form);
  const [smaller, all] = [Math.min(ofA, ofB), ofA + ofB - common];
  return { overlap: smaller === 0 ? 0 : common / smaller, jaccard: all === 0 ? 0 : common / all, shared };
}

/** Symmetric, unlike difflib's own: the better of both orders, and 0 when it cannot reach `floor`. */
export function ratio(a: string, b: string, floor: number): number {
  if (ratioBound(a, b) < floor) return 0;
  return Math.max(sequenceRatio(a, b), sequenceRatio(b, a));
}
