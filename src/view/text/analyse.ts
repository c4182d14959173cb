import { detectLanguage } from "./detect.js";
import { lowered } from "./fold.js";
import { partsOf } from "./identifiers.js";
import { LATIN, type Language, languageOf } from "./languages.js";
import { termOf } from "./stem.js";
import { emitPairs, emitWords, runsOf } from "./unspaced.js";

export interface Token {
  readonly term: string;
  /** Where it stands in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** A function word: it is indexed, and asked for only when a question has nothing else. */
  readonly stop?: true;
}

/** Names the rules that turn a text into terms; an index made by others has to be made again. */
export const analyserId = `text-2/icu-${process.versions.icu ?? "none"}`;

/** Words, and names whose parts are joined by signs. Two patterns, for plain ASCII is most texts and reads faster. */
const ASCII_CHUNKS = /#?\w+(?:['.\-/@:+\\]\w+)*/g;
const CHUNKS = /#?[\p{L}\p{N}\p{M}_]+(?:['’.\-/@:+\\][\p{L}\p{N}\p{M}_]+)*/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;
const PLAIN = /^(?:[A-Z]?[a-z]+|\d+)$/;
const NEGATED = /^[a-z]+n['’]t$/i;
const ENDING = /['’](?:s|re|ve|ll|d|m)$/i;
const APOSTROPHE = /['’]/;
const LONGEST_TERM = 100;

/** A term costs some 15 µs to make and a hundredth of it to look up, and texts repeat their words. */
const MOST_KEPT = 50_000;
const LONGEST_KEPT = 40;
const kept = new Map<string, Map<string, readonly Token[]>>();

const ENGLISH = LATIN[0]!;

/** The terms of a text in its order. Without a language (a code such as `de`) the text's own is found out. */
export function analyse(text: string, language?: string): Token[] {
  const tokens: Token[] = [];
  eachChunk(text, language, (found, at) => {
    for (const { term, start, end, stop } of found)
      tokens.push(
        stop
          ? { term, start: at + start, end: at + end, stop: true }
          : { term, start: at + start, end: at + end },
      );
  });
  return tokens;
}

/** As `analyse`, for those who do not ask where a term stands: nothing is made for a word that is known. */
export function eachTerm(text: string, language: string, take: (term: string, stop: boolean) => void): void {
  eachChunk(text, language, (found) => {
    for (const { term, stop } of found) take(term, stop === true);
  });
}

function eachChunk(
  text: string,
  language: string | undefined,
  take: (tokens: readonly Token[], at: number) => void,
): void {
  const own = (language === undefined ? undefined : languageOf(language)) ?? detectLanguage(text) ?? ENGLISH;
  const isLatin = LATIN.includes(own);
  const isPlain = !BEYOND_ASCII.test(text);
  const pattern = isPlain ? ASCII_CHUNKS : CHUNKS;
  const words = keptOf(own);
  // A Latin word in a Russian or Chinese text is most likely English.
  const latinWords = isLatin ? words : keptOf(ENGLISH);
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const chunk = match[0];
    const next = pattern.lastIndex;
    const isOwn = isLatin || (!isPlain && BEYOND_ASCII.test(chunk));
    take(chunkTokens(chunk, isOwn ? own : ENGLISH, isOwn ? words : latinWords), match.index);
    pattern.lastIndex = next;
  }
}

function keptOf({ code }: Language): Map<string, readonly Token[]> {
  const known = kept.get(code) ?? new Map<string, readonly Token[]>();
  if (known.size === 0) kept.set(code, known);
  return known;
}

function chunkTokens(
  chunk: string,
  language: Language,
  known: Map<string, readonly Token[]>,
): readonly Token[] {
  if (chunk.length > LONGEST_KEPT) return freshTokens(chunk, language);
  let tokens = known.get(chunk);
  if (!tokens) {
    tokens = freshTokens(chunk, language);
    if (known.size >= MOST_KEPT) known.clear();
    known.set(chunk, tokens);
  }
  return tokens;
}

function freshTokens(chunk: string, language: Language): Token[] {
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
