/**
 * Markdown for a parser whose time grows with the square of some texts, and which holds the whole program up meanwhile: cut
 * where a new block must begin, and with what nobody writes by hand made plain. All offsets stay.
 */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** The parser needs some ten milliseconds for so much of an ordinary text. */
const ENOUGH = 4_096;

/** No line but one within a fence or a comment can belong to what stands before such a one. */
const HEADING = /^#{1,6}(?:[ \t]|$)/;
/** A point of a list at the margin: what it is cut from is a list of its own, which makes no difference here. */
const POINT = /^[-*+][ \t]+[^\s*_-]/;
/** A line across the page. One of dashes may underline a title. */
const RULE = /^(?:\*{3,}|_{3,})[ \t]*$/;
/** Behind so many blank lines nobody goes on with a list. */
const MOST_BLANK = 100;
/** Behind a blank line: neither indented nor a point of a list. */
const PLAIN = /^[^\s\d*+>-]/;

const LINE_END = /\r\n?|\n/g;
function nextLine(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.test(text) ? LINE_END.lastIndex : text.length;
}

/** Places to cut a text at, from one on. Whether a fence is open there is for the parser to say. */
function nextCut(text: string, from: number): number {
  let blank = 0;
  for (let at = nextLine(text, from), next = at; at < text.length; at = next) {
    next = nextLine(text, at);
    const head = text.slice(at, Math.min(next, at + 20)).replace(/[\r\n]{1,2}$/, "");
    const isNew = HEADING.test(head) || POINT.test(head) || RULE.test(head);
    if (isNew || (blank > 0 && PLAIN.test(head)) || blank > MOST_BLANK) return at;
    blank = head.trim() === "" && next - at <= 20 ? blank + 1 : 0;
  }
  return text.length;
}

/** The pieces of a text, each parsed by `parse`, which says whether its last block may go on. */
export function* piecesOf(text: string, from: number, parse: (piece: Piece) => boolean): Generator<Piece> {
  for (let start = from, size = ENOUGH; start < text.length; ) {
    const end = start + size >= text.length ? text.length : nextCut(text, start + size);
    const piece = { start, end };
    // What goes on is read again with twice as much, so that even a fence to the very end is read a few times only.
    if (parse(piece) && end < text.length) size = 2 * (end - start);
    else {
      yield piece;
      [start, size] = [end, ENOUGH];
    }
  }
}

/** As many of one kind in one paragraph, and as many quotes and lists in one another, nobody writes. */
const MOST = 300;
const DEEPEST = 32;
/** Nor as many underlined titles, beginnings and ends of code, or points at no margin, in one piece. */
const MOST_LINES = 1_000;
const MARKS = /[[\]!]|[*_]|<|&|\\|`/g;
const KINDS: Readonly<Record<string, number>> = {
  ...{ "[": 0, "]": 0, "!": 0, "*": 1, _: 1, "<": 2, "&": 3, "\\": 4, "`": 5 },
};
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*\r?\n?$/;
const FENCE = /^ {0,3}(?:```|~~~)/;
const CONTAINER = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
/** A line that ends a paragraph, or is one of its own. */
const ENDS = /^(?:\s*$| {0,3}(?:#{1,6}[ \t]|===|---|\*\*\*|\* \* \*|```|~~~|[-*+][ \t]+\S))/;
/** A line that goes on with a paragraph wherever it stands in one. */
const GOES_ON = /^[ \t]*(?:[\p{L}|,;.!?"'(]|=+[ \t]*[^=\s])/u;

/**
 * The same with an `x` for every sign that too many of its kind stand with in one paragraph, and for signs of quotes and
 * lists within too many others. As long as it was; the same text where nothing is too much.
 */
export function tamed(text: string): string {
  const out: string[] = [];
  let counts = [0, 0, 0, 0, 0, 0];
  let underlines = 0;
  let points = 0;
  let fences = 0;
  let plainLines = 0;
  for (const line of text.split(/(?<=\n|\r(?!\n))/)) {
    if (ENDS.test(line.slice(0, 20))) counts = [0, 0, 0, 0, 0, 0];
    CONTAINER.lastIndex = 0;
    let plain = shallow(line, CONTAINER.test(line) && ++points > MOST_LINES ? 0 : DEEPEST);
    if (UNDERLINE.test(plain) && ++underlines > MOST_LINES) plain = plain.replace(/[=-]/g, "x");
    const isFence = FENCE.test(plain);
    if (isFence && ++fences > MOST_LINES) plain = plain.replace(/[`~]/g, "x");
    if (!isFence && /[[\]!*_<&\\`]/.test(plain))
      plain = plain.replace(MARKS, (sign) => {
        const kind = KINDS[sign] as number;
        counts[kind] = (counts[kind] as number) + 1;
        return (counts[kind] as number) > MOST ? "x" : sign;
      });
    // Each line costs, and of a paragraph that never ends only where it begins and ends counts.
    const goesOn = GOES_ON.test(plain);
    if (goesOn && plainLines > MOST) out[out.length - 1] = `${(out.at(-1) as string).slice(0, -1)} `;
    plainLines = goesOn && /[\r\n]$/.test(plain) ? plainLines + 1 : 0;
    out.push(plain);
  }
  return out.join("");
}

/** A line whose quotes and lists are not deeper in one another than anybody reads. */
function shallow(line: string, deepest: number): string {
  CONTAINER.lastIndex = 0;
  let depth = 0;
  let at = 0;
  while (depth < deepest && CONTAINER.test(line)) {
    depth++;
    at = CONTAINER.lastIndex;
  }
  return depth < deepest ? line : line.slice(0, at) + line.slice(at).replace(/[>*+\-\d]/g, "x");
}
