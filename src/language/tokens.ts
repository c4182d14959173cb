import { PalimpsestError } from "../core/base/index.js";
/**
 * About how many tokens a text is: its bytes in UTF-8 by 3.5. English has four characters to a token, Chinese about one
 * (three bytes), code less than English; counting too many is the safer error.
 */
export function tokensOf(text: string): number {
  if (typeof text !== "string") throw new PalimpsestError("INVALID_VALUE", "Tokens are counted of text.");
  return Math.ceil(Buffer.byteLength(text) / BYTES);
}
const BYTES = 3.5;

/** A text cut so that it is at most so many tokens. */
export function cutToTokens(text: string, tokens: number): string {
  if (tokensOf(text) <= tokens) return text;
  let most = Math.min(text.length, tokens * 4);
  while (most > 0 && tokensOf(cut(text, most)) > tokens) most = Math.floor(most * 0.9);
  return cut(text, most);
}

/** At most so many UTF-16 units, whole characters. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}
