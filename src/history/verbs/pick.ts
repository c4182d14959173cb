import { PalimpsestError, shortHash } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import type { Context, Reader, WriteOptions } from "../../repo/index.js";
import { commitBeside } from "../../repo/index.js";
import type { PickOptions } from "../options.js";
import { replay } from "../replay.js";
import { type MergeResult, withTermCommits } from "./merge.js";

/** Brings what one commit changed into this branch, as far as the session sees it. */
export async function cherryPick(
  context: Context,
  tip: Tip,
  options: PickOptions & WriteOptions,
): Promise<MergeResult> {
  const parent = await parentOf(context.engine.reader, tip, options.mainline);
  return replayed(context, options, parent, tip, ["cherry-pick", "pickedFrom", "Pick", tip]);
}

/** Takes back what one commit changed; what came later survives, contested where it cannot be joined. */
export async function revert(
  context: Context,
  tip: Tip,
  options: PickOptions & WriteOptions,
): Promise<MergeResult> {
  const parent = await parentOf(context.engine.reader, tip, options.mainline);
  return replayed(context, options, tip, parent, ["revert", "reverts", "Revert", tip]);
}

/** The way from one state to another as a commit that says whose change it was. */
async function replayed(
  context: Context,
  options: WriteOptions,
  from: Tip,
  to: Tip,
  [verb, key, word, { hash }]: readonly [verb: string, key: string, word: string, of: Tip],
): Promise<MergeResult> {
  const done = await commitBeside(context, {
    verb,
    options,
    message: () => `${word} ${shortHash(hash)}`,
    async run(job) {
      job.draft.addMeta({ [key]: hash });
      return { of: hash, ...(await replay(job, from, to)) };
    },
  });
  return withTermCommits(done);
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
