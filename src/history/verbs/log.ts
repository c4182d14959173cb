import type { BranchName, Hash, JsonObject, MemoryId, Scope, Timestamp } from "../../core/base/index.js";
import type { Author, Commit, MemoryRecord, Note, Op, Tip, Touch } from "../../core/ledger/index.js";
import type { Context, Reader } from "../../repo/index.js";
import { anyRecord, type Glance, Neighbours, type RowSight, rowSight, Wanted } from "../../repo/index.js";
import type { LogOptions } from "../options.js";

export interface LogItem {
  readonly commit: Hash;
  readonly parents: readonly Hash[];
  readonly branch: BranchName;
  readonly time: Timestamp;
  readonly author: Author;
  readonly message?: string;
  readonly reasons?: readonly string[];
  /** What its writer said beside the message, and what a verb noted (`undoes`, `reverts`). */
  readonly meta?: JsonObject;
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

/** Commits that a commit rests on and that changed something the session sees, newest first. */
export async function log(context: Context, tips: readonly Tip[], options: LogOptions): Promise<LogItem[]> {
  const { reader } = context.engine;
  const items: LogItem[] = [];
  const { limit = 20, events = false } = options;
  const shown = { limit, isShown: true, visible: rowSight(context) };
  for await (const page of pages(reader, tips, shown))
    for (const visible of page.commits) {
      const item = itemOf(reader, page.glance, visible, events);
      items.push(item instanceof Promise ? await item : item);
    }
  return items;
}

/** The same one by one, however many there are. */
export async function* logItems(
  context: Context,
  tips: readonly Tip[],
  { limit, events = false }: LogOptions,
): AsyncGenerator<LogItem> {
  const { reader } = context.engine;
  const shown = { limit, isShown: true, visible: rowSight(context) };
  for await (const { commits, glance } of pages(reader, tips, shown))
    for (const visible of commits) yield itemOf(reader, glance, visible, events);
}

/** Commits with the rows of theirs that the session sees, newest first. */
export async function* visibleCommits(context: Context, tips: readonly Tip[]): AsyncGenerator<VisibleCommit> {
  const { reader } = context.engine;
  yield* commitRows(reader, tips, rowSight(context));
}

/** The same for callers that decide by themselves which rows are wanted. */
export async function* commitRows(
  reader: Reader,
  tips: readonly Tip[],
  visible: RowSight,
): AsyncGenerator<VisibleCommit> {
  for await (const { commits } of pages(reader, tips, { isShown: false, visible })) yield* commits;
}

type VisibleCommit = readonly [Hash, Touch[]];

interface Page {
  readonly commits: readonly VisibleCommit[];
  /** Sees what was read beside the rows. */
  readonly glance: Glance;
}

interface PageOptions {
  readonly limit?: number | undefined;
  /** Does the caller show what the commits say, beyond which there are? */
  readonly isShown: boolean;
  readonly visible: RowSight;
}

async function* pages(
  reader: Reader,
  tips: readonly Tip[],
  { limit = Number.POSITIVE_INFINITY, isShown, visible }: PageOptions,
): AsyncGenerator<Page> {
  if (limit < 1) return;
  const size = Math.min(PAGE, Math.max(64, 2 * limit));
  const beside = new Neighbours(reader, isShown ? ["commit", "note", "memory"] : ["commit"]);
  const { glance } = beside;
  const wanted = new Wanted(reader);
  await wanted.add(
    tips.map(({ hash }) => hash),
    glance,
  );
  let left = limit;
  let begun: Touch[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; before > 0 && wanted.size > 0; ) {
    const page = await reader.storage.touchBefore(before, size);
    const groups = byCommit([...begun, ...page.touch]);
    // The rows of a large commit may go on in the next page.
    begun = page.seq > 0 ? (groups.pop() ?? []) : [];
    // Beside the rows of a few large commits lies much that nobody asks for.
    if (groups.length >= FEW) await beside.read({ after: page.seq - 1, upTo: before - 1 });
    const commits: VisibleCommit[] = [];
    for (const group of groups) {
      const { commit } = group[0] as Touch;
      if (!wanted.has(commit)) continue;
      const rows: Touch[] = [];
      for (const row of group) {
        const seen = visible(row);
        if (typeof seen === "boolean" ? seen : await seen) rows.push(row);
      }
      if (rows.length > 0) {
        commits.push([commit, rows.reverse()]);
        left--;
      }
      if (left <= 0) break;
      const late = wanted.take(commit, glance);
      if (late) await late;
    }
    yield { commits, glance };
    before = left <= 0 ? 0 : page.seq;
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

/** What a page holds dies young; of larger ones the collector would copy most before it is let go. */
const PAGE = 256;
const FEW = 4;

/** At once wherever everything was read beside the rows: a promise for each of thousands costs more than the rest. */
function itemOf(
  reader: Reader,
  glance: Glance,
  visible: VisibleCommit,
  withEvents: boolean,
): LogItem | Promise<LogItem> {
  const [hash, rows] = visible;
  const commit = glance("commit", hash);
  const note = commit?.note ? glance("note", commit.note) : NO_NOTE;
  if (!commit || !note || withEvents) return lateItem(reader, glance, visible, withEvents);
  const first = eventOf(reader, glance, rows[0] as Touch);
  return first instanceof Promise
    ? first.then((event) => makeItem(visible, commit, note, event))
    : makeItem(visible, commit, note, first);
}

const NO_NOTE: Note = {};

async function lateItem(
  reader: Reader,
  glance: Glance,
  visible: VisibleCommit,
  withEvents: boolean,
): Promise<LogItem> {
  const [hash, rows] = visible;
  const commit = glance("commit", hash) ?? (await reader.value("commit", hash));
  const note = commit.note
    ? (glance("note", commit.note) ?? (await reader.values("note", [commit.note])).get(commit.note))
    : NO_NOTE;
  if (commit.note && !note && !(await wentWithErased(reader, commit))) reader.damaged.add(commit.note);
  const events = await Promise.all(
    (withEvents ? rows : rows.slice(0, 1)).map((row) => eventOf(reader, glance, row)),
  );
  const item = makeItem(visible, commit, note ?? NO_NOTE, events[0] as LogEvent);
  return withEvents ? { ...item, events } : item;
}

const makeItem = ([hash, rows]: VisibleCommit, commit: Commit, note: Note, first: LogEvent): LogItem => ({
  commit: hash,
  parents: commit.parents,
  branch: commit.branch,
  time: commit.time,
  author: commit.author,
  ...(note.message !== undefined && { message: note.message }),
  ...(note.reasons !== undefined && { reasons: note.reasons }),
  ...(note.meta && shownMeta(note.meta)),
  changes: rows.length,
  first,
});

/** Why something waited is for the person who decides about it, and may speak of other memories. */
function shownMeta({ staged: _, ...meta }: JsonObject): Pick<LogItem, "meta"> {
  return Object.keys(meta).length === 0 ? {} : { meta };
}

async function wentWithErased(reader: Reader, { changeset }: Commit): Promise<boolean> {
  const erased = await reader.erased();
  return (await reader.value("changeset", changeset)).events.some((event) => erased.hasKey(event));
}

function eventOf(reader: Reader, glance: Glance, row: Touch): LogEvent | Promise<LogEvent> {
  const own = row.record && glance("memory", row.record);
  return own ? makeEvent(row, own, own) : lateEvent(reader, row);
}

async function lateEvent(reader: Reader, row: Touch): Promise<LogEvent> {
  const own = row.record && (await reader.values("memory", [row.record])).get(row.record);
  if (row.record && !own) await reader.missed(row.record);
  return makeEvent(row, own || undefined, own || (await anyRecord(reader, row)));
}

const makeEvent = (row: Touch, own: MemoryRecord | undefined, named: MemoryRecord | undefined): LogEvent => ({
  op: row.op,
  scope: (named?.scope ?? "") as Scope,
  id: (named?.id ?? "") as MemoryId,
  version: row.version,
  ...(row.record && { hash: row.record }),
  ...(own && { text: own.text }),
});
