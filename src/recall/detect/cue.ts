/** The layers of memory in the order in which they are asked. */
export type LayerName = "L0" | "L1" | "L2" | "L3" | "L4" | "L5";

/** One sign that a prompt asks for something remembered, or that it does not. */
export interface Cue {
  readonly name: string;
  readonly says: RegExp;
  /** Whether it looks at the prompt as it is written, or in small letters. */
  readonly isCased: boolean;
  readonly points: number;
  /** Counts in questions only. */
  readonly asked?: true;
  /** Beside L1, a layer that is likely to know. */
  readonly layer?: LayerName;
}

type Row = readonly [name: string, points: number, says: RegExp, more?: Pick<Cue, "asked" | "layer">];

/**
 * Rows of `[name, points, pattern]`: a table of cues reads better without its keys. It is made when it is asked for:
 * hundreds of patterns cost every start milliseconds.
 */
export function cues(rows: () => readonly Row[]): () => readonly Cue[] {
  let made: readonly Cue[] | undefined;
  return () =>
    (made ??= rows().map(([name, points, says, more]) => ({ name, points, ...folded(says), ...more })));
}

/** A prompt in small letters is had once; a pattern that takes either case takes several times as long to compile. */
function folded(says: RegExp): Pick<Cue, "says" | "isCased"> {
  if (!says.ignoreCase) return { says, isCased: true };
  return { says: new RegExp(says.source, says.flags.replace("i", "")), isCased: false };
}
