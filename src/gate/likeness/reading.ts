import { fold } from "./fold.js";
import { type Word, wordOf } from "./word.js";

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
