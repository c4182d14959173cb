import { type Hash, resolveId, type Timestamp } from "../../core/base/index.js";
import { snapshotInfo, snapshotsOf } from "../../core/ledger/index.js";
import type { Storage } from "../../storage/index.js";
import type { Context } from "../context.js";

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
