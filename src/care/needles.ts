import { isBlank } from "../base/index.js";

/** Characters of a piece: short enough to lie on one page of a file, long enough to be nobody else's by chance. */
const PIECE = 32;
const LEAST = 8;

/** A part of a text, and how it may be spelt in a file. */
export interface Piece {
  readonly text: string;
  readonly spellings: readonly Buffer[];
}

/** Texts are searched for in pieces, because files cut long ones where a page ends. Very short ones and blanks mean nothing. */
export function piecesOf(texts: Iterable<string>): Piece[] {
  const pieces = new Map<string, Piece>();
  for (const text of texts)
    for (const part of cut(text))
      if (!isBlank(part) && !pieces.has(part)) pieces.set(part, { text: part, spellings: spell(part) });
  return [...pieces.values()];
}

function* cut(text: string): Generator<string> {
  if (text.length < LEAST) return;
  for (let at = 0; at + PIECE < text.length; at += PIECE) yield text.slice(at, at + PIECE).toWellFormed();
  yield text.slice(-PIECE).toWellFormed();
}

/** As UTF-8, as UTF-8 inside JSON, as UTF-16, and inside base64 at each of its three phases. */
function spell(text: string): Buffer[] {
  const plain = Buffer.from(text);
  const quoted = Buffer.from(JSON.stringify(text).slice(1, -1));
  const spellings: Buffer[] = [plain, Buffer.from(text, "utf16le")];
  if (!quoted.equals(plain)) spellings.push(quoted);
  for (const phase of [0, 1, 2]) spellings.push(insideBase64(plain, phase));
  return spellings.filter(({ length }) => length >= LEAST);
}

/** The characters of base64 that follow from these bytes alone, when so many others come before them. */
function insideBase64(bytes: Buffer, before: number): Buffer {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const isCut = (before + bytes.length) % 3 !== 0;
  return Buffer.from(encoded.slice(before === 0 ? 0 : before + 1, isCut ? -1 : undefined));
}
