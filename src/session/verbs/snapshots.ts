import { type Hash, PalimpsestError, type Timestamp, timestamp } from "../../base/index.js";
import { snapshotInfo, snapshotsOf } from "../../branches/index.js";
import type { Tip } from "../../ledger/index.js";
import { tipAt } from "../as-of.js";
import type { RefPlan } from "../change-refs.js";
import type { Context } from "../context.js";
import type { Engine } from "../engine.js";
import { newSnapshotName, ringMoves } from "../snapshot-ring.js";

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

export async function snapshots(context: Context, { storage }: Engine): Promise<Snapshot[]> {
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

export async function snapshot(
  context: Context,
  engine: Engine,
  label: string | undefined,
): Promise<RefPlan<{ readonly snapshot: string; readonly commit: Hash; readonly label?: string }>> {
  const { hash } = await engine.head(context.branch);
  const name = newSnapshotName(context);
  const meta = {
    agent: context.agent,
    time: timestamp(engine.clock()),
    ...(label !== undefined && { label }),
  };
  const known = await engine.storage.refs(snapshotsOf(context.branch));
  return {
    moves: ringMoves(context, context.branch, known, { name, next: { target: hash, meta } }),
    value: { snapshot: name, commit: hash, ...(label !== undefined && { label }) },
  };
}

/** The state meant: an index (0 is the newest snapshot), a snapshot by id or label, a commit, tag or time. */
export async function snapshotAt(
  context: Context,
  engine: Engine,
  target: string | number,
): Promise<{ readonly tip: Tip; readonly name: string }> {
  const known = await snapshots(context, engine);
  const text = String(target);
  if (/^-?\d{1,3}$/.test(text)) {
    const found = known[Number(text)];
    if (found) return { tip: await engine.reader.tip(found.commit), name: text };
    throw notThere(`There is no snapshot ${text}`, known.length);
  }
  const found =
    known.find(({ snapshot: id, label }) => id === text || label === text) ?? uniquePart(known, text);
  if (found) return { tip: await engine.reader.tip(found.commit), name: found.label ?? found.snapshot };
  if (text.startsWith("snap-")) throw notThere(`There is no snapshot ${text}`, known.length);
  return { tip: await tipAt(context, engine.reader, text), name: text };
}

function uniquePart(known: readonly Snapshot[], text: string): Snapshot | undefined {
  const fits =
    text.length < 6 ? [] : known.filter(({ snapshot: id }) => id.startsWith(text) || id.endsWith(text));
  return fits.length === 1 ? fits[0] : undefined;
}

const notThere = (what: string, count: number) =>
  new PalimpsestError("NOT_FOUND", `${what}; nothing was changed.`, {
    hint:
      count === 0
        ? "There are none yet: take one with `pal snapshot`."
        : `There are ${count}, 0 to ${count - 1}; see \`pal snapshots\`.`,
  });
