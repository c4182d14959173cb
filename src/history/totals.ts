import { type Hash, MAIN, type Timestamp } from "../core/base/index.js";
import { GENESIS, type Tip, type Touch } from "../core/ledger/index.js";
import {
  type Context,
  checkGiven,
  count,
  lineRows,
  type Reader,
  type RowSight,
  rowSight,
} from "../repo/index.js";
import { checkDrawable, type Drawable, grouped, tracksOf } from "./lanes.js";
import type { Branch } from "./verbs/branches.js";
import { commitRows } from "./verbs/log.js";

/** Rows that the same sessions see: of one scope and sensitivity. One of them stands for all when it is asked who sees them. */
interface Kind {
  readonly row: Pick<Touch, "scope" | "id" | "sensitivity" | "record">;
  versions: number;
  forgotten: number;
}

export interface SeenHistory {
  /** Versions ever written, forgets included. */
  readonly versions: number;
  readonly commits: number;
  readonly forgotten: number;
}

const NOTE = "history-totals";
/** Fewer new commits are counted again as fast as a note is written. */
const WORTH_NOTING = 256;
/** Of more commits than this, all are counted anew. */
const MOST_FOLLOWED = 5_000;
/** Commits that mix thousands of scopes in ever other ways make a note that is not worth its room. */
const LONGEST_NOTE = 1_000_000;

/** How much history a commit rests on, counted so that every session's share of it follows without a row being read. */
class HistoryTotals {
  readonly #kinds = new Map<string, Kind>();
  /** How many commits have rows of just these kinds. */
  readonly #commits = new Map<string, number>();

  add(rows: readonly Touch[]): void {
    const met = new Set<string>();
    for (const { scope, id, sensitivity, record, op } of rows) {
      const key = `${scope} ${sensitivity}`;
      const kind = this.#kinds.get(key) ?? {
        row: { scope, id, sensitivity, ...(record && { record }) },
        versions: 0,
        forgotten: 0,
      };
      this.#kinds.set(key, kind);
      met.add(key);
      kind.versions++;
      if (op === "forget") kind.forgotten++;
    }
    const keys = [...met].sort().join("\n");
    this.#commits.set(keys, (this.#commits.get(keys) ?? 0) + 1);
  }

  async seenBy(sees: RowSight): Promise<SeenHistory> {
    const seen = new Set<string>();
    let [versions, forgotten, commits] = [0, 0, 0];
    for (const [key, kind] of this.#kinds)
      if (await sees(kind.row as Touch)) {
        seen.add(key);
        versions += kind.versions;
        forgotten += kind.forgotten;
      }
    for (const [keys, count] of this.#commits)
      if (keys.split("\n").some((key) => seen.has(key))) commits += count;
    return { versions, commits, forgotten };
  }

  toJSON(): unknown {
    return { kinds: [...this.#kinds], commits: [...this.#commits] };
  }

  static from(json: ReturnType<HistoryTotals["toJSON"]>): HistoryTotals {
    const totals = new HistoryTotals();
    const { kinds, commits } = json as { kinds: [string, Kind][]; commits: [string, number][] };
    for (const [key, kind] of kinds) totals.#kinds.set(key, { ...kind });
    for (const [keys, count] of commits) totals.#commits.set(keys, count);
    return totals;
  }
}

interface Counted {
  readonly commit: Hash;
  /** What is erased later is to be counted by nobody who may not know of it. */
  readonly epoch: number;
  readonly totals: HistoryTotals;
}
const COUNTED = new WeakMap<Reader, Counted>();

/** Goes on from what was counted last, here or by another process, and else counts all. */
export async function historyTotals(reader: Reader, tip: Tip): Promise<HistoryTotals> {
  const { epoch } = await reader.version();
  const usable = (one: Counted | undefined) => (one?.epoch === epoch ? one : undefined);
  const known = usable(COUNTED.get(reader)) ?? usable(await noted(reader));
  if (known?.commit === tip.hash) return known.totals;
  const followed = known && (await follow(reader, known, tip));
  const { totals, fresh } = followed ?? (await countAll(reader, tip));
  const counted = { commit: tip.hash, epoch, totals };
  COUNTED.set(reader, counted);
  if (fresh >= WORTH_NOTING) await note(reader, counted);
  return totals;
}

interface Fresh {
  readonly totals: HistoryTotals;
  /** Commits counted now. */
  readonly fresh: number;
}

async function countAll(reader: Reader, tip: Tip): Promise<Fresh> {
  const totals = new HistoryTotals();
  let fresh = 0;
  for await (const [, rows] of commitRows(reader, [tip], () => true)) {
    totals.add(rows);
    fresh++;
  }
  return { totals, fresh };
}

/** Undefined where the commit does not rest on what was counted. */
async function follow(reader: Reader, known: Counted, tip: Tip): Promise<Fresh | undefined> {
  const from = await reader.tip(known.commit).catch(() => undefined);
  if (!from || !(await reader.lineage.holds(tip, from.hash, from.commit.generation))) return undefined;
  const between = await reader.lineage.between(tip, from, MOST_FOLLOWED);
  if (!between) return undefined;
  let events = 0;
  for (const { commit } of between)
    events += (await reader.value("changeset", commit.changeset)).events.length;
  const byCommit = new Map<Hash, Touch[]>(between.map(({ hash }) => [hash, []]));
  for await (const row of lineRows(reader, new Set(byCommit.keys()), events))
    byCommit.get(row.commit)?.push(row);
  // Others may be reading the old ones.
  const totals = HistoryTotals.from(known.totals.toJSON());
  for (const rows of byCommit.values()) if (rows.length > 0) totals.add(rows);
  return { totals, fresh: between.length };
}

async function noted(reader: Reader): Promise<Counted | undefined> {
  try {
    const note = await reader.storage.side(NOTE);
    if (note === undefined) return undefined;
    const { commit, epoch, totals } = JSON.parse(note) as Counted;
    return { commit, epoch, totals: HistoryTotals.from(totals) };
  } catch {
    return undefined;
  }
}

/** A note only saves time; a process that cannot write one goes on without. */
async function note({ storage }: Reader, counted: Counted): Promise<void> {
  const text = JSON.stringify(counted);
  if (text.length <= LONGEST_NOTE) await storage.setSide(NOTE, text).catch(() => false);
}

/** When what happened on which line: rows of equal width over one stretch of time. */
export interface Timeline {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly TimelineRow[];
  /** Where a time stands under the rows. */
  readonly ticks: readonly { readonly column: number; readonly time: string }[];
}

export interface TimelineRow {
  readonly name: string;
  readonly cells: string;
  readonly commits: number;
}

/** Columns from one time to the next. */
const STEP = 20;

/** Wider than any screen. */
const MOST_COLUMNS = 10_000;
const width = (columns: unknown) =>
  count(columns) ?? ((columns as number) > MOST_COLUMNS ? `at most ${MOST_COLUMNS}` : undefined);

/** `●` a commit, `◆` a merge, a number where several fall into one column, `+` for more than nine. */
export function timeline(commits: readonly Drawable[], columns: number): Timeline | undefined {
  checkDrawable("timeline", commits);
  checkGiven("timeline", { columns }, { columns: width });
  const times = new Map(commits.map(({ commit, time }) => [commit, Date.parse(time)]));
  const [from, to] = bounds(times.values());
  if (commits.length === 0) return undefined;
  const merges = new Set(commits.flatMap(({ commit, links }) => (links.length > 1 ? [commit] : [])));
  const columnOf = (commit: string): number =>
    to === from ? 0 : Math.round((((times.get(commit) as number) - from) / (to - from)) * (columns - 1));
  const rows = tracksOf(commits).map(({ name, commits: line }) => {
    const byColumn = grouped(line, columnOf);
    const [start, end] = bounds(byColumn.keys());
    const cells = Array.from({ length: end + 1 }, (_, column) => {
      const here = byColumn.get(column);
      return here ? mark(here, merges) : column < start ? " " : "─";
    });
    return { name, cells: cells.join("").padEnd(columns), commits: line.length };
  });
  const ticks = Array.from({ length: Math.ceil(columns / STEP) }, (_, index) => ({
    column: index * STEP,
    time: new Date(from + ((to - from) * index * STEP) / Math.max(1, columns - 1)).toISOString(),
  }));
  const [first, last] = [new Date(from).toISOString(), new Date(to).toISOString()];
  return { from: first, to: last, rows, ticks: to === from ? ticks.slice(0, 1) : ticks };
}

function mark(here: readonly string[], merges: ReadonlySet<string>): string {
  if (here.length > 9) return "+";
  if (here.length > 1) return String(here.length);
  return merges.has(here[0] as string) ? "◆" : "●";
}

function bounds(numbers: Iterable<number>): readonly [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) [least, most] = [Math.min(least, number), Math.max(most, number)];
  return [least, most];
}

/**
 * Nobody makes `main`: it is as old as the first commit. Of those that the session sees, because when somebody else first
 * wrote is none of its business.
 */
export async function withMainsAge(context: Context, branches: readonly Branch[]): Promise<Branch[]> {
  const isAgeless = ({ name, head, created }: Branch): boolean =>
    name === MAIN && head !== GENESIS.hash && created === undefined;
  if (!branches.some(isAgeless)) return [...branches];
  const created = await firstSeen(context);
  return branches.map((branch) => (isAgeless(branch) && created ? { ...branch, created } : branch));
}

/** Nearly always the first row of all shows it. */
const PAGE = 256;

async function firstSeen(context: Context): Promise<Timestamp | undefined> {
  const { reader } = context.engine;
  const sees = rowSight(context);
  for (let after = 0; ; ) {
    const { seq, touch } = await reader.storage.touchSince(after, PAGE);
    for (const row of touch) if (await sees(row)) return row.time;
    if (seq === after) return undefined;
    after = seq;
  }
}
