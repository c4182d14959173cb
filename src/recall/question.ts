import { withoutFrame } from "./detect/frame.js";

/** Marks of quotation around the whole of a question; inside it they stay, and ask for a phrase. */
const QUOTED = /^\s*["“”„«»'‘’`]+([^"“”„«»`]*[^"“”„«»'‘’`\s])["“”„«»'‘’`]+\s*$/u;

/** What a question is about, however it is put down: without quotes around it, shouting, and words that ask to remember. */
export function plainQuestion(asked: string): string {
  const bare = QUOTED.exec(asked)?.[1] ?? asked;
  const isShouted = /\p{Lu}\P{Ll}*\p{Lu}/u.test(bare) && !/\p{Ll}/u.test(bare) && /\s/.test(bare.trim());
  return withoutFrame(isShouted ? bare.toLowerCase() : bare);
}
