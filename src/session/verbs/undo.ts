import type { Hash } from "../../base/index.js";
import type { Context } from "../context.js";
import type { Draft } from "../draft.js";
import { type Replayed, replay } from "../replay.js";
import { findOp } from "./ops.js";

export interface UndoResult extends Replayed {
  /** The operation that was inverted. */
  readonly undone: Hash;
  readonly refs: readonly string[];
  /** Absent when there was nothing left to undo. */
  readonly commit?: Hash;
}

/** Inverts the caller's last operation, or the one named, as a new operation; later work of others survives. */
export async function undo(
  context: Context,
  draft: Draft,
  given: string | undefined,
): Promise<Omit<UndoResult, "commit">> {
  const { reader } = draft;
  const operation = await findOp(context, reader, given);
  const total = { added: 0, modified: 0, removed: 0, conflicts: [] as Replayed["conflicts"][number][] };
  const refs: string[] = [];
  for (const { name, before, after } of operation.refs) {
    if (name !== `heads/${draft.branch}` || before === undefined || after === undefined) continue;
    refs.push(name);
    const done = await replay(context, draft, await reader.tip(after), await reader.tip(before));
    total.added += done.added;
    total.modified += done.modified;
    total.removed += done.removed;
    total.conflicts.push(...done.conflicts);
  }
  draft.addMeta({ undoes: operation.op });
  return { undone: operation.op, refs, ...total };
}
