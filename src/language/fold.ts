/** Letters that carry their mark inside, so that decomposing does not take it off. */
const WHOLE: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ı: "i",
  þ: "th",
};
const WHOLE_LETTERS = /[ßæœøđðłħıþ]/g;
/** Accents of Latin, Greek and Cyrillic, vowel signs of Arabic and Hebrew. Marks of other scripts are letters. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0640]/g;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** Compatible forms and case made one: `Ｃａｆé` and `café` are the same word. Accents stay, for stemming needs them. */
export const lowered = (word: string): string =>
  BEYOND_ASCII.test(word) ? word.normalize("NFKC").toLowerCase().normalize("NFC") : word.toLowerCase();

/** Accents taken off a lowered word. */
export const unaccented = (word: string): string =>
  BEYOND_ASCII.test(word)
    ? word
        .normalize("NFD")
        .replace(ACCENTS, "")
        .normalize("NFC")
        .replace(WHOLE_LETTERS, (letter) => WHOLE[letter] ?? letter)
    : word;

/** Case, compatible forms and accents made one. */
export const folded = (text: string): string => unaccented(lowered(text));
