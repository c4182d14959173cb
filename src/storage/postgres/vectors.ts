import { type Hash, hashToBytes } from "../../core/base/index.js";
import type { StoredVectors, TransactResult } from "../port.js";
import type { Run } from "./server.js";

const READ = {
  name: "vectors",
  text: `SELECT encode(key, 'hex') AS key, vectors FROM palimpsest.vectors
    WHERE store = $1 AND model = $2 AND key = ANY ($3::bytea[])`,
};
/** The row of the store is held meanwhile, so that no erasure comes between the look at the epoch and the commit. */
const WRITE = {
  name: "vectors_put",
  text: `WITH same AS (SELECT store FROM palimpsest.stores WHERE store = $1 AND epoch = $2 FOR SHARE),
    put AS (
      INSERT INTO palimpsest.vectors (store, model, key, source, vectors)
        SELECT same.store, $3, new.key, new.source, new.vectors
        FROM same, unnest($4::bytea[], $5::bytea[], $6::bytea[]) AS new (key, source, vectors)
        ON CONFLICT (store, model, key) DO UPDATE SET source = excluded.source, vectors = excluded.vectors
    )
    SELECT count(*)::integer AS same FROM same`,
};
const REMOVE = {
  name: "vectors_remove",
  text: "DELETE FROM palimpsest.vectors WHERE store = $1 AND source = ANY ($2::bytea[])",
};

export async function readVectors(
  run: Run,
  store: string,
  model: string,
  keys: readonly Hash[],
): Promise<Map<Hash, Int8Array>> {
  const { rows } = await run<{ key: Hash; vectors: Buffer }>(READ, [store, model, keys.map(hashToBytes)]);
  return new Map(rows.map(({ key, vectors }) => [key, new Int8Array(vectors)]));
}

export async function writeVectors(
  run: Run,
  store: string,
  model: string,
  entries: readonly StoredVectors[],
  epoch: number,
): Promise<TransactResult> {
  // Under a key given twice the last one counts.
  const last = [...new Map(entries.map((entry) => [entry.key, entry])).values()];
  const { rows } = await run<{ same: number }>(WRITE, [
    ...[store, epoch, model],
    last.map(({ key }) => hashToBytes(key)),
    last.map(({ source }) => hashToBytes(source)),
    last.map(({ vectors }) => Buffer.from(vectors.buffer, vectors.byteOffset, vectors.byteLength)),
  ]);
  return rows[0]?.same === 1 ? "ok" : "stale";
}

export async function removeVectors(run: Run, store: string, sources: readonly Hash[]): Promise<number> {
  const { rowCount } = await run(REMOVE, [store, sources.map(hashToBytes)]);
  return rowCount ?? 0;
}
