import { MONTHS, NEGATIONS, NUMBER_WORDS, STOP_WORDS, WEEKDAYS } from "./vocabulary.js";

/** A text as the comparing checks read it. The text itself stays as it was given. */
export interface Reading {
  /** Folded text: equal keys say the same in the same words. */
  readonly key: string;
  /** All words, folded, in order. */
  readonly words: readonly string[];
  /** Stems of the words that carry meaning. */
  readonly content: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  /** Days of the week and months. */
  readonly dates: ReadonlySet<string>;
  /** Folded words that look like names: capitals inside a sentence, identifiers. */
  readonly names: ReadonlySet<string>;
  /** Paths, file names, hosts, and identifiers such as eu-west-1. */
  readonly paths: ReadonlySet<string>;
  readonly negations: number;
  /** Does it begin with a word that may be a name? */
  readonly leads: boolean;
}

/** Case, width, blanks and final punctuation do not make another text. */
export const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Cf}/gu, "")
    .replace(/[‘’‚′`]/g, "'")
    .replace(/\s+/gu, " ")
    .replace(/[\s.!?。！？…,;:]+$/u, "")
    .trim();

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Something with a slash, or a name with an extension; abbreviations with dots are words. */
const PATH = /^(?=.*\p{L})(?:[\w~.-]*\/[\w./~-]+|\w[\w-]+(?:\.\w[\w-]*)*\.[a-z]{2,8})$/u;
const WORD = /[\p{L}\p{N}#_@/~]+(?:[.\-/'_:@,][\p{L}\p{N}_]+)*/gu;

/** "flat-screen" is two words to some writers; "feature-a" is one name to all. */
const COMPOUND = /^\p{L}{3,}(?:-\p{L}{3,})+$/u;

export function read(text: string): Reading {
  const plain = text.normalize("NFKC").replace(/\p{Cf}/gu, "");
  const found = UNSPACED.test(plain) ? segmented(plain) : (plain.match(WORD) ?? []);
  const words: string[] = [];
  const content = new Set<string>();
  const numbers = new Set<string>();
  const dates = new Set<string>();
  const names = new Set<string>();
  const paths = new Set<string>();
  let negations = 0;
  const isHeadline = capitalised(found) > 0.6;
  for (const [at, given] of found.entries()) {
    const word = wordOf(given);
    words.push(word);
    if (isNegation(word, found[at + 1])) {
      negations++;
      continue;
    }
    if (PATH.test(word) || /^\p{L}.*\d/u.test(word)) paths.add(word);
    else for (const number of numbersIn(word)) numbers.add(number);
    if (WEEKDAYS.has(word)) dates.add(word.replace(/s$/, ""));
    else if (MONTHS.has(word) && at > 0 && (!ALSO_WORDS.has(word) || /^\p{Lu}/u.test(given)))
      dates.add(word.slice(0, 3));
    const base = stem(word);
    if (!isHeadline && !paths.has(word) && isName(given, at)) names.add(base);
    if (STOP_WORDS.has(word.split("'")[0] as string)) continue;
    if (COMPOUND.test(word)) for (const part of word.split("-")) content.add(stem(part));
    else content.add(NUMBER_WORDS.get(word) ?? base);
  }
  return {
    key: fold(text),
    words,
    content,
    numbers,
    dates,
    names,
    paths,
    negations,
    leads: isLead(found[0]),
  };
}

/** Words of scripts that write none, as the language's own segmentation has them. */
function segmented(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) words.push(segment);
  return words;
}
let segmenter: Intl.Segmenter | undefined;

/** Lower case, without a possessive, and "u.n." as "un". */
const wordOf = (given: string): string => {
  const word = given.toLowerCase().replace(/[‘’]/g, "'").replace(/'s$/, "");
  return /^\p{L}(?:\.\p{L})+$/u.test(word) ? word.replaceAll(".", "") : word;
};

/** Months that are words of another kind too. */
const ALSO_WORDS = new Set(["may", "march", "mars"]);

/** "No 7" counts, it does not deny. */
const isNegation = (word: string, next: string | undefined): boolean =>
  (NEGATIONS.has(word.replaceAll("'", "")) && !(word === "no" && /^\d/.test(next ?? ""))) ||
  /n't$/.test(word) ||
  /^[不没無无非未别]/u.test(word);

/** The numbers in a word without currency and unit: "$38b" and "38 bn" tell the same. */
function numbersIn(word: string): string[] {
  const spelled = NUMBER_WORDS.get(word.split("-")[0] as string);
  if (spelled !== undefined) return [spelled];
  return (word.replace(/(?<=\d),(?=\d{3}(?!\d))/g, "").match(/\d+(?:[.:]\d+)*/g) ?? []).map((number) =>
    number.replace(/\.0+$/, ""),
  );
}

/** How many of the longer words begin with a capital: in a headline it means nothing. */
function capitalised(words: readonly string[]): number {
  const long = words.filter(({ length }) => length > 3);
  return long.length < 4 ? 0 : long.filter((word) => /^\p{Lu}/u.test(word)).length / long.length;
}

/** A capital that the beginning of a sentence does not explain. */
const isName = (given: string, at: number): boolean =>
  (at > 0 && /^\p{Lu}/u.test(given)) || /^\p{Lu}{2,}s?$/u.test(given) || /\p{Ll}\p{Lu}/u.test(given);

const isLead = (first = ""): boolean =>
  /^\p{Lu}\p{Ll}/u.test(first) && !STOP_WORDS.has(first.toLowerCase()) && !NEGATIONS.has(first.toLowerCase());

/** Enough of a stem to join forms of one word; wrong joins do less harm here than missed ones. */
export function stem(word: string): string {
  if (word.length < 4 || !/^\p{Script=Latin}+$/u.test(word))
    return word.replace(/^#/, "").replace(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  const base = word.normalize("NFD").replace(/\p{M}/gu, "");
  for (const [ending, least] of ENDINGS)
    if (base.endsWith(ending) && base.length - ending.length >= least)
      return base
        .slice(0, base.length - ending.length)
        .replace(/([^aeiou])\1$/, "$1")
        .replace(/[ei]$/, "");
  return base.replace(/[ei]$/, "");
}
const ENDINGS: readonly (readonly [string, number])[] = [
  ["ations", 3],
  ["ation", 3],
  ["ements", 4],
  ["ement", 4],
  ["ments", 4],
  ["ment", 4],
  ["iones", 4],
  ["ion", 4],
  ["ions", 4],
  ["ances", 4],
  ["ance", 4],
  ["ingly", 4],
  ["ings", 4],
  ["ing", 3],
  ["iest", 3],
  ["ies", 3],
  ["ied", 3],
  ["ers", 4],
  ["er", 4],
  ["ed", 3],
  ["es", 3],
  ["ic", 4],
  ["ly", 4],
  ["y", 3],
  ["s", 3],
  ["en", 4],
];
