/** The layers of memory in the order in which they are asked. */
export type LayerName = "L0" | "L1" | "L2" | "L3" | "L4" | "L5";

/** A prompt as cues look at it. */
export interface Said {
  readonly text: string;
  /** In small letters: a pattern that takes either case takes several times as long to compile. */
  readonly small: string;
  readonly words: readonly string[];
}

export const said = (text: string): Said => {
  const small = text.toLowerCase();
  return { text, small, words: small.split(BETWEEN).filter((word) => word !== "") };
};
const BETWEEN = /[^\p{L}\p{N}_]+/u;

/** One sign that a prompt asks for something remembered, or that it does not. */
export interface Cue {
  readonly name: string;
  readonly points: number;
  readonly isIn: (said: Said) => boolean;
  /** Counts in questions only. */
  readonly asked?: true;
  /** Counts in what is no question only. */
  readonly told?: true;
  /** Beside L1, a layer that is likely to know. */
  readonly layer?: LayerName;
}

interface More extends Pick<Cue, "asked" | "told" | "layer"> {
  /** The phrase begins the prompt; polite words may stand before it. */
  readonly begins?: true;
  /** A small pattern without which the other is not looked for. */
  readonly first?: RegExp;
  /** Must be found too. It reads small letters, unless it is to read the prompt as it is written. */
  readonly says?: RegExp;
  readonly cased?: true;
}

type Row = readonly [name: string, points: number, phrases: string, more?: More];

/**
 * Rows of `[name, points, phrases]`: a table of cues reads better without its keys. Phrases are parted by `;`, their words
 * by spaces, words that may stand in one place by `|`, and `prefer*` is any word that begins so; without phrases the
 * pattern decides. A pattern is compiled when a phrase was found: all of them cost every prompt of a host 30 ms.
 */
export function cues(rows: () => readonly Row[]): () => readonly Cue[] {
  let made: readonly Cue[] | undefined;
  return () => (made ??= rows().map(cueOf));
}

function cueOf([name, points, phrases, { begins, first, says, cased, ...more } = {}]: Row): Cue {
  return {
    name,
    points,
    isIn: ({ words, text, small }) =>
      (phrases === "" || phrases.split(";").some((phrase) => isPhraseIn(phrase, words, begins))) &&
      (first === undefined || first.test(small)) &&
      (says === undefined || says.test(cased ? text : small)),
    ...more,
  };
}

const POLITE = new Set(
  "please now then also and can could would you let s bitte jetzt kannst könntest du il te plaît peux pouvez tu vous por favor ahora puedes".split(
    " ",
  ),
);

function isPhraseIn(phrase: string, words: readonly string[], begins?: true): boolean {
  const places = phrase
    .trim()
    .split(" ")
    .map((place) => place.split("|"));
  const last = words.length - places.length;
  for (let at = 0; at <= last; at++) {
    if (places.every((choice, next) => isOneOf(choice, words[at + next]!))) return true;
    if (begins && !POLITE.has(words[at]!)) return false;
  }
  return false;
}

const isOneOf = (choice: readonly string[], word: string): boolean =>
  choice.some((one) => (one.endsWith("*") ? word.startsWith(one.slice(0, -1)) : one === word));
