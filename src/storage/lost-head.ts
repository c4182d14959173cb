import { MAIN, PalimpsestError } from "../core/base/index.js";
import type { Ref, Storage } from "./port.js";

const HEAD = `heads/${MAIN}`;

/** A head that the operation log left somewhere and that is not there. */
export const lostHead = (name: string): PalimpsestError =>
  new PalimpsestError("DAMAGED", `The ref ${name} is lost, although the store has its history.`, {
    hint: "Save all that is there with `pal repair <new place>`, or restore a backup; nothing was written.",
    data: { ref: name },
  });

/**
 * The first branch, where there is one. It is made with the first operation, whichever that is, and never goes: a store
 * with operations and without it is not empty but damaged.
 */
export async function firstHead(storage: Storage): Promise<Ref | undefined> {
  const ref = await storage.ref(HEAD);
  if (ref || (await storage.opsBefore(Number.MAX_SAFE_INTEGER, 1)).ops.length === 0) return ref;
  // Somebody else may have made the first write just now.
  const made = await storage.ref(HEAD);
  if (made) return made;
  throw lostHead(HEAD);
}
