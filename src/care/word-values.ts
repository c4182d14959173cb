import { isHash, latePattern } from "../core/base/index.js";

/** Words that are looked for in everything a store says. */
export interface Word {
  readonly text: string;
  /** Only as a whole value: a short name is a part of many words that do not mean it. */
  readonly isWhole: boolean;
  /** What an erased memory was called: what others are called themselves is theirs. */
  readonly isName: boolean;
}

/** Characters from which on words are hardly a part of others by chance. */
const TELLING = 8;

export const wordOf = (text: string): Word => ({ text, isWhole: false, isName: false });
export const nameWord = (text: string): Word => ({ text, isWhole: text.length < TELLING, isName: true });

/** A value that says the words, and the names of the fields that lead to it. */
export interface Saying {
  readonly word: Word;
  readonly path: readonly string[];
  readonly value: string;
}

/** Fields that hold one of a few words of ours, or bytes that mean nothing: but not where callers choose the fields. */
const OURS = new Set(
  "v salt textDigest tier lifetime sensitivity trust op verb status kind generation time created".split(" "),
);
/** Below these callers choose names, and numbers may be what they wanted to say. */
const FREE = new Set(["attributes", "meta", "value", "data", "base", "cost", "verdict"]);
/** Ids of our own making and hashes, whole or the beginning that we show, have digits and letters in a row by chance. */
const MADE = latePattern(
  "g",
)`(?<![0-9A-Za-z])(?:(?:mem|topic|obs|snap)-[0-9a-f-]{12,}|[0-9a-f]{64}|(?=[a-f]{0,11}\d)(?=\d{0,11}[a-f])[0-9a-f]{12})(?![0-9A-Za-z])`;
const TIME = latePattern("")`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`;

/** Every value and every name of a field, as deep as they lie, that says one of the words. */
export function* sayingsIn(value: unknown, words: readonly Word[]): Generator<Saying> {
  yield* inside(value, words, [], false);
}

function* inside(
  value: unknown,
  words: readonly Word[],
  path: readonly string[],
  isFree: boolean,
): Generator<Saying> {
  if (typeof value === "string") yield* saying(value, words, path);
  else if (typeof value === "number" && isFree) yield* saying(String(value), words, path);
  else if (Array.isArray(value)) for (const item of value) yield* inside(item, words, path, isFree);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) {
      if (isFree) yield* saying(key, words, [...path, key]);
      else if (OURS.has(key)) continue;
      yield* inside(item, words, [...path, key], isFree || FREE.has(key));
    }
}

function* saying(value: string, words: readonly Word[], path: readonly string[]): Generator<Saying> {
  // Hashes and times of ours have digits in a row by chance.
  if (isHash(value) || (TIME().test(value) && !path.includes("attributes"))) return;
  for (const word of words) if (says(value, word)) yield { word, path, value };
}

export function says(value: string, { text, isWhole }: Word): boolean {
  if (isWhole) return value === text;
  return value.includes(text) && (text.length >= TELLING || value.replace(MADE(), "\0").includes(text));
}

/** As it stands in JSON. */
export const insideJson = (text: string): string => JSON.stringify(text).slice(1, -1);
