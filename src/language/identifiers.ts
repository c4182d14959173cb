/** Where a name of the technical world is cut, coarse to fine: a path or address, then its words, then humps. */
const COARSE = /[/\\@:]/;
const FINE = /[._+-]/;
const HUMPS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}|\p{N}+|[\p{L}\p{M}]+/gu;
const VERSION = /^[vV](?=\d)/;

export interface Part {
  readonly text: string;
  readonly start: number;
  /** A whole name is kept as it is written; only its last parts are words of a language. */
  readonly whole: boolean;
}

/** `src/auth/login.ts` gives itself, `login.ts`, and the words src, auth, login, ts. */
export function partsOf(name: string): Part[] {
  const parts: Part[] = [];
  const seen = new Set<string>();
  const add = (text: string, start: number, whole: boolean): void => {
    const key = `${start} ${text.length}`;
    if (text === "" || seen.has(key)) return;
    seen.add(key);
    parts.push({ text, start, whole });
  };
  const hash = name.startsWith("#") ? 1 : 0;
  const bare = name.slice(hash);
  const compound = COARSE.test(bare) || FINE.test(bare);
  if (hash > 0 || compound) add(name, 0, true);
  if (hash > 0 && compound) add(bare, hash, true);
  for (const segment of cut(bare, COARSE, hash)) {
    const fine = cut(segment.text, FINE, segment.start);
    if (fine.length > 1) add(segment.text, segment.start, true);
    if (VERSION.test(segment.text)) add(segment.text.slice(1), segment.start + 1, true);
    for (const word of fine) {
      const humps = [...word.text.matchAll(HUMPS)];
      const cased = humps.length > 1 && humps.some(({ 0: hump }) => hump.length > 1);
      add(word.text, word.start, cased);
      if (cased) for (const hump of humps) add(hump[0], word.start + hump.index, false);
    }
  }
  return parts;
}

function cut(text: string, separator: RegExp, start: number): { text: string; start: number }[] {
  const pieces: { text: string; start: number }[] = [];
  let at = start;
  for (const piece of text.split(separator)) {
    if (piece !== "") pieces.push({ text: piece, start: at });
    at += piece.length + 1;
  }
  return pieces;
}
