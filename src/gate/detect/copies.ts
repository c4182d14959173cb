import { matchesOf } from "./rule.js";

/** A text made readable for detection, and where each of its characters stood. The original is what is stored. */
export interface Copy {
  readonly text: string;
  /** Where in the original a part of the copy begins, and where it ends. */
  from(offset: number): number;
  to(offset: number): number;
}

export const asIs = (text: string): Copy => ({ text, from: (offset) => offset, to: (offset) => offset });

/** A copy of a copy. */
export const chained = (outer: Copy, inner: Copy): Copy => ({
  text: outer.text,
  from: (offset) => inner.from(outer.from(offset)),
  to: (offset) => inner.to(outer.to(offset)),
});

/** A copy in which every character stands for the same whole part of the original. */
export const standingFor = (text: string, from: number, to: number): Copy => ({
  text,
  from: () => from,
  to: () => to,
});

const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}/u;

/** Most texts are: nothing in them is hidden or folded. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are as they are
const ASCII = /^[\x00-\x7f]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: only what lies beyond ASCII can change
const BEYOND = /[^\x00-\x7f]/gu;

/** Without what cannot be seen, and with full-width and other compatibility forms folded. */
export function folded(text: string): Copy | undefined {
  if (ASCII.test(text)) return undefined;
  if (!INVISIBLE.test(text) && text.normalize("NFKC") === text) return undefined;
  return replaced(text, BEYOND, ([character]) =>
    INVISIBLE.test(character) ? "" : character.normalize("NFKC"),
  );
}

/** A token cut by a line end is put together again. */
export const joined = (text: string): Copy | undefined => replaced(text, BREAK, () => "");
const BREAK = /(?<=[A-Za-z0-9_/+=.:@-])\\?\r?\n[ \t]{0,4}(?=[A-Za-z0-9_/+=.:@-])/g;

/** Part of a copy: as it stood there, or written for all of a part of the original. */
interface Piece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly isWritten: boolean;
}

/** A part of the original, and what is written in its place. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A copy with all matches of a pattern written otherwise; undefined where that changes nothing. */
export function replaced(
  text: string,
  pattern: RegExp,
  write: (match: RegExpExecArray) => string,
): Copy | undefined {
  const edits: Edit[] = [];
  for (const match of matchesOf(text, pattern)) {
    const written = write(match);
    if (written === match[0]) continue;
    edits.push({ from: match.index, to: match.index + match[0].length, text: written });
  }
  return edited(text, edits);
}

/** A copy with parts written otherwise, which are given in the order they stand; undefined where there are none. */
export function edited(text: string, edits: readonly Edit[]): Copy | undefined {
  if (edits.length === 0) return undefined;
  const pieces: Piece[] = [];
  let done = 0;
  for (const { from, to, text: written } of edits) {
    if (done < from) pieces.push({ text: text.slice(done, from), from: done, to: from, isWritten: false });
    if (written !== "") pieces.push({ text: written, from, to, isWritten: true });
    done = to;
  }
  if (done < text.length)
    pieces.push({ text: text.slice(done), from: done, to: text.length, isWritten: false });
  return pieced(pieces, text);
}

function pieced(pieces: readonly Piece[], original: string): Copy {
  const ends: number[] = [];
  let end = 0;
  for (const { text } of pieces) {
    end += text.length;
    ends.push(end);
  }
  const at = (offset: number): number => {
    let low = 0;
    for (let high = ends.length - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const from = (offset: number): number => {
    const index = at(offset);
    const piece = pieces[index];
    if (!piece || offset >= end) return original.length;
    if (piece.isWritten) return piece.from;
    return piece.from + offset - ((ends[index] as number) - piece.text.length);
  };
  const to = (offset: number): number => {
    const piece = pieces[at(offset - 1)];
    if (piece?.isWritten) return piece.to;
    const last = from(offset - 1);
    return last + ((original.codePointAt(last) ?? 0) > 0xffff ? 2 : 1);
  };
  return { text: pieces.map(({ text }) => text).join(""), from, to };
}
