import { detectLanguage, nameWords, type Query, queryTokens } from "../../language/index.js";
import type { Corpus } from "./corpus.js";
import { type AskedDate, datesIn } from "./dates.js";
import { type AskingWords, askingWords } from "./words.js";

export interface AskedTerm {
  readonly term: string;
  /** 1, less for a word that only says what kind of answer is wanted. */
  readonly weight: number;
  /** It stands in questions about anything and is rarely repeated by an answer. */
  readonly isLight: boolean;
  /** Part of the name of somebody who speaks. */
  readonly isName: boolean;
}

/** A question as the features see it. */
export interface Question {
  readonly terms: readonly AskedTerm[];
  /** Quoted or capitalised, as positions in `terms`. */
  readonly phrases: readonly (readonly number[])[];
  /** Those of them that are capitalised, speakers left out: of whom or what it is asked. */
  readonly names: readonly (readonly number[])[];
  /** What says more than a light word does and is no name, as positions in `terms`. */
  readonly rest: readonly number[];
  readonly withoutNames: string;
  /** Those of the speakers whom the question names; empty when it names all or none. */
  readonly named: ReadonlySet<string>;
  readonly asksName: boolean;
  readonly asksTime: boolean;
  /** It is about what the assistant said. */
  readonly asksAssistant: boolean;
  readonly dates: readonly AskedDate[];
  /** Short, and of a script that parts its words: the kind of which it was measured whether it can be answered. */
  readonly isUsual: boolean;
}

const GENERIC_WEIGHT = 0.4;
/** More would be a pasted text, which its first terms describe as well. */
const MOST_TERMS = 600;
/** In a longer text, a dialogue say, question words are not the question. */
const LONGEST_QUESTION = 250;
/** A title belongs to the name, and its point ends no sentence. */
const CAPITALISED =
  /(?:(?:Mrs?|Ms|Dr|Prof|St)\. )?\p{Lu}[\p{L}\p{N}'’&-]*(?: (?:(?:Mrs?|Ms|Dr|Prof|St)\. )?\p{Lu}[\p{L}\p{N}'’&-]*)*/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const STARTS_SENTENCE = /(?:^|[.!?:\n]["'”’]?\s{0,3}|["“„«])$/u;

export function readQuestion(query: Query, corpus: Pick<Corpus, "languages" | "speakers">): Question {
  const { text } = query;
  const language = detectLanguage(text)?.code;
  const words = askingWords(language);
  const generic = new Set(queryTokens(words.generic.join(" "), ["en"]).map(({ term }) => term));
  const light = lightTerms(words, corpus.languages);
  const people = peopleOf(corpus.speakers);
  const tokens = queryTokens(text, corpus.languages).slice(0, MOST_TERMS);
  const terms = tokens.map(({ term, start, end }) => ({
    term,
    weight: generic.has(term) ? GENERIC_WEIGHT : 1,
    isLight: light.has(term),
    isName: people.has(text.slice(start, end).toLowerCase()),
  }));
  const place = new Map(terms.map(({ term }, i) => [term, i]));
  const capitalised = query.names ?? (words.capitalsAreNames ? capitalisedIn(text) : []);
  const placesOf = (phrases: readonly string[]): number[][] =>
    phrases
      .map((phrase) => queryTokens(phrase, corpus.languages).flatMap(({ term }) => place.get(term) ?? []))
      .map((places) => places.filter((i) => !terms[i]!.isName))
      .filter((places) => places.length > 0);
  const names = placesOf(capitalised);
  const named = new Set(names.flat());
  const isShort = text.length <= LONGEST_QUESTION;
  const plain = text.replace(words.polite, " ");
  return {
    terms,
    phrases: [...placesOf(query.phrases), ...names],
    names,
    rest: [...terms.keys()].filter((i) => !terms[i]!.isLight && !terms[i]!.isName && !named.has(i)),
    withoutNames: capitalised.reduce((left, name) => left.replaceAll(name, " "), text),
    named: namedSpeakers(text, people),
    asksName: isShort && words.asksName.test(text),
    asksTime: isShort && words.asksTime.test(text),
    asksAssistant: words.asksAssistant.test(plain),
    dates: datesIn(text),
    isUsual: isShort && !UNSPACED.test(text),
  };
}

/** Hundreds of words, analysed once as the memory's languages do it. */
const LIGHT = new WeakMap<AskingWords, Map<string, ReadonlySet<string>>>();

function lightTerms(words: AskingWords, languages: readonly string[]): ReadonlySet<string> {
  const known = LIGHT.get(words) ?? new Map<string, ReadonlySet<string>>();
  LIGHT.set(words, known);
  const key = languages.join(" ");
  const terms =
    known.get(key) ?? new Set(queryTokens(words.light.join(" "), languages).map(({ term }) => term));
  known.set(key, terms);
  return terms;
}

/** Names as English writes them; the word that begins a sentence is capitalised anyway. */
function capitalisedIn(text: string): string[] {
  const found: string[] = [];
  for (const { 0: words, index } of text.matchAll(CAPITALISED)) {
    const starts = STARTS_SENTENCE.test(text.slice(Math.max(0, index - 6), index));
    const name = starts ? words.split(" ").slice(1).join(" ") : words;
    if (name !== "" && name !== "I") found.push(name);
  }
  return found;
}

/** Who is meant by a word of a name; worked out once for a set of speakers, which may be large. */
const PEOPLE = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, readonly string[]>>();

function peopleOf(speakers: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const known = PEOPLE.get(speakers);
  if (known) return known;
  const people = new Map<string, string[]>();
  for (const speaker of speakers)
    for (const word of nameWords([speaker])) people.set(word, [...(people.get(word) ?? []), speaker]);
  PEOPLE.set(speakers, people);
  return people;
}

function namedSpeakers(text: string, people: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const named = new Set(words.flatMap((word) => people.get(word) ?? []));
  const all = new Set([...people.values()].flat());
  return named.size < all.size ? named : new Set();
}
