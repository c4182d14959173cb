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
