/** Scripts that write no blanks between words. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;
const HAN = /\p{Script=Han}/u;
const DICTIONARY = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

export interface Run {
  readonly text: string;
  readonly start: number;
  readonly kind: "pairs" | "dictionary" | "spaced";
}

const kindOf = (text: string): Run["kind"] =>
  CJK.test(text) ? "pairs" : DICTIONARY.test(text) ? "dictionary" : "spaced";

/** Splits where the way of writing changes, as in `iPhone手机`. */
export const runsOf = (text: string): Run[] =>
  [...text.matchAll(RUNS)].map((match) => ({ text: match[0], start: match.index, kind: kindOf(match[0]) }));

export type Emit = (word: string, start: number, end: number) => void;

/**
 * Single Chinese characters and all pairs of neighbours: a pair is found whatever the words around it, where a
 * dictionary would split the same characters one way in the text and another way in the question.
 */
export function emitPairs(run: string, start: number, emit: Emit): void {
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
export function emitWords(run: string, start: number, emit: Emit): void {
  segmenter ??= new Intl.Segmenter("th", { granularity: "word" });
  for (const { segment, index, isWordLike } of segmenter.segment(run))
    if (isWordLike) emit(segment, start + index, start + index + segment.length);
}
