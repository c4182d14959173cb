/** Words of a text as a bag; letters of scripts without spaces count one by one. */
export function bagOf(text: string): Map<string, number> {
  const bag = new Map<string, number>();
  for (const [word] of text
    .toLowerCase()
    .matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}_]+/gu))
    bag.set(word, (bag.get(word) ?? 0) + 1);
  return bag;
}

export const sizeOf = (bag: ReadonlyMap<string, number>): number => {
  let size = 0;
  for (const count of bag.values()) size += count;
  return size;
};

/** How much of two texts is shared, 0 to 1: twice the common words over all words. The same from both sides. */
export function similarity(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const total = sizeOf(a) + sizeOf(b);
  if (total === 0) return 1;
  let shared = 0;
  for (const [word, count] of a) shared += Math.min(count, b.get(word) ?? 0);
  return (2 * shared) / total;
}

/** A word that so many texts have among their rarest tells them apart no more; without a limit it would cost the square. */
const COMMON = 500;

export interface Pair<A, B> {
  readonly before: A;
  readonly after: B;
  readonly score: number;
}

/**
 * Every pair of at least `floor` similarity, best first. Two texts that are alike must share one of their rarest words, so
 * only texts that do are compared: thousands against thousands stay cheap.
 */
export function similarPairs<A extends { readonly text: string }, B extends { readonly text: string }>(
  before: readonly A[],
  after: readonly B[],
  floor: number,
): Pair<A, B>[] {
  const olds = before.map((item) => ({ item, bag: bagOf(item.text) }));
  const news = after.map((item) => ({ item, bag: bagOf(item.text) }));
  const frequency = new Map<string, number>();
  for (const { bag } of [...olds, ...news])
    for (const word of bag.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const rare = (bag: ReadonlyMap<string, number>): string[] => {
    const words = [...bag].sort(
      ([a], [b]) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : a > b ? 1 : 0),
    );
    // A partner shares at least floor / (2 - floor) of the words; it cannot lack more than the rest.
    let room = sizeOf(bag) * (1 - floor / (2 - floor));
    const first: string[] = [];
    for (const [word, count] of words) {
      first.push(word);
      room -= count;
      if (room < 0) break;
    }
    return first;
  };
  const index = new Map<string, number[]>();
  for (const [at, { bag }] of olds.entries())
    for (const word of rare(bag)) {
      const list = index.get(word);
      if (list) list.push(at);
      else index.set(word, [at]);
    }
  const pairs: Pair<A, B>[] = [];
  for (const { item, bag } of news) {
    const seen = new Set<number>();
    for (const word of rare(bag))
      if ((index.get(word)?.length ?? 0) <= COMMON) for (const at of index.get(word) ?? []) seen.add(at);
    for (const at of seen) {
      const old = olds[at] as (typeof olds)[number];
      const score = similarity(old.bag, bag);
      if (score >= floor) pairs.push({ before: old.item, after: item, score });
    }
  }
  return pairs.sort((a, b) => b.score - a.score);
}
