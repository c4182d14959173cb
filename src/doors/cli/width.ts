/** Columns a character takes in a terminal. Coarse on purpose: it decides where a line is cut, nothing else. */
function columnsOf(char: string): 0 | 1 | 2 {
  const point = char.codePointAt(0) as number;
  if (point < 0x300) return 1;
  if (/\p{M}/u.test(char)) return 0;
  return WIDE.some(([from, to]) => point >= from && point <= to) || /\p{Emoji_Presentation}/u.test(char)
    ? 2
    : 1;
}

/** East Asian wide and full-width blocks. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += columnsOf(char);
  return width;
}

/** The text if it fits in `columns`, else its beginning and an ellipsis; never half a character or a bare mark. */
export function cut(text: string, columns: number): string {
  if (text.length * 2 <= columns || widthOf(text) <= columns) return text;
  let kept = "";
  let width = 1;
  for (const char of text) {
    width += columnsOf(char);
    if (width > columns) break;
    kept += char;
  }
  return `${kept}…`;
}

/**
 * A text in lines of at most `columns`, broken at blanks and going on below where its words began; a word that is
 * longer is left for the terminal to break, so that it can be copied.
 */
export function wrapped(text: string, columns: number, hang?: number): string {
  if (!Number.isFinite(columns)) return text;
  return text
    .split("\n")
    .map((line) => wrappedLine(line, columns, hang))
    .join("\n");
}

function wrappedLine(line: string, columns: number, hang: number | undefined): string {
  if (line.length * 2 <= columns || shownWidth(line) <= columns) return line;
  const lead = (LEAD.exec(line.replace(COLOUR, "")) as RegExpExecArray)[0].length;
  // Behind a wide margin there is no room for words.
  const margin = " ".repeat(hang === undefined || hang > columns / 2 ? lead : hang);
  const lines: string[] = [];
  let current = "";
  let width = 0;
  for (const word of line.split(/(?<= )/)) {
    if (width > margin.length && width + shownWidth(word.trimEnd()) > columns) {
      lines.push(current.trimEnd());
      current = margin;
      width = margin.length;
    }
    current += word;
    width += shownWidth(word);
  }
  return [...lines, current].join("\n");
}

/** What stands before the words of a line: blanks, and the mark of a message or of an item. */
const LEAD = /^ *(?:(?:pal:|\[\d+\]|[✓✗!=·?~+*-]) +)?/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
const COLOUR = /\u001b\[\d+m/g;
const shownWidth = (text: string): number => widthOf(text.replace(COLOUR, ""));

/** As much of a memory as an overview shows where no terminal limits it: a whole document on one line serves nobody. */
export const OVERVIEW = 400;
