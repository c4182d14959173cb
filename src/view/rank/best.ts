/** The `limit` best of the documents that are admitted; where scores are equal, the earlier one. */
export function best(
  docs: ArrayLike<number>,
  scores: Float32Array,
  limit: number,
  admits: (doc: number) => boolean = () => true,
  compare: (a: number, b: number) => number = (a, b) => a - b,
): number[] {
  const before = (a: number, b: number): boolean =>
    scores[a]! > scores[b]! || (scores[a] === scores[b] && compare(a, b) < 0);
  const heap: number[] = [];
  const sink = (): void => {
    for (let at = 0; ; ) {
      let worst = 2 * at + 1;
      if (worst >= heap.length) return;
      if (worst + 1 < heap.length && before(heap[worst]!, heap[worst + 1]!)) worst++;
      if (!before(heap[at]!, heap[worst]!)) return;
      [heap[at], heap[worst]] = [heap[worst]!, heap[at]!];
      at = worst;
    }
  };
  let least = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < docs.length; at++) {
    const doc = docs[at]!;
    // Nearly all end here.
    if (scores[doc]! < least) continue;
    if (heap.length === limit && !before(doc, heap[0]!)) continue;
    if (!admits(doc)) continue;
    if (heap.length === limit) {
      heap[0] = doc;
      sink();
      least = scores[heap[0]]!;
      continue;
    }
    heap.push(doc);
    for (let place = heap.length - 1; place > 0; ) {
      const parent = (place - 1) >> 1;
      if (!before(heap[parent]!, heap[place]!)) break;
      [heap[place], heap[parent]] = [heap[parent]!, heap[place]!];
      place = parent;
    }
    if (heap.length === limit) least = scores[heap[0]!]!;
  }
  return heap.sort((a, b) => scores[b]! - scores[a]! || compare(a, b));
}
