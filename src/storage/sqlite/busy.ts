import { setTimeout as sleep } from "node:timers/promises";
import { PalimpsestError } from "../../base/index.js";
import { isBusy } from "./errors.js";

/** How long SQLite itself may wait for a lock: it does so by blocking the event loop. */
export const BLOCKING_MS = 5;

/**
 * Tries until the lock is free. The waits are asynchronous and random, so that many processes do not march in
 * step and this one stays responsive.
 */
export async function whenFree<T>(attempt: () => T | Promise<T>, limitMs: number, location: string): Promise<T> {
  const end = performance.now() + limitMs;
  for (let longest = 2; ; longest = Math.min(longest * 2, 50)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= end)
        throw new PalimpsestError("STORE_BUSY", `The store ${location} stayed locked for ${limitMs} ms.`, {
          cause: error,
        });
    }
    await sleep(Math.random() * longest);
  }
}
