import type { Hash } from "../../core/base/index.js";
import { stateLookup, type Tip, type Touch } from "../../core/ledger/index.js";
import type { Reader } from "./reader.js";

interface Found {
  readonly root: Hash;
  readonly scope: Hash;
  readonly id: Hash;
  readonly record: Hash | undefined;
}

/** A caller that finds a memory goes on to read it. What a state holds under a key never changes. */
const lastFound = new WeakMap<Reader, Found>();

/** The record under a key in the state of a commit. */
export async function recordAt(reader: Reader, tip: Tip, scope: Hash, id: Hash): Promise<Hash | undefined> {
  const { root } = tip.commit;
  const last = lastFound.get(reader);
  if (last && last.root === root && last.scope === scope && last.id === id) return last.record;
  const { record } = await reader.read([tip], (source) => stateLookup(root, scope, id, source));
  lastFound.set(reader, { root, scope, id, record });
  return record;
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
  // Nearly always the last row is meant, and made a moment ago or the only one; the whole history may be long.
  const newest = await reader.storage.touchOf(scope, id, 2);
  const last = newest.at(-1);
  if (!last) return undefined;
  const isRecent = tip.commit.generation - last.generation <= RECENT;
  if (last.record === record && isRecent && (await holds(reader, tip, last))) return last;
  const all = newest.length < 2 ? newest : await reader.storage.touchOf(scope, id);
  return rowAmong(reader, tip, all, record);
}

/** What distinguishes a row from others. */
type RowIdentity = Pick<Touch, "record" | "commit" | "generation">;

/** As `rowAt`, with all rows of the key at hand. */
export async function rowAmong<Row extends RowIdentity>(
  reader: Reader,
  tip: Tip,
  all: readonly Row[],
  record: Hash | undefined,
): Promise<Row | undefined> {
  return (await rowsAmong(reader, tip, all, record))[0];
}

/** The last events that left a key as it is at a commit: two lines that were joined may each have one. */
async function rowsAmong<Row extends RowIdentity>(
  reader: Reader,
  tip: Tip,
  all: readonly Row[],
  record: Hash | undefined,
): Promise<readonly Row[]> {
  const rows = all.filter((row) => row.record === record && row.generation <= tip.commit.generation);
  if (record !== undefined && rows.length <= 1) return rows;
  const last: Row[] = [];
  // The last stored first: nothing rests on what was stored after it.
  for (const row of rows.reverse())
    if ((await holds(reader, tip, row)) && !(await isBelowAny(reader, last, row))) last.push(row);
  return last;
}

async function isBelowAny(reader: Reader, rows: readonly RowIdentity[], row: RowIdentity): Promise<boolean> {
  for (const { commit } of rows) if (await holds(reader, await reader.tip(commit), row)) return true;
  return false;
}

const holds = (reader: Reader, tip: Tip, row: RowIdentity): Promise<boolean> =>
  reader.lineage.holds(tip, row.commit, row.generation);

/** One version of a memory, or its end, and the versions it was made of: two at a merge. */
export interface Version {
  readonly row: Touch;
  /** What was there before; nothing where it is new. */
  readonly before: readonly Touch[];
}

/** The past of a key. */
export interface Past {
  /** The versions that stand now: one, or the same from two lines that were joined. */
  readonly last: readonly Touch[];
  /** Every version that a commit rests on, through merges, newest first. */
  readonly versions: readonly Version[];
}

export async function pastOf(reader: Reader, tip: Tip, scope: Hash, id: Hash): Promise<Past> {
  const all = await reader.storage.touchOf(scope, id);
  if (all.length === 0) return { last: [], versions: [] };
  const versions = new Map<Touch, Version>();
  const last = await rowsAmong(reader, tip, all, await recordAt(reader, tip, scope, id));
  const waiting = [...last];
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    if (versions.has(row)) continue;
    const before = await priorRows(reader, all, row);
    versions.set(row, { row, before });
    waiting.push(...before);
  }
  const place = new Map(all.map((row, at) => [row, at]));
  const inOrder = [...versions.values()].sort(
    (a, b) => (place.get(b.row) as number) - (place.get(a.row) as number),
  );
  return { last, versions: inOrder };
}

async function priorRows(reader: Reader, all: readonly Touch[], row: Touch): Promise<readonly Touch[]> {
  const { scope, id } = row;
  const here = all.filter(({ commit }) => commit === row.commit);
  if (here[0] !== row) return here.slice(here.indexOf(row) - 1, here.indexOf(row));
  const { parents, changeset } = await reader.value("commit", row.commit);
  const { events } = await reader.value("changeset", changeset);
  const first = events.find((event) => event.scope === scope && event.id === id);
  const prior = new Set<Touch>();
  for (const [at, parent] of parents.entries()) {
    const tip = await reader.tip(parent);
    const record = at === 0 ? first?.before : await recordAt(reader, tip, scope, id);
    for (const before of await rowsAmong(reader, tip, all, record)) prior.add(before);
  }
  return [...prior];
}
