import type { Beyond, RawPart, StoreSize } from "../port.js";
import type { Run } from "./server.js";

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

/** Of the owner, or of whoever was granted it where the server knows such a right. */
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
