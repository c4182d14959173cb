import { detectLanguage, LATIN, type Language, languageOf } from "./detect.js";
import { WordMap } from "./english.js";
import { lowered } from "./fold.js";
import { termOf } from "./stem.js";
import type { Token } from "./token.js";

/** Tokens cost some 15 µs to make and a hundredth of it to look up, and texts repeat their words. */
const MOST_WORDS = 100_000;
const LONGEST_KEPT = 40;

/** The words met so far by their numbers, and the tokens that each gives. When there are too many it begins anew. */
class Lexicon {
  readonly #make: (word: string, language: Language) => readonly Token[];
  readonly #byLanguage = new Map<string, WordMap>();
  #tokens: (readonly Token[])[] = [];
  #telling = new Uint8Array(1024);
  #edition = 0;

  constructor(make: (word: string, language: Language) => readonly Token[]) {
    this.#make = make;
  }

  /** Numbers of another edition mean other words. */
  get edition(): number {
    return this.#edition;
  }

  /** Numbers stay what they are until the next call. */
  tidy(): void {
    if (this.#tokens.length < MOST_WORDS) return;
    this.#byLanguage.clear();
    this.#tokens = [];
    this.#edition++;
  }

  /** The words of a language, for `numberOf`. */
  wordsOf({ code }: Language): WordMap {
    let words = this.#byLanguage.get(code);
    if (!words) {
      words = new WordMap();
      this.#byLanguage.set(code, words);
    }
    return words;
  }

  /** The number of the word that stands there in a text. */
  numberOf(words: WordMap, language: Language, text: string, from: number, to: number): number {
    const known = words.get(text, from, to);
    if (known >= 0) return known;
    const word = text.slice(from, to);
    const tokens = this.#make(word, language);
    const number = this.#tokens.push(tokens) - 1;
    if (word.length <= LONGEST_KEPT) words.add(word, number);
    if (number >= this.#telling.length) {
      const grown = new Uint8Array(number * 2);
      grown.set(this.#telling);
      this.#telling = grown;
    }
    this.#telling[number] = tokens.reduce((sum, { stop }) => sum + (stop ? 0 : 1), 0);
    return number;
  }

  tokensOf(number: number): readonly Token[] {
    return this.#tokens[number]!;
  }
  /** How many of its tokens are no function words. */
  tellingOf(number: number): number {
    return this.#telling[number]!;
  }
}

/** Names the rules that turn a text into terms; an index made by others has to be made again. */
export const analyserId = `text-2/icu-${process.versions.icu ?? "none"}`;

const PLAIN = /^(?:[A-Z]?[a-z]+|\d+)$/;
const NEGATED = /^[a-z]+n['’]t$/i;
const ENDING = /['’](?:s|re|ve|ll|d|m)$/i;
const APOSTROPHE = /['’]/;
const LONGEST_TERM = 100;
const ENGLISH = LATIN[0]!;

/** What this process has analysed; a caller that reads many texts counts its numbers instead of terms. */
export const lexicon = new Lexicon(tokensOf);

/** The terms of a text in its order. Without a language (a code such as `de`) the text's own is found out. */
export function analyse(text: string, language?: string): Token[] {
  const tokens: Token[] = [];
  eachWord(text, language, (word, at) => {
    for (const { term, start, end, stop } of lexicon.tokensOf(word))
      tokens.push(
        stop
          ? { term, start: at + start, end: at + end, stop: true }
          : { term, start: at + start, end: at + end },
      );
  });
  return tokens;
}

/** Answers with the words of a text, by their numbers in the lexicon, and where each stands. */
export function eachWord(
  text: string,
  language: string | undefined,
  take: (word: number, at: number) => void,
): void {
  const own = (language === undefined ? undefined : languageOf(language)) ?? detectLanguage(text) ?? ENGLISH;
  // A Latin word in a Russian or Chinese text is most likely English.
  const latin = LATIN.includes(own) ? own : ENGLISH;
  lexicon.tidy();
  const ownWords = lexicon.wordsOf(own);
  const latinWords = lexicon.wordsOf(latin);
  eachChunk(text, (from, to, isPlain) => {
    const word = isPlain
      ? lexicon.numberOf(latinWords, latin, text, from, to)
      : lexicon.numberOf(ownWords, own, text, from, to);
    take(word, from);
  });
}

function tokensOf(chunk: string, language: Language): Token[] {
  const tokens: Token[] = [];
  const emit = (word: string, start: number, end: number, whole = false): void => {
    const low = short(lowered(word));
    const term = whole ? termOf(low, { ...language, stemmer: "" }) : termOf(low, language);
    tokens.push(!whole && language.words.has(low) ? { term, start, end, stop: true } : { term, start, end });
  };
  if (PLAIN.test(chunk)) emit(chunk, 0, chunk.length);
  else if (NEGATED.test(chunk))
    tokens.push({ term: lowered(chunk).replace(APOSTROPHE, ""), start: 0, end: chunk.length, stop: true });
  else {
    let at = 0;
    for (const piece of chunk.replace(ENDING, "").split(APOSTROPHE)) {
      for (const run of runsOf(piece)) {
        const start = at + run.start;
        if (run.kind === "pairs") emitPairs(run.text, start, emit);
        else if (run.kind === "dictionary") emitWords(run.text, start, emit);
        else
          for (const part of partsOf(run.text))
            emit(part.text, start + part.start, start + part.start + part.text.length, part.whole);
      }
      at += piece.length + 1;
    }
  }
  return tokens;
}

/** Nobody searches for more, and a blob must not become a term of a megabyte. */
const short = (word: string): string =>
  word.length <= LONGEST_TERM ? word : word.slice(0, LONGEST_TERM).toWellFormed().replaceAll("\uFFFD", "");

/** Where a name of the technical world is cut, coarse to fine: a path or address, then its words, then humps. */
const COARSE = /[/\\@:]/;
const FINE = /[._+-]/;
const HUMPS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}|\p{N}+|[\p{L}\p{M}]+/gu;
const VERSION = /^[vV](?=\d)/;

interface Part {
  readonly text: string;
  readonly start: number;
  /** A whole name is kept as it is written; only its last parts are words of a language. */
  readonly whole: boolean;
}

/** `src/auth/login.ts` gives itself, `login.ts`, and the words src, auth, login, ts. */
function partsOf(name: string): Part[] {
  const parts: Part[] = [];
  const seen = new Set<string>();
  const add = (text: string, start: number, whole: boolean): void => {
    const key = `${start} ${text.length}`;
    if (text === "" || seen.has(key)) return;
    seen.add(key);
    parts.push({ text, start, whole });
  };
  const hash = name.startsWith("#") ? 1 : 0;
  const bare = name.slice(hash);
  const compound = COARSE.test(bare) || FINE.test(bare);
  if (hash > 0 || compound) add(name, 0, true);
  if (hash > 0 && compound) add(bare, hash, true);
  for (const segment of cut(bare, COARSE, hash)) {
    const fine = cut(segment.text, FINE, segment.start);
    if (fine.length > 1) add(segment.text, segment.start, true);
    if (VERSION.test(segment.text)) add(segment.text.slice(1), segment.start + 1, true);
    for (const word of fine) {
      const humps = [...word.text.matchAll(HUMPS)];
      const cased = humps.length > 1 && humps.some(({ 0: hump }) => hump.length > 1);
      add(word.text, word.start, cased);
      if (cased) for (const hump of humps) add(hump[0], word.start + hump.index, false);
    }
  }
  return parts;
}

function cut(text: string, separator: RegExp, start: number): { text: string; start: number }[] {
  const pieces: { text: string; start: number }[] = [];
  let at = start;
  for (const piece of text.split(separator)) {
    if (piece !== "") pieces.push({ text: piece, start: at });
    at += piece.length + 1;
  }
  return pieces;
}

/** Scripts that write no blanks between words. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;
const HAN = /\p{Script=Han}/u;
const DICTIONARY = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

interface Run {
  readonly text: string;
  readonly start: number;
  readonly kind: "pairs" | "dictionary" | "spaced";
}

const kindOf = (text: string): Run["kind"] =>
  CJK.test(text) ? "pairs" : DICTIONARY.test(text) ? "dictionary" : "spaced";

/** Splits where the way of writing changes, as in `iPhone手机`. */
const runsOf = (text: string): Run[] =>
  [...text.matchAll(RUNS)].map((match) => ({ text: match[0], start: match.index, kind: kindOf(match[0]) }));

type Emit = (word: string, start: number, end: number) => void;

/**
 * Single Chinese characters and all pairs of neighbours: a pair is found whatever the words around it, where a
 * dictionary would split the same characters one way in the text and another way in the question.
 */
function emitPairs(run: string, start: number, emit: Emit): void {
  const letters = [...run];
  let at = start;
  letters.forEach((letter, i) => {
    const next = letters[i + 1];
    if (HAN.test(letter) || letters.length === 1) emit(letter, at, at + letter.length);
    if (next !== undefined) emit(letter + next, at, at + letter.length + next.length);
    at += letter.length;
  });
}

let segmenter: Intl.Segmenter | undefined;

/** Thai and its neighbours: words by the platform's dictionary. */
function emitWords(run: string, start: number, emit: Emit): void {
  segmenter ??= new Intl.Segmenter("th", { granularity: "word" });
  for (const { segment, index, isWordLike } of segmenter.segment(run))
    if (isWordLike) emit(segment, start + index, start + index + segment.length);
}

/** Words, and names whose parts are joined by signs. */
const CHUNKS = /#?[\p{L}\p{N}\p{M}_]+(?:['’.\-/@:+\\][\p{L}\p{N}\p{M}_]+)*/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** Answers where the chunks of a text are, and whether each is plain ASCII. */
function eachChunk(text: string, take: (from: number, to: number, isPlain: boolean) => void): void {
  if (!BEYOND_ASCII.test(text)) plainChunks(text, take);
  else
    for (const { 0: chunk, index } of text.matchAll(CHUNKS))
      take(index, index + chunk.length, !BEYOND_ASCII.test(chunk));
}

/** What a sign of ASCII is in a chunk: part of a word, what joins two, or nothing. */
const WORD = 1;
const JOINS = 2;
const SIGNS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  return /\w/.test(sign) ? WORD : /['.\-/@:+\\]/.test(sign) ? JOINS : 0;
});
const HASH = "#".charCodeAt(0);

/** The same as the pattern finds. Most texts are plain ASCII, and reading them so takes a tenth of the time. */
function plainChunks(text: string, take: (from: number, to: number, isPlain: boolean) => void): void {
  const end = text.length;
  const isWord = (at: number): boolean => at < end && SIGNS[text.charCodeAt(at)] === WORD;
  for (let at = 0; at < end; at++) {
    if (!isWord(at)) continue;
    const from = at > 0 && text.charCodeAt(at - 1) === HASH ? at - 1 : at;
    for (at++; at < end; at++) {
      const sign = SIGNS[text.charCodeAt(at)];
      if (sign !== WORD && !(sign === JOINS && isWord(at + 1))) break;
    }
    take(from, at, true);
  }
}
