import { setImmediate as nextTurn } from "node:timers/promises";
import { type Hash, hashToBytes } from "../../core/base/index.js";
import type { StorageProblem } from "../port.js";
import { isTouchWhole, unpackTouch } from "../touch-codec.js";
import { unpackOps } from "./journal.js";
import { readMissing } from "./objects.js";
import { keysOf } from "./pack.js";
import type { Run } from "./server.js";

const PAGE = 200;
const ROWS = {
  name: "check_rows",
  text: `SELECT seq::float8 AS seq, touch, ops FROM palimpsest.journal
    WHERE store = $1 AND seq > $2 ORDER BY seq LIMIT ${PAGE}`,
};
const KEYS = {
  name: "check_keys",
  text: `SELECT encode(key, 'hex') AS key, seq::float8 AS seq FROM palimpsest.touched
    WHERE store = $1 AND key = ANY ($2::bytea[]) AND seq > $3 AND seq <= $4`,
};
const COUNT = {
  name: "check_count",
  text: `SELECT (SELECT count(*) FROM palimpsest.touched WHERE store = $1)::float8 AS keys,
    (SELECT seq FROM palimpsest.stores WHERE store = $1)::float8 AS seq,
    (SELECT max(seq) FROM palimpsest.journal WHERE store = $1)::float8 AS last`,
};

interface JournalRow {
  readonly seq: number;
  readonly touch: Buffer | null;
  readonly ops: Buffer | null;
}

const error = (problem: string, object: string): StorageProblem => ({ problem, severity: "error", object });

/**
 * What hashes do not show: rows of the journal that are not whole, operations that are not there, an index that does not
 * agree with the rows. What is written meanwhile is left out.
 */
export async function* checkStore(
  run: Run,
  store: string,
  goOn: () => boolean,
): AsyncGenerator<StorageProblem> {
  const { rows: counts } = await run<{ keys: number; seq: number | null; last: number | null }>(COUNT, [
    store,
  ]);
  const { keys: indexed, seq: end, last } = counts[0]!;
  if (end === null) return;
  if ((last ?? 0) !== end) yield error("mark-damaged", `version ${end}, journal ${last ?? 0}`);
  let expected = 0;
  for (let at = 0; ; ) {
    const page = (await run<JournalRow>(ROWS, [store, at])).rows.filter(({ seq }) => seq <= end);
    if (page.length === 0) break;
    const upTo = page.at(-1)!.seq;
    const wanted = new Map<string, Hash>();
    for (const { seq, touch } of page) {
      if (!touch) continue;
      if (!isTouchWhole(touch)) yield error("touch-damaged", `journal ${seq}`);
      else for (const key of keysOf(unpackTouch(touch))) wanted.set(`${seq} ${key}`, key);
    }
    expected += wanted.size;
    const found = await run<{ key: Hash; seq: number }>(KEYS, [
      ...[store, [...new Set(wanted.values())].map(hashToBytes), at, upTo],
    ]);
    for (const { key, seq } of found.rows) wanted.delete(`${seq} ${key}`);
    for (const place of wanted.keys()) yield error("index-missing", `touched ${place}`);
    yield* operationsOf(run, store, page);
    at = upTo;
    await nextTurn();
    if (!goOn()) return;
  }
  if (indexed !== expected) yield error("index-stray", `touched has ${indexed} rows, not ${expected}`);
}

async function* operationsOf(
  run: Run,
  store: string,
  page: readonly JournalRow[],
): AsyncGenerator<StorageProblem> {
  for (const { seq, ops } of page)
    if (ops && ops.length % 32 !== 0) yield error("operations-damaged", `journal ${seq}`);
  const ops = page.flatMap(({ ops: bytes }) => (bytes && bytes.length % 32 === 0 ? unpackOps(bytes) : []));
  for (const hash of await readMissing(run, store, ops)) yield error("operation-missing", hash);
}
