import { PalimpsestError } from "../core/base/index.js";
import { acquireLease, type Lease, type Storage } from "../storage/index.js";

/** So often it begins again; on a machine that is too busy for signs of life somebody has to know. */
const TRIES = 3;

/**
 * Runs work that one process should do under a lease, until it answers that it is done. A process that was stopped for a
 * while has lost the lease, and begins again with what is left.
 */
export async function underLease(
  storage: Storage,
  name: string,
  what: string,
  work: (lease: Lease) => Promise<boolean>,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const lease = await acquireLease(storage, name);
    if (!lease) throw new PalimpsestError("STORE_BUSY", `Another process is ${what} right now.`);
    try {
      if (await work(lease)) return;
    } finally {
      await lease.release();
    }
  }
  throw new PalimpsestError("STORE_BUSY", `This process was stopped too often while it was ${what}.`, {
    hint: "Nothing is lost. Run it again when the machine is less busy.",
  });
}
