import { fold } from "./fold.js";
import { MONTHS, NEGATIONS, NUMBER_WORDS, STOP_WORDS, SYNONYMS, WEEKDAYS } from "./vocabulary.js";

/** A text as the comparing checks read it. The text itself stays as it was given. */
export interface Reading {
  /** Folded text: equal keys say the same in the same words. */
  readonly key: string;
  /** All words, folded, in order. */
  readonly words: readonly string[];
  /** Their stems. */
  readonly stems: readonly string[];
  /** Stems of the words that carry meaning, each with a word it stands for. */
  readonly content: ReadonlyMap<string, string>;
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

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}#_@/~]+(?:[.\-/'_:@,][\p{L}\p{N}_]+)*/gu;

const KEPT = 4_000;
const readings = new Map<string, Reading>();

/** One write asks for the same readings several times, and the next write for many of them again. */
export function read(text: string): Reading {
  const known = readings.get(text);
  if (known) return known;
  if (readings.size >= KEPT) readings.clear();
  const reading = readAnew(text);
  readings.set(text, reading);
  return reading;
}

function readAnew(text: string): Reading {
  const plain = text.normalize("NFKC").replace(/\p{Cf}/gu, "");
  const found = (UNSPACED.test(plain) ? segmented(plain) : (plain.match(WORD) ?? [])).map(wordOf);
  const content = new Map<string, string>();
  const numbers = new Set<string>();
  const dates = new Set<string>();
  const names = new Set<string>();
  const paths = new Set<string>();
  let negations = 0;
  const isHeadline = capitalised(found) > 0.6;
  for (const [at, word] of found.entries()) {
    // "No 7" counts, it does not deny.
    if (word.isNegation && !(word.text === "no" && (found[at + 1]?.numbers.length ?? 0) > 0)) {
      negations++;
      continue;
    }
    for (const number of word.numbers) numbers.add(number);
    for (const part of word.content) content.set(part, word.content.length === 1 ? word.text : part);
    if (word.date !== undefined && at > 0) dates.add(word.date);
    if (word.isPath) paths.add(word.text);
    else if (!isHeadline && (word.isName || (at > 0 && word.isCapital))) names.add(word.stem);
  }
  return {
    key: fold(text),
    words: found.map((word) => word.text),
    stems: found.map((word) => word.stem),
    content,
    numbers,
    dates,
    names,
    paths,
    negations,
    leads: found[0]?.mayLead ?? false,
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

/** How many of the longer words begin with a capital: in a headline it means nothing. */
function capitalised(words: readonly Word[]): number {
  const long = words.filter(({ text }) => text.length > 3);
  return long.length < 4 ? 0 : long.filter(({ isCapital }) => isCapital).length / long.length;
}

/** What is known of a word by itself. */
interface Word {
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
function wordOf(written: string): Word {
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
