import { likeness, type Rules, read, resemblance, tellsOtherThing } from "../gate/index.js";

/** Something that was found, as far as it is compared with others. */
export interface Told {
  readonly text: string;
  /** What two people say is not the same, whatever the words. */
  readonly speaker?: string;
}

/** From here on two texts are the same thing in other words; below it one of them may tell more. */
const SAME = 0.85;
/** A longer text is compared by how it begins. */
const COMPARED = 1_200;

const readingOf = ({ text }: Told) => read(text.slice(0, COMPARED));

/** Do both say the same? Numbers, names, dates and denials that differ make them different however alike they look. */
export function saysTheSame(a: Told, b: Told, rules: Rules): boolean {
  if (a.text === b.text) return a.speaker === b.speaker;
  // Long texts that begin alike may end otherwise.
  if (a.speaker !== b.speaker || Math.max(a.text.length, b.text.length) > COMPARED) return false;
  if (!looksAlike(a, b)) return false;
  const [one, other] = [readingOf(a), readingOf(b)];
  return (
    likeness(one, other, rules) !== undefined &&
    resemblance(one, other) >= SAME &&
    !tellsOtherThing(one, other) &&
    !tellsOtherThing(other, one)
  );
}

/** Below this share of letters in common not even synonyms make two texts the same; to read them would cost far more. */
const UNLIKE = 0.15;
const threes = new WeakMap<Told, ReadonlySet<string>>();

function looksAlike(a: Told, b: Told): boolean {
  const [one, other] = [threesOf(a), threesOf(b)];
  let shared = 0;
  for (const three of one) if (other.has(three)) shared++;
  return shared >= UNLIKE * (one.size + other.size - shared);
}

/** Every three letters in a row. */
function threesOf(told: Told): ReadonlySet<string> {
  const known = threes.get(told);
  if (known) return known;
  const text = told.text.toLowerCase();
  const made = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at++) made.add(text.slice(at, at + 3));
  threes.set(told, made);
  return made;
}

/** How much two texts share of what they tell, 0 to 1. */
export function overlapOf(a: Told, b: Told): number {
  const [one, other] = [readingOf(a).content, readingOf(b).content];
  let shared = 0;
  for (const stem of one.keys()) if (other.has(stem)) shared++;
  const all = one.size + other.size - shared;
  return all === 0 ? Number(a.text === b.text) : shared / all;
}

/**
 * So many of what was found, best first, each chosen for its score less what the chosen ones tell already. A diversity of 0
 * keeps the order; with 1 only what is new counts. Scores fall.
 */
export function diverse<T extends Told & { readonly score: number }>(
  found: readonly T[],
  limit: number,
  diversity: number,
): T[] {
  const [best, worst] = [found[0]?.score ?? 0, found.at(-1)?.score ?? 0];
  const left = found.map((one) => ({
    one,
    worth: best > worst ? (one.score - worst) / (best - worst) : 1,
    told: 0,
  }));
  const chosen: T[] = [];
  const gainOf = ({ worth, told }: { worth: number; told: number }): number =>
    (1 - diversity) * worth - diversity * told;
  while (chosen.length < limit && left.length > 0) {
    const next = left.reduce((most, each) => (gainOf(each) > gainOf(most) ? each : most));
    left.splice(left.indexOf(next), 1);
    chosen.push(next.one);
    for (const each of left) each.told = Math.max(each.told, overlapOf(each.one, next.one));
  }
  return chosen;
}
