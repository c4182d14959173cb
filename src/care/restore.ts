import { PalimpsestError, type Timestamp } from "../core/base/index.js";
import type { Storage, StoredObject } from "../storage/index.js";
import { type BackupFile, fillFrom } from "./backup.js";
import { copyStore, publish } from "./copy.js";
import { type OnProgress, Pace } from "./pace.js";
import { rebuildStore } from "./rebuild.js";
import { withScratchStore } from "./scratch-store.js";
import { applyTombstones } from "./tombstones.js";
import { verifyStore } from "./verify.js";

export interface RestoreReport {
  readonly objects: number;
  readonly refs: number;
  readonly head: string;
  readonly root: string;
  readonly memories: number;
  /** Erasures that were made after the backup and hold here too. */
  readonly tombstones: number;
}

/**
 * Fills an empty store from a backup. All of it is built and verified in a place of its own first, so that a file that is
 * cut, forged or hostile leaves nothing behind.
 */
export async function restoreStore(
  target: Storage,
  source: BackupFile,
  tombstones: readonly StoredObject[],
  now: Timestamp,
  onProgress?: OnProgress,
): Promise<RestoreReport> {
  if ((await target.refs("")).size > 0)
    throw new PalimpsestError("REFUSED", "This store has memories of its own.", {
      hint: "Restore into an empty place: choose another directory with --store.",
    });
  return withScratchStore(target, async (scratch) => {
    const pace = new Pace(onProgress);
    pace.stretch(0, 0.2);
    const contents = await fillFrom(scratch, source.bytes, pace, source.part);
    await publish(scratch, contents);
    const applied = await applyTombstones(scratch, tombstones, now);
    await rebuildStore(scratch, { onProgress: pace.within(0.2, 0.5) });
    const { ok, problems, head, root, memories } = await verifyStore(scratch, {
      onProgress: pace.within(0.5, 0.8),
    });
    if (!ok)
      throw new PalimpsestError("DAMAGED", "The backup does not hold a whole store.", {
        hint: "Nothing was restored. Use another backup, or the store it was made from.",
        data: { problems: problems.slice(0, 10) },
      });
    // From here on it comes to its end: a store that was filled in part is neither empty nor restored.
    await copyStore(scratch, target);
    return {
      objects: contents.objects,
      refs: contents.refs.size,
      head,
      root,
      memories,
      tombstones: applied,
    };
  });
}
