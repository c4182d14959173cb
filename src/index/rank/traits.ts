import { detectLanguage } from "../../language/index.js";
import { askingWords } from "./words.js";

/** What a text shows by itself, as bits: an index keeps it in a byte, and no text is read while ranking. */
export const TRAITS = {
  /** Ends in a question. */
  asks: 1,
  /** Holds a question. */
  holdsQuestion: 2,
  time: 4,
  /** At least one, at least two names inside sentences. */
  named: 8,
  namedTwice: 16,
} as const;

const ENDS_ASKING = /[?？؟]["'”’)\]\s]*$/u;
const HOLDS_ASKING = /[?？؟]/u;
const NAMES = /[\p{L}\p{N},;:] \p{Lu}[\p{L}\p{N}]+/gu;
/** Long texts are read this far: enough for what a message shows. */
const READ = 4_000;

export function traitsOf(text: string, language?: string): number {
  const words = askingWords(language ?? detectLanguage(text)?.code);
  const head = text.slice(0, READ);
  let traits = 0;
  if (ENDS_ASKING.test(text.slice(-40))) traits |= TRAITS.asks;
  if (HOLDS_ASKING.test(head)) traits |= TRAITS.holdsQuestion;
  if (words.time.test(head)) traits |= TRAITS.time;
  if (words.capitalsAreNames) {
    const names = head.match(NAMES)?.length ?? 0;
    if (names > 0) traits |= TRAITS.named;
    if (names > 1) traits |= TRAITS.namedTwice;
  }
  return traits;
}
