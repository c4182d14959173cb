import { setImmediate as nextTurn } from "node:timers/promises";
import { type Hash, hashToBytes, PalimpsestError } from "../../core/base/index.js";
import type { Beyond, Diagnosis, RawPart, StorageProblem, StoreSize, TouchedBy } from "../port.js";
import { isTouchWhole, packTouch, unpackTouch } from "../touch-codec.js";
import { cut, keysOf } from "./pack.js";
import type { Run } from "./server.js";
import { readMissing, unpackOps } from "./tables.js";

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

const LOOK = {
  name: "diagnose",
  text: `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS pages, pg_is_in_recovery() AS standby,
    current_setting('default_transaction_read_only') AS readonly`,
};

interface Settings {
  readonly version: string;
  readonly fsync: string;
  readonly pages: string;
  readonly standby: boolean;
  readonly readonly: string;
}

/** What the server says of itself. */
export async function diagnose(run: Run): Promise<Diagnosis> {
  const { rows } = await run<Settings>(LOOK, []);
  const { version, fsync, pages, standby, readonly } = rows[0]!;
  const problems: StorageProblem[] = [];
  const add = (problem: string, severity: StorageProblem["severity"], object: string) =>
    problems.push({ problem, severity, object });
  if (standby || readonly === "on")
    add("server-read-only", "error", standby ? "a standby server" : "default_transaction_read_only is on");
  for (const [name, value] of Object.entries({ fsync, full_page_writes: pages }))
    if (value === "off") add("server-not-durable", "warning", `${name} is off`);
  return { engine: `PostgreSQL ${version} (pg)`, problems };
}

/** What rows of a store hold beside numbers, table by table. */
const BYTES = {
  objects: "hash || bytes",
  journal: "coalesce(touch, '') || coalesce(ops, '')",
  touched: "key",
  refs: "convert_to(name || coalesce(meta::text, ''), 'UTF8') || target",
  side: "convert_to(key || ' ' || value, 'UTF8')",
  vectors: "convert_to(model || ' ', 'UTF8') || key || source || vectors",
  blobs: "convert_to(name || ' ', 'UTF8') || bytes",
} as const;
const TABLES = Object.keys(BYTES) as (keyof typeof BYTES)[];
const PAGE_BYTES = 1 << 20;

/** Every row as the server gives it out. Deeper down only the server itself can look. */
export async function* readRaw(run: Run, store: string): AsyncGenerator<RawPart> {
  for (const name of TABLES)
    for (let at = "(0,0)"; ; ) {
      const { rows } = await run<{ at: string; bytes: Buffer }>(page(name), [store, at]);
      const last = rows.at(-1);
      if (!last) break;
      yield { name, bytes: new Uint8Array(Buffer.concat(rows.map(({ bytes }) => bytes))), isStored: true };
      at = last.at;
    }
}

/** In the order in which rows lie in the table; a page ends after about a megabyte. */
const page = (name: keyof typeof BYTES) => ({
  name: `raw_${name}`,
  text: `SELECT at::text AS at, bytes FROM (
      SELECT at, bytes, sum(octet_length(bytes)) OVER (ORDER BY at) - octet_length(bytes) AS before FROM (
        SELECT ctid AS at, ${BYTES[name]} AS bytes FROM palimpsest.${name}
        WHERE store = $1 AND ctid > $2::tid ORDER BY ctid LIMIT 2000
      ) page
    ) counted WHERE before < ${PAGE_BYTES} ORDER BY counted.at`,
});

/** Per row: its header, and about as much again for its places in indexes. */
const ROW_BYTES = 90;

const SIZE = {
  name: "size",
  text: `SELECT sum(bytes)::float8 AS bytes FROM (${TABLES.map(
    (name) =>
      `SELECT coalesce(sum(pg_column_size(t.*) + ${ROW_BYTES}), 0) AS bytes FROM palimpsest.${name} t WHERE store = $1`,
  ).join(" UNION ALL ")}) parts`,
};

/** The store's own rows; the files hold those of other stores as well. */
export async function sizeOf(run: Run, store: string): Promise<StoreSize> {
  const { rows } = await run<{ bytes: number }>(SIZE, [store]);
  return { bytes: Math.round(rows[0]?.bytes ?? 0), free: 0 };
}

/** The owner has it, and roles to which it was granted where the server knows such a right. */
const MAY = {
  name: "may_vacuum",
  text: `SELECT pg_has_role(relowner, 'USAGE') AS may FROM pg_catalog.pg_class WHERE oid = 'palimpsest.objects'::regclass`,
};

/** Clears dead rows away beside readers and writers. Answers whether it could. */
export async function vacuum(run: Run, goOn: () => boolean = () => true): Promise<boolean> {
  if (!(await run<{ may: boolean }>(MAY, [])).rows[0]?.may) return false;
  for (const name of TABLES) {
    if (!goOn()) return false;
    await run({ text: `VACUUM palimpsest.${name}` }, []);
  }
  return true;
}

/**
 * No client of a server can tell what its files hold: `VACUUM` leaves the bytes of a row in the room that it gave free, and
 * the log has them until its segments are written anew.
 */
export const BEYOND: readonly Beyond[] = [
  {
    place: "the server's write-ahead log (pg_wal), its archive and its replicas",
    how: "segments are written anew by use: `CHECKPOINT` and `SELECT pg_switch_wal()` until those of before the erasure are gone from pg_wal, and remove archived ones",
  },
  {
    place: "dead rows, and room that was given free, in the files of the tables",
    how: `\`VACUUM FULL\` of ${TABLES.map((name) => `palimpsest.${name}`).join(", ")} by their owner, when nobody holds an older snapshot, then \`CHECKPOINT\``,
  },
];

interface Row {
  readonly seq: number;
  readonly touch: Buffer;
  readonly keys: readonly Buffer[];
}

/** The most that one row can hold. */
const EVENTS = 60_000;
const SLICE = 500;

/** As they will be stored. Those of one large transaction take its rows from the last one downwards. */
export async function packRows(rows: AsyncIterable<TouchedBy>): Promise<Row[]> {
  const packed: Row[] = [];
  for await (const { seq, touch } of rows) {
    const parts = cut(touch, EVENTS);
    for (const [at, part] of parts.entries())
      packed.push({
        seq: seq - (parts.length - 1 - at),
        touch: packTouch(part),
        keys: keysOf(part).map(hashToBytes),
      });
  }
  return packed;
}

const CLEAR_ROWS = {
  text: "UPDATE palimpsest.journal SET touch = NULL WHERE store = $1 AND seq <= $2 AND touch IS NOT NULL",
};
const CLEAR_INDEX = { text: "DELETE FROM palimpsest.touched WHERE store = $1 AND seq <= $2" };
const FILL_ROWS = {
  text: `UPDATE palimpsest.journal j SET touch = made.touch FROM unnest($2::bigint[], $3::bytea[]) AS made (seq, touch)
    WHERE j.store = $1 AND j.seq = made.seq`,
};
const FILL_INDEX = {
  text: `INSERT INTO palimpsest.touched (store, key, seq)
    SELECT $1, made.key, made.seq FROM unnest($2::bytea[], $3::bigint[]) AS made (key, seq)`,
};
const NEXT_EPOCH = { text: "UPDATE palimpsest.stores SET epoch = epoch + 1 WHERE store = $1" };

/** Under the lock: all at once, because the index fits either the old rows or the new ones. */
export async function replaceTouch(
  run: Run,
  store: string,
  rows: readonly Row[],
  upTo: number,
): Promise<void> {
  await run(CLEAR_ROWS, [store, upTo]);
  await run(CLEAR_INDEX, [store, upTo]);
  for (let at = 0; at < rows.length; at += SLICE) {
    const slice = rows.slice(at, at + SLICE);
    const seqs = slice.map(({ seq }) => seq);
    const { rowCount } = await run(FILL_ROWS, [store, seqs, slice.map(({ touch }) => touch)]);
    if (rowCount !== slice.length)
      throw new PalimpsestError("DAMAGED", "Events are told of transactions that are not there.");
    const entries = slice.flatMap(({ seq, keys }) => keys.map((key) => ({ key, seq })));
    await run(FILL_INDEX, [store, entries.map(({ key }) => key), entries.map(({ seq }) => seq)]);
  }
  await run(NEXT_EPOCH, [store]);
}
