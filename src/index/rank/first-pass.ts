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

/**
 * The `limit` best of the documents that are admitted; where scores are equal, the earlier one. First the score that is
 * enough is found, from scores alone: only those that share it have to be compared.
 */
export function best(
  docs: ArrayLike<number>,
  scores: Float32Array,
  limit: number,
  admits: (doc: number) => boolean = () => true,
  compare: (a: number, b: number) => number = (a, b) => a - b,
): number[] {
  if (limit <= 0) return [];
  const enough = enoughFor(docs, scores, limit, admits);
  const found: number[] = [];
  const equal: number[] = [];
  for (let at = 0; at < docs.length; at++) {
    const doc = docs[at]!;
    const score = scores[doc]!;
    // Nearly all end here.
    if (score < enough || !admits(doc)) continue;
    if (score > enough) found.push(doc);
    else equal.push(doc);
  }
  found.push(...firstOf(equal, limit - found.length, compare));
  return found.sort((a, b) => scores[b]! - scores[a]! || compare(a, b));
}

/** The score of the last of the `limit` best; of fewer than that, less than any. */
function enoughFor(
  docs: ArrayLike<number>,
  scores: Float32Array,
  limit: number,
  admits: (doc: number) => boolean,
): number {
  /** The least of those kept is at the top, and none is less than what stands at half its place. */
  const heap = new Float32Array(limit).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < docs.length; i++) {
    const score = scores[docs[i]!]!;
    if (score <= heap[0]! || !admits(docs[i]!)) continue;
    let at = 0;
    for (let below = 1; below < limit; below = 2 * at + 1) {
      if (below + 1 < limit && heap[below + 1]! < heap[below]!) below++;
      if (heap[below]! >= score) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = score;
  }
  return heap[0]!;
}

/** The first so many in order. Once there are enough, what comes after them is let go at once. */
function firstOf(
  docs: readonly number[],
  count: number,
  compare: (a: number, b: number) => number,
): number[] {
  if (docs.length <= count) return [...docs];
  let kept: number[] = [];
  let last: number | undefined;
  for (const doc of docs) {
    if (last !== undefined && compare(doc, last) > 0) continue;
    kept.push(doc);
    if (kept.length < 2 * count) continue;
    kept = kept.sort(compare).slice(0, count);
    last = kept.at(-1);
  }
  return kept.sort(compare).slice(0, count);
}

/** The rarity of a term found in `found` of `size` documents; never negative. */
export const rarity = (size: number, found: number): number =>
  Math.log(1 + (Math.max(size, found) - found + 0.5) / (found + 0.5));

interface Bm25 {
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
