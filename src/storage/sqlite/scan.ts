import type { ObjectKind, ScannedObject, StoredObject } from "../port.js";
import { type Chunk, unpackChunk } from "./chunk.js";
import type { Connection } from "./connection.js";
import { isDamage } from "./errors.js";
import { readRows } from "./rows.js";

type ChunkRow = Chunk & { readonly seq: number };

export interface ScanOptions {
  readonly kinds?: readonly ObjectKind[] | undefined;
}

const rowsOf = (table: string): string =>
  `SELECT seq, directory, objects FROM ${table}
   WHERE seq > ? AND seq <= ? AND directory IS NOT NULL ORDER BY seq LIMIT ?`;

/** All rows of the range are held at the end, so larger pages take no more room. */
const AT_ONCE = { pageSize: 64 };

/** Objects of the rows with after < seq <= upTo, in order. What cannot be read is left to check(). */
export function scanRows(
  connection: Connection,
  after: number,
  upTo: number,
  { kinds }: ScanOptions,
): ScannedObject[] {
  const rows: ChunkRow[] = [];
  if (!kinds || kinds.some((kind) => kind !== "node"))
    rows.push(...readRows(connection.sql<ChunkRow>(rowsOf("journal")), after, upTo, AT_ONCE));
  if (!kinds || kinds.includes("node"))
    rows.push(...readRows(connection.sql<ChunkRow>(rowsOf("nodes")), after, upTo, AT_ONCE));
  const found: ScannedObject[] = [];
  for (const row of rows.sort((a, b) => a.seq - b.seq))
    for (const { hash, kind, bytes } of unpack(row, kinds)) found.push({ hash, kind, bytes, seq: row.seq });
  return found;
}

function unpack(chunk: Chunk, kinds: ScanOptions["kinds"]): StoredObject[] {
  try {
    return unpackChunk(chunk, kinds);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [];
  }
}
