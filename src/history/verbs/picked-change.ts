import { PalimpsestError } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import type { Context, Reader } from "../../repo/index.js";
import { seenAt, tipAt } from "../../repo/index.js";

export interface PickOptions {
  /** Of a merge: which parent (1 is the branch that was merged into) the change is seen from. */
  readonly mainline?: number;
}

/** A commit and the state it is seen from. */
export interface PickedChange {
  readonly tip: Tip;
  readonly parent: Tip;
}

/** What a name means is found out once, at the call: a branch may have moved on when the change is made. */
export async function changeOf(
  context: Context,
  given: string,
  { mainline }: PickOptions,
): Promise<PickedChange> {
  const { reader } = context.engine;
  const named = await tipAt(context, given);
  // A name means the last change that the session sees of it; whoever gives a hash means that commit.
  const tip = /^[0-9a-f]{7,64}$/.test(given) ? named : await seenAt({ context, reader, tip: named });
  return { tip, parent: await parentOf(reader, tip, mainline) };
}

async function parentOf(reader: Reader, { hash, commit }: Tip, mainline: number | undefined): Promise<Tip> {
  const { parents } = commit;
  const short = hash.slice(0, 12);
  if (parents.length === 0)
    throw new PalimpsestError("NOT_FOUND", `The commit ${short} is the first one and changed nothing.`);
  if (parents.length > 1 && mainline === undefined)
    throw new PalimpsestError(
      "MAINLINE_REQUIRED",
      `The commit ${short} is a merge of ${parents.length} lines.`,
    );
  const parent = parents[(mainline ?? 1) - 1];
  if (parent !== undefined) return reader.tip(parent);
  throw new PalimpsestError("MAINLINE_REQUIRED", `The commit ${short} has no parent ${mainline}.`, {
    hint: `Its parents are numbered 1 to ${parents.length}.`,
  });
}
