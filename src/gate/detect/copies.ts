import { matchesOf } from "./matches.js";

/** A text made readable for detection, and where each of its characters stood. The original is what is stored. */
export interface Copy {
  readonly text: string;
  /** Where in the original a part of the copy begins, and where it ends. */
  from(offset: number): number;
  to(offset: number): number;
}

export const asIs = (text: string): Copy => ({ text, from: (offset) => offset, to: (offset) => offset });

const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}/u;

/** Most texts are: nothing in them is hidden or folded. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are as they are
const ASCII = /^[\x00-\x7f]*$/;

/** Without what cannot be seen, and with full-width and other compatibility forms folded. */
export function folded(text: string): Copy | undefined {
  if (ASCII.test(text)) return undefined;
  if (!INVISIBLE.test(text) && text.normalize("NFKC") === text) return undefined;
  const parts: string[] = [];
  const starts: number[] = [];
  let from = 0;
  const keep = (part: string, start: number) => {
    if (part === "") return;
    parts.push(part);
    starts.push(start);
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: only what lies beyond ASCII can change
  for (const { 0: character, index } of text.matchAll(/[^\x00-\x7f]/gu)) {
    const plain = INVISIBLE.test(character) ? "" : character.normalize("NFKC");
    if (plain === character) continue;
    keep(text.slice(from, index), from);
    keep(plain, index);
    from = index + character.length;
  }
  keep(text.slice(from), from);
  return pieced(parts, starts, text);
}

/** A token cut by a line end is put together again. */
export function joined(text: string): Copy | undefined {
  const offsets: number[] = [];
  const parts: string[] = [];
  let from = 0;
  for (const match of matchesOf(text, BREAK)) {
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
    offsets.push(from);
  }
  if (from === 0) return undefined;
  parts.push(text.slice(from));
  return pieced(parts, [0, ...offsets], text);
}
const BREAK = /(?<=[A-Za-z0-9_/+=.:@-])\\?\r?\n[ \t]{0,4}(?=[A-Za-z0-9_/+=.:@-])/g;

/** Pieces of a text put together, each with the place it began at. */
function pieced(parts: readonly string[], starts: readonly number[], original: string): Copy {
  const ends: number[] = [];
  let end = 0;
  for (const part of parts) {
    end += part.length;
    ends.push(end);
  }
  const from = (offset: number): number => {
    if (offset >= end) return original.length;
    let low = 0;
    for (let high = ends.length - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) > offset) high = middle;
      else low = middle + 1;
    }
    // A form that was folded into several characters stands where it stood, whole.
    const inside = offset - ((ends[low] as number) - (parts[low] as string).length);
    const next = starts[low + 1] ?? original.length;
    return Math.min((starts[low] as number) + inside, Math.max(starts[low] as number, next - 1));
  };
  const to = (offset: number): number => {
    const last = from(offset - 1);
    return last + ((original.codePointAt(last) ?? 0) > 0xffff ? 2 : 1);
  };
  return { text: parts.join(""), from, to };
}

/** A copy of a copy. */
export const chained = (outer: Copy, inner: Copy): Copy => ({
  text: outer.text,
  from: (offset) => inner.from(outer.from(offset)),
  to: (offset) => inner.to(outer.to(offset)),
});

const BASE64 = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{24,4096}={0,2}(?![A-Za-z0-9+/_-])/g;
/** Words in base64 that spell text, as copies in which every character stands for the whole word. */
export function decoded(text: string): Copy[] {
  const copies: Copy[] = [];
  for (const match of matchesOf(text, BASE64)) {
    const [word] = match;
    if (!/[A-Z]/.test(word) || !/[a-z]/.test(word)) continue;
    const plain = Buffer.from(word, "base64").toString("latin1");
    if (!/^[\t\n\r\x20-\x7e]{12,}$/.test(plain)) continue;
    copies.push({ text: plain, from: () => match.index, to: () => match.index + word.length });
  }
  return copies;
}
