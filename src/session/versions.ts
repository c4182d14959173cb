import type { Hash } from "../base/index.js";
import { stateLookup, type Tip, type Touch } from "../ledger/index.js";
import type { Reader } from "./reader.js";

/** The record under a key in the state of a commit. */
export async function recordAt(reader: Reader, tip: Tip, scope: Hash, id: Hash): Promise<Hash | undefined> {
  return (await reader.read([tip], (source) => stateLookup(tip.commit.root, scope, id, source))).record;
}

/** How many commits back the last row of a key is looked for before all of them are read. */
const RECENT = 64;

/**
 * The event that gave a key the record it has at a commit (none: that took it away). Rows of all branches lie side
 * by side: where only one can be meant it is the one, else the last that the commit was made of.
 */
export async function rowAt(
  reader: Reader,
  tip: Tip,
  scope: Hash,
  id: Hash,
  record: Hash | undefined,
): Promise<Touch | undefined> {
  // Nearly always the last row is meant, and made a moment ago; the whole history may be long.
  const last = (await reader.storage.touchOf(scope, id, 1)).at(-1);
  if (!last) return undefined;
  const isRecent = tip.commit.generation - last.generation <= RECENT;
  if (last.record === record && isRecent && (await holds(reader, tip, last))) return last;
  return rowAmong(reader, tip, await reader.storage.touchOf(scope, id), record);
}

/** As `rowAt`, with all rows of the key at hand. */
export async function rowAmong(
  reader: Reader,
  tip: Tip,
  all: readonly Touch[],
  record: Hash | undefined,
): Promise<Touch | undefined> {
  const rows = all.filter((row) => row.record === record && row.generation <= tip.commit.generation);
  if (record !== undefined && rows.length <= 1) return rows[0];
  // Rows of one commit keep their order: the last of them is what the commit left.
  for (const row of rows.reverse().sort((a, b) => b.generation - a.generation))
    if (await holds(reader, tip, row)) return row;
  return undefined;
}

const holds = (reader: Reader, tip: Tip, row: Touch): Promise<boolean> =>
  reader.lineage.holds(tip, row.commit, row.generation);

/** One version of a memory, or its end, and the versions it was made of: two at a merge. */
export interface Version {
  readonly row: Touch;
  /** What was there before, by parent of its commit; absent where nothing was. */
  readonly before: readonly (Touch | undefined)[];
}

/** Every version of a key that a commit rests on, through merges, newest first. */
export async function versionsOf(reader: Reader, tip: Tip, scope: Hash, id: Hash): Promise<Version[]> {
  const all = await reader.storage.touchOf(scope, id);
  if (all.length === 0) return [];
  const versions = new Map<Touch, Version>();
  const record = await recordAt(reader, tip, scope, id);
  const waiting = [await rowAmong(reader, tip, all, record)];
  while (waiting.length > 0) {
    const row = waiting.pop();
    if (!row || versions.has(row)) continue;
    const before = await priorRows(reader, all, row);
    versions.set(row, { row, before });
    waiting.push(...before);
  }
  const place = new Map(all.map((row, at) => [row, at]));
  return [...versions.values()].sort(
    ({ row: a }, { row: b }) =>
      b.generation - a.generation || (place.get(b) as number) - (place.get(a) as number),
  );
}

async function priorRows(
  reader: Reader,
  all: readonly Touch[],
  row: Touch,
): Promise<readonly (Touch | undefined)[]> {
  const { scope, id } = row;
  const here = all.filter(({ commit }) => commit === row.commit);
  if (here[0] !== row) return [here[here.indexOf(row) - 1]];
  const { parents, changeset } = await reader.value("commit", row.commit);
  const { events } = await reader.value("changeset", changeset);
  const first = events.find((event) => event.scope === scope && event.id === id);
  const prior: (Touch | undefined)[] = [];
  for (const [at, parent] of parents.entries()) {
    const tip = await reader.tip(parent);
    const record = at === 0 ? first?.before : await recordAt(reader, tip, scope, id);
    prior.push(await rowAmong(reader, tip, all, record));
  }
  return prior;
}
