import type { Connection } from "./connection.js";
import { damaged } from "./errors.js";

interface Row {
  readonly key: string;
  readonly value: unknown;
}

const ONE = "SELECT key, value FROM side WHERE key = ?";

export function readSide(connection: Connection, key: string): string | undefined {
  const row = connection.sql<Row>(ONE).get(key);
  return row && textOf(row);
}

export function readSides(connection: Connection, prefix: string): Map<string, string> {
  const rows = connection
    .sql<Row>("SELECT key, value FROM side WHERE key >= ? AND key < ?")
    .all(prefix, `${prefix}\u{10ffff}`);
  return new Map(rows.map((row) => [row.key, textOf(row)]));
}

function textOf({ key, value }: Row): string {
  if (typeof value === "string") return value;
  throw damaged(`The note ${key} is damaged.`, { note: key });
}

/** Inside a write transaction; undefined when the note does not say what was expected. */
export function writeSide(
  connection: Connection,
  key: string,
  value: string | null,
  expect: string | null | undefined,
): { readonly isShorter: boolean } | undefined {
  // A damaged one says nothing, so that another can take its place.
  const row = connection.sql<Row>(ONE).get(key);
  const before = typeof row?.value === "string" ? row.value : undefined;
  if (expect !== undefined && (before ?? null) !== expect) return undefined;
  if (value === null) connection.sql("DELETE FROM side WHERE key = ?").run(key);
  else connection.sql("INSERT OR REPLACE INTO side VALUES (?, ?)").run(key, value);
  return { isShorter: before !== undefined && before.length > (value?.length ?? 0) };
}
