import { matchesOf } from "./rule.js";

/** How often a text may have been written in another form. */
const LEVELS = 2;
/** A copy of the text, with what a walk over it found. */
export interface View extends Copy {
  readonly survey: Survey;
  /** Lines were put together: what stands side by side in it may not belong together. */
  readonly isJoined: boolean;
}

/** The text as it is read: without what cannot be seen. */
export const readable = (text: string): View => viewOf(folded(text) ?? asIs(text), false);

const viewOf = (copy: Copy, isJoined: boolean): View => ({
  text: copy.text,
  from: copy.from,
  to: copy.to,
  survey: survey(copy.text),
  isJoined,
});

/**
 * What else a text says: put together where it was cut, read where it was escaped, spelled out or encoded, and that again.
 * Every step looks for its form first, and gives at most as much text as it was given.
 */
export function viewsOf(plain: View): View[] {
  const views: View[] = [];
  let level = [plain];
  for (let at = 0; at < LEVELS && level.length > 0; at++) {
    level = level.flatMap(stepsFrom);
    views.push(...level);
  }
  return views;
}

function stepsFrom(view: View): View[] {
  const { text } = view;
  const steps: View[] = [];
  const take = (copy: Copy, isJoined: boolean) => {
    const step = chained(copy, view);
    const fold = folded(step.text);
    steps.push(viewOf(fold ? chained(fold, step) : step, isJoined));
  };
  const whole = text.includes("\n") && !view.isJoined ? joined(text) : undefined;
  if (whole) {
    take(whole, true);
    for (const copy of decoded(whole.text, survey(whole.text))) take(chained(copy, whole), false);
  }
  const escaped = unescaped(text);
  if (escaped) take(escaped, false);
  for (const copy of spelled(text, view.survey)) take(copy, false);
  for (const copy of decoded(text, view.survey)) take(copy, false);
  return steps;
}

const ESCAPE =
  /%[0-7][0-9a-f]|(?:%[89a-f][0-9a-f]){2,}|(?:%|\\{1,4})u([0-9a-f]{4})|\\{1,4}u\{([0-9a-f]{1,6})\}|\\{1,4}x([0-9a-f]{2})|\\{1,4}([0-3][0-7]{2})(?!\d)|&#(\d{1,7});?|&#x([0-9a-f]{1,6});?|&([a-z]{2,7});/gi;
const ENTITIES: Readonly<Record<string, string>> = Object.fromEntries(
  "amp& lt< gt> quot\" apos' equals= colon: semi; lowbar_ hyphen- dash- sol/ bsol\\ plus+ period. comma, commat@ num# dollar$ percnt% excl! ast* quest? lpar( rpar) lsqb[ rsqb] lcub{ rcub} verbar| vert| grave` hat^"
    .split(" ")
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
);

/** Percent signs, backslashes and entities are read: `%67`, `\u0067`, `\x67`, `&#103;` and `&#x67;` are all "g". */
const unescaped = (text: string): Copy | undefined =>
  /[%\\&]/.test(text) ? replaced(text, ESCAPE, written) : undefined;

function written([all, unicode, wide, byte, octal, decimal, hex, name]: RegExpExecArray): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all;
  if (decimal !== undefined) return character(Number(decimal), all);
  if (octal !== undefined) return character(Number.parseInt(octal, 8), all);
  const code = unicode ?? wide ?? byte ?? hex;
  if (code !== undefined) return character(Number.parseInt(code, 16), all);
  return Buffer.from(all.replaceAll("%", ""), "hex").toString("utf8");
}

const character = (code: number, otherwise: string): string =>
  code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;

/** One character and one separator in turn: "g h p", "g-h-p". */
const SPELLED = /(?<![A-Za-z0-9_])[!-~]([ \t\r\n.,|/:;*~+_-]{1,3})[!-~](?:\1[ -~]){6,}(?![A-Za-z0-9])/g;
/** Words of one length with one separator between them: "ghp_ a1B2 c3D4". */
const GROUPED = [3, 4, 5, 6, 8, 10].map((length) => ({
  length,
  pattern: new RegExp(
    `(?<![!-~])[!-~]{${length}}([ \\t\\n-])(?:[!-~]{${length}}\\1){2,}[!-~]{1,${length}}(?![!-~])`,
    "g",
  ),
}));

/** Spelled with other signs than blanks, a short token is a word this long. */
const SPELLED_LENGTH = 15;

/** What was spelled out, letter by letter or group by group, put together. */
function spelled(text: string, { longest, token, rows }: Survey): Copy[] {
  const copies: (Copy | undefined)[] = [];
  if (longest >= SPELLED_LENGTH || rows & 0b1110) copies.push(together(text, SPELLED, 1));
  for (const { pattern, length } of GROUPED)
    if (rows & (1 << length) || (token >= 4 * length && text.includes("-")))
      copies.push(together(text, pattern, length));
  return copies.filter((copy) => copy !== undefined);
}

function together(text: string, pattern: RegExp, length: number): Copy | undefined {
  const gaps: Edit[] = [];
  for (const { 0: run, 1: separator = "", index } of matchesOf(text, pattern)) {
    // Words of one length stand beside each other in any prose; those of a token have digits.
    if (length > 1 && !/\d/.test(run)) continue;
    for (let at = index + length; at < index + run.length; at += separator.length + length)
      gaps.push({ from: at, to: at + separator.length, text: "" });
  }
  return edited(text, gaps);
}

const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}/g;
const HEX = /(?<![0-9a-z])(?:0x)?(?:[0-9a-f]{2}){8,}(?![0-9a-z])/gi;
/** Bytes with something between them: "67:68:70", "0x67, 0x68". */
const BYTES = /(?<![0-9a-z])(?:(?:0x)?[0-9a-f]{2}[ :,;\n-]{1,2}){7,}(?:0x)?[0-9a-f]{2}(?![0-9a-z])/gi;

/** Words in base64 and bytes in hex that spell text, as copies in which every character stands for the whole word. */
function decoded(text: string, { longest, token, rows }: Survey): Copy[] {
  const copies: Copy[] = [];
  const keep = (bytes: Buffer, from: number, length: number): boolean => {
    const spells = textOf(bytes);
    if (spells !== undefined) copies.push(standingFor(spells, from, from + length));
    return spells !== undefined;
  };
  for (const { 0: word, index } of token < 20 ? [] : matchesOf(text, BASE64)) {
    if (!/[A-Z]/.test(word) || !/[a-z]/.test(word)) continue;
    if (keep(Buffer.from(word, "base64"), index, word.length) || !word.includes("/")) continue;
    // Part of a path.
    for (const { 0: part, index: at } of word.matchAll(/[^/]{20,}/g))
      keep(Buffer.from(part, "base64"), index + at, part.length);
  }
  const patterns = [...(token < 16 ? [] : [HEX]), ...(longest < 23 && rows === 0 ? [] : [BYTES])];
  for (const pattern of patterns)
    for (const { 0: word, index } of matchesOf(text, pattern))
      keep(Buffer.from(word.replace(/0x|[^0-9a-f]/gi, ""), "hex"), index, word.length);
  return copies;
}

/** What bytes spell in UTF-8, or in UTF-16 where that is mostly ASCII; undefined where it is no text. */
function textOf(bytes: Buffer): string | undefined {
  if (!bytes.includes(0)) return plain(bytes.toString("utf8"));
  const wide = plain(bytes.toString("utf16le"));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what lies beyond ASCII is counted
  return wide !== undefined && wide.replace(/[^\x00-\x7f]/g, "").length > wide.length / 3 ? wide : undefined;
}

const plain = (text: string): string | undefined =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none but tabs and line ends
  text.length < 8 || /[\ufffd\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text) ? undefined : text;

/** A text made readable for detection, and where each of its characters stood. The original is what is stored. */
interface Copy {
  readonly text: string;
  /** Where in the original a part of the copy begins, and where it ends. */
  from(offset: number): number;
  to(offset: number): number;
}

const asIs = (text: string): Copy => ({ text, from: (offset) => offset, to: (offset) => offset });

/** A copy of a copy. */
const chained = (outer: Copy, inner: Copy): Copy => ({
  text: outer.text,
  from: (offset) => inner.from(outer.from(offset)),
  to: (offset) => inner.to(outer.to(offset)),
});

/** A copy in which every character stands for the same whole part of the original. */
const standingFor = (text: string, from: number, to: number): Copy => ({
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
function folded(text: string): Copy | undefined {
  if (ASCII.test(text)) return undefined;
  if (!INVISIBLE.test(text) && text.normalize("NFKC") === text) return undefined;
  return replaced(text, BEYOND, ([character]) =>
    INVISIBLE.test(character) ? "" : character.normalize("NFKC"),
  );
}

/** A token cut by a line end is put together again. */
const joined = (text: string): Copy | undefined => replaced(text, BREAK, () => "");
const BREAK = /(?<=[A-Za-z0-9_/+=.:@-])\\?\r?\n[ \t]{0,4}(?=[A-Za-z0-9_/+=.:@-])/g;

/** Part of a copy: as it stood there, or written for all of a part of the original. */
interface Piece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly isWritten: boolean;
}

/** A part of the original, and what is written in its place. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A copy with all matches of a pattern written otherwise; undefined where that changes nothing. */
function replaced(
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
function edited(text: string, edits: readonly Edit[]): Copy | undefined {
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

/** What one walk over a text finds in it: most rules need a long word, or a row of words that are alike, and most texts have none. */
export interface Survey {
  /** The longest run without blanks. */
  readonly longest: number;
  /** The longest run of the characters of base64. */
  readonly token: number;
  /** The lengths of words of which four or more stand in a row, digits among them; a bit for each up to 10. */
  readonly rows: number;
}

const IN_ROW = 4;
const WIDEST = 10;

const BLANK = 1;
const TOKEN = 2;
const DIGIT = 4;
const SORTS = new Uint8Array(128);
for (const code of [9, 10, 11, 12, 13, 32]) SORTS[code] = BLANK;
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/_-")
  SORTS[character.charCodeAt(0)] = /\d/.test(character) ? TOKEN | DIGIT : TOKEN;

function survey(text: string): Survey {
  let [longest, token, rows] = [0, 0, 0];
  let [run, tokenRun, before, row] = [0, 0, 0, 1];
  let hasDigit = false;
  let rowHasDigit = false;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32;
    const sort = code < 128 ? (SORTS[code] as number) : 0;
    if (sort & TOKEN) {
      run++;
      tokenRun++;
      if (sort & DIGIT) hasDigit = true;
      continue;
    }
    if (tokenRun > token) token = tokenRun;
    tokenRun = 0;
    if (sort !== BLANK) {
      run++;
      continue;
    }
    if (run === 0) continue;
    if (run > longest) longest = run;
    if (run === before) {
      row++;
      rowHasDigit ||= hasDigit;
      if (row >= IN_ROW && run <= WIDEST && (rowHasDigit || run === 1)) rows |= 1 << run;
    } else {
      row = 1;
      rowHasDigit = hasDigit;
      before = run;
    }
    run = 0;
    hasDigit = false;
  }
  return { longest, token, rows };
}
