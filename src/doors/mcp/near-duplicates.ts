/** A pair of texts that say nearly the same, by the share of their words that is common to both. */
export interface Pair {
  readonly a: number;
  readonly b: number;
  readonly similarity: number;
}

const WORDS = /[\p{L}\p{N}]+/gu;
/** A word in more texts than this tells nothing apart and would make every text the candidate of every other. */
const COMMON = 50;

export const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.normalize("NFKC").toLowerCase().match(WORDS) ?? []);

/**
 * Pairs of texts whose words are nearly the same, most alike first. Candidates share one of their rarest words, so that
 * the work grows with the texts and not with their square; alike texts that share only common words are missed.
 */
export function nearDuplicates(texts: readonly string[], least = 0.75): Pair[] {
  const sets = texts.map(wordsOf);
  const holders = new Map<string, number[]>();
  for (const [at, words] of sets.entries())
    for (const word of words) {
      const known = holders.get(word);
      if (known) known.push(at);
      else holders.set(word, [at]);
    }
  const pairs: Pair[] = [];
  for (const [a, words] of sets.entries()) {
    const rare = [...words]
      .map((word) => holders.get(word) as number[])
      .filter(({ length }) => length <= COMMON)
      .sort((one, other) => one.length - other.length);
    for (const b of new Set(rare.slice(0, 8).flat())) {
      if (b <= a) continue;
      const similarity = likeness(words, sets[b] as ReadonlySet<string>);
      if (similarity >= least) pairs.push({ a, b, similarity });
    }
  }
  return pairs.sort((one, other) => other.similarity - one.similarity || one.a - other.a || one.b - other.b);
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let both = 0;
  for (const word of a) if (b.has(word)) both++;
  return both / (a.size + b.size - both);
}
