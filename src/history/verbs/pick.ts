import type { Hash } from "../../core/base/index.js";
import type { Context, Draft } from "../../repo/index.js";
import { type Replayed, replay } from "../replay.js";
import type { PickedChange } from "./picked-change.js";

export interface Picked extends Replayed {
  readonly of: Hash;
}

/** Brings what one commit changed into this branch, as far as the session sees it. */
export async function cherryPick(
  context: Context,
  draft: Draft,
  { tip, parent }: PickedChange,
): Promise<Picked> {
  draft.addMeta({ pickedFrom: tip.hash });
  return { of: tip.hash, ...(await replay(context, draft, parent, tip)) };
}

/** Takes back what one commit changed; what came later survives, contested where it cannot be joined. */
export async function revert(context: Context, draft: Draft, { tip, parent }: PickedChange): Promise<Picked> {
  draft.addMeta({ reverts: tip.hash });
  return { of: tip.hash, ...(await replay(context, draft, tip, parent)) };
}
