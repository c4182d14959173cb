import { likeness, type Rules, read, resemblance, tellsOtherThing } from "../gate/index.js";

/** Something that was found, as far as it is compared with others. */
export interface Statement {
  readonly text: string;
  /** What two people say is not the same, whatever the words. */
  readonly speaker?: string;
}

/** From here on two texts are the same thing in other words; below it one of them may tell more. */
const SAME = 0.85;
/** A longer text is compared by how it begins. */
const COMPARED = 1_200;

const readingOf = ({ text }: Statement) => read(text.slice(0, COMPARED));

/** Do both say the same? Numbers, names, dates and denials that differ make them different however alike they look. */
export function saysTheSame(a: Statement, b: Statement, rules: Rules): boolean {
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
const threes = new WeakMap<Statement, ReadonlySet<string>>();

function looksAlike(a: Statement, b: Statement): boolean {
  const [one, other] = [threesOf(a), threesOf(b)];
  let shared = 0;
  for (const three of one) if (other.has(three)) shared++;
  return shared >= UNLIKE * (one.size + other.size - shared);
}

/** Every three letters in a row. */
function threesOf(statement: Statement): ReadonlySet<string> {
  const known = threes.get(statement);
  if (known) return known;
  const text = statement.text.toLowerCase();
  const made = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at++) made.add(text.slice(at, at + 3));
  threes.set(statement, made);
  return made;
}

/** How much two texts share of what they say, 0 to 1. */
export function overlapOf(a: Statement, b: Statement): number {
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
export function diverse<T extends Statement & { readonly score: number }>(
  found: readonly T[],
  limit: number,
  diversity: number,
): T[] {
  const [best, worst] = [found[0]?.score ?? 0, found.at(-1)?.score ?? 0];
  const left = found.map((one) => ({
    one,
    worth: best > worst ? (one.score - worst) / (best - worst) : 1,
    shared: 0,
  }));
  const chosen: T[] = [];
  const gainOf = ({ worth, shared }: { worth: number; shared: number }): number =>
    (1 - diversity) * worth - diversity * shared;
  while (chosen.length < limit && left.length > 0) {
    const next = left.reduce((most, each) => (gainOf(each) > gainOf(most) ? each : most));
    left.splice(left.indexOf(next), 1);
    chosen.push(next.one);
    for (const each of left) each.shared = Math.max(each.shared, overlapOf(each.one, next.one));
  }
  return chosen;
}
