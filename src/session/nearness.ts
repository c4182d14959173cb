import { best, NEAREST, type Nearness, type View } from "../view/index.js";
import type { Corpus, Seen } from "./corpus.js";

/** A question as vectors. */
export interface AskedVectors {
  /** Of the question without names, and of its end with them. */
  readonly whole: Float32Array;
  readonly tail: Float32Array;
  /** Whom it is compared with. */
  readonly seen: Seen;
  readonly knowsLanguage: boolean;
  /** Of a memory. */
  knows(language: string): boolean;
}

/** What the vectors of a branch know about a question, told in the numbers of a view. */
export function nearnessOf(view: View, corpus: Corpus, asked: AskedVectors): Nearness {
  const { index } = corpus;
  const { mask, embedded } = asked.seen;
  const cosines = index.similar(asked.whole, mask);
  let [sum, max] = [0, 0];
  for (const number of embedded) {
    sum += cosines[number]!;
    if (cosines[number]! > max) max = cosines[number]!;
  }
  const knowsLanguageOf = (doc: number): boolean => asked.knows(view.languageOf(doc));
  const numbers = new Map<number, number | undefined>();
  const numberOf = (doc: number): number | undefined => {
    if (numbers.has(doc)) return numbers.get(doc);
    const found = knowsLanguageOf(doc) ? corpus.numberOf(view.hashOf(doc)) : undefined;
    const number = found !== undefined && index.has(found) ? found : undefined;
    numbers.set(doc, number);
    return number;
  };
  const nearest = best(embedded, cosines, NEAREST).flatMap((number) => {
    const doc = view.find(corpus.doc(number)!.hash);
    return doc === undefined || (asked.knowsLanguage && !knowsLanguageOf(doc)) ? [] : doc;
  });
  return {
    mean: embedded.length === 0 ? 0 : sum / embedded.length,
    max,
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
