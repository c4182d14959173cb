import { unreadable } from "../../core/base/index.js";
/** A list of numbers of whatever kind: a typed array, a plain one, what a JSON parser gave. */
export type Numbers = ArrayLike<number>;

/**
 * The cosine of the angle between two vectors, from -1 to 1. What cannot be compared is not alike: 0 when one is
 * missing, empty, without length or of another length than the other.
 */
export function cosineSimilarity(a: Numbers | null | undefined, b: Numbers | null | undefined): number {
  try {
    return cosine(a, b);
  } catch (error) {
    throw unreadable(error);
  }
}

function cosine(a: Numbers | null | undefined, b: Numbers | null | undefined): number {
  if (!a || !b || a.length === 0 || a.length !== b.length) return 0;
  let [dot, aa, bb] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at]!, b[at]!];
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  const found = dot / (Math.sqrt(aa) * Math.sqrt(bb));
  return Number.isFinite(found) ? Math.max(-1, Math.min(1, found)) : 0;
}
