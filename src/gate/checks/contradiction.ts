import { type MemoryRecord, trustRank } from "../../ledger/index.js";
import type { Check, Situation } from "../check.js";
import { predicateKey, type Rules } from "../config.js";
import { fold } from "../likeness/fold.js";
import { read } from "../likeness/reading.js";
import { type Relation, relationOf } from "../likeness/relation.js";
import { quarantine, type Refusal, refuse } from "../verdict.js";
import { weightsIn } from "./duplicate.js";

/** Predicates of which a subject has one value at a time; of all others it may have many. */
const SINGLE_VALUED = new Set(
  `name|full name|first name|last name|age|birthday|date of birth|birthplace|lives in|located in|home town|address|works at|
  works for|employer|job title|job|role|married to|spouse|marital status|nationality|native language|time zone|timezone|height|weight|
  gender|status|state|version|deadline|due date|start date|end date|price|cost|budget|owner|maintainer|port|url|branch|default branch|
  size|color|colour|capital|ceo|manager|reports to|preferred language|backend language|theme|licence|license`.split(
    /\|\s*/,
  ),
);

export const contradiction: Check = {
  name: "contradiction",
  lanes: ["belief"],
  compares: true,
  run: (record, situation) => {
    const { target, near } = situation;
    if (target?.text === record.text) return undefined;
    const isOther = ({ id }: MemoryRecord) => id !== record.id && id !== target?.id;
    const { triple } = record;
    if (triple) {
      const held = near.slot.filter(isOther);
      const same = held.find((other) => other.triple && fold(other.triple.object) === fold(triple.object));
      if (same) return known(same);
      const [other] = held;
      if (!other || !isSingle(triple.predicate, situation)) return undefined;
      return settle(record, other, "updates", target);
    }
    const fresh = read(record.text);
    const weightOf = weightsIn(near);
    for (const other of near.nearest.filter(isOther)) {
      const relation = relationOf(read(other.text), fresh, weightOf);
      if (relation !== "free") return settle(record, other, relation, target);
    }
    return undefined;
  },
};

const isSingle = (predicate: string, { rules }: Situation): boolean => isSingleValued(predicate, rules);

/** Has a subject one value of this at a time? */
export function isSingleValued(predicate: string, rules: Rules): boolean {
  const key = predicateKey(predicate);
  return SINGLE_VALUED.has(key) || rules.singleValued.has(key);
}

/** A new version where the writer may make one and says that things changed; else both sides wait for a person. */
function settle(
  record: MemoryRecord,
  other: MemoryRecord,
  relation: Relation,
  target: MemoryRecord | undefined,
) {
  const isStrong = trustRank(record.origin.trust) >= trustRank(other.origin.trust);
  const isCanon = other.tier === "canon" && record.tier !== "canon";
  if (relation === "updates" && isStrong && !isCanon && target === undefined && other.topic === undefined)
    return { renews: other.id };
  return clash(record, other);
}

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
