import { evaluate } from "./evaluate.js";
import { FEATURES, type Scene } from "./features.js";
import { PRIORS } from "./priors.js";
import type { Weights } from "./weights.js";

export interface Reason {
  readonly feature: string;
  readonly meaning: string;
  readonly points: number;
}

/** A document with its score; what made it is worked out for the few that are shown. */
export interface Row {
  readonly doc: number;
  readonly score: number;
  why(): Reason[];
}

export function rowsOf(scene: Scene, candidates: readonly number[], byFeature: Weights["byFeature"]): Row[] {
  const columns = [
    ...FEATURES.map((feature) => ({ ...feature, weight: byFeature[feature.name] ?? 0 })),
    ...PRIORS,
  ].filter(({ weight }) => weight !== 0);
  const values = evaluate(scene, candidates, columns);
  return candidates.map((doc, row) => {
    const pointsOf = (column: number): number =>
      columns[column]!.weight * values[row * columns.length + column]!;
    return {
      doc,
      score: columns.reduce((sum, _, column) => sum + pointsOf(column), 0),
      why: () =>
        columns
          .map(({ name, meaning }, column) => ({ feature: name, meaning, points: pointsOf(column) }))
          .filter(({ points }) => points !== 0)
          .sort(byWeight),
    };
  });
}

/** A row that one reason more speaks for. */
export const withPoints = (row: Row, reason: Reason): Row =>
  reason.points === 0
    ? row
    : { ...row, score: row.score + reason.points, why: () => [...row.why(), reason].sort(byWeight) };

const byWeight = (a: Reason, b: Reason): number => Math.abs(b.points) - Math.abs(a.points);
