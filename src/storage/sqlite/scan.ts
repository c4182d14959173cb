import type { ScannedObject, ScanOptions, StoredObject } from "../port.js";
import { type Chunk, unpackChunk } from "./chunk.js";
import type { Connection } from "./connection.js";
import type { Statement } from "./driver.js";
import { isDamage } from "./errors.js";
import { readRows } from "./rows.js";

type ChunkRow = Chunk & { readonly seq: number };

type Kinds = Pick<ScanOptions, "kinds" | "containing">;

/** Where more is looked for, SQLite is no faster than whoever asked. */
const MOST_NEEDLES = 4;

/** Can SQLite leave out most rows? Then far more of them are asked for at once. */
export const isSifted = ({ containing = [] }: Kinds): boolean =>
  containing.length > 0 && containing.length <= MOST_NEEDLES;

/** Needles are handed over with each call, because texts of statements are kept. */
function rowsOf(connection: Connection, table: string, options: Kinds): Pick<Statement<ChunkRow>, "all"> {
  const needles = isSifted(options) ? (options.containing ?? []) : [];
  const sifted = needles.map(() => "instr(objects, ?) > 0").join(" OR ");
  const statement = connection.sql<ChunkRow>(
    `SELECT seq, directory, objects FROM ${table}
     WHERE ${sifted === "" ? "" : `(${sifted}) AND`} seq > ? AND seq <= ? AND directory IS NOT NULL ORDER BY seq LIMIT ?`,
  );
  return needles.length === 0 ? statement : { all: (...page) => statement.all(...needles, ...page) };
}

/** All rows of the range are held at the end, so larger pages take no more room. */
const AT_ONCE = { pageSize: 64 };

/** Objects of the rows with after < seq <= upTo, in order. What cannot be read is left to check(). */
export function scanRows(
  connection: Connection,
  after: number,
  upTo: number,
  options: Kinds,
): ScannedObject[] {
  const { kinds } = options;
  const rows: ChunkRow[] = [];
  if (!kinds || kinds.some((kind) => kind !== "node"))
    rows.push(...readRows(rowsOf(connection, "journal", options), after, upTo, AT_ONCE));
  if (!kinds || kinds.includes("node"))
    rows.push(...readRows(rowsOf(connection, "nodes", options), after, upTo, AT_ONCE));
  const found: ScannedObject[] = [];
  for (const row of rows.sort((a, b) => a.seq - b.seq))
    for (const { hash, kind, bytes } of unpack(row, kinds)) found.push({ hash, kind, bytes, seq: row.seq });
  return found;
}

function unpack(chunk: Chunk, kinds: Kinds["kinds"]): StoredObject[] {
  try {
    return unpackChunk(chunk, kinds);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [];
  }
}
