import { MONTHS, NEGATIONS, NUMBER_WORDS, STOP_WORDS, SYNONYMS, WEEKDAYS } from "./vocabulary.js";

/** What is known of a word by itself. */
export interface Word {
  /** Folded: lower case, without a possessive, "u.n." as "un". */
  readonly text: string;
  readonly stem: string;
  /** What it adds to the meaning of a text: nothing for a small word, two stems for "flat-screen". */
  readonly content: readonly string[];
  /** Numbers in it without currency and unit: "$38b" and "38 bn" tell the same. */
  readonly numbers: readonly string[];
  readonly date: string | undefined;
  /** A path, a file name, a host, or an identifier such as eu-west-1 and max_size. */
  readonly isPath: boolean;
  readonly isNegation: boolean;
  readonly isCapital: boolean;
  /** A name whatever its place: all capitals, or one inside. */
  readonly isName: boolean;
  /** May it be a name where it begins a sentence? */
  readonly mayLead: boolean;
}

const KNOWN = 20_000;
const known = new Map<string, Word>();

/** Words repeat, so that what was found out about one is kept. */
export function wordOf(written: string): Word {
  const found = known.get(written);
  if (found) return found;
  if (known.size >= KNOWN) known.clear();
  const word = analysed(written);
  known.set(written, word);
  return word;
}

/** Something with a slash, or a name with an extension; abbreviations with dots are words. */
const PATH = /^(?=.*\p{L})(?:[\w~.-]*\/[\w./~-]+|\w[\w-]+(?:\.\w[\w-]*)*\.[a-z]{2,8})$/u;
/** "flat-screen" is two words to some writers; "feature-a" is one name to all. */
const COMPOUND = /^\p{L}{3,}(?:-\p{L}{3,})+$/u;
/** Months that are words of another kind too. */
const ALSO_WORDS = new Set(["may", "march", "mars"]);

function analysed(written: string): Word {
  const lower = written.toLowerCase().replace(/[‘’]/g, "'").replace(/'s$/, "");
  const text = /^\p{L}(?:\.\p{L})+$/u.test(lower) ? lower.replaceAll(".", "") : lower;
  // "US" is a country, "us" is not.
  const base = /^U\.?S\.?A?\.?$/.test(written) ? "america" : meaningOf(text);
  const isSmall = STOP_WORDS.has(text.split("'")[0] as string);
  const isNegation =
    NEGATIONS.has(text.replaceAll("'", "")) || /n't$/.test(text) || /^[不没無无非未别]/u.test(text);
  const isPath = PATH.test(text) || /^\p{L}.*\d|\p{L}_\p{L}/u.test(text);
  const isCapital = /^\p{Lu}/u.test(written);
  const parts = COMPOUND.test(text) ? text.split("-").map(meaningOf) : [NUMBER_WORDS.get(text) ?? base];
  return {
    text,
    stem: base,
    content: isSmall ? [] : parts,
    numbers: isPath ? [] : numbersIn(text),
    date: dateIn(text, isCapital),
    isPath,
    isNegation,
    isCapital,
    isName: /^\p{Lu}{2,}s?$/u.test(written) || /\p{Ll}\p{Lu}/u.test(written),
    mayLead: /^\p{Lu}\p{Ll}/u.test(written) && !isSmall && !isNegation && !NUMBER_WORDS.has(text),
  };
}

function dateIn(text: string, isCapital: boolean): string | undefined {
  if (WEEKDAYS.has(text)) return text.replace(/s$/, "");
  return MONTHS.has(text) && (isCapital || !ALSO_WORDS.has(text)) ? text.slice(0, 3) : undefined;
}

function numbersIn(text: string): string[] {
  const spelled = NUMBER_WORDS.get(text.split("-")[0] as string);
  if (spelled !== undefined) return [spelled];
  const found = text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, "").match(/\d+(?:[.:]\d+)*/g) ?? [];
  return found.map((number) => number.replace(/\.0+$/, ""));
}

/** The stem, or that of the usual word for it. */
function meaningOf(word: string): string {
  const base = stem(word);
  meanings ??= new Map([...SYNONYMS].map(([one, meaning]) => [stem(one), stem(meaning)]));
  return meanings.get(base) ?? base;
}
let meanings: ReadonlyMap<string, string> | undefined;

/** Enough of a stem to join forms of one word; wrong joins do less harm here than missed ones. */
function stem(word: string): string {
  if (word.length < 4 || !/^\p{Script=Latin}+$/u.test(word))
    return word.replace(/^#/, "").replace(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  const base = word.normalize("NFD").replace(/\p{M}/gu, "");
  for (const [ending, least] of ENDINGS)
    if (base.endsWith(ending) && base.length - ending.length >= least)
      return base
        .slice(0, base.length - ending.length)
        .replace(/([^aeiou])\1/g, "$1")
        .replace(/[ei]$/, "");
  return base.replace(/([^aeiou])\1/g, "$1").replace(/[ei]$/, "");
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
