// What sharing rare words with the best hits is worth: one weight, learnt on top of the others with the same loss.
import { textOf } from "./_sets.mjs";

const LIKELIEST = 60;
const STEP = 0.05;
const MOST = 3;

/** The candidates of a question by some weights, best first: their scores, and what they share with the best. */
export function followed(ranker, { corpus, conv, query, nearness, candidates }, byFeature) {
  const { follow } = ranker.rank(corpus, query, {
    limit: Number.MAX_SAFE_INTEGER,
    candidates,
    weights: { byFeature, kin: 1 },
    ...(nearness && { nearness }),
  });
  return follow((doc) => textOf(conv.docs[doc]))
    .map(({ doc, score, why }) => {
      const kin = why.find(({ feature }) => feature === "kin")?.points ?? 0;
      return { doc, kin, score: score - kin };
    })
    .sort((a, b) => b.score - a.score || a.doc - b.doc);
}

/** The documents in order, with so much for kin. */
export const ordered = (rows, weight) =>
  rows
    .map(({ doc, kin, score }) => ({ doc, score: score + weight * kin }))
    .sort((a, b) => b.score - a.score || a.doc - b.doc)
    .map(({ doc }) => doc);

/** The weight under which evidence stands out most from the likeliest others. samples: [{ rows, gold, weight }] */
export function kinWeight(samples) {
  const parts = samples.flatMap(({ rows, gold, weight }) => {
    const wanted = new Set(gold);
    const held = rows.filter(({ doc }) => wanted.has(doc));
    const others = rows.filter(({ doc }) => !wanted.has(doc)).slice(0, LIKELIEST);
    return held.length === 0 ? [] : [{ held, others, weight: weight / held.length, top: rows[0].score }];
  });
  const lossOf = (worth) => {
    let loss = 0;
    for (const { held, others, weight, top } of parts) {
      const strength = ({ score, kin }) => Math.exp(score - top + worth * kin);
      const rest = others.reduce((sum, row) => sum + strength(row), 0);
      for (const row of held) loss -= weight * Math.log(strength(row) / (strength(row) + rest));
    }
    return loss;
  };
  let best = { worth: 0, loss: lossOf(0) };
  for (let worth = STEP; worth <= MOST; worth += STEP) {
    const loss = lossOf(worth);
    if (loss < best.loss) best = { worth, loss };
  }
  return best.worth;
}
