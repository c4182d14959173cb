import {
  canonical,
  type Hash,
  idKey,
  type Json,
  type MemoryId,
  type Scope,
  scopeKey,
} from "../core/base/index.js";
import {
  type Counters,
  encodeObject,
  fieldsAside,
  isAside,
  type MemoryRecord,
  type Present,
  readField,
  type Setter,
  type StateChange,
  setAside,
  stateDiff,
  type Term,
  type Tip,
  topicLink,
} from "../core/ledger/index.js";
import {
  deletedVersion,
  type FieldSetter,
  goneSetter,
  joinedBase,
  mergeThree,
  presentAt,
  readIfWhole,
  saidRecord,
  sideAt,
  stronger,
} from "../memories/index.js";
import { type Draft, type Entry, linkedEntries, type Reader, recordAt, rowAt } from "../repo/index.js";

/** What a merge makes of one memory. */
export interface MergedMemory {
  readonly scope: Scope;
  readonly id: MemoryId;
  /** Ours, before the merge. */
  readonly before?: MemoryRecord;
  /** Absent: it is gone after the merge. */
  readonly record?: MemoryRecord;
  readonly contested: readonly string[];
  /** The counters of the side it goes on from. */
  readonly from?: Counters;
}

/** Two lines of history and what they have in common. */
export interface Meeting {
  readonly reader: Reader;
  readonly ours: Tip;
  readonly theirs: Tip;
  readonly bases: readonly Tip[];
}

/**
 * Joins two states, memory by memory, and answers what has to change in ours. Only what differs between the two is
 * looked at. A side that did not change a memory since the common ancestors leaves it to the other, byte for byte.
 */
export async function mergeStates(
  meeting: Meeting,
): Promise<{ readonly changes: readonly StateChange[]; readonly states: MergedMemory[] }> {
  const { reader, ours, theirs } = meeting;
  const { changes } = await reader.read([ours, theirs], (source) =>
    stateDiff(ours.commit.root, theirs.commit.root, source),
  );
  const merged: MergedMemory[] = [];
  for (const change of changes) {
    const made = await mergeKey(meeting, change);
    if (made) merged.push(made);
  }
  return { changes, states: merged };
}

async function mergeKey(meeting: Meeting, key: StateChange): Promise<MergedMemory | undefined> {
  const { reader, theirs } = meeting;
  const [mine, yours] = [await readIfWhole(reader, key.before), await readIfWhole(reader, key.after)];
  const named = yours ?? mine;
  // What was erased is brought back by nobody.
  if (!named || (key.after !== undefined && !yours)) return undefined;
  const base = await baseOf(meeting, key);
  if (await isAsBase(meeting, key, theirs, key.after, base.hash)) return undefined;
  const where = { scope: named.scope, id: named.id, ...(mine && { before: mine }) };
  if (await isAsBase(meeting, key, meeting.ours, key.before, base.hash)) {
    const from = key.after && (await rowAt(reader, theirs, key.scope, key.id, key.after));
    const contested = Object.keys(yours?.contested ?? {}).sort();
    return { ...where, ...(yours && { record: yours }), contested, ...(from && { from }) };
  }
  const result = await mergeBoth(meeting, key, await base.load());
  const hash = result.record && encodeObject("memory", result.record).hash;
  if (hash === key.before) return undefined;
  return { ...where, ...result };
}

/**
 * Did a side leave a memory as it was? Two that are gone were left alike only if it was the same deletion: another one
 * is a claim of its own, and would be lost in some orders of merges and not in others.
 */
async function isAsBase(
  { reader, bases }: Meeting,
  { scope, id }: StateChange,
  side: Tip,
  hash: Hash | undefined,
  base: Hash | undefined,
): Promise<boolean> {
  if (hash !== base) return false;
  const deletion = hash === undefined ? await goneSetter(reader, side, scope, id) : undefined;
  if (!deletion) return true;
  for (const tip of bases)
    if ((await goneSetter(reader, tip, scope, id))?.commit === deletion.commit) return true;
  return false;
}

/** The common version; who set its fields costs a walk through its history and is asked for only where both changed it. */
async function baseOf(
  { reader, bases }: Meeting,
  { scope, id }: StateChange,
): Promise<{ readonly hash: Hash | undefined; load(): Promise<Present | undefined> }> {
  const [base] = bases as readonly [Tip];
  const past = async () => deletedVersion(reader, base, scope, id);
  if (bases.length === 1) {
    const hash = await recordAt(reader, base, scope, id);
    return { hash, load: async () => (hash ? presentAt(reader, base, scope, id) : past()) };
  }
  const made = await joinedBase(reader, bases, scope, id);
  return { hash: made?.hash, load: async () => made ?? past() };
}

async function mergeBoth(
  { reader, ours, theirs }: Meeting,
  { scope, id, before, after }: StateChange,
  base: Present | undefined,
) {
  const merged = await mergeThree(
    reader,
    base,
    await sideAt(reader, ours, scope, id),
    await sideAt(reader, theirs, scope, id),
  );
  const rows = [
    before && (await rowAt(reader, ours, scope, id, before)),
    after && (await rowAt(reader, theirs, scope, id, after)),
  ].filter((row) => typeof row === "object");
  return { ...merged, from: rows.reduce((a, b) => (b.version > a.version ? b : a)) };
}

/**
 * The state that a merge is about to make. Of what differed between the two sides it begins with what was said, so that
 * what earlier merges set aside is decided anew, by what both sides know now.
 */
export class Joined {
  readonly meeting: Meeting;
  readonly #draft: Draft;
  readonly #items: Map<string, MergedMemory>;

  private constructor(meeting: Meeting, draft: Draft, items: Map<string, MergedMemory>) {
    this.meeting = meeting;
    this.#draft = draft;
    this.#items = items;
  }

  static async of(
    meeting: Meeting,
    draft: Draft,
    changes: readonly StateChange[],
    merged: readonly MergedMemory[],
  ): Promise<Joined> {
    const { reader } = meeting;
    const items = new Map(merged.map((item) => [keyOf(item), item]));
    for (const { before } of changes) {
      const record = await readIfWhole(reader, before);
      if (!record || items.has(keyOf(record)) || fieldsAside(record).length === 0) continue;
      items.set(keyOf(record), { scope: record.scope, id: record.id, before: record, record, contested: [] });
    }
    for (const [key, item] of items)
      if (item.record) items.set(key, { ...item, record: await saidRecord(reader, item.record) });
    return new Joined(meeting, draft, items);
  }

  /** What differs from ours, or may, in an order that no side decides. */
  items(): MergedMemory[] {
    return [...this.#items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  }

  async record(scope: Scope, id: MemoryId): Promise<MemoryRecord | undefined> {
    const item = this.#items.get(keyOf({ scope, id }));
    return item ? item.record : (await this.#draft.entry(scope, id))?.record;
  }

  /** Who gave a field the value it has after the merge. */
  async setter(record: MemoryRecord, field: string): Promise<FieldSetter | undefined> {
    const { reader, ours, theirs } = this.meeting;
    const value = keyOfValue(readField(record, field));
    const terms = (record.contested?.[field]?.terms ?? []).filter((term) => keyOfValue(term.value) === value);
    const found: Setter[] = terms.map(({ commit, author, trust }) => ({
      ...(commit && { commit }),
      author,
      trust,
    }));
    for (const tip of [ours, theirs]) {
      const side = await presentAt(reader, tip, scopeKey(record.scope), idKey(record.id));
      if (side && keyOfValue(readField(side.record, field)) === value) found.push(side.setBy(field));
    }
    const setters: FieldSetter[] = [];
    for (const { commit, ...by } of found)
      if (commit) setters.push({ ...by, commit, time: (await reader.value("commit", commit)).time });
    return setters.length > 0 ? setters.reduce(stronger) : undefined;
  }

  /** Shows something else than what was said, which stays a term. */
  async setAside(
    record: MemoryRecord,
    field: string,
    shown: Json | undefined,
    { commit, author, trust }: FieldSetter,
  ): Promise<void> {
    const { scope, id } = record;
    const known = this.#items.get(keyOf(record));
    const before = known?.before ?? (await this.#draft.entry(scope, id))?.record;
    this.#items.set(keyOf(record), {
      ...(known ?? { scope, id }),
      ...(before && { before }),
      record: setAside(record, field, shown, { commit, author, trust }),
      contested: [],
    });
  }

  /** What has to change in ours. */
  changes(): MergedMemory[] {
    return [...this.#items.values()]
      .filter(({ before, record }) => !before || !record || hashOf(before) !== hashOf(record))
      .map((item) => ({ ...item, contested: Object.keys(item.record?.contested ?? {}).sort() }));
  }
}

const keyOf = ({ scope, id }: { readonly scope: string; readonly id: string }): string => `${scope}\n${id}`;
const keyOfValue = (value: Json | undefined): string => (value === undefined ? "" : canonical(value));
const hashOf = (record: MemoryRecord) => encodeObject("memory", record).hash;

/** Where a deletion stands against a change. */
export const DELETION = "*";

/** The terms of a contested field as they can be taken. One without a commit was set by whatever made the record. */
export function contestedTerms(
  record: MemoryRecord,
  field: string,
  { commit, author }: Pick<Entry, "author"> & { readonly commit?: Entry["commit"] },
): readonly Term[] {
  const terms = (record.contested?.[field]?.terms ?? []).map((term) =>
    term.commit || !commit ? term : { ...term, commit },
  );
  if (field !== DELETION && !isAside(record, field)) return terms;
  // Against a deletion, and against what could not stand, stands what is there.
  const shown = field === DELETION ? record.text : readField(record, field);
  const kept: Term = {
    ...(shown !== undefined && { value: shown }),
    ...(commit && { commit }),
    author,
    trust: record.origin.trust,
  };
  return [...terms, kept];
}

export interface Claim extends FieldSetter {
  readonly record: MemoryRecord;
}

/** Which of two memories keeps a topic: as everywhere, the one of higher trust, then of the later commit. */
export const keepsTopic = (a: Claim, b: Claim): Claim =>
  a.commit === b.commit && a.trust === b.trust ? (a.record.id < b.record.id ? a : b) : stronger(a, b);

/** One topic has one live holder per scope: where a merge brings another, all but one have it set aside. */
export async function settleTopics(joined: Joined): Promise<void> {
  const byTopic = new Map<string, { scope: Scope; topic: string; items: MergedMemory[] }>();
  for (const item of joined.items()) {
    const { scope, record: { topic } = {} } = item;
    if (topic === undefined) continue;
    const known = byTopic.get(`${scope}\n${topic}`) ?? { scope, topic, items: [] };
    known.items.push(item);
    byTopic.set(`${scope}\n${topic}`, known);
  }
  for (const { scope, topic, items } of byTopic.values()) {
    // Of two that hold it after the merge at least one did not in ours.
    if (items.every(({ before }) => before?.topic === topic)) continue;
    const claims: Claim[] = [];
    const linked = await linkedEntries(joined.meeting.reader, joined.meeting.ours, topicLink(scope, topic));
    const ids = new Set([...items, ...linked.map(({ record }) => record)].map(({ id }) => id));
    for (const id of ids) {
      const record = await joined.record(scope, id);
      const setter = record?.topic === topic ? await joined.setter(record, "topic") : undefined;
      if (record && setter) claims.push({ ...setter, record });
    }
    if (claims.length === 0) continue;
    const kept = claims.reduce(keepsTopic);
    for (const claim of claims)
      if (claim !== kept) await joined.setAside(claim.record, "topic", undefined, claim);
  }
}
