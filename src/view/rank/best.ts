/** The `limit` best of the documents that are admitted; where scores are equal, the earlier one. */
export function best(
  docs: readonly number[],
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
  for (const doc of docs) {
    // Nearly all end here.
    if (heap.length === limit && scores[doc]! < scores[heap[0]!]!) continue;
    if (heap.length === limit && !before(doc, heap[0]!)) continue;
    if (!admits(doc)) continue;
    if (heap.length === limit) {
      heap[0] = doc;
      sink();
      continue;
    }
    heap.push(doc);
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!before(heap[parent]!, heap[at]!)) break;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }
  return heap.sort((a, b) => scores[b]! - scores[a]! || compare(a, b));
}
