import type { Numbers } from "./cosine.js";

/**
 * The direction of a vector in int8, its largest component at 127. Its length is not kept: only angles are ever
 * compared. A vector without direction, or with a component that is no number, becomes zeros.
 */
export function quantizeVector(vector: Numbers): Int8Array {
  const out = new Int8Array(vector.length);
  const largest = largestOf(vector);
  if (largest === 0) return out;
  const scale = 127 / largest;
  for (let at = 0; at < out.length; at++) out[at] = Math.round(vector[at]! * scale);
  return out;
}

/** The largest absolute component; 0 when one of them is not finite. */
export function largestOf(vector: Numbers): number {
  let largest = 0;
  for (let at = 0; at < vector.length; at++) {
    const size = Math.abs(vector[at]!);
    if (!Number.isFinite(size)) return 0;
    if (size > largest) largest = size;
  }
  return largest;
}

export function lengthOf(vector: Numbers): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! * vector[at]!;
  return Math.sqrt(sum);
}
