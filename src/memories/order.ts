import { positionBetween } from "../core/ledger/index.js";

/**
 * Positions for siblings in a given order that change as few as possible: the longest run that is in order already
 * stays, the others get places in between.
 */
export function positionsFor(current: readonly (string | undefined)[]): string[] {
  const kept = longestAscending(current);
  const positions: string[] = [];
  let low: string | undefined;
  for (let at = 0, next = 0; at < current.length; at++) {
    next = Math.max(next, at);
    while (next < current.length && !kept.has(next)) next++;
    low = next === at ? (current[at] as string) : positionBetween(low, current[next]);
    positions.push(low);
  }
  return positions;
}

/** Indexes of a longest strictly ascending run among the values that are there (patience sorting). */
function longestAscending(values: readonly (string | undefined)[]): Set<number> {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, value] of values.entries()) {
    if (value === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as string) < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = at;
  }
  const kept = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] as number) kept.add(at);
  return kept;
}
