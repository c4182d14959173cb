import { isGivenName } from "./given-names.js";
import { isPlace, isWorldName } from "./world-names.js";

/** Words and what parts sentences; a prompt in plain letters is spared the classes of all others, which take long to compile. */
const PLAIN = /[A-Za-z0-9_]+(?:'[A-Za-z]+)?|[?!.]/g;
const ANY = /\p{Script=Han}|[^\p{Script=Han}\P{L}]+(?:['’][^\p{Script=Han}\P{L}]+)?|\p{N}+|[?？!！.。…¿¡]/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;
const HAN = /\p{Script=Han}/u;
const DIGIT = /^\d/;

/** How a piece is written that stands for all of its kind, since hardly two prompts share one. */
const NUMBER = "0";
const NAME = "Aa";
const GIVEN_NAME = "Nn";
const WORLD_NAME = "Ww";
const PLACE = "Pp";

/** The words of a prompt between a sign for its beginning and one for its end: numbers and names as what they are. */
export function wordsOf(text: string, language: string): string[] {
  const words = ["^"];
  let begins = true;
  for (const [found] of text.matchAll(BEYOND_ASCII.test(text) ? ANY : PLAIN)) {
    if (".!。！¿¡".includes(found)) {
      begins = true;
      continue;
    }
    const small = found.toLowerCase().replace("’", "'").replace("？", "?");
    const [stem = "", of] = small.split(/(?='s$)/);
    if (isGivenName(stem)) words.push(GIVEN_NAME, ...(of ? [of] : []));
    else if (isWorldName(stem)) words.push(WORLD_NAME, ...(of ? [of] : []));
    else if (isPlace(stem)) words.push(PLACE, ...(of ? [of] : []));
    else if (DIGIT.test(small)) words.push(NUMBER);
    else if (isNameIn(language, found, begins)) words.push(NAME, ...(of ? [of] : []));
    else words.push(small);
    begins = small === "?";
  }
  words.push("$");
  return words;
}

/** A capital within a sentence makes a name, but not in German, where every noun has one; nor is an acronym a name. */
function isNameIn(language: string, word: string, begins: boolean): boolean {
  if (language === "zh") return !HAN.test(word) && !"?？…".includes(word);
  return !begins && language !== "de" && word !== word.toLowerCase() && word !== word.toUpperCase();
}

/**
 * Words, pairs of neighbours, and each word with the one that begins the prompt. A word that is too rare to be weighed counts
 * as one of those, in pairs too.
 */
export function wordingOf(words: readonly string[], isKnown: (word: string) => boolean): Set<string> {
  const ones = words.map((word) => (isKnown(word) ? word : "*"));
  const wording = new Set(ones);
  for (let at = 1; at < ones.length; at++) wording.add(`${ones[at - 1]} ${ones[at]}`);
  for (let at = 2; at < ones.length; at++) wording.add(`${ones[1]} .. ${ones[at]}`);
  return wording;
}
