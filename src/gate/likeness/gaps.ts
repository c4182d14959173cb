import { areSameKin } from "./kin.js";
import type { Reading } from "./reading.js";

/** Where two texts part between words that they share: what the one has there, and the other. */
export interface Gap {
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/**
 * The places in which one text says something that the other does not, found by laying the words that carry meaning side by side.
 * A word that only moved is in no gap.
 */
export function gapsBetween(ours: Reading, theirs: Reading): Gap[] {
  const [a, b] = [telling(ours), telling(theirs)];
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] =
        a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const gaps: Gap[] = [];
  let [i, j] = [0, 0];
  let [left, right]: [string[], string[]] = [[], []];
  const close = () => {
    if (left.length + right.length > 0) gaps.push({ ours: left, theirs: right });
    [left, right] = [[], []];
  };
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      close();
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      const word = a[i++]!;
      if (!theirs.content.has(word)) left.push(word);
    } else {
      const word = b[j++]!;
      if (!ours.content.has(word)) right.push(word);
    }
  }
  close();
  return gaps;
}

/** Verbs that only hold a sentence together, and words that say that it holds at the time of saying it. */
const LIGHT = new Set("get hap now nowaday current jetzt ahora maintenant 现在 现 在".split(" "));
const telling = ({ stems, content }: Reading): string[] =>
  stems.filter((stem) => content.has(stem) && !LIGHT.has(stem));

/** So many words more may still be another wording. */
const FEW = 2;

/**
 * Does a text that looks like another one tell something of its own? Another thing in the same place, or a condition, a
 * time, a place or any other word besides. Whether two words mean one thing is nothing that words tell: then both are kept.
 */
export const tellsItsOwn = (known: Reading, fresh: Reading): boolean =>
  differsInSmallWords(known, fresh) || tellsOtherThing(known, fresh);

/** The same of what the telling words say, whatever the time, direction or person. */
export function tellsOtherThing(known: Reading, fresh: Reading): boolean {
  const gaps = gapsBetween(known, fresh);
  if (gaps.some(({ ours, theirs }) => ours.length > 0 && theirs.length > 0 && !isOneThing({ ours, theirs })))
    return true;
  const besides = gaps.filter(({ ours, theirs }) => ours.length === 0 || theirs.length === 0);
  if (gaps.length === 1 && besides.length === 1) return isBesides(besides[0]!, known);
  const more = besides.flatMap(({ theirs }) => theirs);
  return more.length > FEW || more.some((word) => isCircumstance(word, fresh, known));
}

/** One word more or less makes another statement; but a place or product that is left out is only less of the same. */
const isBesides = ({ ours, theirs }: Gap, { names, stems, words }: Reading): boolean =>
  theirs.length > 0 ||
  !ours.every((word) => names.has(word) && /^(?:in|at)$/.test(words[stems.indexOf(word) - 1] ?? ""));

/** Small words that say who, when, which way, how many, or whether it must be: each row is one of a kind. */
const SMALL_WORDS = `
is are am has have does do|was were had did been|will would shall
must should|may might can could
all each both|some any most|other another
to into onto|from off out
up|down
i me my mine|you your yours|he him his|she her hers|we us our ours|they them their theirs`
  .trim()
  .split("\n")
  .map((row) => row.split("|").map((side) => new Set(side.split(" "))));

/** Do the small words of the two put the same thing into another time, direction, number or person? */
const differsInSmallWords = (one: Reading, other: Reading): boolean =>
  SMALL_WORDS.some((sides) => {
    const [left, right] = [one, other].map(({ words }) =>
      sides.filter((side) => words.some((word) => side.has(word))),
    );
    return left!.length > 0 && right!.length > 0 && !left!.some((side) => right!.includes(side));
  });

const isOneThing = ({ ours, theirs }: Gap): boolean =>
  areSameKin(ours, theirs) || (ours.length === 1 && theirs.length === 1 && areAnybody(ours[0]!, theirs[0]!));

const areAnybody = (one: string, other: string): boolean =>
  (ANYBODY.has(one) && SOMEBODY.has(other)) || (ANYBODY.has(other) && SOMEBODY.has(one));
const ANYBODY = new Set(["person", "peopl", "somebod", "someon"]);
const SOMEBODY = new Set("man men woman women boy girl child somebod someon person".split(" "));

/** "in summer", "when it rains", "for guests": a small word says that what follows is where, when or for whom it holds. */
function isCircumstance(word: string, { stems, words, content }: Reading, known: Reading): boolean {
  const place = stems.indexOf(word);
  const next = stems[place + 1];
  const isShared = (stem: string) => content.has(stem) && known.content.has(stem);
  if (next !== undefined && isShared(next)) return false;
  let at = place - 1;
  while (at >= 0 && !isShared(stems[at]!) && !LEADS_IN.has(words[at]!)) at--;
  return at >= 0 && LEADS_IN.has(words[at]!);
}
const LEADS_IN = new Set(
  `in on at when if while for with during after before since unless until without near under over by wenn falls bei beim im am
  auf für mit ohne nach vor seit während dans en à au chez quand lorsque pour avec sans avant après depuis cuando si para con
  sin desde durante 在`.split(/\s+/),
);
