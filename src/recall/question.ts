import { withoutFrame } from "./detect/frame.js";

const MARKS = new Set("\"“”„«»'‘’`");
const INSIDE = /["“”„«»`]/u;

/** A question without the marks of quotation around the whole of it; inside it they stay, and ask for a phrase. */
function withoutQuotes(asked: string): string {
  const whole = asked.trim();
  let [from, to] = [0, whole.length];
  while (from < to && MARKS.has(whole[from]!)) from++;
  while (to > from && MARKS.has(whole[to - 1]!)) to--;
  const inner = whole.slice(from, to);
  const isQuoted = from > 0 && to < whole.length && inner !== "" && inner === inner.trimEnd();
  return isQuoted && !INSIDE.test(inner) ? inner : asked;
}

/** What a question is about, however it is put down: without quotes around it, shouting, and words that ask to remember. */
export function plainQuestion(asked: string): string {
  const bare = withoutQuotes(asked);
  const isShouted = /\p{Lu}\P{Ll}*\p{Lu}/u.test(bare) && !/\p{Ll}/u.test(bare) && /\s/.test(bare.trim());
  return withoutFrame(isShouted ? bare.toLowerCase() : bare);
}
