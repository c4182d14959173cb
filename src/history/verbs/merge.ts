import {
  type BranchName,
  type Hash,
  MAIN,
  type MemoryId,
  PalimpsestError,
  parseBranch,
  type Scope,
} from "../../core/base/index.js";
import type { Term } from "../../core/ledger/index.js";
import { branchInfo, headRef, mergedMeta } from "../../core/ledger/index.js";
import { assertMayBring, erasedAmong, type LeftOut, restore } from "../../memories/index.js";
import type { Context, Job, WriteOptions } from "../../repo/index.js";
import { commitBeside, readHead, snapshotMoves } from "../../repo/index.js";
import { contestedTerms, Joined, mergeStates, settleTopics } from "../merging.js";
import type { MergeOptions } from "../options.js";
import { untangle } from "../untangle.js";

export interface Conflict {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly field: string;
  readonly terms: readonly Term[];
}

/** A memory of a stronger writer, left as it is: the change waits for review. */
export interface HeldBack {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly staged: string;
  readonly reason: string;
}

/** What a merge, a pick or a revert did, as far as the session sees it. */
export interface MergeResult extends LeftOut {
  /** Absent when there was nothing to do. */
  readonly commit?: Hash;
  readonly added: number;
  readonly modified: number;
  readonly removed: number;
  readonly conflicts: readonly Conflict[];
  /** What a pick, a revert or an undo may not change; absent when there is nothing. */
  readonly held?: readonly HeldBack[];
}

export interface MergeOutcome extends MergeResult {
  readonly kind: "merged" | "fast-forward" | "up-to-date";
  readonly source: BranchName;
  readonly into: BranchName;
  /** What the merged branch was for. */
  readonly purpose?: string;
}

/** Brings another branch into the session's (or into `into`). */
export async function merge(
  context: Context,
  source: string,
  options: MergeOptions & WriteOptions,
): Promise<MergeOutcome> {
  const from = parseBranch(source);
  const branch = options.into === undefined ? context.branch : parseBranch(options.into);
  assertOther(from, branch);
  const run = (job: Job) => mergeInto(job, from, options);
  const change = { verb: "merge", options, branch, run, message: mergeMessage };
  return withTermCommits(await commitBeside(context, change));
}

/**
 * Brings everything of another branch into the draft's: all scopes, because a commit with two parents claims both. So it
 * needs a session that may make every one of these changes. Conflicts are values in the records and fail nothing.
 */
async function mergeInto(
  job: Job,
  source: BranchName,
  options: MergeOptions,
): Promise<Omit<MergeOutcome, "commit">> {
  const { context, draft } = job;
  const { reader, tip: ours } = draft;
  const { tip: theirs, ref } = await readHead(reader, source);
  const { purpose } = branchInfo(ref?.meta, ref?.target);
  const names = { source, into: draft.branch, ...(purpose !== undefined && { purpose }) };
  const nothing = { added: 0, modified: 0, removed: 0, conflicts: [] };
  const bases = await reader.lineage.bases([ours], [theirs]);
  if (bases.some(({ hash }) => hash === theirs.hash)) return { kind: "up-to-date", ...names, ...nothing };
  for (const move of await snapshotMoves(job, `merge ${source}`)) draft.move(move);
  // A branch is done when it has been merged; main never is.
  if (ref && source !== MAIN)
    draft.move({
      name: headRef(source),
      expect: theirs.hash,
      next: { target: theirs.hash, meta: mergedMeta(theirs.hash) },
      join: true,
    });
  const isAhead = bases.some(({ hash }) => hash === ours.hash);
  const meeting = { reader, ours, theirs, bases };
  const { changes, states } = await mergeStates(meeting);
  const joined = await Joined.of(meeting, draft, changes, states);
  await untangle(joined);
  await settleTopics(joined);
  const merged = joined.changes();
  assertMayBring(context, merged, `The branch ${source}`);
  const leftOut = await erasedAmong(context, changes);
  const done = { ...nothing, conflicts: [] as Conflict[], ...leftOut };
  for (const item of merged) {
    const { before, record } = item;
    const shown = (record ?? before) as NonNullable<typeof record>;
    if (!context.sight.seesRecord(shown)) continue;
    done[!record ? "removed" : before ? "modified" : "added"]++;
    for (const field of item.contested)
      done.conflicts.push({
        id: shown.id,
        scope: shown.scope,
        field,
        terms: contestedTerms(shown, field, context),
      });
  }
  if (isAhead && !options.noFf && draft.isFreshOn(ours)) {
    draft.forwardTo(theirs);
    return { kind: "fast-forward", ...names, ...done };
  }
  draft.join(theirs);
  for (const { scope, id, before, record, from } of merged) {
    if (record) await restore(job, record, before ? "modify" : "add", from);
    else {
      const entry = await draft.entry(scope, id);
      if (entry) draft.forget(entry);
    }
  }
  return { kind: "merged", ...names, ...done };
}

/** Names of branches and what they are for are no secret; how much came over may be. */
const mergeMessage = ({ source, into, purpose }: Omit<MergeOutcome, "commit">): string =>
  `Merge ${source} into ${into}${purpose === undefined ? "" : `: ${purpose}`}`;

/** What the merge itself set, in the commit that is known only now. */
export function withTermCommits<T extends MergeResult>(done: T): T {
  const { commit } = done;
  if (commit === undefined) return done;
  const conflicts = done.conflicts.map((conflict) => ({
    ...conflict,
    terms: conflict.terms.map((term) => (term.commit ? term : { ...term, commit })),
  }));
  return { ...done, conflicts };
}

function assertOther(source: BranchName, into: BranchName): void {
  if (source === into)
    throw new PalimpsestError("INVALID_NAME", `A branch cannot be merged into itself: ${source}.`, {
      hint: "Name another branch; see `pal branches`.",
    });
}
