import { best, NEAREST, type Nearness, type View } from "../view/index.js";
import type { Corpus } from "./corpus.js";

/** A question as vectors. */
export interface AskedVectors {
  /** Of the question without names, and of its end with them. */
  readonly whole: Float32Array;
  readonly tail: Float32Array;
  /** A byte for each document of the corpus: 1 for those to be looked at. */
  readonly mask: Uint8Array;
  readonly knowsLanguage: boolean;
  /** Of a memory. */
  knows(language: string): boolean;
}

/** What the vectors of a branch know about a question, told in the numbers of a view. */
export function nearnessOf(view: View, corpus: Corpus, asked: AskedVectors): Nearness {
  const { index } = corpus;
  const cosines = index.similar(asked.whole, asked.mask);
  const compared: number[] = [];
  let [sum, max] = [0, 0];
  for (let number = 0; number < cosines.length; number++) {
    if (asked.mask[number] !== 1 || !index.has(number)) continue;
    compared.push(number);
    sum += cosines[number]!;
    if (cosines[number]! > max) max = cosines[number]!;
  }
  const knowsLanguageOf = (doc: number): boolean => asked.knows(view.languageOf(doc));
  const numberOf = (doc: number): number | undefined => {
    const number = knowsLanguageOf(doc) ? corpus.numberOf(view.hashOf(doc)) : undefined;
    return number !== undefined && index.has(number) ? number : undefined;
  };
  const nearest = best(compared, cosines, NEAREST).flatMap((number) => {
    const doc = view.find(corpus.doc(number)!.hash);
    return doc === undefined || (asked.knowsLanguage && !knowsLanguageOf(doc)) ? [] : doc;
  });
  return {
    mean: compared.length === 0 ? 0 : sum / compared.length,
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
