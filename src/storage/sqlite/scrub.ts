import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "./connection.js";
import { isBusy } from "./errors.js";

/** How long `scrub` waits for readers, who are quick, to leave the log. */
const TRIES = 40;
const PAUSE_MS = 25;

/**
 * Free pages are overwritten as they are freed (`secure_delete`); what remains is the log, which holds pages as they
 * were before. A mark says up to which epoch it was cut, so that whoever comes after a crash knows what is left to do.
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
