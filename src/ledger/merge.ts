import { canonical, type Hash, type Json, sameJson, type Timestamp } from "../base/index.js";
import { fieldsOf, readField, withField } from "./fields.js";
import { mostSensitive, trustRank, weakest } from "./lanes.js";
import { byCodeUnit, canonicalRecord } from "./record.js";
import type { Author, Contest, MemoryRecord, Origin, Sensitivity, Term, Trust } from "./types.js";

/** Who gave a field its value. `commit` is absent for a write that is not committed yet. */
export interface Setter {
  readonly commit?: Hash;
  readonly author: Author;
  readonly trust: Trust;
}

export interface Present {
  readonly record: MemoryRecord;
  readonly hash: Hash;
  setBy(field: string): Setter;
}
export interface Gone {
  readonly goneBy: Setter;
}
/** One side of a merge: a record, a deletion, or nothing was ever there. */
export type Side = Present | Gone | undefined;

export interface MergeInput {
  readonly base: Present | undefined;
  readonly ours: Side;
  readonly theirs: Side;
  /** When a commit was made; an uncommitted write (undefined) is later than all. */
  timeOf(commit: Hash): Timestamp;
}

export interface MergeResult {
  /** Absent: nothing is there after the merge. */
  readonly record?: MemoryRecord;
  /** Fields that are contested in the result. */
  readonly contested: readonly string[];
}

const ANY = "*";
const isPresent = (side: Side): side is Present => side !== undefined && "record" in side;

/**
 * The one three-way merge of a record: replay, merge, cherry-pick, revert and undo differ only in what they
 * pass as base. It never fails, drops nothing that either side changed, and does not know which side is which:
 * merge(a, b) = merge(b, a), so clones that merge in any order meet in the same record.
 */
export function mergeRecords(input: MergeInput): MergeResult {
  const { base, ours, theirs } = input;
  if (isPresent(ours)) {
    if (!isPresent(theirs)) return keepOrDrop(base, ours, theirs);
    if (ours.hash === theirs.hash || theirs.hash === base?.hash) return asIs(ours);
    if (ours.hash === base?.hash) return asIs(theirs);
    return mergePresent(input, ours, theirs);
  }
  if (isPresent(theirs)) return keepOrDrop(base, theirs, ours);
  return { contested: [] };
}

const asIs = ({ record }: Present): MergeResult => ({
  record,
  contested: Object.keys(record.contested ?? {}).sort(),
});

/** One side still has it. Deleted there and unchanged here is deleted; deleted there and changed here is contested. */
function keepOrDrop(base: Present | undefined, kept: Present, other: Gone | undefined): MergeResult {
  if (base && kept.hash === base.hash) return { contested: [] };
  if (!base || !other) return asIs(kept);
  const terms = [...(kept.record.contested?.[ANY]?.terms ?? []), { deleted: true as const, ...other.goneBy }];
  const contested = { ...kept.record.contested, [ANY]: { terms: sortTerms(terms) } };
  return finish({ ...kept.record, contested });
}

function mergePresent(input: MergeInput, ours: Present, theirs: Present): MergeResult {
  const { base } = input;
  let record: MemoryRecord = { ...ours.record };
  const contested: Record<string, Contest> = {};
  const deletions = mergeTerms(termsOf(base, ANY), termsOf(ours, ANY), termsOf(theirs, ANY));
  if (deletions.length > 0) contested[ANY] = { terms: sortTerms(deletions) };
  for (const field of fieldsOf(ours.record, theirs.record, ...(base ? [base.record] : []))) {
    const mine = readField(ours.record, field);
    const yours = readField(theirs.record, field);
    const was = base && readField(base.record, field);
    const rule = RULES[field];
    if (rule) {
      record = withField(
        record,
        field,
        pick(was, mine, yours, () => rule(was, mine, yours)),
      );
      continue;
    }
    const terms = mergeTerms(termsOf(base, field), termsOf(ours, field), termsOf(theirs, field));
    const best = terms.reduce((a, b) => (prefer(a, b, input) ? a : b));
    record = withField(record, field, best.value);
    if (new Set(terms.map(valueKey)).size > 1)
      contested[field] = contest(terms, baseOf(field, base, ours, theirs));
  }
  const origin = mergeOrigin(base, ours, theirs);
  return finish({ ...record, origin, contested });
}

function finish(fields: MemoryRecord): MergeResult {
  return asIs({ record: canonicalRecord(fields) } as Present);
}

/** Only a value changed on both sides, to different things, needs a rule. */
function pick<T>(base: T, ours: T, theirs: T, both: () => T): T {
  if (sameJson(ours, theirs) || sameJson(theirs, base)) return ours;
  return sameJson(ours, base) ? theirs : both();
}

type Rule = (base: Json | undefined, ours: Json | undefined, theirs: Json | undefined) => Json | undefined;

/** Fields with a sensible meeting point; they are never contested. Sensitivity takes the safer side. */
const RULES: Readonly<Record<string, Rule>> = {
  tags: (base, ours, theirs) => {
    const [b, a, c] = [base, ours, theirs].map((tags) => new Set((tags ?? []) as readonly string[]));
    const all = new Set([...(a as Set<string>), ...(c as Set<string>)]);
    return [...all].filter((tag) => (a?.has(tag) && c?.has(tag)) || !b?.has(tag)).sort(byCodeUnit);
  },
  confidence: (_, ours, theirs) => Math.max((ours ?? 1) as number, (theirs ?? 1) as number),
  sensitivity: (_, ours, theirs) =>
    mostSensitive((ours ?? "normal") as Sensitivity, (theirs ?? "normal") as Sensitivity),
  salt: (_, ours, theirs) => [ours, theirs].filter((salt) => salt !== undefined).sort()[0],
};

function mergeOrigin(base: Present | undefined, ours: Present, theirs: Present): Origin {
  return pick(base?.record.origin as Origin, ours.record.origin, theirs.record.origin, () => ({
    source: "merge",
    channel: "merge",
    trust: weakest(ours.record.origin.trust, theirs.record.origin.trust),
    derivedFrom: [...new Set([...madeFrom(ours), ...madeFrom(theirs)])].sort(),
  }));
}

/** The records a record was made from, through earlier merges. */
const madeFrom = ({ record, hash }: Present): readonly Hash[] =>
  record.origin.source === "merge" && record.origin.derivedFrom ? record.origin.derivedFrom : [hash];

/** What a side says of a field: one value, or the terms of a conflict that it has not resolved. */
function termsOf(side: Present | undefined, field: string): readonly Term[] {
  const open = side?.record.contested?.[field]?.terms;
  if (side && open) return open.map((term) => (term.commit ? term : { ...side.setBy(field), ...term }));
  if (field === ANY) return [];
  const value = side && readField(side.record, field);
  const setter = side?.setBy(field) ?? { author: { kind: "system", id: "palimpsest" }, trust: "external" };
  return [{ ...(value !== undefined && { value }), ...setter }];
}

const valueKey = (term: Term): string =>
  term.deleted ? "deleted" : canonical([term.value ?? { absent: true }]);

/** Three-way merge of sets of values: what either side added stays, what either side settled is gone. */
function mergeTerms(base: readonly Term[], ours: readonly Term[], theirs: readonly Term[]): readonly Term[] {
  const [b, a, c] = [base, ours, theirs].map((terms) => new Set(terms.map(valueKey))) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  const same = (x: Set<string>, y: Set<string>) => x.size === y.size && [...x].every((key) => y.has(key));
  if (same(c, b)) return ours;
  if (same(a, b)) return theirs;
  const all = [...ours, ...theirs];
  const left = all.filter((term) => {
    const key = valueKey(term);
    return (a.has(key) && c.has(key)) || !b.has(key);
  });
  return left.length > 0 ? left : all;
}

/** Which of two terms is shown: higher trust, then the later commit, then the smaller value; never the side. */
function prefer(a: Term, b: Term, { timeOf }: MergeInput): boolean {
  const trust = trustRank(a.trust) - trustRank(b.trust);
  if (trust !== 0) return trust > 0;
  const [atA, atB] = [a, b].map(({ commit }) => (commit === undefined ? "~" : timeOf(commit)));
  if (atA !== atB) return (atA as string) > (atB as string);
  return termKey(a) <= termKey(b);
}

const termKey = (term: Term): string => `${valueKey(term)} ${canonical(term)}`;

function sortTerms(terms: readonly Term[]): readonly Term[] {
  return [...new Map(terms.map((term) => [termKey(term), term])).entries()]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([, term]) => term);
}

function contest(terms: readonly Term[], base: Json | undefined): Contest {
  return { ...(base !== undefined && { base }), terms: sortTerms(terms) };
}

/** The base of an older conflict stays, so that it does not depend on the order of merges. */
function baseOf(field: string, base: Present | undefined, ours: Present, theirs: Present): Json | undefined {
  const older = [ours, theirs]
    .map((side) => side.record.contested?.[field])
    .filter((open) => open !== undefined)
    .map((open) => open.base)
    .sort((x, y) => byCodeUnit(canonical(x ?? null), canonical(y ?? null)));
  return older.length > 0 ? older[0] : base && readField(base.record, field);
}
