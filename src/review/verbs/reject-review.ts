import { PalimpsestError } from "../../core/base/index.js";
import { trustRank } from "../../core/ledger/index.js";
import { refOfStaged, requireStaged } from "../../memories/index.js";
import type { Context, RefPlan } from "../../repo/index.js";

export interface Rejected {
  readonly id: string;
  readonly kind: string;
}

/** Takes an item off the list; the operation log says who and why, and undoing that brings it back. */
export async function rejectReview(context: Context, given: string): Promise<RefPlan<Rejected>> {
  const item = await requireStaged(context, given);
  if (item.by.id !== context.author.id && trustRank(context.trust) < trustRank(item.trust))
    throw new PalimpsestError(
      "REFUSED",
      `It was proposed with the trust of "${item.trust}", this session has that of "${context.trust}".`,
      { hint: "Leave it to whoever proposed it, or to somebody of that trust." },
    );
  return {
    moves: [{ name: refOfStaged(item), expect: item.tip.hash, next: null }],
    value: { id: item.id, kind: item.kind },
  };
}
