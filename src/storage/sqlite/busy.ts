import { setTimeout as sleep } from "node:timers/promises";
import { PalimpsestError } from "../../core/base/index.js";
import { isBusy } from "./errors.js";

/** How long SQLite itself may wait for a lock: it does so by blocking the event loop. */
export const BLOCKING_MS = 5;

/** Tries, at once if possible, until the lock is free. */
export function whenFree<T>(
  attempt: () => T | Promise<T>,
  limitMs: number,
  location: string,
): T | Promise<T> {
  try {
    const result = attempt();
    return result instanceof Promise
      ? result.catch((error) => retry(error, attempt, limitMs, location))
      : result;
  } catch (error) {
    return retry(error, attempt, limitMs, location);
  }
}

/**
 * The waits are asynchronous and random, so that many processes do not march in step and this one stays
 * responsive.
 */
async function retry<T>(
  first: unknown,
  attempt: () => T | Promise<T>,
  limitMs: number,
  location: string,
): Promise<T> {
  const start = performance.now();
  let failure = first;
  for (let tries = 0; ; tries++) {
    if (!isBusy(failure)) throw failure;
    const waited = performance.now() - start;
    if (waited >= limitMs)
      throw new PalimpsestError("STORE_BUSY", `The store ${location} stayed locked for ${limitMs} ms.`, {
        cause: failure,
      });
    await sleep(Math.random() * longestWait(tries, waited));
    try {
      return await attempt();
    } catch (error) {
      failure = error;
    }
  }
}

/** Longer and longer, because many are waiting; but who has waited for long asks more often than who came later. */
export const longestWait = (tries: number, waitedMs: number): number =>
  waitedMs > PATIENCE_MS ? SHORT_MS : Math.min(2 ** (tries + 1), LONG_MS);

const PATIENCE_MS = 1_000;
const SHORT_MS = 2;
const LONG_MS = 50;
