import { isBlank } from "../core/base/index.js";

/** Characters of a piece: short enough to lie on one page of a file, long enough to be nobody else's by chance. */
const PIECE = 32;
const LEAST = 8;

/** A part of a text, and how it may be spelt in a file. */
export interface Piece {
  readonly text: string;
  readonly spellings: readonly Buffer[];
}

/** Fewer bytes than these stand in hashes and vectors by chance. */
export const LEAST_WORD = 6;

/** What was asked for is looked for where it is shorter too. */
export function piecesOfWords(words: Iterable<string>): Piece[] {
  return [...new Set(words)].flatMap((text) =>
    text.length >= LEAST || isBlank(text)
      ? piecesOf([text])
      : [{ text, spellings: spell(text, LEAST_WORD) }].filter(({ spellings }) => spellings.length > 0),
  );
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
function spell(text: string, least = LEAST): Buffer[] {
  const plain = Buffer.from(text);
  const quoted = Buffer.from(JSON.stringify(text).slice(1, -1));
  const written = quoted.equals(plain) ? [plain] : [plain, quoted];
  const coded = [Buffer.from(text, "utf16le"), ...[0, 1, 2].map((phase) => insideBase64(plain, phase))];
  return [
    ...written.filter(({ length }) => length >= least),
    ...coded.filter(({ length }) => length >= LEAST),
  ];
}

/** The characters of base64 that follow from these bytes alone, when so many others come before them. */
function insideBase64(bytes: Buffer, before: number): Buffer {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const isCut = (before + bytes.length) % 3 !== 0;
  return Buffer.from(encoded.slice(before === 0 ? 0 : before + 1, isCut ? -1 : undefined));
}
