// Learning to rank: each evidence document against the others by softmax, a linear model, signs held where they must be.

/** A small generator with a seed, so that a training can be repeated. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * samples: [{ rows: Float64Array, golds: number, weight }], the first `golds` rows being evidence.
 * Answers one weight per feature, on the scale of the features as they are.
 */
export function learn(samples, { width, signed, used, steps = 120, rate = 0.1, shrink = 0.001 }) {
  const deviation = deviations(samples, width);
  const weights = new Float64Array(width);
  const first = new Float64Array(width);
  const second = new Float64Array(width);
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const gradient = new Float64Array(width);
  const expected = new Float64Array(width);
  for (let step = 1; step <= steps; step++) {
    for (let i = 0; i < width; i++) gradient[i] = shrink * weights[i];
    const scale = weights.map((weight, i) => weight / deviation[i]);
    for (const { rows, golds, weight } of samples) {
      const count = rows.length / width;
      const scores = new Float64Array(count);
      let top = -Infinity;
      for (let r = 0; r < count; r++) {
        let score = 0;
        for (let i = 0, at = r * width; i < width; i++) score += scale[i] * rows[at + i];
        scores[r] = score;
        if (score > top) top = score;
      }
      let others = 0;
      for (let r = 0; r < count; r++) {
        scores[r] = Math.exp(scores[r] - top);
        if (r >= golds) others += scores[r];
      }
      const part = weight / total / golds;
      for (let gold = 0; gold < golds; gold++) {
        const sum = others + scores[gold];
        expected.fill(0);
        for (let r = golds; r < count; r++) {
          const p = scores[r] / sum;
          if (p < 1e-6) continue;
          for (let i = 0, at = r * width; i < width; i++) expected[i] += p * rows[at + i];
        }
        const stay = 1 - scores[gold] / sum;
        for (let i = 0; i < width; i++)
          gradient[i] += (part * (expected[i] - stay * rows[gold * width + i])) / deviation[i];
      }
    }
    const speed = step > steps * 0.7 ? rate * 0.3 : rate;
    for (let i = 0; i < width; i++) {
      first[i] = 0.9 * first[i] + 0.1 * gradient[i];
      second[i] = 0.999 * second[i] + 0.001 * gradient[i] ** 2;
      const move =
        (speed * (first[i] / (1 - 0.9 ** step))) / (Math.sqrt(second[i] / (1 - 0.999 ** step)) + 1e-9);
      weights[i] = used[i] ? weights[i] - move : 0;
      if (!signed[i] && weights[i] < 0) weights[i] = 0;
    }
  }
  return { weights: weights.map((weight, i) => weight / deviation[i]), perDeviation: weights };
}

function deviations(samples, width) {
  const sum = new Float64Array(width);
  const squares = new Float64Array(width);
  let count = 0;
  for (const { rows } of samples)
    for (let at = 0; at < rows.length; at += width, count++)
      for (let i = 0; i < width; i++) {
        sum[i] += rows[at + i];
        squares[i] += rows[at + i] ** 2;
      }
  return sum.map((value, i) => Math.sqrt(Math.max(0, squares[i] / count - (value / count) ** 2)) || 1);
}

/** Recall at 10 and 20 and the reciprocal rank of the first evidence among 50. */
export function measures(ranked, gold) {
  const wanted = new Set(gold);
  const recall = (k) => ranked.slice(0, k).filter((doc) => wanted.has(doc)).length / wanted.size;
  const first = ranked.slice(0, 50).findIndex((doc) => wanted.has(doc));
  return { r10: recall(10), r20: recall(20), mrr: first < 0 ? 0 : 1 / (first + 1) };
}

export const meanOf = (list) => {
  const mean = (key) => (100 * list.reduce((sum, one) => sum + one[key], 0)) / Math.max(1, list.length);
  return { n: list.length, r10: mean("r10"), r20: mean("r20"), mrr: mean("mrr") };
};
