import { plainCorpus, rank } from "../index/index.js";
import { analyse, detectLanguage, parseQuery, queryTokens } from "../language/index.js";

/** A text among a few, and how well it answers a question. */
export interface Match {
  /** Its place in the list given. */
  readonly at: number;
  /** What the ranker gives it; comparable within one answer only. */
  readonly score: number;
  /** Of the words asked for that are no function words, the share that it holds, 0 to 1. */
  readonly coverage: number;
}

export interface Matchable {
  readonly title?: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
}

/**
 * The texts of a small collection that hold at least one word of the question, best first. The ranker is that of search;
 * its own judgement rests on statistics that few texts do not give, so that coverage is told instead.
 */
export function matchTexts(texts: readonly Matchable[], question: string, limit: number): Match[] {
  if (texts.length === 0) return [];
  const corpus = plainCorpus(texts);
  const query = parseQuery(question);
  const asked = corpus.languages.map((language) => tellingTerms(query.text, language));
  if (asked.every((terms) => terms.size === 0)) return [];
  const { hits } = rank(corpus, query, { limit: Math.max(limit, CLOSER_LOOK), useConfidence: false });
  return hits
    .map(({ doc, score }) => ({ at: doc, score, coverage: coverageOf(texts[doc] as Matchable, asked) }))
    .filter(({ coverage }) => coverage > 0)
    .sort((a, b) => b.coverage - a.coverage || b.score - a.score || a.at - b.at)
    .slice(0, limit);
}

const CLOSER_LOOK = 20;

const tellingTerms = (text: string, language: string): Set<string> =>
  new Set(
    queryTokens(text, [language])
      .filter(({ stop }) => !stop)
      .map(({ term }) => term),
  );

/** A question is read in every language of the collection; the reading that fits best counts. */
function coverageOf({ title = "", text }: Matchable, asked: readonly ReadonlySet<string>[]): number {
  const language = detectLanguage(text)?.code ?? "en";
  const held = new Set([...analyse(title, language), ...analyse(text, language)].map(({ term }) => term));
  const share = (terms: ReadonlySet<string>): number =>
    terms.size === 0 ? 0 : [...terms].filter((term) => held.has(term)).length / terms.size;
  return Math.max(...asked.map(share));
}
