import { createRequire } from "node:module";
import type { Language } from "./detect.js";
import { stemEnglish } from "./english.js";
import { unaccented } from "./fold.js";

interface Stemmer {
  stem(word: string): string;
}
interface Snowball {
  newStemmer(algorithm: string): Stemmer;
}

const ENGLISH: Stemmer = { stem: stemEnglish };
let snowball: Snowball | undefined;
const stemmers = new Map<string, Stemmer>();

/** Loading takes 13 ms and is synchronous, so that only those who analyse a text of another language pay for it. */
function stemmerOf(algorithm: string): Stemmer {
  if (algorithm === "english") return ENGLISH;
  let stemmer = stemmers.get(algorithm);
  if (!stemmer) {
    snowball ??= createRequire(import.meta.url)("snowball-stemmers") as Snowball;
    stemmer = snowball.newStemmer(algorithm);
    stemmers.set(algorithm, stemmer);
  }
  return stemmer;
}

/** The term a lowered word is indexed under. Stems first: the algorithms know accents, and then those go. */
export function termOf(word: string, language: Language): string {
  const stem = language.stemmer && word.length > 2 ? stemmerOf(language.stemmer).stem(word) : word;
  return unaccented(stem) || word;
}
