import type { Connection } from "./connection.js";

export function readSide(connection: Connection, key: string): string | undefined {
  return connection.sql<{ value: string }>("SELECT value FROM side WHERE key = ?").get(key)?.value;
}

export function readSides(connection: Connection, prefix: string): Map<string, string> {
  const rows = connection
    .sql<{ key: string; value: string }>("SELECT key, value FROM side WHERE key >= ? AND key < ?")
    .all(prefix, `${prefix}\u{10ffff}`);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** Inside a write transaction; undefined when the note does not say what was expected. */
export function writeSide(
  connection: Connection,
  key: string,
  value: string | null,
  expect: string | null | undefined,
): { readonly set: true } | undefined {
  if (expect !== undefined && (readSide(connection, key) ?? null) !== expect) return undefined;
  if (value === null) connection.sql("DELETE FROM side WHERE key = ?").run(key);
  else connection.sql("INSERT OR REPLACE INTO side VALUES (?, ?)").run(key, value);
  return { set: true };
}
