import { analyse, detectLanguage, glanceAt } from "../language/index.js";

/** Scripts that do not part their words: of questions in them it was not measured how likely they can be answered. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Pairs that hold one of these characters ask, or join; they are about nothing. */
const FUNCTION = /[的了吗呢吧啊是我你他她它们在有和与什么哪谁几多少怎样为这那个些时候请问のはがをにでと]/u;

export const isUnspaced = (text: string): boolean => UNSPACED.test(text);

/**
 * Which share of what a question is about, 0 to 1, some texts hold together. In a script without spaces the pairs of its
 * characters stand for words.
 */
export function coverage(question: string, texts: readonly string[]): number {
  const asked = termsOf(glanceAt(question));
  return asked.size === 0 ? 0 : held(asked, texts) / asked.size;
}

/** How many of the words of what a question is about a text holds. */
export const wordsHeld = (question: string, text: string): number =>
  held(termsOf(glanceAt(question)), [text]);

function held(asked: ReadonlySet<string>, texts: readonly string[]): number {
  const told = new Set(texts.flatMap((text) => [...termsOf(text)]));
  return [...asked].filter((term) => told.has(term)).length;
}

/** Does a question say what it is about? Words that only join or ask say nothing. */
export const saysSomething = (question: string): boolean =>
  analyse(question, detectLanguage(question)?.code ?? "en").some(({ stop }) => !stop);

/**
 * From here on a question in such a script counts as answerable. Measured on 400 short memories of MemDaily, each asked its
 * own question and one of another: see bench/RESULTS.md.
 */
export const COVERED = 0.4;

function termsOf(text: string): Set<string> {
  const language = detectLanguage(text)?.code ?? "en";
  const terms = analyse(text, language).filter(({ stop, start, end }) => {
    const word = text.slice(start, end);
    return !stop && end - start > 1 && !(isUnspaced(word) && FUNCTION.test(word));
  });
  return new Set(terms.map(({ term }) => term));
}
