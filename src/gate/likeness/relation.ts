import { differenceOf, isAboutOthers } from "./difference.js";
import type { Reading } from "./reading.js";
import { similarity, type Weight } from "./similarity.js";
import { CHANGE, NUMBER_WORDS } from "./vocabulary.js";

/**
 * What a new text is to an old one. `updates`: it says itself that things changed. `contradicts`: both cannot hold and
 * nothing says which is newer. `free`: neither, whether it adds something, says the same, or speaks of something else.
 */
export type Relation = "updates" | "contradicts" | "free";

export function relationOf(old: Reading, fresh: Reading, weightOf?: Weight): Relation {
  if (isAboutOthers(old, fresh)) return "free";
  const difference = differenceOf(old, fresh);
  const isChange = CHANGE.test(fresh.key) && !CHANGE.test(old.key);
  if (difference === "numbers" && !isChange) return isOtherValue(old, fresh) ? "contradicts" : "free";
  const { overlap, jaccard, shared } = similarity(old, fresh, weightOf);
  if (shared === 0 || (difference === undefined && jaccard >= 0.6)) return "free";
  if (isChange && isAbout(old, fresh, weightOf)) return "updates";
  switch (difference) {
    case "negation":
      return denies(old, fresh, weightOf) ? "contradicts" : "free";
    case "opposites":
      return overlap >= 0.5 && extra(old, fresh) <= 1 && extra(fresh, old) <= 1 ? "contradicts" : "free";
    case "numbers":
      return isOtherValue(old, fresh) ? "contradicts" : "free";
    case "direction":
      return jaccard >= 0.75 ? "contradicts" : "free";
    default:
      return "free";
  }
}

/**
 * At least half of what the old text says comes back, with everybody it names and every number in it. A long text that
 * merely touches a short one is about something else.
 */
function isAbout(old: Reading, fresh: Reading, weightOf: Weight = () => 1): boolean {
  let [back, all] = [0, 0];
  for (const [word, form] of old.content) {
    all += weightOf(word, form);
    if (fresh.content.has(word)) back += weightOf(word, form);
  }
  if (back < all / 2 || fresh.content.size > 3 * old.content.size) return false;
  return (
    [...old.names].every((name) => fresh.content.has(name) || fresh.key.includes(name)) &&
    [...old.numbers].every((number) => fresh.numbers.has(number)) &&
    [...old.paths].every((path) => fresh.paths.has(path))
  );
}

/** Words of one that the other has not. */
const extra = (a: Reading, b: Reading): number =>
  [...a.content.keys()].filter((word) => !b.content.has(word)).length;

/** The same thing said and denied; where both add a circumstance of their own, both may hold. */
function denies(old: Reading, fresh: Reading, weightOf: Weight | undefined): boolean {
  const { jaccard, shared } = similarity(old, fresh, weightOf);
  const isWhole = Math.min(extra(old, fresh), extra(fresh, old)) === 0;
  return shared >= 2 && jaccard >= (isWhole ? 0.6 : 0.7);
}

/** One statement about a state with another value in it. "Fact 1" and "fact 2" are two things, not two values. */
function isOtherValue(old: Reading, fresh: Reading): boolean {
  const [a, b] = [template(old), template(fresh)];
  if (a.join(" ") !== b.join(" ") || a.indexOf(VALUE) !== a.lastIndexOf(VALUE)) return false;
  const verb = old.words.findIndex((word) => STATES.has(word));
  return verb >= 0 && a.indexOf(VALUE) > verb;
}
const VALUE = "#";
const template = ({ words }: Reading): string[] =>
  words.map((word) => (/^[#$€£]?\d/.test(word) || NUMBER_WORDS.has(word) ? VALUE : word));
const STATES = new Set(
  "is are has have costs takes lasts weighs measures equals listens runs expires ends starts begins kept limited set needs requires allows contains holds".split(
    " ",
  ),
);
