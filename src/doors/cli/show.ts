import type { Author } from "../../session/index.js";
import { type Line, line, oneLine, type Paint } from "./line.js";

/** Hashes and ids as people see them; both forms are accepted back. */
export const shortHash = (hash: string): string => hash.slice(0, 12);

/** A generated id by its end, a derived one by its beginning, one that somebody chose as it is. */
export function shortId(id: string): string {
  if (/^mem-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id.slice(-8);
  return id.replace(/^((?:topic|obs)-[0-9a-f]{8})[0-9a-f]{24}$/, "$1");
}

/** Times are shown in UTC, the zone in which `--at` reads them. */
export const when = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

export const who = ({ id, kind }: Author): string => (kind === "user" ? id : `${id} (${kind})`);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

/** Rows of name and value, the values below each other. */
export function table(
  rows: readonly (readonly [name: string, value: Line | string | undefined])[],
  paint: Paint,
): Line[] {
  const shown = rows.filter(([, value]) => value !== undefined && value !== "");
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(
    ([name, value]) =>
      line`${paint.dim(name.padEnd(width))}  ${typeof value === "string" ? oneLine(value) : (value as Line)}`,
  );
}
