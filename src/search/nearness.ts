import { best, NEAREST, type Nearness, type View } from "../index/index.js";
import type { Corpus, Seen } from "./corpus.js";

/** A question as vectors. */
export interface AskedVectors {
  /** Of the question and of its end, both without names. */
  readonly whole: Float32Array;
  readonly tail: Float32Array;
  /** Whom it is compared with. */
  readonly seen: Seen;
  readonly knowsLanguage: boolean;
  /** How many of the nearest are wanted, if more than usual. */
  readonly most: number;
  /** Of a memory. */
  knows(language: string): boolean;
}

/** What the vectors of a branch know about a question, told in the numbers of a view. */
export function nearnessOf(view: View, corpus: Corpus, asked: AskedVectors): Nearness {
  const { index } = corpus;
  const { mask, embedded, hidesAny } = asked.seen;
  const most = Math.max(NEAREST, asked.most);
  const { cosines, sum, nearest: near } = index.compare(asked.whole, most, hidesAny ? mask : undefined);
  const ordered = best(near, cosines, most);
  const knowsLanguageOf = (doc: number): boolean => asked.knows(view.languageOf(doc));
  const numbers = numbersOf(view, corpus);
  const numberOf = (doc: number): number | undefined => {
    if (numbers[doc] === UNKNOWN) {
      const found = corpus.numberOf(view.hashOf(doc));
      numbers[doc] = found !== undefined && index.has(found) ? found : NONE;
    }
    return numbers[doc] === NONE || !knowsLanguageOf(doc) ? undefined : numbers[doc];
  };
  const nearest = ordered.flatMap((number) => {
    const doc = view.find(corpus.doc(number)!.hash);
    return doc === undefined || (asked.knowsLanguage && !knowsLanguageOf(doc)) ? [] : doc;
  });
  return {
    mean: embedded === 0 ? 0 : sum / embedded,
    max: ordered.length === 0 ? 0 : Math.max(0, cosines[ordered[0]!]!),
    near: (doc) => {
      const number = numberOf(doc);
      return number === undefined ? undefined : cosines[number];
    },
    tail: (doc) => {
      const number = numberOf(doc);
      if (number === undefined) return undefined;
      return asked.tail === asked.whole ? cosines[number] : index.cosine(number, asked.tail);
    },
    nearest,
    knowsLanguage: asked.knowsLanguage,
    knowsLanguageOf,
  };
}

const UNKNOWN = -2;
const NONE = -1;

interface Numbers {
  readonly view: View;
  readonly viewVersion: number;
  readonly version: number;
  readonly numbers: Int32Array;
}
const NUMBERS = new WeakMap<Corpus, Numbers>();

/** The corpus's numbers of a view's documents, found as they are asked for; good until either changes. */
function numbersOf(view: View, corpus: Corpus): Int32Array {
  const known = NUMBERS.get(corpus);
  if (known?.view === view && known.viewVersion === view.version && known.version === corpus.version)
    return known.numbers;
  const numbers = new Int32Array(view.size).fill(UNKNOWN);
  NUMBERS.set(corpus, { view, viewVersion: view.version, version: corpus.version, numbers });
  return numbers;
}
