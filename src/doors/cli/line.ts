import colors from "picocolors";
import { visible } from "./safe.js";
import { cut, widthOf, wrapped } from "./width.js";

/**
 * Text that may go to a terminal. Only this module makes one, and it cleans every plain string that goes in, so
 * that nothing a memory says can move a cursor, colour a screen or hide in it; output takes nothing else.
 */
export class Line {
  readonly #columns: number;
  constructor(
    key: typeof KEY,
    readonly text: string,
    columns: number,
    /** Where it goes on when it is broken; unless given, below where its words began. */
    readonly hang?: number,
  ) {
    if (key !== KEY) throw new TypeError("A line is made by line`…`.");
    this.#columns = columns;
  }

  padEnd(columns: number): Line {
    const missing = Math.max(0, columns - this.#columns);
    return new Line(KEY, this.text + " ".repeat(missing), this.#columns + missing);
  }

  get columns(): number {
    return this.#columns;
  }
}

const KEY = Symbol("line");

export type Piece = string | number | Line;

export function clean(piece: Piece): Line {
  if (piece instanceof Line) return piece;
  const text = visible(String(piece));
  return new Line(KEY, text, widthOf(text));
}

/** Template tag: what is written in the source stays, what is put in is cleaned. */
export function line(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Line {
  const parts = pieces.map(clean);
  const literal = strings.join("");
  const text = strings.reduce((all, part, index) => `${all}${parts[index - 1]?.text ?? ""}${part}`);
  return new Line(
    KEY,
    text,
    parts.reduce((sum, part) => sum + part.columns, widthOf(literal)),
  );
}

/** Text of any kind on one line of at most `columns`. */
export const oneLine = (text: string, columns = Number.POSITIVE_INFINITY): Line =>
  clean(cut(visible(text).replace(/\s+/gu, " ").trim(), columns));

/** Lines below each other with every line of theirs moved right. */
export const indent = (piece: Piece, by = "  "): Line => {
  const moved = mapText(clean(piece), (text) => text.replace(/^/gm, by));
  return moved.hang === undefined ? moved : hanging(moved, moved.hang + by.length);
};

/** A line that goes on in this column when it is broken. */
export const hanging = ({ text, columns }: Line, hang: number): Line => new Line(KEY, text, columns, hang);

/** Lines as a terminal of so many columns shows them best: broken at blanks. */
export const folded = (piece: Piece, columns: number): Line => {
  const whole = clean(piece);
  return mapText(whole, (text) => wrapped(text, columns, whole.hang));
};

const mapText = (from: Line, map: (text: string) => string): Line =>
  new Line(KEY, map(from.text), from.columns, from.hang);

const STYLES = ["bold", "dim", "red", "green", "yellow", "cyan", "blue", "magenta"] as const;
export type Paint = { readonly [Style in (typeof STYLES)[number] | "gone" | "came"]: (piece: Piece) => Line };

/** Styles, or functions that only clean when colours are off. */
export function paintWith(enabled: boolean): Paint {
  const styles = colors.createColors(enabled);
  const apply = (style: (text: string) => string) => (piece: Piece) =>
    mapText(clean(piece), (text) => (text === "" ? "" : style(text)));
  return {
    ...(Object.fromEntries(STYLES.map((style) => [style, apply(styles[style])])) as Paint),
    // Words that went from a text and came into it are told apart without colours too.
    gone: enabled ? apply((text) => styles.red(styles.strikethrough(text))) : (piece) => line`[-${piece}-]`,
    came: enabled ? apply(styles.green) : (piece) => line`{+${piece}+}`,
  };
}
