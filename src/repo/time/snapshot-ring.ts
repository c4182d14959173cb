import { snapshotInfo, snapshotsOf } from "../../core/ledger/index.js";
import type { Ref, RefMove } from "../../storage/index.js";
import type { Context, Job } from "../context.js";
import type { Draft } from "../write/draft.js";

/** Automatic snapshots kept for each branch and agent; labelled ones stay. */
export const RING = 20;

export const newSnapshotName = (context: Context): string => context.newId().replace(/^mem-/, "snap-");

/** One automatic snapshot before a large change, in the same transaction, and the oldest goes. */
export async function snapshotMoves({ context, draft }: Job, before: string): Promise<RefMove[]> {
  const known = await draft.refsUnder(snapshotsOf(draft.branch));
  return ringMoves(context, draft.branch, known, {
    name: newSnapshotName(context),
    next: { target: draft.tip.hash, meta: { agent: context.agent, before, time: draft.now } },
  });
}

export function ringMoves(
  context: Context,
  branch: Draft["branch"],
  known: ReadonlyMap<string, Ref>,
  { name, next }: { readonly name: string; readonly next: Ref },
): RefMove[] {
  const folder = snapshotsOf(branch);
  const own = [...known].filter(([, { meta }]) => {
    const { agent, label } = snapshotInfo(meta);
    return agent === context.agent && label === undefined;
  });
  // Names grow with time, and refs come by name.
  const excess = next.meta?.label === undefined ? own.slice(0, Math.max(0, own.length - RING + 1)) : [];
  return [
    { name: folder + name, expect: null, next },
    ...excess.map(([old, { target }]) => ({ name: old, expect: target, next: null })),
  ];
}
