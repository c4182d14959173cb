import type { SearchHit } from "../search/index.js";
import { coverage } from "./coverage.js";

/**
 * Hits without those that say nothing. Where one of these was the likeliest, it is what search took for an answer: the
 * rest has to hold some of the question itself.
 */
export function besideNothing(
  question: string,
  hits: readonly SearchHit[],
  bare: readonly SearchHit[],
): readonly SearchHit[] {
  const likeliest = (of: readonly SearchHit[]) =>
    of.reduce((most, { probability }) => Math.max(most, probability), 0);
  if (likeliest(bare) <= likeliest(hits)) return hits;
  return hits.filter(({ text }) => coverage(question, [text]) > 0);
}
