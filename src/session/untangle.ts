import { idKey, type MemoryId, scopeKey, type Timestamp } from "../base/index.js";
import {
  canonicalRecord,
  type MemoryRecord,
  readField,
  type Setter,
  type Term,
  withField,
} from "../ledger/index.js";
import type { Draft } from "./draft.js";
import { presentAt } from "./merge-sides.js";
import type { Meeting, MergedMemory } from "./merge-states.js";

interface Move {
  readonly record: MemoryRecord;
  /** Absent if it is new on both sides: then its common place is the top. */
  readonly base: MemoryRecord | undefined;
  readonly setter: Setter;
  readonly baseSetter: Setter;
  readonly time: Timestamp | undefined;
}

/**
 * Of two moves that put each of two memories below the other, one from each side, the later one is taken back to
 * its common place and left contested. Works on what a merge is about to write.
 */
export async function untangle(
  meeting: Meeting,
  draft: Draft,
  merged: readonly MergedMemory[],
): Promise<MergedMemory[]> {
  const result = new Map(merged.map((item) => [keyOf(item), item]));
  const parentOf = async (scope: MemoryRecord["scope"], id: MemoryId): Promise<MemoryId | undefined> => {
    const item = result.get(keyOf({ scope, id }));
    return item ? item.record?.parent : (await draft.entry(scope, id))?.record.parent;
  };
  for (const { scope, id, record } of merged) {
    if (record?.parent === undefined) continue;
    for (;;) {
      const circle = await circleFrom(id, (at) => parentOf(scope, at));
      if (circle.length === 0) break;
      const moves = (
        await Promise.all(circle.map((at) => moveOf(meeting, draft, result, scope, at)))
      ).flatMap((move) => move ?? []);
      if (moves.length === 0) break;
      const later = moves.reduce((a, b) => (isLater(b, a) ? b : a));
      const put = back(later);
      const known = result.get(keyOf({ scope, id: put.id }));
      const before = known?.before ?? (await draft.entry(scope, put.id))?.record;
      result.set(keyOf({ scope, id: put.id }), {
        scope,
        id: put.id,
        ...(before && { before }),
        ...(known?.from && { from: known.from }),
        record: put,
        contested: Object.keys(put.contested ?? {}).sort(),
      });
    }
  }
  return [...result.values()];
}

const keyOf = ({ scope, id }: { readonly scope: string; readonly id: string }): string => `${scope}\n${id}`;

/** The memories that lie below each other, if one meets itself on the way up. */
async function circleFrom(
  start: MemoryId,
  parentOf: (id: MemoryId) => Promise<MemoryId | undefined>,
): Promise<MemoryId[]> {
  const way: MemoryId[] = [];
  for (let at: MemoryId | undefined = start; at !== undefined; at = await parentOf(at)) {
    const met = way.indexOf(at);
    if (met >= 0) return way.slice(met);
    way.push(at);
  }
  return [];
}

/** How a memory came to its place, if it was moved there since the lines parted. */
async function moveOf(
  { reader, bases, ours, theirs }: Meeting,
  draft: Draft,
  result: ReadonlyMap<string, MergedMemory>,
  scope: MemoryRecord["scope"],
  id: MemoryId,
): Promise<Move | undefined> {
  const record = result.get(keyOf({ scope, id }))?.record ?? (await draft.entry(scope, id))?.record;
  const keys = [scopeKey(scope), idKey(id)] as const;
  const base = bases[0] && (await presentAt(reader, bases[0], ...keys));
  if (!record || place(record) === place(base?.record)) return undefined;
  for (const tip of [ours, theirs]) {
    const side = await presentAt(reader, tip, ...keys);
    if (!side || place(side.record) !== place(record)) continue;
    const setter = side.setBy("place");
    const time = setter.commit && (await reader.value("commit", setter.commit)).time;
    return { record, base: base?.record, setter, baseSetter: base?.setBy("place") ?? setter, time };
  }
  return undefined;
}

const place = (record: MemoryRecord | undefined): string =>
  JSON.stringify((record && readField(record, "place")) ?? null);

const isLater = (a: Move, b: Move): boolean =>
  (a.time ?? "~") !== (b.time ?? "~") ? (a.time ?? "~") > (b.time ?? "~") : a.record.id > b.record.id;

function back({ record, base, setter, baseSetter }: Move): MemoryRecord {
  const term = (of: MemoryRecord | undefined, by: Setter): Term => {
    const value = of && readField(of, "place");
    return { ...(value !== undefined && { value }), ...by };
  };
  const known = record.contested?.place?.terms ?? [];
  const keyOfTerm = ({ value }: Term) => JSON.stringify(value ?? null);
  const byPlace = new Map(
    [...known, term(record, setter), term(base, baseSetter)].map((one) => [keyOfTerm(one), one]),
  );
  const terms = [...byPlace].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  const was = base && readField(base, "place");
  return canonicalRecord({
    ...withField(record, "place", was),
    contested: { ...record.contested, place: { ...(was !== undefined && { base: was }), terms } },
  });
}
