import type { Corpus } from "./corpus.js";

/** An answer often shares no word with the question and stands right after a line that does. */
const SEEDS = 200;

/** The candidates, and what stands before and after the best of them. */
export function withNeighbours(
  corpus: Corpus,
  candidates: readonly number[],
  admits: (doc: number) => boolean,
): number[] {
  const all = new Set(candidates);
  for (const doc of candidates.slice(0, SEEDS)) {
    const { previous, next } = corpus.documentOf(doc);
    for (const beside of [next, previous])
      if (beside >= 0 && !all.has(beside) && admits(beside)) all.add(beside);
  }
  return [...all];
}
