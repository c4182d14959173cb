import { type BranchName, type Hash, PalimpsestError, shortHash } from "../../core/base/index.js";
import { CHECKOUTS, HEADS, headRef, TAGS } from "../../core/ledger/index.js";
import { assertMayLose } from "../../memories/index.js";
import type { CommitNote, Context, Draft, Job, RefPlan } from "../../repo/index.js";
import { commitBeside, moveRefs } from "../../repo/index.js";
import type { RefMove } from "../../storage/index.js";
import { type Replayed, replay } from "../replay.js";
import type { Conflict, HeldBack } from "./merge.js";
import { findOp, lastOp, type OperationItem, type PassedOver } from "./ops.js";

export interface UndoResult extends Replayed {
  /** The operation that was inverted. */
  readonly undone: Hash;
  readonly refs: readonly string[];
  /** Absent when there was nothing left to undo, or only refs had to move. */
  readonly commit?: Hash;
  /** When no operation was named: later ones of the caller's own elsewhere, which can be taken back by their ids. */
  readonly passedOver?: readonly PassedOver[];
}

/** Inverts the caller's last operation on its branch, or any by its id, as a new operation. */
export async function undo(
  context: Context,
  op: string | undefined,
  options: CommitNote,
): Promise<UndoResult> {
  const { operation, passedOver } =
    op === undefined ? await lastOp(context) : { operation: await findOp(context, op), passedOver: [] };
  const branch = movedBranch(operation);
  if (branch === undefined)
    return moveRefs(context, "undo", () => undoNames(context, operation), { alone: true });
  const done = await commitBeside(context, {
    verb: "undo",
    options,
    branch,
    run: (job) => invert(job, operation.op),
    message: ({ undone }) => `Undo ${operation.verb} ${shortHash(undone)}`,
  });
  return passedOver.length > 0 ? { ...done, passedOver } : done;
}

/** The branch whose head an operation moved on; undefined if it only made, moved or deleted names. */
function movedBranch({ refs }: OperationItem): BranchName | undefined {
  const head = refs.find(
    ({ name, before, after }) => name.startsWith(HEADS) && before && after && before !== after,
  );
  return head && (head.name.slice(HEADS.length) as BranchName);
}

/** Inverts an operation as a new one; later work of others survives. */
async function invert(job: Job, hashOrPart: string): Promise<Omit<UndoResult, "commit">> {
  const { context, draft } = job;
  const { reader } = draft;
  const operation = await findOp(context, hashOrPart);
  const total = { added: 0, modified: 0, removed: 0, conflicts: [] as Conflict[] };
  const held: HeldBack[] = [];
  const refs: string[] = [];
  for (const { name, before, after } of operation.refs) {
    if (after !== undefined) await reopen(draft, name, after);
    if (name !== `heads/${draft.branch}` || before === undefined || after === undefined) continue;
    refs.push(name);
    const done = await replay(job, await reader.tip(after), await reader.tip(before));
    total.added += done.added;
    total.modified += done.modified;
    total.removed += done.removed;
    total.conflicts.push(...done.conflicts);
    held.push(...(done.held ?? []));
  }
  draft.addMeta({ undoes: operation.op });
  return { undone: operation.op, refs, ...total, ...(held.length > 0 && { held }) };
}

/** A branch whose merge is undone is open again. */
async function reopen(draft: Draft, name: string, merged: Hash): Promise<void> {
  if (!name.startsWith(HEADS) || name === headRef(draft.branch)) return;
  const ref = await draft.reader.storage.ref(name);
  if (ref?.target !== merged || ref.meta?.merged !== merged) return;
  draft.move({ name, expect: merged, next: { target: merged, meta: { status: "open" } }, join: true });
}

/** Inverts an operation that only moved names: what it made goes, what it took comes back, if nobody moved it since. */
async function undoNames(context: Context, operation: OperationItem): Promise<RefPlan<UndoResult>> {
  const { storage } = context.engine;
  const moves: RefMove[] = [];
  const made = new Set(operation.refs.flatMap(({ name, before }) => (before === undefined ? [name] : [])));
  for (const { name, before, after } of operation.refs) {
    const now = await storage.ref(name);
    // Where an agent went meanwhile it stays.
    const isGone = name.startsWith(CHECKOUTS) && !made.has(HEADS + String(now?.meta?.branch));
    if (isGone) continue;
    if (now?.target !== after || (name === HEADS + context.branch && before === undefined))
      throw new PalimpsestError("NAME_TAKEN", `${name} has been moved or is in use; nothing was undone.`);
    const users = await storage.refs(CHECKOUTS);
    if (before === undefined && [...users.values()].some(({ meta }) => HEADS + String(meta?.branch) === name))
      throw new PalimpsestError("BRANCH_IN_USE", `The branch ${name.slice(HEADS.length)} is checked out.`);
    // What a rename moved stays under the other name.
    const isMoved = operation.refs.some((other) => other.before === after && after !== undefined);
    if (before === undefined && now && !isMoved && (name.startsWith(HEADS) || name.startsWith(TAGS)))
      await assertMayLose(context, name, now.target, `What undo would take away (${name})`);
    const meta = operation.said?.[name];
    const next = before === undefined ? null : { target: before, ...(meta && { meta }) };
    moves.push({ name, expect: after ?? null, next });
  }
  const refs = moves.map(({ name }) => name);
  return {
    moves,
    value: { undone: operation.op, refs, added: 0, modified: 0, removed: 0, conflicts: [] },
  };
}
