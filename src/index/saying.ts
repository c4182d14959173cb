import { folded } from "../language/index.js";
import { tableSize } from "./strings.js";

/** The number of a text that is not compared word for word. */
export const NO_SAYING = 0;

/**
 * A number made of the words of a text in their order, without case, accents and signs. Two texts seldom have the
 * same one by chance; a caller that finds a text by it still compares the two.
 */
export function sayingOf(text: string): number {
  let hash = START;
  let isNextWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return sayingOfAny(text);
    const sign = WORD_SIGNS[code]!;
    if (sign === 0) isNextWord = hash !== START;
    else {
      hash = mixed(isNextWord ? mixed(hash, BLANK) : hash, sign);
      isNextWord = false;
    }
  }
  return hash === START ? sayingOfAny(text) : said(hash);
}

/** The same for any text, in five times the time; one without words is its signs. */
function sayingOfAny(text: string): number {
  const words = folded(text).replace(BETWEEN_WORDS, " ").trim() || text;
  let hash = START;
  for (let at = 0; at < words.length; at++) hash = mixed(hash, words.charCodeAt(at));
  return said(hash);
}

/** FNV-1a. */
const START = 0x811c9dc5 | 0;
const mixed = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
const said = (hash: number): number => (hash ^ (hash >>> 15)) >>> 0 || 1;

const BLANK = " ".charCodeAt(0);
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;
/** Of each sign of ASCII: what stands for it in a word, 0 where it is not part of one. */
const WORD_SIGNS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(sign) ? sign.charCodeAt(0) : 0;
});

/** Who says what: the first memory of each chain, and the next one of the same, as 1 + their number, 0 where it ends. */
export interface SayingChains {
  readonly sayingTable: Uint32Array;
  readonly sayingNext: Uint32Array;
}

/** Chains, because any number of memories may say the same. */
export function chainsOf(saying: Uint32Array): SayingChains {
  const sayingTable = new Uint32Array(tableSize(saying.length / 2));
  const sayingNext = new Uint32Array(saying.length);
  const mask = sayingTable.length - 1;
  for (let doc = saying.length - 1; doc >= 0; doc--) {
    if (saying[doc] === NO_SAYING) continue;
    const chain = saying[doc]! & mask;
    sayingNext[doc] = sayingTable[chain]!;
    sayingTable[chain] = doc + 1;
  }
  return { sayingTable, sayingNext };
}

export function* whoSays(
  { saying, sayingTable, sayingNext }: SayingChains & { readonly saying: Uint32Array },
  wanted: number,
): Generator<number> {
  for (let next = sayingTable[wanted & (sayingTable.length - 1)]!; next > 0; next = sayingNext[next - 1]!)
    if (saying[next - 1] === wanted) yield next - 1;
}
