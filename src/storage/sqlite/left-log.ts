import { pathToFileURL } from "node:url";
import type { Driver } from "./driver.js";
import { isBusy } from "./errors.js";
import { hasLog } from "./read-only.js";
import { APPLICATION_ID, DURABLE, SCHEMA_VERSION } from "./schema.js";

/** Alone is who gets the whole file for itself: everybody else who has it open holds a part of it. */
const ALONE = `PRAGMA locking_mode = EXCLUSIVE;
  SELECT CASE WHEN (SELECT application_id FROM pragma_application_id) = ${APPLICATION_ID}
    AND (SELECT user_version FROM pragma_user_version) <= ${SCHEMA_VERSION} THEN 0 ELSE abs(-9223372036854775808) END;`;

/** Two that come at once stand in each other's way; one of them is alone a moment later. */
const TRIES = 2;

/**
 * A log that nobody has open was left by a crash. What it holds may be in the memory of the system only: the crash may have
 * been that the disk failed to take it, and the system does not try again. Who goes on behind such a log loses with the next
 * power cut what came after it, however well that was written. So it goes into the file first, which is told to last.
 * Answers the error when that failed: then nothing may be acknowledged yet.
 */
export function foldLeftLog(driver: Driver, file: string): unknown {
  for (let tries = 0; tries < TRIES && hasLog(file); tries++) {
    try {
      const db = driver.open(`${pathToFileURL(file).href}?mode=rw`, { timeout: tries });
      // Nothing is prepared, so that it is closed, and lets go of the file, at once.
      try {
        db.exec(ALONE);
        db.exec(`${DURABLE}; PRAGMA wal_checkpoint(TRUNCATE)`);
      } finally {
        db.close();
      }
      return undefined;
    } catch (error) {
      if (!isBusy(error)) return error;
    }
  }
  return undefined;
}
