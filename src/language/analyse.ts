import { eachChunk } from "./chunks.js";
import { detectLanguage } from "./detect.js";
import { lowered } from "./fold.js";
import { partsOf } from "./identifiers.js";
import { LATIN, type Language, languageOf } from "./languages.js";
import { Lexicon } from "./lexicon.js";
import { termOf } from "./stem.js";
import type { Token } from "./token.js";
import { emitPairs, emitWords, runsOf } from "./unspaced.js";

/** Names the rules that turn a text into terms; an index made by others has to be made again. */
export const analyserId = `text-2/icu-${process.versions.icu ?? "none"}`;

const PLAIN = /^(?:[A-Z]?[a-z]+|\d+)$/;
const NEGATED = /^[a-z]+n['’]t$/i;
const ENDING = /['’](?:s|re|ve|ll|d|m)$/i;
const APOSTROPHE = /['’]/;
const LONGEST_TERM = 100;
const ENGLISH = LATIN[0]!;

/** What this process has analysed; whoever reads many texts counts its numbers instead of terms. */
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

/** Tells the words of a text by their numbers in the lexicon, and where each stands. */
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
