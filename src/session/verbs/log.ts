import type { BranchName, Hash, MemoryId, Scope, Timestamp } from "../../base/index.js";
import {
  type Author,
  type Commit,
  GENESIS_CHANGESET,
  type Note,
  type Op,
  type Tip,
  type Touch,
} from "../../ledger/index.js";
import type { SeqRange } from "../../storage/index.js";
import type { Context } from "../context.js";
import type { Reader } from "../reader.js";
import { anyRecord, rowSight } from "../rows.js";

export interface LogItem {
  readonly commit: Hash;
  readonly parents: readonly Hash[];
  readonly branch: BranchName;
  readonly time: Timestamp;
  readonly author: Author;
  readonly message?: string;
  readonly reasons?: readonly string[];
  /** How many of its events the session sees. */
  readonly changes: number;
  /** The first of them, to tell commits apart at a glance. */
  readonly first: LogEvent;
  readonly events?: readonly LogEvent[];
}

export interface LogEvent {
  readonly op: Op;
  readonly scope: Scope;
  readonly id: MemoryId;
  readonly version: number;
  readonly hash?: Hash;
  readonly text?: string;
}

export interface LogOptions {
  readonly limit?: number;
  readonly events?: boolean;
}

/** Commits that a commit rests on and that changed something the session sees, newest first. */
export async function log(
  context: Context,
  reader: Reader,
  tips: readonly Tip[],
  options: LogOptions,
): Promise<LogItem[]> {
  const limit = options.limit ?? 20;
  const items: LogItem[] = [];
  for await (const [commit, rows] of visibleCommits(context, reader, tips, limit)) {
    if (items.length >= limit) break;
    items.push(await itemOf(reader, commit, rows, options.events ?? false));
  }
  return items;
}

/** Commits with the rows of theirs that the session sees, newest first. */
export async function* visibleCommits(
  context: Context,
  reader: Reader,
  tips: readonly Tip[],
  expected = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly [Hash, Touch[]]> {
  const visible = rowSight(context, reader);
  const size = Math.min(PAGE, Math.max(64, 2 * expected));
  const wanted = new Wanted(reader);
  await wanted.add(tips.map(({ hash }) => hash));
  let begun: Touch[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; before > 0 && wanted.size > 0; ) {
    const page = await reader.storage.touchBefore(before, size);
    await takeIn(reader, page.touch, { after: page.seq - 1, upTo: before - 1 });
    const groups = byCommit([...begun, ...page.touch]);
    // The rows of a large commit may go on in the next page.
    begun = page.seq > 0 ? (groups.pop() ?? []) : [];
    for (const group of groups) {
      const { commit } = group[0] as Touch;
      if (!wanted.has(commit)) continue;
      const rows: Touch[] = [];
      for (const row of group) if (await visible(row)) rows.push(row);
      if (rows.length > 0) yield [commit, rows.reverse()];
      await wanted.take(commit);
    }
    before = page.seq;
  }
}

function byCommit(rows: readonly Touch[]): Touch[][] {
  const groups: Touch[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0]?.commit === row.commit) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

const PAGE = 4096;

/** The commits of a page with their notes and the first record of each, which is what a log shows. */
async function takeIn(reader: Reader, rows: readonly Touch[], range: SeqRange): Promise<void> {
  const wanted = new Set<Hash>();
  for (const [at, { commit, record }] of rows.entries()) {
    wanted.add(commit);
    // Newest first: the first event of a commit is the last of its rows here.
    if (record && rows[at + 1]?.commit !== commit) wanted.add(record);
  }
  await reader.preload(
    ["commit", "note", "memory"],
    range,
    (hash, kind) => kind === "note" || wanted.has(hash),
  );
}

/** Commits that are part of the line and were not met yet. A child is always stored after its parents. */
class Wanted {
  readonly #reader: Reader;
  readonly #wanted = new Set<Hash>();
  readonly #met = new Set<Hash>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  get size(): number {
    return this.#wanted.size;
  }

  has(commit: Hash): boolean {
    return this.#wanted.has(commit);
  }

  async add(commits: readonly Hash[]): Promise<void> {
    const waiting = [...commits];
    for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
      if (this.#met.has(hash)) continue;
      this.#met.add(hash);
      const { changeset, parents } = await this.#reader.value("commit", hash);
      // A commit without events has no rows by which it could be met.
      if (changeset === GENESIS_CHANGESET.hash) waiting.push(...parents);
      else this.#wanted.add(hash);
    }
  }

  async take(commit: Hash): Promise<void> {
    this.#wanted.delete(commit);
    await this.add((await this.#reader.value("commit", commit)).parents);
  }
}

async function itemOf(
  reader: Reader,
  hash: Hash,
  rows: readonly Touch[],
  withEvents: boolean,
): Promise<LogItem> {
  const commit = await reader.value("commit", hash);
  const note: Note = commit.note ? ((await reader.values("note", [commit.note])).get(commit.note) ?? {}) : {};
  if (commit.note && Object.keys(note).length === 0 && !(await wentWithErased(reader, commit)))
    reader.damaged.add(commit.note);
  return {
    commit: hash,
    parents: commit.parents,
    branch: commit.branch,
    time: commit.time,
    author: commit.author,
    ...(note.message !== undefined && { message: note.message }),
    ...(note.reasons !== undefined && { reasons: note.reasons }),
    changes: rows.length,
    first: await eventOf(reader, rows[0] as Touch),
    ...(withEvents && { events: await Promise.all(rows.map((row) => eventOf(reader, row))) }),
  };
}

async function wentWithErased(reader: Reader, { changeset }: Commit): Promise<boolean> {
  const erased = await reader.erased();
  return (await reader.value("changeset", changeset)).events.some((event) => erased.hasKey(event));
}

async function eventOf(reader: Reader, row: Touch): Promise<LogEvent> {
  const named = await anyRecord(reader, row);
  const own = row.record && (await reader.values("memory", [row.record])).get(row.record);
  if (row.record && !own) await reader.missed(row.record);
  return {
    op: row.op,
    scope: (named?.scope ?? "") as Scope,
    id: (named?.id ?? "") as MemoryId,
    version: row.version,
    ...(row.record && { hash: row.record }),
    ...(own && { text: own.text }),
  };
}
