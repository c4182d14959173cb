import type { Author } from "../../session/index.js";
import { shortId } from "../../session/opening.js";
import { clean, hanging, type Line, line, oneLine, type Paint, type Piece } from "./line.js";

/** Hashes and ids as people see them; both forms are accepted back. */
export { shortId };
export const shortHash = (hash: string): string => hash.slice(0, 12);

/** A sentence or a command with its ids as people see them. */
export const withShortIds = (text: string): string =>
  text.replace(
    /\b(?:(?:(?:mem|snap)-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:topic|obs)-[0-9a-f]{32})\b/g,
    shortId,
  );

/** Times are shown in UTC, the zone in which `--at` reads them. */
export const when = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

export const who = ({ id, kind }: Author): string => (kind === "user" ? id : `${id} (${kind})`);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** Errors and warnings, in a few words: 1 error, 2 warnings. */
export function findingsOf(found: readonly { readonly severity: string }[]): string {
  const errors = found.filter(({ severity }) => severity === "error").length;
  const others = found.length - errors;
  return [errors > 0 && plural(errors, "error"), others > 0 && plural(others, "warning")]
    .filter(Boolean)
    .join(", ");
}

/** In groups of three. The tables of languages that `toLocaleString` loads cost a start more than opening a store. */
const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** How long ago, for lists at a glance; beyond a month the day says more. */
export function ago(time: string, now = Date.now()): string {
  const ms = now - Date.parse(time);
  const [unit, length] = UNITS.find(([, size]) => ms >= size) ?? ["now", 0];
  if (unit === "now") return "just now";
  return ms > 30 * UNITS[0][1] ? time.slice(0, 10) : `${Math.floor(ms / length)} ${unit} ago`;
}

/** For somebody who looks how long ago, for a program when. */
export const shownTime = (time: string, { columns }: { readonly columns: number }): string =>
  Number.isFinite(columns) ? ago(time) : when(time);

/** Any JSON value, texts in quotes, on one line; a triple as it is said. */
export const asValue = (value: unknown): string =>
  isTriple(value) ? asTriple(value) : (JSON.stringify(value) ?? "(nothing)");

type Triple = { readonly subject: string; readonly predicate: string; readonly object: string };
export const asTriple = ({ subject, predicate, object }: Triple): string =>
  `${subject} · ${predicate} · ${object}`;

const isTriple = (value: unknown): value is Triple =>
  typeof value === "object" &&
  value !== null &&
  ["subject", "predicate", "object"].every(
    (name) => typeof (value as Triple)[name as keyof Triple] === "string",
  );

/** As much of a memory's text as fits; of a memory without text, that it has none. */
export const saidLine = (text: string, columns: number, paint: Paint): Line =>
  isUnseen(text) ? paint.dim(NO_TEXT) : oneLine(text, columns);
export const NO_TEXT = "(no text)";
/** Blanks, and the Braille pattern without dots. Other hidden characters are shown by their names. */
export const isUnseen = (text: string): boolean => !/[^\s\u2800]/.test(text);

export interface Row {
  readonly cells: readonly Piece[];
  /** Behind the cells, as much of it as fits. */
  readonly text?: string | undefined;
}

/** Rows with their cells below each other; a column that is empty everywhere takes no room. */
export function aligned(rows: readonly Row[], columns: number): Line[] {
  const cells = rows.map((row) => row.cells.map(clean));
  const widths: number[] = [];
  for (const row of cells)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.columns);
  return rows.map(({ text = "" }, index) => {
    const shown = (cells[index] as Line[]).map((cell, at) => ({ cell, width: widths[at] as number }));
    const all = shown.filter(({ width }) => width > 0);
    while (text === "" && all.at(-1)?.cell.columns === 0) all.pop();
    const padded = all.map(({ cell, width }, at) =>
      at === all.length - 1 && text === "" ? cell : cell.padEnd(width),
    );
    const head = padded.reduce<Line | undefined>(
      (left, cell) => (left ? line`${left}  ${cell}` : cell),
      undefined,
    );
    if (text === "") return head ?? line``;
    const rest = oneLine(text, Math.max(8, columns - (head ? head.columns + 2 : 0)));
    return head ? line`${head}  ${rest}` : rest;
  });
}

/** Rows of name and value, the values below each other; `least` lets several tables line up. */
export function table(
  rows: readonly (readonly [name: string, value: Line | string | undefined])[],
  paint: Paint,
  least = 0,
): Line[] {
  const shown = rows.filter(([, value]) => value !== undefined && value !== "");
  const width = Math.max(least, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) =>
    hanging(
      line`${paint.dim(name.padEnd(width))}  ${typeof value === "string" ? oneLine(value) : (value as Line)}`,
      width + 2,
    ),
  );
}

/** Bytes as people read them. */
export function sizeText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`;
}

const LEVELS = "▁▂▃▄▅▆▇█";

/** A row of bars, one column each, the highest for the largest value; more values than columns are thinned out. */
export function sparkline(values: readonly number[], columns = values.length): string {
  const most = Math.max(1, ...values);
  const count = Math.max(1, Math.min(values.length, Math.floor(columns)));
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? values.length - 1 : Math.round((index * (values.length - 1)) / (count - 1));
    const level = Math.round(((values[at] ?? 0) / most) * (LEVELS.length - 1));
    return LEVELS[level];
  }).join("");
}
