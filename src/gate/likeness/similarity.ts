import type { Reading } from "./reading.js";
import { ratioBound, sequenceRatio } from "./sequence-ratio.js";

export interface Similarity {
  /** Shared words over those of the smaller text. */
  readonly overlap: number;
  /** Shared words over all words. */
  readonly jaccard: number;
  readonly shared: number;
}

export function similarity(a: Reading, b: Reading): Similarity {
  let shared = 0;
  for (const word of a.content) if (b.content.has(word)) shared++;
  const smaller = Math.min(a.content.size, b.content.size);
  const all = a.content.size + b.content.size - shared;
  return { overlap: smaller === 0 ? 0 : shared / smaller, jaccard: all === 0 ? 0 : shared / all, shared };
}

/** Symmetric, unlike difflib's own: the better of both orders, and 0 when it cannot reach `floor`. */
export function ratio(a: string, b: string, floor: number): number {
  if (ratioBound(a, b) < floor) return 0;
  return Math.max(sequenceRatio(a, b), sequenceRatio(b, a));
}
