import { clean, type Line, line, type Paint } from "./line.js";
import { visible } from "./safe.js";
import { cut, widthOf } from "./width.js";

/** How much of a text is shown before its first match, when not all of it fits. */
const BEFORE = 24;

/** A text on one line of at most `columns`, its matches painted, from a little before the first one if it is long. */
export function highlighted(
  text: string,
  matches: readonly (readonly [start: number, end: number])[],
  columns: number,
  paint: Paint,
): Line {
  const start = widthOf(visible(text)) <= columns ? 0 : beginning(text, matches[0]?.[0] ?? 0, columns);
  let shown = start === 0 ? line`` : line`…`;
  let at = start;
  const add = (to: number, style: (piece: Line) => Line): void => {
    const left = columns - shown.columns;
    if (to <= at || left <= 0) return;
    const piece = visible(text.slice(at, to)).replace(/\s+/gu, " ");
    shown = line`${shown}${style(clean(cut(piece, left)))}`;
    at = to;
  };
  for (const [from, to] of matches) {
    if (from < at) continue;
    add(from, (piece) => piece);
    add(to, paint.yellow);
  }
  add(text.length, (piece) => piece);
  return shown;
}

/** The beginning of a word a little before a match, if the match would not be seen otherwise. */
function beginning(text: string, match: number, columns: number): number {
  if (widthOf(visible(text.slice(0, match))) + BEFORE < columns) return 0;
  const blank = text.lastIndexOf(" ", match - BEFORE);
  return blank < 0 ? match : blank + 1;
}
