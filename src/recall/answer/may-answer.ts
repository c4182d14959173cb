import { coverage, wordsHeld } from "../coverage.js";
import { askedFor } from "./asked-for.js";
import { shows } from "./shows.js";

/**
 * May a fact be an answer? A question says what it wants to be told (who, when, how many, why): a fact that speaks of the same
 * thing and shows nothing of that kind tells something else of it. One that holds every word of the question, and more than one, is not doubted.
 */
export function mayAnswer(question: string, text: string): boolean {
  const wanted = askedFor(question);
  return (
    wanted === undefined ||
    shows[wanted](text, question) ||
    (coverage(question, [text]) === 1 && wordsHeld(question, text) > 1)
  );
}
