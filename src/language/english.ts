/**
 * The English stemmer of Snowball ("Porter 2") written out: the library's takes 20 µs a word and 13 ms to load, and English is
 * what most texts are in. The library judges it, word for word, in its test.
 */
export function stemEnglish(word: string): string {
  if (word.length <= 2) return word;
  const whole = WHOLE.get(word);
  if (whole !== undefined) return whole;
  const start = marked(word.startsWith("'") ? word.slice(1) : word);
  const [first, second] = regionsOf(start);
  const short = withoutPlural(start.replace(POSSESSIVE, ""));
  if (FINISHED.has(short)) return short;
  let stem = withoutEndOfVerb(short, first);
  if (/[yY]$/.test(stem) && stem.length > 2 && !isVowel(stem, stem.length - 2))
    stem = `${stem.slice(0, -1)}i`;
  stem = derived(stem, first);
  stem = lessDerived(stem, first, second);
  stem = withoutSuffix(stem, second);
  return withoutLast(stem, first, second).replaceAll("Y", "y");
}

const WHOLE = new Map(
  [
    "skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl",
    "sky:sky news:news howe:howe atlas:atlas cosmos:cosmos bias:bias andes:andes",
  ]
    .join(" ")
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);
const FINISHED = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));
const POSSESSIVE = /'(?:s'?)?$/;

const isVowel = (word: string, at: number): boolean => "aeiouy".includes(word.charAt(at)) && at < word.length;
const holdsVowel = (word: string): boolean => /[aeiouy]/.test(word);

/** A `y` that is no vowel is written large: at the beginning and after a vowel. */
function marked(word: string): string {
  if (!word.includes("y")) return word;
  let made = "";
  for (let at = 0; at < word.length; at++)
    made += word[at] === "y" && (at === 0 || isVowel(made, at - 1)) ? "Y" : word[at];
  return made;
}

/** Where the parts begin that suffixes may be taken from: after the first consonant that follows a vowel, and again so. */
function regionsOf(word: string): [first: number, second: number] {
  const after = (from: number): number => {
    for (let at = from + 1; at < word.length; at++)
      if (!isVowel(word, at) && isVowel(word, at - 1)) return at + 1;
    return word.length;
  };
  const prefix = /^(?:gener|commun|arsen)/.exec(word)?.[0];
  const first = prefix ? prefix.length : after(0);
  return [first, after(first)];
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (!word.endsWith("s") || /[us]s$/.test(word)) return word;
  return holdsVowel(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function withoutEndOfVerb(word: string, first: number): string {
  const [ending] = /(?:eed|ed|ing)(?:ly)?$/.exec(word) ?? [""];
  if (ending === "") return word;
  const stem = word.slice(0, -ending.length);
  if (ending.startsWith("eed")) return stem.length >= first ? `${stem}ee` : word;
  if (!holdsVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1);
  return first >= stem.length && endsShort(stem) ? `${stem}e` : stem;
}

/** Does it end in a short syllable? */
function endsShort(word: string): boolean {
  const end = word.length;
  if (end < 2 || isVowel(word, end - 1) || !isVowel(word, end - 2)) return false;
  return end === 2 || (!isVowel(word, end - 3) && !/[wxY]$/.test(word));
}

type Endings = readonly (readonly [ending: string, becomes: string])[];
/** Longest first: only the longest ending of a word counts. */
const endings = (pairs: string): Endings =>
  pairs
    .split(" ")
    .map((pair) => pair.split(":") as [string, string])
    .sort(([a], [b]) => b.length - a.length);
const ending = (word: string, among: Endings) => among.find(([end]) => word.endsWith(end));

const DERIVED = endings(
  "tional:tion enci:ence anci:ance abli:able entli:ent izer:ize ization:ize ational:ate ation:ate ator:ate alism:al aliti:al alli:al fulness:ful ousli:ous ousness:ous iveness:ive iviti:ive biliti:ble bli:ble ogi:og fulli:ful lessli:less li:",
);
const LESS_DERIVED = endings("tional:tion ational:ate alize:al icate:ic iciti:ic ical:ic ful: ness: ative:");
const SUFFIXES = endings(
  "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ism: ate: iti: ous: ive: ize: ion:",
);

function derived(word: string, first: number): string {
  const found = ending(word, DERIVED);
  if (!found) return word;
  const stem = word.slice(0, -found[0].length);
  if (stem.length < first) return word;
  if (found[0] === "ogi" && !stem.endsWith("l")) return word;
  if (found[0] === "li" && !/[cdeghkmnrt]$/.test(stem)) return word;
  return stem + found[1];
}

function lessDerived(word: string, first: number, second: number): string {
  const found = ending(word, LESS_DERIVED);
  if (!found) return word;
  const stem = word.slice(0, -found[0].length);
  return stem.length < (found[0] === "ative" ? second : first) ? word : stem + found[1];
}

function withoutSuffix(word: string, second: number): string {
  const found = ending(word, SUFFIXES);
  if (!found) return word;
  const stem = word.slice(0, -found[0].length);
  return stem.length < second || (found[0] === "ion" && !/[st]$/.test(stem)) ? word : stem;
}

function withoutLast(word: string, first: number, second: number): string {
  const stem = word.slice(0, -1);
  if (word.endsWith("l")) return stem.length >= second && stem.endsWith("l") ? stem : word;
  if (!word.endsWith("e")) return word;
  return stem.length >= second || (stem.length >= first && !endsShort(stem)) ? stem : word;
}

/** What stands before the letters of a word: its length, then its number in two halves. */
const HEAD = 3;

/**
 * Numbers by words, looked up where a word stands in a text: when many texts are read, cutting each known word out of them
 * would cost more than all the rest. Two arrays and no objects, because what takes time is fetching memory.
 */
export class WordMap {
  /** Open addressing in pairs: the hash of a word, and where its entry is in `#letters`, 0 for a free place. */
  #table = new Int32Array(512);
  #letters = new Uint16Array(4096);
  #used = 1;
  #size = 0;

  /** The number of the word that stands there, or -1. */
  get(text: string, from = 0, to = text.length): number {
    const table = this.#table;
    const letters = this.#letters;
    const hash = hashOf(text, from, to);
    const mask = table.length - 2;
    for (let place = (hash << 1) & mask; ; place = (place + 2) & mask) {
      const entry = table[place + 1]!;
      if (entry === 0) return -1;
      if (table[place] === hash && isAt(letters, entry, text, from, to))
        return letters[entry + 1]! | (letters[entry + 2]! << 16);
    }
  }

  /** Of a word that is not there yet. */
  add(word: string, number: number): void {
    const entry = this.#used;
    this.#used += HEAD + word.length;
    if (this.#used > this.#letters.length) {
      const grown = new Uint16Array(this.#used * 2);
      grown.set(this.#letters);
      this.#letters = grown;
    }
    this.#letters[entry] = word.length;
    this.#letters[entry + 1] = number;
    this.#letters[entry + 2] = number >>> 16;
    for (let at = 0; at < word.length; at++) this.#letters[entry + HEAD + at] = word.charCodeAt(at);
    if (++this.#size * 3 > this.#table.length) this.#grow();
    put(this.#table, hashOf(word, 0, word.length), entry);
  }

  #grow(): void {
    const table = new Int32Array(this.#table.length * 2);
    for (let at = 0; at < this.#table.length; at += 2)
      if (this.#table[at + 1] !== 0) put(table, this.#table[at]!, this.#table[at + 1]!);
    this.#table = table;
  }
}

function put(table: Int32Array, hash: number, entry: number): void {
  const mask = table.length - 2;
  let place = (hash << 1) & mask;
  while (table[place + 1] !== 0) place = (place + 2) & mask;
  table[place] = hash;
  table[place + 1] = entry;
}

function isAt(letters: Uint16Array, entry: number, text: string, from: number, to: number): boolean {
  if (letters[entry] !== to - from) return false;
  const start = entry + HEAD - from;
  for (let at = from; at < to; at++) if (letters[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
