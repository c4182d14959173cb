/**
 * The `ratio()` of Python's difflib.SequenceMatcher, so that thresholds written for it keep their meaning: twice the
 * matching characters over all characters, matches found longest first. Characters are code points, as in Python.
 */
export function sequenceRatio(first: string, second: string): number {
  const a = [...first];
  const b = [...second];
  if (a.length + b.length === 0) return 1;
  const places = placesOf(b);
  let matches = 0;
  const open: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let range = open.pop(); range; range = open.pop()) {
    const [aFrom, aTo, bFrom, bTo] = range;
    const { at, bt, size } = longestMatch(a, b, places, range);
    if (size === 0) continue;
    matches += size;
    if (aFrom < at && bFrom < bt) open.push([aFrom, at, bFrom, bt]);
    if (at + size < aTo && bt + size < bTo) open.push([at + size, aTo, bt + size, bTo]);
  }
  return (2 * matches) / (a.length + b.length);
}

/** No pair of these texts can have a higher ratio; cheap enough to ask first. */
export function ratioBound(first: string, second: string): number {
  let total = 0;
  const counts = new Map<string, number>();
  for (const character of second) {
    total++;
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  let shared = 0;
  for (const character of first) {
    total++;
    const left = counts.get(character) ?? 0;
    if (left > 0) shared++;
    counts.set(character, left - 1);
  }
  return total === 0 ? 1 : (2 * shared) / total;
}

/** Where each character of b stands; those that fill a long text everywhere are left out, as difflib does. */
function placesOf(b: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, character] of b.entries()) {
    const known = places.get(character);
    if (known) known.push(at);
    else places.set(character, [at]);
  }
  if (b.length >= 200) {
    const limit = Math.floor(b.length / 100) + 1;
    for (const [character, at] of places) if (at.length > limit) places.delete(character);
  }
  return places;
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [aFrom, aTo, bFrom, bTo]: readonly [number, number, number, number],
): { at: number; bt: number; size: number } {
  let [at, bt, size] = [aFrom, bFrom, 0];
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] as string) ?? []) {
      if (j < bFrom) continue;
      if (j >= bTo) break;
      const length = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, length);
      if (length > size) [at, bt, size] = [i - length + 1, j - length + 1, length];
    }
    lengths = next;
  }
  // What was left out as too frequent may still lengthen a match on both sides.
  while (at > aFrom && bt > bFrom && a[at - 1] === b[bt - 1]) [at, bt, size] = [at - 1, bt - 1, size + 1];
  while (at + size < aTo && bt + size < bTo && a[at + size] === b[bt + size]) size++;
  return { at, bt, size };
}
