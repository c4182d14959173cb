import type { Hash } from "../../core/base/index.js";
import { type LedgerEvent, stateLookup, type Tip, type Touch } from "../../core/ledger/index.js";
import { isNeed } from "../../core/merkle/index.js";
import { entryFrom } from "../read/entries.js";
import { lineRows } from "../read/line-rows.js";
import type { Reader } from "../read/reader.js";
import { rowAt } from "../read/versions.js";
import type { Kept } from "./kept-view.js";

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
