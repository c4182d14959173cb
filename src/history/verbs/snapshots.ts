import { type Hash, PalimpsestError, timestamp } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import { snapshotsOf } from "../../core/ledger/index.js";
import type { Context, RefPlan } from "../../repo/index.js";
import {
  findSnapshot,
  HEAD,
  knownSnapshots,
  newSnapshotName,
  ringMoves,
  type Snapshot,
  tipAt,
} from "../../repo/index.js";

export { knownSnapshots as snapshots, type Snapshot };

export async function snapshot(
  context: Context,
  label: string | undefined,
): Promise<RefPlan<{ readonly snapshot: string; readonly commit: Hash; readonly label?: string }>> {
  const { engine } = context;
  if (label !== undefined && !isLabel(label))
    throw new PalimpsestError("INVALID_NAME", "Not a label of a snapshot.", {
      hint: "A label is 1-100 characters without control characters, no number below 1,000, and not HEAD.",
    });
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
  target: string | number,
): Promise<{ readonly tip: Tip; readonly name: string }> {
  const { engine } = context;
  const known = await knownSnapshots(context, engine.storage);
  const text = String(target);
  if (/^-?\d{1,3}$/.test(text)) {
    const found = known[Number(text)];
    if (found) return { tip: await engine.reader.tip(found.commit), name: text };
    throw notThere(`There is no snapshot ${text}`, known.length);
  }
  const found = findSnapshot(known, text);
  if (found) return { tip: await engine.reader.tip(found.commit), name: found.label ?? found.snapshot };
  if (text.startsWith("snap-")) throw notThere(`There is no snapshot ${text}`, known.length);
  return { tip: await tipAt(context, text), name: text };
}

const notThere = (what: string, count: number) =>
  new PalimpsestError("NOT_FOUND", `${what}; nothing was changed.`, {
    hint:
      count === 0
        ? "There are none yet: take one with `pal snapshot`."
        : `${count === 1 ? "The only one is 0" : `They are 0 to ${count - 1}`}; see \`pal snapshots\`.`,
  });

/** A number below 1,000 would always be taken for an index. */
const isLabel = (label: unknown): boolean =>
  typeof label === "string" &&
  label.trim() === label &&
  /^[^\p{Cc}]{1,100}$/u.test(label) &&
  !/^-?\d{1,3}$/.test(label) &&
  label !== HEAD;
