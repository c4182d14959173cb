/** The rarity of a term found in `found` of `size` documents; never negative. */
export const rarity = (size: number, found: number): number =>
  Math.log(1 + (Math.max(size, found) - found + 0.5) / (found + 0.5));

export interface Bm25 {
  readonly k1: number;
  readonly b: number;
}

/** BM25 of one row of counts: what each asked term adds saturates, and long texts need more of it. */
export function bm25(
  { k1, b }: Bm25,
  counts: ArrayLike<number>,
  offset: number,
  weights: ArrayLike<number>,
  length: number,
  average: number,
): number {
  const norm = k1 * (1 - b + (b * length) / (average || 1));
  let score = 0;
  for (let i = 0; i < weights.length; i++) {
    const count = counts[offset + i]!;
    if (count > 0) score += (weights[i]! * count * (k1 + 1)) / (count + norm);
  }
  return score;
}
