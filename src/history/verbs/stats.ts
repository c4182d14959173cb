import type { BranchName, Hash } from "../../core/base/index.js";
import { facet, Scene } from "../../index/index.js";
import { stagedItems } from "../../memories/index.js";
import type { At } from "../../repo/index.js";
import { rowSight } from "../../repo/index.js";
import { historyTotals } from "../totals.js";

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
  /** What waits for review, now. */
  readonly waiting: number;
}

/** Figures over what the session sees, and nothing else. */
export async function stats({ context, reader, tip, now }: At): Promise<Stats> {
  const { views, branch, sight } = context;
  const figures = await views.use(branch, tip, (view) => {
    const scene = new Scene(view, sight, Date.parse(now));
    const byFacet = (start: string): [string, number][] =>
      [...view.termsFrom(start)].map((term) => [facet.valueIn(term), scene.frequency(term)]);
    return {
      memories: scene.totals.count,
      byScope: counted(scene.byScope()),
      byType: counted(byFacet(facet.byType(""))),
      byTier: counted(byFacet(facet.byTier(""))),
      byCategory: counted(byFacet(facet.byCategory(""))),
      contested: scene.frequency(facet.CONTESTED),
    };
  });
  const totals = await historyTotals(reader, tip);
  return {
    branch: context.branch,
    head: tip.hash,
    root: tip.commit.root,
    ...figures,
    ...(await totals.seenBy(rowSight(context))),
    waiting: (await stagedItems(context)).length,
  };
}

const counted = (counts: Iterable<readonly [string, number]>): Record<string, number> =>
  Object.fromEntries([...counts].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
