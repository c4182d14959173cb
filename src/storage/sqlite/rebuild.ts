import type { TouchedBy } from "../port.js";
import { packTouch } from "../touch-codec.js";
import { asBuffer, hasHoles, withoutSlots } from "./chunk.js";
import type { Connection, State } from "./connection.js";
import { damaged } from "./errors.js";
import { nextEpoch, rewriteRow } from "./remove.js";
import { readRows } from "./rows.js";
import { damagedVectors } from "./vectors.js";

/** The touch rows as they will be stored, by seq: made before the lock is taken. */
export async function packRows(rows: AsyncIterable<TouchedBy>): Promise<Map<number, Buffer>> {
  const packed = new Map<number, Buffer>();
  for await (const { seq, touch } of rows) if (touch.length > 0) packed.set(seq, packTouch(touch));
  return packed;
}

/** Inside a write transaction: all at once, because an index fits either the old rows or the new ones. */
export function replaceTouch(connection: Connection, rows: ReadonlyMap<number, Buffer>, upTo: number): State {
  connection.refresh();
  const read = connection.sql<{ seq: number; touch: Uint8Array | null }>(
    "SELECT seq, touch FROM journal WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
  );
  const write = connection.sql("UPDATE journal SET touch = ? WHERE seq = ?");
  let met = 0;
  for (const { seq, touch } of readRows(read, 0, upTo, { pageSize: 256 })) {
    const wanted = rows.get(seq);
    if (wanted) met++;
    // A row that is right already is left where it lies.
    if (wanted ? touch instanceof Uint8Array && wanted.equals(touch) : touch === null) continue;
    write.run(wanted ?? null, seq);
  }
  if (met < rows.size) throw damaged("Events are told of transactions that are not there.");
  // Who needs one embeds the text again.
  const removeVector = connection.sql("DELETE FROM vectors WHERE at = ?");
  for (const at of damagedVectors(connection)) removeVector.run(at);
  connection.sql("DELETE FROM lookup").run();
  connection.sql("UPDATE meta SET value = 0 WHERE key = 'indexed'").run();
  return { ...nextEpoch(connection), indexed: 0 };
}

const SLICE_MS = 20;

/** Inside a write transaction: takes the room of erased objects out of rows after `after`; answers how far it came. */
export function squeeze(connection: Connection, after: number): { readonly seq: number } {
  const { seq: last } = connection.refresh();
  const end = performance.now() + SLICE_MS;
  const read = connection.sql<{ seq: number; directory: Uint8Array | null }>(
    "SELECT seq, directory FROM journal WHERE seq > ? AND seq <= ? AND directory IS NOT NULL ORDER BY seq LIMIT ?",
  );
  for (const { seq, directory } of readRows(read, after, last, { pageSize: 256 })) {
    if (directory && hasHoles(asBuffer(directory)))
      rewriteRow(connection, "journal", seq, last, (chunk) => withoutSlots(chunk, new Set()));
    if (performance.now() > end) return { seq };
  }
  return { seq: last };
}
