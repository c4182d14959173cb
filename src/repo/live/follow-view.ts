import { type Hash, idKey, scopeKey } from "../../core/base/index.js";
import { type LedgerEvent, stateLookup, type Tip, type Touch } from "../../core/ledger/index.js";
import { isNeed } from "../../core/merkle/index.js";
import { View } from "../../index/index.js";
import { type Counted, entryFrom, liveEntries } from "../read/entries.js";
import type { Reader } from "../read/reader.js";
import { sweep } from "../read/sweep.js";
import { giveWay } from "../read/turn.js";
import { rowAmong, rowAt } from "../read/versions.js";
import { LiveTable } from "./live-table.js";
import type { Kept } from "./view-image.js";

/** A key that was written on the way, and every version of it that was met. */
interface Changed {
  readonly scope: Hash;
  readonly id: Hash;
  readonly versions: Set<Hash>;
  /** What the last of the commits left there. */
  last: Hash | undefined;
}

/**
 * Brings a view from its commit to another one. Not by the difference of the two states: a memory that was forgotten and
 * came back is the same in both, but its version and commit are not. False when making a new view would be cheaper.
 */
export async function followView(reader: Reader, kept: Kept, to: Tip): Promise<boolean> {
  const limit = Math.max(500, kept.view.live / 4);
  await readAhead(reader, kept.tip, to);
  const between = await commitsBetween(reader, kept.tip, to, limit);
  const written = between && (await changedIn(reader, between, limit));
  if (!written) return false;
  const { changed, events } = written;
  const found = between.isLine ? lastVersions(changed) : await liveVersions(reader, to, changed);
  const records = await reader.values("memory", [...found.values()]);
  const rows = await lastRows(reader, between, events);
  const fresh = [];
  for (const [key, hash] of found) {
    const record = records.get(hash);
    const row = record && (rows.get(hash) ?? (await rowAt(reader, to, key.scope, key.id, hash)));
    if (row) fresh.push(entryFrom(record, hash, row));
    else if ((await reader.missed(hash)) === "damaged") kept.isWhole = false;
  }
  for (const { versions } of changed) for (const hash of versions) kept.view.remove(hash);
  for (const entry of fresh) kept.view.add(entry);
  kept.tip = to;
  return true;
}

/** From so many commits on they are read at once: one by one takes several times as long. More than the most fill the RAM. */
const SEVERAL = 8;
const MOST = 2000;
/** A large commit takes several transactions, and others are none of ours. */
const BESIDES = 16;

async function readAhead(reader: Reader, from: Tip, to: Tip): Promise<void> {
  const count = to.commit.generation - from.commit.generation;
  if (count < SEVERAL || count > MOST) return;
  const { seq } = await reader.version();
  const after = Math.max(0, seq - count - BESIDES);
  await reader.preload(["commit", "changeset", "memory"], { after, upTo: seq });
}

/** The commits that only one of the two rests on. */
interface Between {
  /** Of a line, the newest first. */
  readonly commits: readonly Tip[];
  /** Nothing but new commits, each on top of the one before. */
  readonly isLine: boolean;
}

async function commitsBetween(
  reader: Reader,
  from: Tip,
  to: Tip,
  limit: number,
): Promise<Between | undefined> {
  const ahead = await reader.lineage.between(to, from, limit);
  const behind = ahead && (await reader.lineage.between(from, to, limit));
  if (!behind) return undefined;
  const commits = [...ahead, ...behind];
  return {
    commits,
    isLine: behind.length === 0 && commits.every(({ commit }) => commit.parents.length === 1),
  };
}

/**
 * Every key that was written in one of the commits. Lines that were merged in count as well: a merge that found a memory
 * the same on both sides has no event for it, but its last version may be the other line's.
 */
async function changedIn(
  reader: Reader,
  { commits }: Between,
  limit: number,
): Promise<{ readonly changed: readonly Changed[]; readonly events: number } | undefined> {
  const changed = new Map<string, Changed>();
  let events = 0;
  for (const { commit } of commits.toReversed()) {
    for (const event of (await reader.value("changeset", commit.changeset)).events) {
      note(changed, event);
      events++;
    }
    if (changed.size > limit) return undefined;
  }
  // A merge says what it replaced on its first line only; a view of the second one holds something else.
  if (commits.some(({ commit }) => commit.parents.length > 1))
    for (const { scope, id, versions } of changed.values())
      for (const { record } of await reader.storage.touchOf(scope, id)) if (record) versions.add(record);
  return { changed: [...changed.values()], events };
}

/** So many rows of other commits are passed over before each key is looked up by itself. */
const FOREIGN = 1000;

/** The last row of every version that a line of commits made. Across merges rows compete, which is for `rowAt` to judge. */
async function lastRows(
  reader: Reader,
  { commits, isLine }: Between,
  events: number,
): Promise<Map<Hash, Touch>> {
  const rows = new Map<Hash, Touch>();
  const ours = new Set(commits.map(({ hash }) => hash));
  for await (const row of lineRows(reader, ours, isLine ? events : 0, FOREIGN))
    if (row.record && !rows.has(row.record)) rows.set(row.record, row);
  return rows;
}

function note(changed: Map<string, Changed>, { scope, id, before, after }: LedgerEvent): void {
  const known = changed.get(scope + id) ?? { scope, id, versions: new Set<Hash>(), last: undefined };
  changed.set(scope + id, known);
  known.last = after ?? undefined;
  if (before) known.versions.add(before);
  if (after) known.versions.add(after);
}

const lastVersions = (changed: readonly Changed[]): Map<Changed, Hash> =>
  new Map(changed.flatMap((key) => (key.last === undefined ? [] : [[key, key.last]])));

async function liveVersions(
  reader: Reader,
  tip: Tip,
  changed: readonly Changed[],
): Promise<Map<Changed, Hash>> {
  return reader.read<Map<Changed, Hash>>([tip], (source) => {
    const found = new Map<Changed, Hash>();
    const need: Hash[] = [];
    for (const key of changed) {
      const answer = stateLookup(tip.commit.root, key.scope, key.id, source);
      if (isNeed(answer)) need.push(...answer.need);
      else if (answer.record) found.set(key, answer.record);
    }
    return need.length > 0 ? { need: [...new Set(need)] } : found;
  });
}

/** Beyond this many it is cheaper to read all touch rows in order than to look each one up. */
const FEW = 500;
/** Rows read at a time. */
const ROWS = 2_000;

/** Joining parts reads all of them again, so that while nobody reads the view it is put off until RAM speaks for it. */
const MANY = 131_072;

/** Makes the view of a commit from the store. What cannot be read is left out and noted as damaged. */
export async function buildView(reader: Reader, tip: Tip): Promise<Kept> {
  const view = new View();
  const live = new LiveTable();
  for await (const entries of liveEntries(reader, tip)) live.addEntries(entries);
  const isMany = live.size > FEW;
  if (isMany) await addRows(reader, tip, live);
  const rowOf = (hash: Hash): Counted | undefined | Promise<Counted | undefined> => {
    if (isMany) {
      const own = live.rowsOf(hash);
      return own.length === 1 ? own[0] : rowAmong(reader, tip, own, hash);
    }
    const { scope, id } = live.placeOf(hash);
    return rowAt(reader, tip, scope, id, hash);
  };
  for await (const records of sweep(reader, live)) {
    for (const [hash, record] of records) {
      const place = live.placeOf(hash);
      const found = rowOf(hash);
      // To wait for what is at hand would cost more than all else about it.
      const row = found instanceof Promise ? await found : found;
      if (!row || scopeKey(record.scope) !== place.scope || idKey(record.id) !== place.id) continue;
      view.add(entryFrom(record, hash, row));
      live.hold(hash);
    }
    if (view.changes >= Math.max(MANY, view.live / 2)) await join(view);
  }
  let isWhole = true;
  for (const hash of live.unheld()) if ((await reader.missed(hash)) === "damaged") isWhole = false;
  if (view.isDue) await join(view);
  return { tip, view, isWhole, savedAt: undefined };
}

async function join(view: View): Promise<void> {
  const steps = view.compacting();
  while (!steps.next().done) await giveWay();
}

/** The rows of each version that is live. */
async function addRows(reader: Reader, tip: Tip, live: LiveTable): Promise<void> {
  for (let after = 0; ; ) {
    const page = await reader.storage.touchSince(after, ROWS);
    for (const row of page.touch) if (row.generation <= tip.commit.generation) live.addRow(row);
    if (page.seq === after) return;
    after = page.seq;
  }
}

/**
 * So many rows of some commits, read once from the newest down: to look each up by itself would unpack a commit's rows once
 * for each of them. Ends early when it meets too many of others.
 */
export async function* lineRows(
  reader: Reader,
  commits: ReadonlySet<Hash>,
  count: number,
  mostForeign = Number.POSITIVE_INFINITY,
): AsyncGenerator<Touch> {
  let left = count;
  let foreign = 0;
  for (let before = Number.MAX_SAFE_INTEGER; left > 0 && foreign < mostForeign && before > 0; ) {
    const page = await reader.storage.touchBefore(before, left);
    for (const row of page.touch)
      if (!commits.has(row.commit)) foreign++;
      else {
        left--;
        yield row;
      }
    before = page.seq;
  }
}
