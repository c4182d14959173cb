import type { Hash } from "../../base/index.js";
import type { SeqRange } from "../port.js";
import { type Chunk, withoutSlots } from "./chunk.js";
import type { Connection, State } from "./connection.js";
import { isThere, objectPlaces } from "./objects.js";
import { JOURNAL, prefixOf, seqOf, slotOf, whatOf } from "./place.js";

/** Inside a write transaction. Every copy goes; the slots of the others stay where the index says they are. */
export function removeObjects(
  connection: Connection,
  hashes: readonly Hash[],
  within: SeqRange | undefined,
): { readonly removed: number; readonly erased: boolean; readonly state: State } {
  const before = connection.refresh();
  const doomed = new Map<string, { seq: number; table: "journal" | "nodes"; slots: Set<number> }>();
  let removed = 0;
  for (const hash of new Set(hashes)) {
    const places = objectPlaces(connection, hash).filter(
      (place) => isWithin(seqOf(place), within) && isThere(connection, place, hash),
    );
    if (places.length > 0) removed++;
    for (const place of places) {
      connection.sql("DELETE FROM lookup WHERE prefix = ? AND at = ?").run(prefixOf(hash), place);
      const table = whatOf(place) === JOURNAL ? "journal" : "nodes";
      const key = `${table} ${seqOf(place)}`;
      const row = doomed.get(key) ?? { seq: seqOf(place), table, slots: new Set() };
      doomed.set(key, row);
      row.slots.add(slotOf(place));
    }
  }
  let erased = false;
  for (const { seq, table, slots } of doomed.values()) {
    erased ||= table === "journal";
    rewrite(connection, table, seq, slots, before);
  }
  if (!erased) return { removed, erased, state: before };
  connection.sql("UPDATE meta SET value = value + 1 WHERE key = 'epoch'").run();
  return { removed, erased, state: { ...before, epoch: before.epoch + 1 } };
}

const isWithin = (seq: number, range: SeqRange | undefined): boolean =>
  !range || (seq > range.after && seq <= range.upTo);

function rewrite(
  connection: Connection,
  table: "journal" | "nodes",
  seq: number,
  slots: ReadonlySet<number>,
  { seq: last }: State,
): void {
  const chunk = connection.sql<Chunk>(`SELECT directory, objects FROM ${table} WHERE seq = ?`).get(seq)!;
  const left = withoutSlots(chunk, slots);
  if (left) {
    connection
      .sql(`UPDATE ${table} SET directory = ?, objects = ? WHERE seq = ?`)
      .run(left.directory, left.objects, seq);
    return;
  }
  if (table === "nodes") {
    connection.sql("DELETE FROM nodes WHERE seq = ?").run(seq);
    return;
  }
  connection.sql("UPDATE journal SET directory = NULL, objects = NULL WHERE seq = ?").run(seq);
  // The last row stays even when empty: its seq is the version of the store and must not be given twice.
  connection
    .sql("DELETE FROM journal WHERE seq = ? AND seq < ? AND touch IS NULL AND ops IS NULL")
    .run(seq, last);
}
