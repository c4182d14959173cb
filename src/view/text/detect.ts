import { BY_SCRIPT, LATIN, type Language } from "./languages.js";

/** A text shows its language early; only one that does not is read further. */
const GLANCES = [120, 600];
/** A few letters of another script are a quotation. A Chinese character is as much as a word of Latin letters. */
const ENOUGH_OTHER = 0.1;
/** One function word among many others is chance. */
const ENOUGH_WORDS = 0.15;

const BEYOND_LATIN = /[Ͱ-\u{10FFFF}]/u;
const LETTERS = /\p{L}/gu;
const WORDS = /[a-zà-ɏ]+(?:['’][a-zà-ɏ]+)*/g;

/** For every function word, the rows of `LATIN` it belongs to. */
function ownersOfWords(): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  LATIN.forEach(({ words }, row) => {
    for (const word of words) found.set(word, [...(found.get(word) ?? []), row]);
  });
  return found;
}
let owners: ReadonlyMap<string, readonly number[]> | undefined;

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
    const glance = text.slice(0, length).normalize("NFC");
    const found = byScript(glance) ?? byFunctionWords(glance.toLowerCase());
    if (found || text.length <= length) return found;
  }
  return undefined;
}

function byScript(text: string): Language | undefined {
  if (!BEYOND_LATIN.test(text)) return undefined;
  const letters = text.match(LETTERS) ?? [];
  for (const { script, language } of BY_SCRIPT) {
    const own = letters.filter((letter) => script.test(letter)).length;
    if (own > 0 && own >= letters.length * ENOUGH_OTHER) return language;
  }
  return undefined;
}

function byFunctionWords(text: string): Language | undefined {
  const seen = new Array<number>(LATIN.length).fill(0);
  const words = text.match(WORDS) ?? [];
  owners ??= ownersOfWords();
  for (const word of words)
    for (const row of owners.get(word) ?? owners.get(elided(word)) ?? []) seen[row]! += 1;
  const most = Math.max(...seen);
  return most === 0 || most < words.length * ENOUGH_WORDS ? undefined : LATIN[seen.indexOf(most)];
}

/** `l'amour` shows its article; the stump of an English `isn't` shows nothing. */
function elided(word: string): string {
  const second = word.charAt(1);
  if (second === "'" || second === "’") return word.charAt(0);
  const third = word.charAt(2);
  return third === "'" || third === "’" ? word.slice(0, 2) : "";
}
