import { canonical, idKey, type Json, type MemoryId, type Scope, scopeKey } from "../core/base/index.js";
import { type MemoryRecord, readField } from "../core/ledger/index.js";
import type { FieldSetter } from "../memories/index.js";
import { readIfWhole } from "../memories/index.js";
import type { Reader } from "../repo/index.js";
import { recordAt } from "../repo/index.js";
import type { Joined } from "./merging.js";

interface Move {
  readonly record: MemoryRecord;
  readonly setter: FieldSetter;
}

/**
 * Moves that put memories below each other cannot all stand: the latest of a circle is set aside, and its memory stays
 * where it was before that move. All that lie in the circle count, whichever side moved them and when, so that it does
 * not matter who merged with whom before.
 */
export async function untangle(joined: Joined): Promise<void> {
  const aside = new Set<string>();
  for (const { scope, id } of joined.items())
    for (;;) {
      const circle = await circleFrom(id, async (at) => (await joined.record(scope, at))?.parent);
      if (circle.length === 0) break;
      const moves = await movesOf(joined, scope, circle);
      const undisputed = moves.filter(({ record }) => !aside.has(keyOf(record)));
      const candidates = undisputed.length > 0 ? undisputed : moves;
      if (candidates.length === 0) break;
      const { record, setter } = candidates.reduce((a, b) => (isLater(b, a) ? b : a));
      const before =
        undisputed.length > 0 ? await placeBefore(joined.meeting.reader, record, setter) : undefined;
      await joined.setAside(record, "place", isTerm(record, before) ? undefined : before, setter);
      aside.add(keyOf(record));
    }
}

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

async function movesOf(joined: Joined, scope: Scope, circle: readonly MemoryId[]): Promise<Move[]> {
  const moves: Move[] = [];
  for (const id of circle) {
    const record = await joined.record(scope, id);
    const setter = record && (await joined.setter(record, "place"));
    if (setter) moves.push({ record, setter });
  }
  return moves;
}

const isLater = (a: Move, b: Move): boolean =>
  a.setter.time === b.setter.time ? a.record.id > b.record.id : a.setter.time > b.setter.time;

/** Where a memory was when somebody moved it; at the top if it was not there yet. */
async function placeBefore(
  reader: Reader,
  { scope, id }: MemoryRecord,
  { commit }: FieldSetter,
): Promise<Json | undefined> {
  const [parent] = (await reader.value("commit", commit)).parents;
  if (parent === undefined) return undefined;
  const hash = await recordAt(reader, await reader.tip(parent), scopeKey(scope), idKey(id));
  const record = await readIfWhole(reader, hash);
  return record && readField(record, "place");
}

/** A place that somebody claims would look the same as a decision for it. */
const isTerm = ({ contested }: MemoryRecord, place: Json | undefined): boolean =>
  place !== undefined &&
  (contested?.place?.terms ?? []).some(
    ({ value }) => value !== undefined && canonical(value) === canonical(place),
  );

const keyOf = ({ scope, id }: MemoryRecord): string => `${scope}\n${id}`;
