import type { Language } from "./languages.js";
import type { Token } from "./token.js";
import { WordMap } from "./word-map.js";

/** Tokens cost some 15 µs to make and a hundredth of it to look up, and texts repeat their words. */
const MOST_WORDS = 100_000;
const LONGEST_KEPT = 40;

/** The words met so far by their numbers, and the tokens that each gives. When there are too many it begins anew. */
export class Lexicon {
  readonly #make: (word: string, language: Language) => readonly Token[];
  readonly #byLanguage = new Map<string, WordMap>();
  #tokens: (readonly Token[])[] = [];
  #telling = new Uint8Array(1024);
  #edition = 0;

  constructor(make: (word: string, language: Language) => readonly Token[]) {
    this.#make = make;
  }

  /** Numbers of another edition mean other words. */
  get edition(): number {
    return this.#edition;
  }

  /** Numbers stay what they are until the next call. */
  tidy(): void {
    if (this.#tokens.length < MOST_WORDS) return;
    this.#byLanguage.clear();
    this.#tokens = [];
    this.#edition++;
  }

  /** The words of a language, for `numberOf`. */
  wordsOf({ code }: Language): WordMap {
    let words = this.#byLanguage.get(code);
    if (!words) {
      words = new WordMap();
      this.#byLanguage.set(code, words);
    }
    return words;
  }

  /** The number of the word that stands there in a text. */
  numberOf(words: WordMap, language: Language, text: string, from: number, to: number): number {
    const known = words.get(text, from, to);
    if (known >= 0) return known;
    const word = text.slice(from, to);
    const tokens = this.#make(word, language);
    const number = this.#tokens.push(tokens) - 1;
    if (word.length <= LONGEST_KEPT) words.add(word, number);
    if (number >= this.#telling.length) {
      const grown = new Uint8Array(number * 2);
      grown.set(this.#telling);
      this.#telling = grown;
    }
    this.#telling[number] = tokens.reduce((sum, { stop }) => sum + (stop ? 0 : 1), 0);
    return number;
  }

  tokensOf(number: number): readonly Token[] {
    return this.#tokens[number]!;
  }
  /** How many of its tokens are no function words. */
  tellingOf(number: number): number {
    return this.#telling[number]!;
  }
}
