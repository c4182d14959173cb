import { type Hash, hashFromBytes, hashToBytes } from "../../core/base/index.js";
import type { Touch } from "../../core/ledger/index.js";
import { type TouchWanted, unpackTouch } from "../touch-codec.js";
import type { Run } from "./server.js";

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
