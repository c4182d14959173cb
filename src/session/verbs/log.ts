import type { BranchName, Hash, MemoryId, Scope, Timestamp } from "../../base/index.js";
import type { Author, Note, Op, Touch } from "../../ledger/index.js";
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
  /** Only commits up to this generation (an as-of read). */
  readonly upTo?: number;
}

/** Commits that changed something the session sees, newest first. */
export async function log(context: Context, reader: Reader, options: LogOptions): Promise<LogItem[]> {
  const items: LogItem[] = [];
  for await (const [commit, rows] of visibleCommits(context, reader, options.upTo)) {
    if (items.length >= (options.limit ?? 20)) break;
    items.push(await itemOf(reader, commit, rows, options.events ?? false));
  }
  return items;
}

/** Commits with the rows of theirs that the session sees, newest first. */
export async function* visibleCommits(
  context: Context,
  reader: Reader,
  upTo = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly [Hash, Touch[]]> {
  const visible = rowSight(context, reader);
  let current: Touch[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await reader.storage.touchBefore(before);
    for (const row of page.touch) {
      if (row.generation > upTo || !(await visible(row))) continue;
      const open = current[0];
      if (open && open.commit !== row.commit) {
        yield [open.commit, current.reverse()];
        current = [];
      }
      current.push(row);
    }
    before = page.seq;
  }
  if (current[0]) yield [current[0].commit, current.reverse()];
}

async function itemOf(
  reader: Reader,
  hash: Hash,
  rows: readonly Touch[],
  withEvents: boolean,
): Promise<LogItem> {
  const commit = await reader.value("commit", hash);
  const note: Note = commit.note ? ((await reader.values("note", [commit.note])).get(commit.note) ?? {}) : {};
  if (commit.note && Object.keys(note).length === 0) reader.damaged.add(commit.note);
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

async function eventOf(reader: Reader, row: Touch): Promise<LogEvent> {
  const named = await anyRecord(reader, row);
  const own = row.record && (await reader.values("memory", [row.record])).get(row.record);
  if (row.record && !own) reader.damaged.add(row.record);
  return {
    op: row.op,
    scope: (named?.scope ?? "") as Scope,
    id: (named?.id ?? "") as MemoryId,
    version: row.version,
    ...(row.record && { hash: row.record }),
    ...(own && { text: own.text }),
  };
}
