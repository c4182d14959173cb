import { checkGiven, count } from "../repo/index.js";
import { checkDrawable, type Drawable, grouped, tracksOf } from "./tracks.js";

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
