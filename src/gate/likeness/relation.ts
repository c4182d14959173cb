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

/**
 * Does a text say that what another one says has ended, and name the whole of it? Then both speak of the same subject,
 * relation and value, and the later takes the place of the earlier. Words that are only alike never say so: a text is laid
 * on the other letter by letter, without the few words that end it. What is not certain does not count.
 */
export function endsExactly(old: string, fresh: string): boolean {
  if (old.length > LONGEST || fresh.length > LONGEST) return false;
  const [before, after] = [plain(old), plain(fresh)];
  if (after.includes("?") || speaksOfAnyone(before) || speaksOfAnyone(after)) return false;
  return ended(after).includes(before) || isReplaced(before, after) || isMoved(before, after);
}

/** Three times as long as a belief may be by default; the patterns below read a text more than once. */
const LONGEST = 3_600;

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[‘’‚′`]/g, "'")
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/(?<![\s.!。！])[\s.!。！]+$/u, "");

/** "He", "her dog": who that is does not stand in the text, and may be two people in two texts. */
const speaksOfAnyone = (text: string): boolean => ANYONE.test(text);
const ANYONE =
  /^es |(?<![\p{L}\p{N}'])(?:he|she|it|they|him|her|his|hers|its|their|theirs|them|this|that|these|those|here|there|er|sie|ihr|ihre|sein|seine|dies|diese|dieser|dieses|hier|dort|il|elle|ils|elles|ce|cet|cette|ces|ici|él|ella|ellos|ellas|este|esta|esto|ese|esa|eso|aquí|allí)(?![\p{L}\p{N}])|[他她它这那]/iu;

/** What a text says has ended, without the words that end it. */
function ended(text: string): string[] {
  const found: string[] = [];
  for (const [pattern, put] of ENDINGS) {
    const rest = text.replace(pattern, put);
    if (rest !== text) found.push(rest, ...thirdPersons(text, pattern));
  }
  return found;
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ no longer(?= )/u, ""],
  [/ not (.+) any ?more$/u, " $1"],
  [/ (?:do not|don't) (.+) any ?more$/u, " $1"],
  [/ (?:does not|doesn't) (.+) any ?more$/u, " $1"],
  [/ nicht mehr(?= |$)/u, ""],
  [/ ya no(?= )/u, ""],
  [/ (?:ne |n')(\S+) plus(?= |$)/u, " $1"],
  [/不再/u, ""],
];

/** "Does not play any more" ends what "plays" says. */
function thirdPersons(text: string, pattern: RegExp): string[] {
  if (!pattern.source.includes("does not")) return [];
  return ["s", "es"].map((ending) =>
    text.replace(pattern, (_, said: string) => ` ${said.replace(/^\S+/u, (verb) => verb + ending)}`),
  );
}

/** "Now plays from tablets instead of paper scores" and "plays from paper scores". */
function isReplaced(old: string, fresh: string): boolean {
  const parts = fresh.split(" instead of ");
  if (parts.length !== 2 || !/ now /u.test(parts[0]!)) return false;
  const [put, taken] = [parts[0]!.replace(" now ", " "), parts[1]!];
  if (!old.endsWith(` ${taken}`)) return false;
  const head = old.slice(0, -taken.length);
  return head.includes(" ") && put.startsWith(head) && isOneThing(put.slice(head.length));
}

/** "The bakery moved from Elm Street to the square" and "The bakery is in Elm Street". */
function isMoved(old: string, fresh: string): boolean {
  const [, who, from, to] = /^(.+?) (?:has |have )?(?:moved|relocated) from (.+) to (.+)$/u.exec(fresh) ?? [];
  if (who === undefined || from === undefined || to === undefined || !isOneThing(to)) return false;
  return PLACES.some((place) => old === `${who} ${place} ${from}`);
}
const PLACES = ["is", "are", "lives", "live", "is located", "are located", "is based", "are based"].flatMap(
  (verb) => ["in", "at", "on"].map((where) => `${verb} ${where}`),
);

/** A word or three, and nothing that says when, where or on what condition. */
const isOneThing = (text: string): boolean =>
  /^(?:(?:the|a|an|its|our|my) )?\S+(?: \S+)?$/u.test(text) &&
  !/(?:^| )(?:in|on|at|for|with|when|if|while|during|after|before|since|until|by|from|to|of|and|or|but|only)(?= )|[,;:]/iu.test(
    text,
  );
