import { type Hash, hashToBytes } from "../../core/base/index.js";
import type { ObjectKind, ScannedObject, SeqRange } from "../port.js";
import { KINDS, kindNumber } from "./pack.js";
import type { Run } from "./server.js";

const GET = {
  name: "get",
  text: `SELECT encode(hash, 'hex') AS hash, bytes FROM palimpsest.objects WHERE store = $1 AND hash = ANY ($2::bytea[])`,
};
const KNOWN = {
  name: "known",
  text: `SELECT encode(hash, 'hex') AS hash FROM palimpsest.objects WHERE store = $1 AND hash = ANY ($2::bytea[])`,
};
/** A page ends after so many objects, or so many bytes, whichever comes first; at least one object is in it. */
const SCAN = {
  name: "scan",
  text: `SELECT seq::float8 AS seq, at, kind, encode(hash, 'hex') AS hash, bytes FROM (
      SELECT *, sum(octet_length(bytes)) OVER (ORDER BY seq, at) - octet_length(bytes) AS before FROM (
        SELECT seq, at, kind, hash, bytes FROM palimpsest.objects
        WHERE store = $1 AND (seq, at) > ($2, $3) AND seq <= $4 AND kind = ANY ($5::smallint[])
        ORDER BY seq, at LIMIT ${1000}
      ) page
    ) counted WHERE before < ${4 << 20} ORDER BY seq, at`,
};
const REMOVE = { name: "remove", text: "SELECT palimpsest.remove($1, $2, $3, $4, $5) AS removed" };

export async function readObjects(
  run: Run,
  store: string,
  hashes: readonly Hash[],
): Promise<Map<Hash, Uint8Array>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await run<{ hash: Hash; bytes: Buffer }>(GET, [store, hashes.map(hashToBytes)]);
  return new Map(rows.map(({ hash, bytes }) => [hash, new Uint8Array(bytes)]));
}

export async function readMissing(run: Run, store: string, hashes: readonly Hash[]): Promise<Hash[]> {
  const wanted = new Set(hashes);
  if (wanted.size === 0) return [];
  const { rows } = await run<{ hash: Hash }>(KNOWN, [store, [...wanted].map(hashToBytes)]);
  for (const { hash } of rows) wanted.delete(hash);
  return [...wanted];
}

interface ScanRow {
  readonly seq: number;
  readonly at: number;
  readonly kind: number;
  readonly hash: Hash;
  readonly bytes: Buffer;
}

/** In the order of writing. What is written or taken out meanwhile may be met or not. */
export async function* scanObjects(
  run: Run,
  store: string,
  { after, upTo }: SeqRange,
  kinds: readonly ObjectKind[] = KINDS,
): AsyncGenerator<ScannedObject> {
  const numbers = kinds.map(kindNumber);
  // Behind everything of the last transaction that is not wanted.
  for (let place: readonly [number, number] = [after, 0x7fff_ffff]; ; ) {
    const { rows } = await run<ScanRow>(SCAN, [store, ...place, upTo, numbers]);
    const last = rows.at(-1);
    if (!last) return;
    for (const { seq, kind, hash, bytes } of rows)
      yield { seq, kind: KINDS[kind - 1]!, hash, bytes: new Uint8Array(bytes) };
    place = [last.seq, last.at];
  }
}

export async function removeObjects(
  run: Run,
  store: string,
  hashes: readonly Hash[],
  { after, upTo }: SeqRange = { after: -1, upTo: Number.MAX_SAFE_INTEGER },
  patience: string,
): Promise<number> {
  if (hashes.length === 0) return 0;
  const { rows } = await run<{ removed: number }>(REMOVE, [
    store,
    hashes.map(hashToBytes),
    after,
    upTo,
    patience,
  ]);
  return rows[0]!.removed;
}
