import { type MemoryRecord, sentence, type Triple, trustRank } from "../../core/ledger/index.js";
import type { Beside, Check, Note, Situation } from "../check.js";
import { predicateKey, type Rules } from "../config.js";
import { fold } from "../likeness/fold.js";
import { read } from "../likeness/reading.js";
import { endsExactly, relationOf } from "../likeness/relation.js";
import { quarantine, type Refusal, refuse } from "../verdict.js";
import { coversTimeOf, weightsIn } from "./duplicate.js";

/** Predicates of which a subject has one value at a time; of all others it may have many. */
const SINGLE_VALUED = new Set(
  `name|full name|first name|last name|age|birthday|date of birth|birthplace|lives in|located in|home town|address|works at|
  works for|employer|job title|job|role|married to|spouse|marital status|nationality|native language|time zone|timezone|height|weight|
  gender|status|state|version|deadline|due date|start date|end date|price|cost|budget|owner|maintainer|port|url|branch|default branch|
  size|color|colour|capital|ceo|manager|reports to|preferred language|backend language|theme|licence|license`.split(
    /\|\s*/,
  ),
);

/** Where work stands: whatever the predicate is called, of these a thing has one at a time. */
const STATES = new Set(
  `open|closed|reopened|blocked|unblocked|done|finished|complete|completed|todo|to do|planned|in progress|under way|started|
  not started|pending|waiting|paused|on hold|cancelled|canceled|abandoned|ready|in review|approved|rejected|merged|released|
  shipped|deployed|rolled back|failed|passed|fixed|resolved|unresolved|active|inactive|enabled|disabled|online|offline`.split(
    /\|\s*/,
  ),
);
const stateOf = (object: string): string =>
  fold(object)
    .replace(/[\s_-]+/g, " ")
    .trim();
const areStates = (one: Triple, other: Triple): boolean =>
  STATES.has(stateOf(one.object)) && STATES.has(stateOf(other.object));

export const contradiction: Check = {
  name: "contradiction",
  lanes: ["belief"],
  compares: true,
  run: (record, situation) => {
    const { target, near } = situation;
    if (target?.text === record.text) return undefined;
    const isOther = ({ id }: MemoryRecord) => id !== record.id && id !== target?.id;
    return record.triple
      ? inSlot(record, record.triple, near.slot.filter(isOther), situation)
      : inWords(record, near.nearest.filter(isOther), situation);
  },
};

/** Subject and relation are said to be the same; whether one value takes the place of the other depends on the relation. */
function inSlot(
  record: MemoryRecord,
  triple: Triple,
  held: readonly MemoryRecord[],
  situation: Situation,
): Refusal | Note | undefined {
  const same = held.find(
    (other) =>
      other.triple && fold(other.triple.object) === fold(triple.object) && coversTimeOf(other, record),
  );
  if (same) return known(same);
  const isOne = isSingle(triple.predicate, situation);
  const rivals = isOne ? held : held.filter((other) => other.triple && areStates(other.triple, triple));
  const together = rivals.filter((other) => !areAtOtherTimes(record, other));
  const other = together.find((one) => isRenewal(record, one)) ?? together[0];
  if (!other) return undefined;
  if (!mayReplace(record, other, situation)) return clash(record, other);
  return isRenewal(record, other) ? { renews: other.id, beside: beside(other) } : { beside: beside(other) };
}

/**
 * Without a triple only words say what a text is about, and words that are alike take no belief out of sight: what says that
 * things changed stands beside what it may speak of, unless it names the whole of that and says that it has ended.
 */
function inWords(
  record: MemoryRecord,
  near: readonly MemoryRecord[],
  situation: Situation,
): Refusal | Note | undefined {
  const fresh = read(record.text);
  const weightOf = weightsIn(situation.near);
  let doubted: MemoryRecord | undefined;
  for (const other of near) {
    if (isEnded(record, other))
      return mayReplace(record, other, situation)
        ? { renews: other.id, beside: beside(other) }
        : clash(record, other);
    const relation = relationOf(read(other.text), fresh, weightOf);
    if (relation === "contradicts") return clash(record, other);
    if (relation === "updates") doubted ??= other;
  }
  return doubted && { beside: beside(doubted) };
}

/** Does it say that this very belief has ended, and nothing else? */
const isEnded = (record: MemoryRecord, other: MemoryRecord): boolean =>
  other.triple === undefined &&
  other.type === record.type &&
  (record.parent === undefined || record.parent === other.parent) &&
  endsExactly(other.text, record.text) &&
  (!SPEAKER.test(record.text) || record.origin.actor === other.origin.actor) &&
  isAsLasting(record, other);

/** "I", "our": who that is, is known only as long as it is the same one who writes. */
const SPEAKER =
  /(?<![\p{L}\p{N}'])(?:I|I'm|me|my|mine|we|us|our|ours|you|your|ich|mich|mir|mein\p{L}*|wir|uns|unser\p{L}*|du|dein\p{L}*|je|j'|moi|mon|ma|mes|nous|notre|nos|tu|ton|ta|tes|vous|votre|vos|yo|mi|mis|nosotros|nuestr\p{L}*)(?![\p{L}\p{N}])|[我你您咱]/iu;

/** Does the triple say all that the words of both say, and does the new one hold as long and as surely? */
const isRenewal = (record: MemoryRecord, other: MemoryRecord): boolean =>
  isTold(record) && isTold(other) && isAsLasting(record, other);

/** What the words say beside the triple is a condition or another fact, which no other triple replaces. */
function isTold({ text, triple }: MemoryRecord): boolean {
  if (!triple) return false;
  const [written, stated] = [read(text), read(sentence(triple)).content];
  return [...written.content.keys()].every((word) => stated.has(word));
}

/** What ends sooner, is less sure, or is of another category or time leaves what is there where it is. */
function isAsLasting(record: MemoryRecord, other: MemoryRecord): boolean {
  const { confidence = 1, category, valid, lifetime, expiresAt } = record;
  return (
    lifetime === other.lifetime &&
    (expiresAt ?? "") >= (other.expiresAt ?? "") &&
    confidence >= (other.confidence ?? 1) &&
    (category === undefined || other.category === undefined || category === other.category) &&
    valid === undefined &&
    other.valid?.to === undefined &&
    other.contested === undefined
  );
}

/** "Worked there until 2015", "works here since 2016": each has its own time. */
const areAtOtherTimes = ({ valid: one }: MemoryRecord, { valid: other }: MemoryRecord): boolean =>
  [
    [one, other],
    [other, one],
  ].some(([early, late]) => early?.to !== undefined && late?.from !== undefined && early.to <= late.from);

const isSingle = (predicate: string, { rules }: Situation): boolean => isSingleValued(predicate, rules);

/** Has a subject one value of this at a time? */
export function isSingleValued(predicate: string, rules: Rules): boolean {
  const key = predicateKey(predicate);
  return SINGLE_VALUED.has(key) || rules.singleValued.has(key);
}

/** May this writer put something else in the place of the other memory? If not, both sides wait for a person. */
const mayReplace = (record: MemoryRecord, other: MemoryRecord, { target }: Situation): boolean =>
  trustRank(record.origin.trust) >= trustRank(other.origin.trust) &&
  !(other.tier === "canon" && record.tier !== "canon") &&
  target === undefined &&
  other.topic === undefined;

const beside = (other: MemoryRecord): Beside => ({
  against: other.id,
  check: "contradiction",
  reason: `It may take the place of the memory ${other.id} ("${excerpt(other.text)}"), which is kept beside it.`,
  hint: `If it does, update or forget ${other.id}; if both hold, nothing needs to be done.`,
});

const clash = (record: MemoryRecord, other: MemoryRecord): Refusal => ({
  ...quarantine(
    "CONTRADICTION",
    "contradiction",
    `This and the memory ${other.id} ("${excerpt(other.text)}", trust ${other.origin.trust}) cannot both hold; this write has the trust of "${record.origin.trust}".`,
    `If things changed, update ${other.id}; if both hold, say what distinguishes them.`,
  ),
  against: other.id,
});

const known = (other: MemoryRecord): Refusal => ({
  ...refuse(
    "DUPLICATE",
    "duplicate",
    `Duplicate: the memory ${other.id} already holds this subject, predicate and object.`,
    "Nothing needs to be done.",
  ),
  verdict: "duplicate",
  of: other.id,
  similarity: 1,
});

const excerpt = (text: string): string => (text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text);
