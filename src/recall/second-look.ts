import { laneOf } from "../core/ledger/index.js";
import { analyse, detectLanguage } from "../language/index.js";

/** What a search found, and why. */
export interface Found {
  readonly text: string;
  readonly type: string;
  readonly score: number;
  readonly why: readonly { readonly feature: string; readonly points: number }[];
}

/**
 * Which of a few messages is told first. Search weighs its reasons for finding the answer among many; here the texts can be
 * read. Fitted on LoCoMo, tested on the conversation left out: see bench/RESULTS.md. What is no message keeps its place.
 */
export function secondLook<T extends Found>(question: string, found: readonly T[]): T[] {
  const isMessage = ({ type }: Found): boolean => laneOf(type) === "message";
  const asked = pairsOf(question);
  const told = found
    .filter(isMessage)
    .map((each) => ({ each, worth: worthOf(each, asked) }))
    .sort((a, b) => b.worth - a.worth);
  return found.map((each) => (isMessage(each) ? told.shift()!.each : each));
}

type Pair = readonly [first: string, second: string];

/** Points beside those of the search: whoever is asked about says it; words stand together as asked; more is told. */
const SPEAKER = 1.45;
const PAIR = 0.34;
const MOST_PAIRS = 3;
const LENGTH = 0.73;

function worthOf({ text, score, why }: Found, asked: readonly Pair[]): number {
  const speaker = why.find(({ feature }) => feature === "speaker")?.points ?? 0;
  const pairs = Math.min(MOST_PAIRS, together(text, asked));
  return score + SPEAKER * speaker + PAIR * pairs + LENGTH * Math.log1p(text.length);
}

const tokensOf = (text: string) => analyse(text, detectLanguage(text)?.code ?? "en");

/** Every two words that follow each other in a question, those left out that say nothing. */
function pairsOf(question: string): Pair[] {
  const terms = tokensOf(question)
    .filter(({ stop }) => !stop)
    .map(({ term }) => term);
  return terms.slice(1).map((term, at) => [terms[at]!, term]);
}

/** How many of the pairs stand in a text, at most one word between them. */
function together(text: string, pairs: readonly Pair[]): number {
  const terms = tokensOf(text).map(({ term }) => term);
  return pairs.filter(([first, second]) =>
    terms.some((term, at) => term === first && (terms[at + 1] === second || terms[at + 2] === second)),
  ).length;
}
