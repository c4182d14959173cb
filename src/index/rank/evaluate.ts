import { FEATURES, type Feature, type Scene } from "./features.js";

/** The features of each candidate, a row of numbers each, in the order of `features`. */
export function evaluate(
  scene: Scene,
  candidates: readonly number[],
  features: readonly Feature[] = FEATURES,
): Float64Array {
  const width = features.length;
  const values = new Float64Array(candidates.length * width);
  features.forEach(({ value, relative }, column) => {
    let most = 0;
    candidates.forEach((doc, row) => {
      const found = value(scene, doc);
      values[row * width + column] = found;
      if (found > most) most = found;
    });
    if (relative && most > 0) for (let at = column; at < values.length; at += width) values[at]! /= most;
  });
  return values;
}
