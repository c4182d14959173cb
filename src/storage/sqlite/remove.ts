import { setTimeout as sleep } from "node:timers/promises";
import type { Hash } from "../../core/base/index.js";
import type { SeqRange } from "../port.js";
import { blankSlots, type Chunk, withoutSlots } from "./chunk.js";
import type { Connection, State } from "./connection.js";
import { isBusy } from "./errors.js";
import { JOURNAL, prefixOf, seqOf, slotOf, whatOf } from "./place.js";
import { isThere, objectPlaces } from "./tables.js";
import { forgetNotes } from "./watch.js";

/**
 * Shrinking gives room back, but SQLite then moves neighbours to other pages and may leave copies of them in the slack
 * of old ones. Blanking writes zeros in place, so that no copy of anything is ever made.
 */
type How = "shrink" | "blank";

interface Removed {
  readonly removed: number;
  /** Was something other than derived nodes among it? */
  readonly truth: boolean;
}

/** Inside a write transaction. Every copy goes; the slots of the others stay where the index says they are. */
export function takeOut(
  connection: Connection,
  hashes: readonly Hash[],
  how: How,
  within?: SeqRange,
): Removed {
  const { seq: last } = connection.refresh();
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
  let truth = false;
  for (const { seq, table, slots } of doomed.values()) {
    truth ||= table === "journal";
    rewriteRow(connection, table, seq, last, (chunk) =>
      how === "blank" && table === "journal" ? blankSlots(chunk, slots) : withoutSlots(chunk, slots),
    );
  }
  connection.doubtTail();
  return { removed, truth };
}

/** As `takeOut`, and if more than nodes went, it counts as an erasure. */
export function removeObjects(
  connection: Connection,
  hashes: readonly Hash[],
  within: SeqRange | undefined,
): { readonly removed: number; readonly erased: boolean; readonly state: State } {
  const { removed, truth } = takeOut(connection, hashes, "blank", within);
  return { removed, erased: truth, state: truth ? nextEpoch(connection) : connection.state };
}

/** Inside a write transaction: from here on nothing that was made before counts. */
export function nextEpoch(connection: Connection): State {
  connection.sql("UPDATE meta SET value = value + 1 WHERE key = 'epoch'").run();
  forgetNotes(connection);
  const { state } = connection;
  return { ...state, epoch: state.epoch + 1 };
}

const isWithin = (seq: number, range: SeqRange | undefined): boolean =>
  !range || (seq > range.after && seq <= range.upTo);

/** Puts another chunk in the place of a row's, or none; `last` is the highest seq. */
export function rewriteRow(
  connection: Connection,
  table: "journal" | "nodes",
  seq: number,
  last: number,
  rewrite: (chunk: Chunk) => Chunk | undefined,
): void {
  const chunk = connection.sql<Chunk>(`SELECT directory, objects FROM ${table} WHERE seq = ?`).get(seq)!;
  const left = rewrite(chunk);
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

/** How long `scrub` waits for readers, who are quick, to leave the log. */
const TRIES = 40;
const PAUSE_MS = 25;

/**
 * Free pages are overwritten as they are freed (`secure_delete`); what remains is the log, which holds pages as they
 * were before. A mark says up to which epoch it was cut, so that the next process after a crash knows what is left to do.
 */
export function isScrubDue(connection: Connection): boolean {
  const { epoch } = connection.refresh();
  return epoch > 0 && scrubbed(connection) < epoch;
}

const scrubbed = (connection: Connection): number =>
  connection.sql<{ value: number }>("SELECT value FROM meta WHERE key = 'scrubbed'").get()?.value ?? 0;

/** Answers whether the log was cut and that was noted; others at work on the store are a reason to come again. */
export function scrubNow(connection: Connection): boolean {
  const { epoch } = connection.refresh();
  try {
    if (!cutLog(connection)) return false;
    if (scrubbed(connection) < epoch)
      connection.sql("INSERT OR REPLACE INTO meta VALUES ('scrubbed', ?)").run(epoch);
    return true;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return false;
  }
}

export const cutLog = (connection: Connection): boolean =>
  connection.sql<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;

/** Also when nothing was erased: the log then holds what takes room and nothing else. */
export async function scrub(connection: Connection): Promise<boolean> {
  for (let tries = 0; !scrubNow(connection); tries++) {
    if (tries === TRIES) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}
