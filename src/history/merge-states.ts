import type { Hash, MemoryId, Scope } from "../core/base/index.js";
import {
  type Counters,
  encodeObject,
  type MemoryRecord,
  type Present,
  type StateChange,
  stateDiff,
  type Tip,
} from "../core/ledger/index.js";
import {
  deletedVersion,
  goneSetter,
  joinedBase,
  mergeThree,
  presentAt,
  readIfWhole,
  sideAt,
} from "../memories/index.js";
import type { Reader } from "../repo/index.js";
import { recordAt, rowAt } from "../repo/index.js";

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
