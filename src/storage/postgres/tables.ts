import { type Hash, hashFromBytes, hashToBytes, type JsonObject } from "../../core/base/index.js";
import type { Touch } from "../../core/ledger/index.js";
import type { ObjectKind, Ref, ScannedObject, SeqRange } from "../port.js";
import { type TouchWanted, unpackTouch } from "../touch-codec.js";
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

interface RefRow {
  readonly name: string;
  readonly target: Hash;
  readonly meta: string | null;
}

const COLUMNS = "name, encode(target, 'hex') AS target, meta::text AS meta";
const ONE = { name: "ref", text: `SELECT ${COLUMNS} FROM palimpsest.refs WHERE store = $1 AND name = $2` };
/** A range of the primary key, by the bytes of the names: no character of a prefix has a meaning of its own. */
const SOME = {
  name: "refs",
  text: `SELECT ${COLUMNS} FROM palimpsest.refs WHERE store = $1 AND name >= $2 AND name < $3 ORDER BY name`,
};

export async function readRef(run: Run, store: string, name: string): Promise<Ref | undefined> {
  const { rows } = await run<RefRow>(ONE, [store, name]);
  return rows[0] && refOf(rows[0]);
}

export async function readRefs(run: Run, store: string, prefix: string): Promise<Map<string, Ref>> {
  const { rows } = await run<RefRow>(SOME, [store, prefix, `${prefix}\u{10ffff}`]);
  return new Map(rows.map((row) => [row.name, refOf(row)]));
}

const refOf = ({ target, meta }: RefRow): Ref =>
  meta === null ? { target } : { target, meta: JSON.parse(meta) as JsonObject };

/** With the version of the store in the same snapshot: rows that appear later must not be counted as read. */
const since = (column: "touch") => ({
  name: `${column}_since`,
  text: `SELECT s.seq::float8 AS top, j.seq::float8 AS seq, j.value FROM palimpsest.stores s LEFT JOIN LATERAL (
      SELECT seq, ${column} AS value FROM palimpsest.journal
      WHERE store = $1 AND seq > $2 AND seq <= $3 AND ${column} IS NOT NULL ORDER BY seq LIMIT $4
    ) j ON true WHERE s.store = $1 ORDER BY j.seq`,
});
const before = (column: "touch" | "ops") => ({
  name: `${column}_before`,
  text: `SELECT seq::float8 AS seq, ${column} AS value FROM palimpsest.journal
    WHERE store = $1 AND seq < $2 AND ${column} IS NOT NULL ORDER BY seq DESC LIMIT $3`,
});
const OF_KEY = {
  name: "touch_of",
  text: `SELECT j.touch AS value FROM palimpsest.touched t JOIN palimpsest.journal j ON j.store = $1 AND j.seq = t.seq
    WHERE t.store = $1 AND t.key = $2 ORDER BY t.seq DESC LIMIT $3`,
};
const TOUCH_SINCE = since("touch");
const TOUCH_BEFORE = before("touch");
const OPS_BEFORE = before("ops");

const PAGE = 256;
const MOST = 0x7fff_ffff;

interface Row {
  readonly seq: number;
  readonly value: Buffer;
}

/** From the newest row downwards; rows may hold other scopes' events of the same id, then all are asked for. */
export async function touchOf(
  run: Run,
  store: string,
  wanted: NonNullable<TouchWanted>,
  newest: number,
): Promise<Touch[]> {
  const key = hashToBytes("link" in wanted ? wanted.link : wanted.id);
  const limit = Math.min(newest, MOST);
  const { rows } = await run<Row>(OF_KEY, [store, key, limit]);
  const found = rows.reverse().flatMap(({ value }) => unpackTouch(value, wanted));
  return found.length < newest && rows.length === limit ? touchOf(run, store, wanted, MOST) : found;
}

export async function touchSince(
  run: Run,
  store: string,
  after: number,
  limit: number,
): Promise<{ seq: number; touch: Touch[] }> {
  const touch: Touch[] = [];
  let end = Number.MAX_SAFE_INTEGER;
  for (let at = after; ; ) {
    const size = Math.min(limit - touch.length, PAGE);
    const { rows } = await run<Row & { top: number }>(TOUCH_SINCE, [store, at, end, size]);
    end = Math.min(end, rows[0]?.top ?? 0);
    const page = rows.filter(({ value }) => value !== null);
    for (const { seq, value } of page) {
      touch.push(...unpackTouch(value));
      at = seq;
      if (touch.length >= limit) return { seq, touch };
    }
    if (page.length < size) return { seq: Math.max(after, end), touch };
  }
}

export async function touchBefore(run: Run, store: string, from: number, limit: number) {
  const { seq, found } = await downwards(run, TOUCH_BEFORE, [store, from], limit, unpackTouch);
  return { seq, touch: found };
}

export async function opsBefore(run: Run, store: string, from: number, limit: number) {
  const { seq, found } = await downwards(run, OPS_BEFORE, [store, from], limit, unpackOps);
  return { seq, ops: found };
}

export const unpackOps = (bytes: Buffer): Hash[] =>
  Array.from({ length: bytes.length / 32 }, (_, at) => hashFromBytes(bytes, at * 32));

async function downwards<T>(
  run: Run,
  statement: typeof TOUCH_BEFORE,
  [store, from]: readonly [string, number],
  limit: number,
  unpack: (bytes: Buffer) => T[],
): Promise<{ seq: number; found: T[] }> {
  const found: T[] = [];
  for (let at = from; ; ) {
    const size = Math.min(limit - found.length, PAGE);
    const { rows } = await run<Row>(statement, [store, at, size]);
    for (const { seq, value } of rows) {
      found.push(...unpack(value).reverse());
      at = seq;
      if (found.length >= limit) return { seq, found };
    }
    if (rows.length < size) return { seq: 0, found };
  }
}
