import { type Hash, resolveId, type Timestamp } from "../../core/base/index.js";
import { snapshotInfo, snapshotsOf } from "../../core/ledger/index.js";
import type { Ref, RefMove, Storage } from "../../storage/index.js";
import type { Context, Job } from "../context.js";
import type { Draft } from "../write/draft.js";

/** A state of a branch to come back to: no copy, the name of a commit. */
export interface Snapshot {
  /** 0 is the newest of those the caller can see. */
  readonly index: number;
  readonly snapshot: string;
  readonly commit: Hash;
  readonly time: Timestamp;
  readonly agent: string;
  /** Labelled ones stay and are everybody's; others are the caller's own, the last 20. */
  readonly label?: string;
  /** The operation it was taken before. */
  readonly before?: string;
}

/** Those of the session's branch that it may name, newest first. */
export async function knownSnapshots(context: Context, storage: Pick<Storage, "refs">): Promise<Snapshot[]> {
  const folder = snapshotsOf(context.branch);
  return [...(await storage.refs(folder))]
    .map(([name, { target, meta }]) => ({
      snapshot: name.slice(folder.length),
      commit: target,
      ...snapshotInfo(meta),
    }))
    .filter(({ agent, label }) => label !== undefined || agent === context.agent)
    .reverse()
    .map((snapshot, index) => ({ index, ...snapshot }));
}

/** By id, by label, or by a part of the id that fits no other. */
export function findSnapshot(known: readonly Snapshot[], text: string): Snapshot | undefined {
  const exact = known.find(({ snapshot, label }) => snapshot === text || label === text);
  if (exact) return exact;
  const id = resolveId(
    text,
    known.map(({ snapshot }) => snapshot),
  );
  return known.find(({ snapshot }) => snapshot === id);
}

/** Automatic snapshots kept for each branch and agent; labelled ones stay. */
const RING = 20;

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
