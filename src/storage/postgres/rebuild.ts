import { hashToBytes, PalimpsestError } from "../../core/base/index.js";
import type { TouchedBy } from "../port.js";
import { packTouch } from "../touch-codec.js";
import { cut, keysOf } from "./pack.js";
import type { Run } from "./server.js";

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
