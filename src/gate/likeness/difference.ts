import { areOtherKin } from "./kin.js";
import type { Reading } from "./reading.js";
import { CHANGE, OPPOSITES } from "./vocabulary.js";

/** Why two texts that look alike do not say the same. */
export type Difference =
  | "numbers"
  | "negation"
  | "opposites"
  | "dates"
  | "paths"
  | "names"
  | "direction"
  | "object"
  | "change";

/** The first difference that matters, or undefined when there is none to be seen. */
export function differenceOf(a: Reading, b: Reading): Difference | undefined {
  if (a.key === b.key) return undefined;
  if (!hasSameNumbers(a, b)) return "numbers";
  if (a.negations % 2 !== b.negations % 2) return "negation";
  if (hasOpposites(a, b)) return "opposites";
  if (!isSameSet(a.dates, b.dates)) return "dates";
  if (!isSameSet(a.paths, b.paths)) return "paths";
  // "Fact 1 of client 2" and "Fact 2 of client 1".
  if (a.numbers.size === b.numbers.size && [...a.numbers].join() !== [...b.numbers].join()) return "object";
  if (differsInNames(a, b) || (isAboutOthers(a, b) && goesOnAlike(a, b))) return "names";
  const reversed = reversalOf(a, b);
  if (reversed) return reversed;
  if (isSubstitution(a, b)) return "object";
  return CHANGE.test(a.key) !== CHANGE.test(b.key) ? "change" : undefined;
}

/** One sentence with one thing exchanged: "likes jazz" and "likes techno". */
function isSubstitution(a: Reading, b: Reading): boolean {
  const [one, other] = [a.stems, b.stems];
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  while (head < shorter && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < shorter - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const rest = (words: readonly string[], content: ReadonlyMap<string, string>) =>
    words.slice(head, words.length - tail).filter((word) => content.has(word));
  const [left, right] = [rest(one, a.content), rest(other, b.content)];
  if (left.length === 0 || right.length === 0 || left.length > 2 || right.length > 2) return false;
  if (head + tail < shorter / 2 || left.some((word) => right.includes(word))) return false;
  if (tail === 0 || areOtherKin(left, right)) return true;
  return isGoverned(a.words, head) || isSaidOfName(a, b, head) || isSubject(a, b, head);
}

/** "My mother is …" and "My father is …": what is said first, of things that both know, is what the sentence is about. */
const isSubject = (a: Reading, b: Reading, at: number): boolean =>
  at <= 1 && [a, b].every(({ words }) => KNOWN.has(words[0] ?? ""));

/** Not "a": what is said of a man may be said of a person. */
const KNOWN = new Set(
  `the my your his her its our their der die das mein meine dein deine sein seine ihr ihre unser unsere le la les mon ma mes
  ton ta tes son sa ses notre nos leur leurs el los las mi mis tu tus su sus nuestro nuestra nuestros nuestras`.split(
    /\s+/,
  ),
);

/** What comes first after a name is what is said of it: "Ida reads novels" and "Ida writes novels". */
const isSaidOfName = (a: Reading, b: Reading, at: number): boolean =>
  a.leads && b.leads && a.stems.slice(1, at).every((word) => !a.content.has(word));

/** "has a sister", "has my sister": a small word may stand between. */
function isGoverned(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? "";
  return GOVERNS.has(before) || (DETERMINES.has(before) && GOVERNS.has(words[at - 2] ?? ""));
}
const DETERMINES = new Set("a an the my your his her its our their".split(" "));

/** After these words comes the thing a sentence is about; anywhere else another word may be just another wording. */
const GOVERNS = new Set(
  `use uses like likes love loves prefer prefers hate hates play plays own owns have has want wants need needs drive drives
  speak speaks drink drinks eat eats know knows run runs wear wears study studies teach teaches maintain maintains support
  supports require requires contain contains read reads write writes visit visited buy bought in on at of for with from`.split(
    /\s+/,
  ),
);

/** "One" may be a number or just a word: it agrees with 1 and with none. */
export function hasSameNumbers(a: Reading, b: Reading): boolean {
  if (isSameSet(a.numbers, b.numbers)) return true;
  const lacks = (one: Reading, other: Reading) =>
    [...one.numbers].some(
      (number) => !other.numbers.has(number) && !(number === "1" && other.words.includes("one")),
    );
  return !lacks(a, b) && !lacks(b, a);
}

const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((value) => b.has(value));

/** Each has a name that the other has not: two persons, two regions, two products. */
const differsInNames = (a: Reading, b: Reading): boolean => namesBeyond(a, b) && namesBeyond(b, a);

/** Does it name somebody or something that the other does not? */
export const namesBeyond = ({ names }: Reading, other: Reading): boolean =>
  [...names].some((name) => !other.stems.includes(name) && !other.content.has(name) && !isAkin(name, other));

/** Each begins with a name of its own: what is said of Marco says nothing of Lena. */
export const isAboutOthers = (a: Reading, b: Reading): boolean => {
  const [one, other] = [a.stems[0] ?? "", b.stems[0] ?? ""];
  return a.leads && b.leads && one !== other && !b.content.has(one) && !a.content.has(other);
};

/** After another first word the same follows, so that it is a name that was exchanged and not the wording. */
const goesOnAlike = (a: Reading, b: Reading): boolean => a.stems[1] === b.stems[1];

/** Part of a longer word there, or the people of a country there: "Mexican" and "Mexico". */
const isAkin = (name: string, { words }: Reading): boolean =>
  name.length > 3 &&
  words.some((word) => word.includes(name) || (root(word).length > 3 && root(word) === root(name)));
const root = (word: string): string =>
  word.replace(/(?<=n)s$/, "").replace(/(?:ian|ean|an|ese|ish|ia|o|a|n|y|e|i)$/, "");

/** One side has "enabled" where the other has "disabled". */
export function hasOpposites(a: Reading, b: Reading): boolean {
  const [left, right] = [only(a, b), only(b, a)];
  if (left.length === 0 || right.length === 0) return false;
  for (let at = 0; at + 1 < OPPOSITES.length; at += 2) {
    const [one, other] = [OPPOSITES[at], OPPOSITES[at + 1]] as [ReadonlySet<string>, ReadonlySet<string>];
    const has = (words: readonly string[], side: ReadonlySet<string>) => words.some((word) => side.has(word));
    const turns = (from: ReadonlySet<string>, to: ReadonlySet<string>) =>
      has(left, from) && has(right, to) && !has(a.words, to) && !has(b.words, from);
    if (turns(one, other) || turns(other, one)) return true;
  }
  return false;
}
const only = (a: Reading, b: Reading): string[] => a.words.filter((word) => !b.words.includes(word));

/** What stands on either side of a relation stands on the other: "tea to coffee" and "coffee to tea". */
const isTurnedRound = (a: Reading, b: Reading): boolean =>
  RELATIONS.some((relation) => {
    const [one, other] = [around(a, relation), around(b, relation)];
    return one !== undefined && other !== undefined && one[0] === other[1] && one[1] === other[0];
  });

/**
 * What stands between two words that have changed places where nothing else has: "A calls B" and "B calls A". Undefined
 * where that is all the same, as in a list.
 */
function exchangedAround(a: Reading, b: Reading): readonly string[] | undefined {
  if (a.stems.length !== b.stems.length) return undefined;
  const moved = [...a.stems.keys()].filter((at) => a.stems[at] !== b.stems[at]);
  const [from, to] = moved as [number, number];
  if (moved.length !== 2 || a.stems[from] !== b.stems[to] || a.stems[to] !== b.stems[from]) return undefined;
  const between = a.words.slice(from + 1, to);
  const isList = between.length === 0 || (between.length < 3 && between.some((word) => JOINS.has(word)));
  return isList ? undefined : between;
}
const JOINS = new Set("and or und oder et ou y o".split(" "));

/** The same words put together otherwise, so that they tell otherwise; whether both can hold depends on the words. */
function reversalOf(a: Reading, b: Reading): "direction" | "object" | undefined {
  if (a.words.some((word) => MUTUAL.has(word))) return undefined;
  const between = exchangedAround(a, b);
  if (isTurnedRound(a, b) || between?.some((word) => RELATIONS.includes(word))) return "direction";
  return between && "object";
}
/** Holds either way round. */
const MUTUAL = new Set(
  "married engaged related similar equal equals same identical adjacent next connected equivalent verheiratet gleich".split(
    " ",
  ),
);

const RELATIONS = [
  "to",
  "from",
  "than",
  "into",
  "over",
  "before",
  "after",
  "by",
  "reports",
  "not",
  "instead",
  "rather",
  "als",
  "nach",
  "que",
  "vor",
];

/** The meaningful words next to a relation. */
function around({ words, stems, content }: Reading, relation: string): readonly [string, string] | undefined {
  const at = words.indexOf(relation);
  if (at < 1) return undefined;
  const left = stems.slice(0, at).findLast((stem) => content.has(stem));
  const right = stems.slice(at + 1).find((stem) => content.has(stem));
  return left !== undefined && right !== undefined && left !== right ? [left, right] : undefined;
}

/** Much more than the other: a page that speaks of many things says nothing else of one of them. */
const MUCH_MORE = 3;

/**
 * Each names what the other does not where it speaks of the same: another number, day, person or file. Whatever they share,
 * neither rests on the other.
 */
export function tellsAnother(a: Reading, b: Reading): boolean {
  const [less, more] = [a.content.size, b.content.size].sort((one, other) => one - other) as [number, number];
  if (more > MUCH_MORE * less) return false;
  const isExchanged = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
    [...one].some((value) => !other.has(value)) && [...other].some((value) => !one.has(value));
  return (
    (!hasSameNumbers(a, b) && isExchanged(a.numbers, b.numbers)) ||
    isExchanged(a.dates, b.dates) ||
    isExchanged(a.paths, b.paths) ||
    differsInNames(a, b) ||
    (isAboutOthers(a, b) && goesOnAlike(a, b))
  );
}
