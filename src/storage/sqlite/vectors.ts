import { crc32 } from "node:zlib";
import { type Hash, hashFromBytes, hashToBytes, hashValue } from "../../core/base/index.js";
import type { StoredVectors } from "../port.js";

import type { Connection } from "./connection.js";
import { prefixOf } from "./place.js";

interface VectorRow {
  readonly at: number;
  readonly model: number;
  readonly key: Uint8Array;
  readonly source: Uint8Array;
  readonly vectors: Uint8Array;
  readonly checksum: number;
}

/** Few models ever meet in one store: 48 bits of the name's hash tell them apart. */
const modelKey = (model: string): number => prefixOf(hashValue("id", model));

const checksumOf = ({ model, key, source, vectors }: Omit<VectorRow, "at" | "checksum">): number =>
  crc32(vectors, crc32(source, crc32(key, crc32(String(model)))));

const isBytes = (column: unknown): boolean => column instanceof Uint8Array;

const isWhole = (row: VectorRow): boolean =>
  isBytes(row.key) && isBytes(row.source) && isBytes(row.vectors) && row.checksum === checksumOf(row);

export function readVectors(
  connection: Connection,
  model: string,
  keys: readonly Hash[],
): Map<Hash, Int8Array> {
  const select = connection.sql<VectorRow>("SELECT * FROM vectors WHERE model = ? AND key = ?");
  const number = modelKey(model);
  const found = new Map<Hash, Int8Array>();
  for (const key of keys) {
    const row = select.get(number, hashToBytes(key));
    if (row && isWhole(row)) found.set(key, new Int8Array(row.vectors));
  }
  return found;
}

/** Inside a write transaction; undefined when the epoch is another than expected. */
export function writeVectors(
  connection: Connection,
  model: string,
  entries: readonly StoredVectors[],
  epoch: number,
): { readonly written: number } | undefined {
  if (connection.refresh().epoch !== epoch) return undefined;
  // Some versions of Node bind an empty view of bytes as NULL.
  const insert = connection.sql(
    "INSERT OR REPLACE INTO vectors (model, key, source, vectors, checksum) VALUES (?, ?, ?, ifnull(?, x''), ?)",
  );
  const number = modelKey(model);
  for (const { key, source, vectors } of entries) {
    const bytes = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    const row = { model: number, key: hashToBytes(key), source: hashToBytes(source), vectors: bytes };
    insert.run(number, row.key, row.source, bytes, checksumOf(row));
  }
  return { written: entries.length };
}

/** Reads the whole table once: erasing is rare, and an index of sources would be paid for by every write. */
export function removeVectors(
  connection: Connection,
  sources: readonly Hash[],
): { readonly removed: number } {
  const gone = new Set(sources);
  const rows = connection.sql<{ at: number; source: Uint8Array }>("SELECT at, source FROM vectors").all();
  const doomed = rows.filter(
    ({ source }) => isBytes(source) && source.length === 32 && gone.has(hashFromBytes(source)),
  );
  // Overwritten in place before they go: the room that a deletion frees may be filled by moving what is left.
  const blank = connection.sql("UPDATE vectors SET vectors = zeroblob(length(vectors)) WHERE at = ?");
  const remove = connection.sql("DELETE FROM vectors WHERE at = ?");
  for (const { at } of doomed) {
    blank.run(at);
    remove.run(at);
  }
  return { removed: doomed.length };
}

/** The rows whose checksum does not fit. */
export function damagedVectors(connection: Connection): number[] {
  const page = connection.sql<VectorRow>("SELECT * FROM vectors WHERE at > ? ORDER BY at LIMIT 1000");
  const damaged: number[] = [];
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = page.all(after);
    damaged.push(...rows.filter((row) => !isWhole(row)).map(({ at }) => at));
    if (rows.length === 0) return damaged;
    after = rows.at(-1)!.at;
  }
}
