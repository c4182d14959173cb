/** The name most like what was typed, if one is close enough to be meant. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(typed, name) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.max(2, Math.ceil(best.name.length / 3)) ? best.name : undefined;
}

/** Letters to add, drop or change (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
