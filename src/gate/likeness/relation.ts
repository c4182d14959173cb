import { differenceOf } from "./difference.js";
import { type Reading, stem } from "./reading.js";
import { similarity } from "./similarity.js";
import { CHANGE, NUMBER_WORDS } from "./vocabulary.js";

/**
 * What a new text is to an old one. `updates`: it says itself that things changed. `contradicts`: both cannot hold and
 * nothing says which is newer. `free`: neither, whether it adds something, says the same, or speaks of something else.
 */
export type Relation = "updates" | "contradicts" | "free";

export function relationOf(old: Reading, fresh: Reading): Relation {
  const { overlap, jaccard, shared } = similarity(old, fresh);
  if (shared === 0 || isAboutOthers(old, fresh)) return "free";
  const difference = differenceOf(old, fresh);
  if (difference === undefined && jaccard >= 0.6) return "free";
  if (CHANGE.test(fresh.key) && !CHANGE.test(old.key) && isAbout(old, fresh)) return "updates";
  switch (difference) {
    case "negation":
      return denies(old, fresh) ? "contradicts" : "free";
    case "opposites":
      return overlap >= 0.5 && extra(old, fresh) <= 1 && extra(fresh, old) <= 1 ? "contradicts" : "free";
    case "numbers":
      return isOtherValue(old, fresh) ? "contradicts" : "free";
    case "direction":
      return "contradicts";
    default:
      return "free";
  }
}

/** Each begins with a name of its own: what is said of Marco says nothing of Lena. */
const isAboutOthers = (old: Reading, fresh: Reading): boolean => {
  const [one, other] = [stem(old.words[0] ?? ""), stem(fresh.words[0] ?? "")];
  return old.leads && fresh.leads && !fresh.content.has(one) && !old.content.has(other);
};

/** Half of what the old text speaks of, and what it begins with, come back. */
function isAbout(old: Reading, fresh: Reading): boolean {
  const { shared } = similarity(old, fresh);
  return (
    shared / old.content.size >= 0.5 &&
    [...old.names].every((name) => fresh.content.has(name) || fresh.key.includes(name) || shared > 1)
  );
}

/** Words of one that the other has not. */
const extra = (a: Reading, b: Reading): number =>
  [...a.content].filter((word) => !b.content.has(word)).length;

/** The same thing said and denied; where both add a circumstance of their own, both may hold. */
function denies(old: Reading, fresh: Reading): boolean {
  const { overlap, jaccard } = similarity(old, fresh);
  if (overlap < 0.6) return false;
  return jaccard >= 0.6 || Math.min(extra(old, fresh), extra(fresh, old)) === 0;
}

/** One statement about a state with another value in it. "Fact 1" and "fact 2" are two things, not two values. */
function isOtherValue(old: Reading, fresh: Reading): boolean {
  const [a, b] = [template(old), template(fresh)];
  if (a.join(" ") !== b.join(" ")) return false;
  const verb = a.findIndex((word) => STATES.has(word));
  return verb >= 0 && a.indexOf(VALUE) > verb;
}
const VALUE = "#";
const template = ({ words }: Reading): string[] =>
  words.map((word) => (/^[#$€£]?\d/.test(word) || NUMBER_WORDS.has(word) ? VALUE : stem(word)));
const STATES = new Set(
  "is are has have was costs takes lasts weighs measures equals listens runs expires ends starts begins kept limited set needs requires allows contains holds"
    .split(" ")
    .flatMap((word) => [word, stem(word)]),
);
