import { laneOf } from "../core/ledger/index.js";
import { analyse, detectLanguage, glanceAt } from "../language/index.js";
import type { SearchHit, SearchResult } from "../search/index.js";

/** Scripts that do not part their words: of questions in them it was not measured how likely they can be answered. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Pairs that hold one of these characters ask, or join; they are about nothing. */
const FUNCTION = /[的了吗呢吧啊是我你他她它们在有和与什么哪谁几多少怎样为这那个些时候请问のはがをにでと]/u;

export const isUnspaced = (text: string): boolean => UNSPACED.test(text);

/**
 * Which share of what a question is about, 0 to 1, some texts hold together. In a script without spaces the pairs of its
 * characters stand for words.
 */
export function coverage(question: string, texts: readonly string[]): number {
  const asked = termsOf(glanceAt(question));
  return asked.size === 0 ? 0 : held(asked, texts) / asked.size;
}

/** How many of the words of what a question is about a text holds. */
const wordsHeld = (question: string, text: string): number => held(termsOf(glanceAt(question)), [text]);

function held(asked: ReadonlySet<string>, texts: readonly string[]): number {
  const told = new Set(texts.flatMap((text) => [...termsOf(text)]));
  return [...asked].filter((term) => told.has(term)).length;
}

/** Does a question say what it is about? Words that only join or ask say nothing. */
export const saysSomething = (question: string): boolean =>
  analyse(question, detectLanguage(question)?.code ?? "en").some(({ stop }) => !stop);

/**
 * From here on a question in such a script counts as answerable. Measured on 400 short memories of MemDaily, each asked its
 * own question and one of another: see bench/RESULTS.md.
 */
const COVERED = 0.4;

/**
 * Hits apart from those that say nothing. Where one of these was the likeliest, it is what search took for an answer: the rest
 * has to hold some of the question itself.
 */
export function apartFrom<T extends Pick<SearchHit, "text" | "probability">>(
  question: string,
  hits: readonly T[],
  saysNothing: (hit: T) => boolean,
): T[] {
  const telling = hits.filter((hit) => !saysNothing(hit));
  const likeliest = (of: readonly T[]) =>
    of.reduce((most, { probability }) => Math.max(most, probability), 0);
  if (likeliest(telling) === likeliest(hits)) return telling;
  return telling.filter(({ text }) => coverage(question, [text]) > 0);
}

/** What words alone make of a search: what may answer, and whether that is enough to quote it. */
export interface ByWords {
  readonly isEnough: boolean;
  readonly best: number;
  /** Best first; where it is not enough, the nearest. */
  readonly told: readonly SearchHit[];
}

/** Words tell what speaks of the same, and never that it answers. */
export function byWords(
  question: string,
  result: Pick<SearchResult, "hits" | "answerable" | "abstain">,
): ByWords {
  const { hits } = result;
  const named = hits.filter(({ topic }) => isNamed(topic, question));
  const { best, isEnough } = likely(question, result);
  const told = isEnough ? chosen(hits) : named.length > 0 ? named : hits.slice(0, 1);
  return { isEnough: isEnough || named.length > 0, best, told };
}

/** A topic whose every word is in the question was asked for by its name. */
export const isNamed = (topic: string | undefined, question: string): boolean =>
  topic !== undefined && coverage(topic.replace(/[-_/.:]+/g, " "), [question]) === 1;

/** Search leaves it open whether a question in a script without spaces can be answered; how much of it is held decides. */
function likely(
  question: string,
  { hits, answerable, abstain }: Pick<SearchResult, "hits" | "answerable" | "abstain">,
): { readonly best: number; readonly isEnough: boolean } {
  if (hits.length === 0) return { best: 0, isEnough: false };
  if (abstain || !isUnspaced(question)) return { best: answerable, isEnough: !abstain };
  const best = coverage(
    question,
    hits.map(({ text }) => text),
  );
  // One word of several is a name, of which something else is told.
  const isMore = best === 1 || hits.some(({ text }) => wordsHeld(question, text) > 1);
  return { best, isEnough: best >= COVERED && isMore };
}

const LANES = ["belief", "document", "message"];
/** Much less likely than the best: a quotation that would only distract. */
const FAINT = 0.1;
/** Nearly as likely as the best. */
const CLOSE = 0.8;

/** What is believed is told before what was only said, where both are about as likely. */
function chosen(hits: readonly SearchHit[]): SearchHit[] {
  const best = hits[0]?.probability ?? 0;
  const kept = hits.filter(({ probability }) => probability >= FAINT * best);
  const close = kept.filter(({ probability }) => probability >= CLOSE * best);
  const rank = ({ type }: SearchHit): number => LANES.indexOf(laneOf(type));
  return [...close.toSorted((a, b) => rank(a) - rank(b)), ...kept.slice(close.length)];
}

function termsOf(text: string): Set<string> {
  const language = detectLanguage(text)?.code ?? "en";
  const terms = analyse(text, language).filter(({ stop, start, end }) => {
    const word = text.slice(start, end);
    return !stop && end - start > 1 && !(isUnspaced(word) && FUNCTION.test(word));
  });
  return new Set(terms.map(({ term }) => term));
}
