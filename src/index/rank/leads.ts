import { analyse, detectLanguage } from "../../language/index.js";
import type { Corpus } from "./corpus.js";
import { best, rarity } from "./first-pass.js";
import type { Question } from "./question.js";

/** One of the best hits: its words lead to what the question has no word for. */
export interface Lead {
  readonly doc: number;
  /** 1 for the best, less for those behind it. */
  readonly sure: number;
}

/** With its text; undefined where it cannot be read. */
export interface ReadLead extends Lead {
  readonly text: string | undefined;
}

/** What the words of the leads show. */
export interface Kin {
  /** How much a document shares with the leads: 1 is the most that any but they themselves do. */
  value(doc: number): number;
  /** Documents that are no candidates yet. */
  readonly fresh: readonly number[];
}

/** So many of the best are leads, and so many rare words of each count. */
const LEADS = 3;
const WORDS = 10;
/** A word that more than this share of the documents hold is not rare, unless they are few. */
const SHARE = 0.02;
const FEW = 64;
/** So many documents come along that no word of the question found, if they share this many words: one may be chance. */
const FRESH = 20;
const LEAST_SHARED = 2;
/** A long text is read this far. */
const READ = 4_000;
const K1 = 1.2;
const B = 0.5;

interface Scored {
  readonly doc: number;
  readonly score: number;
}

/** `rows` are in order, best first. */
export const leadsOf = (rows: readonly Scored[]): Lead[] =>
  rows.slice(0, LEADS).map(({ doc, score }) => ({ doc, sure: Math.exp(score - rows[0]!.score) }));

/**
 * What shares rare words with the best hits, however it is asked for: the surer a lead, the more its words count. The words
 * of the question count elsewhere. Documents that are no candidates join if `isOpen` lets them; none without it.
 */
export function kinOf(
  corpus: Corpus,
  question: Question,
  leads: readonly ReadLead[],
  candidates: readonly number[],
  isOpen?: (doc: number) => boolean,
): Kin {
  const words = rareWords(corpus, question, leads);
  const values = new Float32Array(corpus.capacity);
  const average = corpus.averageLength || 1;
  for (const { postings, worth } of words)
    for (const { docs, counts, length } of postings)
      for (let at = 0; at < length; at++) {
        const doc = docs[at]!;
        const count = counts[at]!;
        values[doc]! +=
          (worth * count * (K1 + 1)) / (count + K1 * (1 - B + (B * corpus.lengthOf(doc)) / average));
      }
  const known = new Set(candidates);
  const joins = (doc: number): boolean => !known.has(doc) && isOpen!(doc);
  const fresh = isOpen ? best(sharers(corpus, words), values, FRESH, joins, corpus.compare) : [];
  const own = new Set(leads.map(({ doc }) => doc));
  let most = 0;
  for (const list of [candidates, fresh])
    for (const doc of list) if (values[doc]! > most && !own.has(doc)) most = values[doc]!;
  return { fresh, value: (doc) => (most === 0 ? 0 : Math.min(1, values[doc]! / most)) };
}

/** The documents that hold enough of the words. */
function sharers({ capacity }: Corpus, words: ReturnType<typeof rareWords>): number[] {
  const shared = new Uint8Array(capacity);
  const found: number[] = [];
  for (const { postings } of words)
    for (const { docs, length } of postings)
      for (let at = 0; at < length; at++) if (++shared[docs[at]!]! === LEAST_SHARED) found.push(docs[at]!);
  return found;
}

/** The words of each lead that few documents hold, but more than one: where they occur, and what they are worth. */
function rareWords(corpus: Corpus, question: Question, leads: readonly ReadLead[]) {
  const asked = new Set(question.terms.map(({ term }) => term));
  const texts = leads.map(({ text = "", sure }) => {
    const terms = new Set(termsOf(text.slice(0, READ)));
    return { sure, terms: [...terms].filter((term) => !asked.has(term)) };
  });
  // Of common words it is enough to know that they are: where they occur is long to read.
  const found = new Map<string, number>();
  for (const term of new Set(texts.flatMap(({ terms }) => terms))) found.set(term, corpus.frequencyOf(term));
  const most = Math.max(FEW, corpus.size * SHARE);
  const worth = new Map<string, number>();
  for (const { sure, terms } of texts)
    for (const term of terms
      .filter((term) => found.get(term)! > 1 && found.get(term)! <= most)
      .sort((a, b) => found.get(a)! - found.get(b)!)
      .slice(0, WORDS))
      worth.set(term, (worth.get(term) ?? 0) + sure * rarity(corpus.size, found.get(term)!));
  return [...worth].map(([term, worth]) => ({ postings: corpus.postings(term), worth }));
}

const termsOf = (text: string): string[] =>
  analyse(text, detectLanguage(text)?.code ?? "en").flatMap(({ term, stop }) => (stop ? [] : term));
