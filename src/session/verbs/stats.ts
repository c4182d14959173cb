import type { BranchName, Hash } from "../../base/index.js";
import { laneOf, type Tip } from "../../ledger/index.js";
import type { Context } from "../context.js";
import { visibleRecords } from "../find.js";
import type { Reader } from "../reader.js";
import { visibleCommits } from "./log.js";

export interface Stats {
  readonly branch: BranchName;
  readonly head: Hash;
  readonly root: Hash;
  readonly memories: number;
  /** Versions ever written, forgets included. */
  readonly versions: number;
  readonly commits: number;
  readonly forgotten: number;
  readonly byScope: Readonly<Record<string, number>>;
  readonly byType: Readonly<Record<string, number>>;
  readonly byTier: Readonly<Record<string, number>>;
  readonly byCategory: Readonly<Record<string, number>>;
  readonly contested: number;
}

/** Figures over what the session sees, and nothing else. */
export async function stats(context: Context, reader: Reader, tip: Tip, now: string): Promise<Stats> {
  const counts = { byScope: tally(), byType: tally(), byTier: tally(), byCategory: tally() };
  let memories = 0;
  let contested = 0;
  for (const { record } of await visibleRecords(context, reader, tip)) {
    if (record.expiresAt !== undefined && record.expiresAt <= now) continue;
    memories++;
    if (record.contested) contested++;
    counts.byScope.add(record.scope);
    counts.byType.add(record.type);
    if (laneOf(record.type) === "belief") counts.byTier.add(record.tier ?? "register");
    if (record.category !== undefined) counts.byCategory.add(record.category);
  }
  let versions = 0;
  let commits = 0;
  let forgotten = 0;
  for await (const [, rows] of visibleCommits(context, reader, [tip])) {
    commits++;
    versions += rows.length;
    forgotten += rows.filter(({ op }) => op === "forget").length;
  }
  return {
    branch: context.branch,
    head: tip.hash,
    root: tip.commit.root,
    memories,
    versions,
    commits,
    forgotten,
    byScope: counts.byScope.done(),
    byType: counts.byType.done(),
    byTier: counts.byTier.done(),
    byCategory: counts.byCategory.done(),
    contested,
  };
}

function tally() {
  const counts = new Map<string, number>();
  return {
    add: (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1),
    done: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
