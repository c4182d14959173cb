import { best } from "./best.js";
import { rarity } from "./bm25.js";
import type { Corpus, Postings } from "./corpus.js";
import type { Question } from "./question.js";

const K1 = 1.2;
const B = 0.75;

/** An asked term with where it occurs. Read once, for the first pass and for the features. */
export interface FoundTerm {
  readonly postings: readonly Postings[];
  readonly found: number;
  readonly rarity: number;
}

export const findTerms = (corpus: Corpus, { terms }: Question): FoundTerm[] =>
  terms.map(({ term }) => {
    const postings = corpus.postings(term);
    const found = postings.reduce((sum, { length }) => sum + length, 0);
    return { postings, found, rarity: rarity(corpus.size, found) };
  });

/**
 * The documents worth a closer look: the best by BM25 over all asked terms. Names of speakers count little, for they
 * stand on half of a conversation's lines.
 */
export function firstPass(
  corpus: Corpus,
  question: Question,
  terms: readonly FoundTerm[],
  limit: number,
  admits: (doc: number) => boolean,
): number[] {
  const scores = new Float32Array(corpus.capacity);
  const touched: number[] = [];
  const average = corpus.averageLength || 1;
  terms.forEach(({ postings, rarity }, i) => {
    const { weight, isName } = question.terms[i]!;
    const top = rarity * weight * (isName ? 0.3 : 1) * (K1 + 1);
    for (const { docs, counts, length } of postings)
      for (let at = 0; at < length; at++) {
        const doc = docs[at]!;
        const count = counts[at]!;
        if (scores[doc] === 0) touched.push(doc);
        scores[doc]! += (top * count) / (count + K1 * (1 - B + (B * corpus.lengthOf(doc)) / average));
      }
  });
  return best(touched, scores, limit, admits, corpus.compare);
}
