import { canonical, type Hash, type Json, type Timestamp } from "../base/index.js";
import { SYSTEM } from "./commit.js";
import { encodeObject } from "./objects.js";
import { byCodeUnit, canonicalRecord, fieldsOf, readField, withField } from "./record.js";
import type { Author, Contest, MemoryRecord, Origin, Sensitivity, Term, Trust } from "./types.js";
import { mostSensitive, sensitivityOf, trustRank, weakest } from "./types.js";
import { changedWords, type WordChange } from "./words.js";

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
 * Where the record is gone at the merge base, the base to pass is the version that was deleted there.
 */
export function mergeRecords(input: MergeInput): MergeResult {
  const { base, ours, theirs } = input;
  if (isPresent(ours)) {
    if (!isPresent(theirs)) return keepOrDrop(input, ours, theirs);
    if (ours.hash === theirs.hash || theirs.hash === base?.hash) return asIs(ours.record);
    if (ours.hash === base?.hash) return asIs(theirs.record);
    return mergePresent(input, ours, theirs);
  }
  if (isPresent(theirs)) return keepOrDrop(input, theirs, ours);
  return { contested: [] };
}

const asIs = (record: MemoryRecord): MergeResult => ({
  record,
  contested: Object.keys(record.contested ?? {}).sort(),
});

/** One side still has it. Deleted there and unchanged here is deleted; deleted there and changed here is contested. */
function keepOrDrop(input: MergeInput, kept: Present, other: Gone | undefined): MergeResult {
  const { base } = input;
  if (base && (kept.hash === base.hash || bare(kept).hash === base.hash)) return { contested: [] };
  if (!base || !other) return asIs(kept.record);
  const deletion: Term = { deleted: true, ...other.goneBy };
  return withDeletion(input, kept.record, [...termsOf(kept, ANY), deletion]);
}

function mergePresent(input: MergeInput, ours: Present, theirs: Present): MergeResult {
  const { base } = input;
  const deletions = mergeTerms(termsOf(base, ANY), termsOf(ours, ANY), termsOf(theirs, ANY));
  const [was, mine, yours] = [base && bare(base), bare(ours), bare(theirs)];
  const whole = pick<Present | undefined>(
    was,
    mine,
    yours,
    (side) => side?.hash,
    () => undefined,
  );
  return withDeletion(input, whole ? whole.record : mergeFields(input, was, mine, yours), deletions);
}

/** A side without its contested deletion, which says nothing of the content. */
function bare(side: Present): Present {
  if (!side.record.contested?.[ANY]) return side;
  const { [ANY]: _, ...contested } = side.record.contested;
  const record = canonicalRecord({ ...side.record, contested });
  return { record, hash: encodeObject("memory", record).hash, setBy: (field) => side.setBy(field) };
}

function withDeletion(input: MergeInput, record: MemoryRecord, deletions: readonly Term[]): MergeResult {
  if (deletions.length === 0) return asIs(record);
  const contested = { ...record.contested, [ANY]: { terms: strongest(deletions, input) } };
  return asIs(canonicalRecord({ ...record, contested }));
}

function mergeFields(
  input: MergeInput,
  base: Present | undefined,
  ours: Present,
  theirs: Present,
): MemoryRecord {
  let record = ours.record;
  const contested: Record<string, Contest> = {};
  for (const field of fieldsOf(ours.record, theirs.record, ...(base ? [base.record] : []))) {
    if (field === "sensitivity") continue;
    const rule = RULES[field];
    if (rule) {
      const values = [base, ours, theirs].map((side) => side && readField(side.record, field));
      record = withField(record, field, pick(values[0], values[1], values[2], keyOf, rule));
      continue;
    }
    const terms = strongest(
      mergeTerms(termsOf(base, field), termsOf(ours, field), termsOf(theirs, field)),
      input,
    );
    record = withField(record, field, shownTerm(terms, input.timeOf).value);
    if (terms.length > 1) contested[field] = contest(terms, baseOf(field, base, ours, theirs));
  }
  record = withField(record, "sensitivity", mergedSensitivity(base, ours, theirs, contested));
  return canonicalRecord({ ...record, origin: mergeOrigin(base, ours, theirs), contested });
}

/** Only what changed on both sides, to different things, needs a rule. */
function pick<T>(
  base: T | undefined,
  ours: T,
  theirs: T,
  key: (value: T | undefined) => string | undefined,
  both: (base: T | undefined, ours: T, theirs: T) => T,
): T {
  const [was, mine, yours] = [base, ours, theirs].map(key);
  if (mine === yours || yours === was) return ours;
  return mine === was ? theirs : both(base, ours, theirs);
}

const keyOf = (value: Json | undefined): string | undefined =>
  value === undefined ? undefined : canonical(value);

type Rule = (base: Json | undefined, ours: Json | undefined, theirs: Json | undefined) => Json | undefined;

/**
 * Both sides wrote something, so what one of them no longer keeps secret the other may just have written: the safer
 * side holds. An open conflict also keeps what was there before.
 */
function mergedSensitivity(
  base: Present | undefined,
  ours: Present,
  theirs: Present,
  contested: Readonly<Record<string, Contest>>,
): Sensitivity {
  const levels = [ours, theirs, ...(base && Object.keys(contested).length > 0 ? [base] : [])];
  return levels.map(({ record }) => sensitivityOf(record)).reduce((a, b) => mostSensitive(a, b));
}

/** Fields with a sensible meeting point; they are never contested. */
const RULES: Readonly<Record<string, Rule>> = {
  tags: (...sides) => {
    const [base, ours, theirs] = sides.map((tags) => (tags ?? []) as readonly string[]);
    return mergeSets(base!, ours!, theirs!, (tag) => tag);
  },
  confidence: (_, ours, theirs) => Math.max((ours ?? 1) as number, (theirs ?? 1) as number),
  salt: (_, ours, theirs) => [ours, theirs].filter((salt) => salt !== undefined).sort()[0],
};

/**
 * Every write sets the origin, so it changed wherever the record did, even if the same writer wrote both. What
 * was never one side's own version is made from the versions that were; later ones stand for those they replace.
 */
function mergeOrigin(base: Present | undefined, ours: Present, theirs: Present): Origin {
  const [was, mine, yours] = [base, ours, theirs].map((side) => (side ? madeFrom(side) : []));
  return {
    source: "merge",
    channel: "merge",
    trust: weakest(ours.record.origin.trust, theirs.record.origin.trust),
    derivedFrom: [...new Set(mergeClaims(was!, mine!, yours!, (hash) => hash))].sort(),
  };
}

/** The records a record was made from, through earlier merges. The channel is never a caller's to say. */
const madeFrom = ({ record, hash }: Present): readonly Hash[] =>
  record.origin.channel === "merge" && record.origin.derivedFrom ? record.origin.derivedFrom : [hash];

/** What a side says of a field: one value, or the terms of a conflict that it has not resolved. */
function termsOf(side: Present | undefined, field: string): readonly Term[] {
  const open = side?.record.contested?.[field]?.terms;
  if (side && open) return open.map((term) => (term.commit ? term : { ...side.setBy(field), ...term }));
  if (field === ANY) return [];
  const value = side && readField(side.record, field);
  const setter: Setter = side?.setBy(field) ?? { author: SYSTEM, trust: "external" };
  return [{ ...(value !== undefined && { value }), ...setter }];
}

/** No JSON text is one of the two words, so neither can be mistaken for a value. */
const valueKey = ({ deleted, value }: Term): string => (deleted ? "deleted" : (keyOf(value) ?? "absent"));

const isSettled = (terms: readonly Term[]): boolean => terms.length === 1 && !terms[0]!.deleted;

/** A settled field is compared by its value alone; an open one by each claim and by who made it. */
const claimKey = (terms: readonly Term[]): string =>
  isSettled(terms) ? `one ${valueKey(terms[0]!)}` : canonical(terms);

function mergeTerms(base: readonly Term[], ours: readonly Term[], theirs: readonly Term[]): readonly Term[] {
  const [was, mine, yours] = [base, ours, theirs].map(claimKey);
  if (mine === yours) return ours;
  if (yours === was) return [...ours, ...echo(theirs, ours)];
  return mine === was ? [...theirs, ...echo(ours, theirs)] : mergeClaims(base, ours, theirs, canonical);
}

/** Who says, unchanged, what is one of the claims supports it: it may have been said by two, of whom one counts more. */
function echo(unchanged: readonly Term[], claims: readonly Term[]): readonly Term[] {
  const claimed = new Set(claims.map(valueKey));
  return isSettled(unchanged) ? unchanged.filter((term) => claimed.has(valueKey(term))) : [];
}

/** As sets; but a side that names one thing alone has decided for it, even if it was among the base's. */
function mergeClaims<T>(
  base: readonly T[],
  ours: readonly T[],
  theirs: readonly T[],
  key: (item: T) => string,
): readonly T[] {
  const decided = new Set([ours, theirs].filter((side) => side.length === 1).map((side) => key(side[0]!)));
  const undecided = base.filter((item) => !decided.has(key(item)));
  const merged = mergeSets(undecided, ours, theirs, key);
  return merged.length > 0 ? merged : [...ours, ...theirs];
}

/** What either side added stays, what either side took away is gone. */
function mergeSets<T>(
  base: readonly T[],
  ours: readonly T[],
  theirs: readonly T[],
  key: (item: T) => string,
): T[] {
  const [was, mine, yours] = [base, ours, theirs].map((items) => new Set(items.map(key)));
  return [...ours, ...theirs].filter((item) => {
    const name = key(item);
    return (mine!.has(name) && yours!.has(name)) || !was!.has(name);
  });
}

/** One term for each value, the one that counts most, in an order that no side decides. */
function strongest(terms: readonly Term[], input: MergeInput): readonly Term[] {
  const best = new Map<string, Term>();
  for (const term of terms) {
    const other = best.get(valueKey(term));
    if (!other || prefer(term, other, input)) best.set(valueKey(term), term);
  }
  return [...best].sort(([a], [b]) => byCodeUnit(a, b)).map(([, term]) => term);
}

export const shownTerm = (terms: readonly Term[], timeOf: MergeInput["timeOf"]): Term =>
  terms.reduce((a, b) => (prefer(a, b, { timeOf }) ? a : b));

/** Which of two terms is shown: higher trust, then the later commit, then the smaller value; never the side. */
function prefer(a: Term, b: Term, { timeOf }: Pick<MergeInput, "timeOf">): boolean {
  const trust = trustRank(a.trust) - trustRank(b.trust);
  if (trust !== 0) return trust > 0;
  const [atA, atB] = [a, b].map(({ commit }) => (commit === undefined ? "~" : timeOf(commit)));
  if (atA !== atB) return atA! > atB!;
  if (a.commit !== b.commit) return (a.commit ?? "~") < (b.commit ?? "~");
  return termKey(a) <= termKey(b);
}

const termKey = (term: Term): string => `${valueKey(term)} ${canonical(term)}`;

const contest = (terms: readonly Term[], base: Json | undefined): Contest => ({
  ...(base !== undefined && { base }),
  terms,
});

/** The last value that nobody contested: that of an older conflict stays, whatever the order of merges. */
function baseOf(field: string, base: Present | undefined, ours: Present, theirs: Present): Json | undefined {
  const older = [base, ours, theirs]
    .map((side) => side?.record.contested?.[field])
    .filter((open) => open !== undefined)
    .map((open) => open.base)
    .sort((x, y) => byCodeUnit(canonical(x ?? null), canonical(y ?? null)));
  return older.length > 0 ? older[0] : base && readField(base.record, field);
}

/** One field that differs between two versions of a memory. */
export interface FieldChange {
  readonly field: string;
  readonly from?: Json;
  readonly to?: Json;
  /** For texts: which words went and came. */
  readonly words?: readonly WordChange[];
}

const CONTESTED = "contested";

/** What differs between two versions of a record, field by field; where it came from is not what it says. */
export function recordChanges(from: MemoryRecord, to: MemoryRecord): FieldChange[] {
  const changes: FieldChange[] = [];
  const compare = (field: string, was: Json | undefined, is: Json | undefined) => {
    if (same(was, is)) return;
    changes.push({
      field,
      ...(was !== undefined && { from: was }),
      ...(is !== undefined && { to: is }),
      ...(typeof was === "string" && typeof is === "string" && { words: changedWords(was, is) }),
    });
  };
  for (const field of fieldsOf(from, to))
    if (field !== "salt") compare(field, readField(from, field), readField(to, field));
  const [before, after] = [from, to].map(({ contested }) => Object.keys(contested ?? {}).sort());
  compare(CONTESTED, listOf(before!), listOf(after!));
  return changes.sort((a, b) => rank(a.field) - rank(b.field) || (a.field < b.field ? -1 : 1));
}

const listOf = (names: readonly string[]): Json | undefined => (names.length > 0 ? names : undefined);

/** The value of a field with the conflict about it, as one text that can be compared; undefined where there is nothing. */
export function readContestedField(record: MemoryRecord, field: string): string | undefined {
  const value = field === "*" ? undefined : readField(record, field);
  const open = record.contested?.[field];
  if (value === undefined && open === undefined) return undefined;
  return `${value === undefined ? "" : canonical(value)} ${open === undefined ? "" : canonical(open as unknown as Json)}`;
}

const same = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && canonical(a) === canonical(b));

/** What people look at first comes first. */
const rank = (field: string): number => (field === "text" ? 0 : field === "triple" ? 1 : 2);
