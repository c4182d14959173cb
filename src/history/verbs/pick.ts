import type { Hash } from "../../core/base/index.js";
import type { Job } from "../../repo/index.js";
import { type Replayed, replay } from "../replay.js";
import type { PickedChange } from "./picked-change.js";

export interface Picked extends Replayed {
  readonly of: Hash;
}

/** Brings what one commit changed into this branch, as far as the session sees it. */
export async function cherryPick(job: Job, { tip, parent }: PickedChange): Promise<Picked> {
  const { draft } = job;
  draft.addMeta({ pickedFrom: tip.hash });
  return { of: tip.hash, ...(await replay(job, parent, tip)) };
}

/** Takes back what one commit changed; what came later survives, contested where it cannot be joined. */
export async function revert(job: Job, { tip, parent }: PickedChange): Promise<Picked> {
  const { draft } = job;
  draft.addMeta({ reverts: tip.hash });
  return { of: tip.hash, ...(await replay(job, tip, parent)) };
}
