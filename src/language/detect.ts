import { latePattern } from "../core/base/index.js";
import { BY_SCRIPT, LATIN, type Language } from "./languages.js";
import { WordMap } from "./word-map.js";

/** A text shows its language early; only one that does not is read further. */
const GLANCES = [120, 600];
/** A few letters of another script are a quotation. A Chinese character is as much as a word of Latin letters. */
const ENOUGH_OTHER = 0.1;
/** One function word among many others is chance. */
const ENOUGH_WORDS = 0.15;

const BEYOND_LATIN = /[Ͱ-\u{10FFFF}]/u;
const LETTERS = latePattern("gu")`\p{L}`;
const WORDS = /[a-zà-ɏ]+(?:['’][a-zà-ɏ]+)*/g;

const BEYOND_ASCII = /[^\0-\x7f]/;
const A = "a".charCodeAt(0);
const Z = "z".charCodeAt(0);
const APOSTROPHE = "'".charCodeAt(0);
const CURLY_APOSTROPHE = "’".charCodeAt(0);

/** Function words, each with a number, and the rows of `LATIN` that each belongs to. */
interface Owners {
  readonly words: WordMap;
  readonly rows: readonly (readonly number[])[];
}
function ownersOfWords(): Owners {
  const found = new Map<string, number[]>();
  LATIN.forEach(({ words }, row) => {
    for (const word of words) found.set(word, [...(found.get(word) ?? []), row]);
  });
  const words = new WordMap();
  [...found.keys()].forEach((word, number) => {
    words.add(word, number);
  });
  return { words, rows: [...found.values()] };
}
let owners: Owners | undefined;

/**
 * The language of a short text: by script where one decides, else by which language owns most of its function words.
 * Undefined when nothing speaks for any, as with a name or an identifier.
 */
export function detectLanguage(text: string): Language | undefined {
  if (last?.text !== text) last = { text, language: detected(text) };
  return last.language;
}

/** A text that is judged, compared and indexed is asked about several times in a row. */
let last: { readonly text: string; readonly language: Language | undefined } | undefined;

function detected(text: string): Language | undefined {
  for (const length of GLANCES) {
    const glance = text.slice(0, length);
    const isPlain = !BEYOND_ASCII.test(glance);
    const found = isPlain ? byPlainFunctionWords(glance.toLowerCase()) : ofAny(glance.normalize("NFC"));
    if (found || text.length <= length) return found;
  }
  return undefined;
}

const ofAny = (text: string): Language | undefined => byScript(text) ?? byFunctionWords(text.toLowerCase());

function byScript(text: string): Language | undefined {
  if (!BEYOND_LATIN.test(text)) return undefined;
  const letters = text.match(LETTERS()) ?? [];
  for (const { script, language } of BY_SCRIPT) {
    const own = letters.filter((letter) => script().test(letter)).length;
    if (own > 0 && own >= letters.length * ENOUGH_OTHER) return language;
  }
  return undefined;
}

/** How many function words each language owns among those heard: of the text that is being looked at. */
const heard = new Uint32Array(LATIN.length);

function hear({ words, rows }: Owners, text: string, from: number, to: number): void {
  let word = words.get(text, from, to);
  const cut = word >= 0 ? -1 : elision(text, from, to);
  if (cut >= 0) word = words.get(text, from, cut);
  if (word < 0) return;
  const owning = rows[word]!;
  for (let at = 0; at < owning.length; at++) heard[owning[at]!]!++;
}

/** Who owns most of so many words, if that is enough to tell. */
function winner(count: number): Language | undefined {
  let best = 0;
  for (let row = 1; row < heard.length; row++) if (heard[row]! > heard[best]!) best = row;
  const most = heard[best]!;
  heard.fill(0);
  return most === 0 || most < count * ENOUGH_WORDS ? undefined : LATIN[best];
}

function byFunctionWords(low: string): Language | undefined {
  owners ??= ownersOfWords();
  let count = 0;
  for (const { 0: word, index } of low.matchAll(WORDS)) {
    hear(owners, low, index, index + word.length);
    count++;
  }
  return winner(count);
}

/** The same for a text of ASCII, which most are, in a third of the time. */
function byPlainFunctionWords(low: string): Language | undefined {
  owners ??= ownersOfWords();
  const end = low.length;
  const isLetter = (at: number): boolean => at < end && low.charCodeAt(at) >= A && low.charCodeAt(at) <= Z;
  let count = 0;
  for (let at = 0; at < end; at++) {
    if (!isLetter(at)) continue;
    const from = at;
    for (at++; isLetter(at) || (isLetter(at + 1) && low.charCodeAt(at) === APOSTROPHE); ) at++;
    hear(owners, low, from, at);
    count++;
  }
  return winner(count);
}

/** Where the article of `l'amour` ends, or -1; the stump of an English `isn't` shows nothing. */
function elision(text: string, from: number, to: number): number {
  for (let at = from + 1; at < to && at < from + 3; at++) {
    const sign = text.charCodeAt(at);
    if (sign === APOSTROPHE || sign === CURLY_APOSTROPHE) return at;
  }
  return -1;
}
