/** A shorter question is all question. */
const LONG = 300;
const LINES = 3;

/** What a long question ends with, which is what it asks: the rest is a pasted text, or the talk that led to it. */
export function tailOf(question: string): string {
  if (question.length <= LONG) return question;
  return question.trim().split("\n").slice(-LINES).join("\n");
}
