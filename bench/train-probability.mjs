// node bench/train-probability.mjs --data <folder of question sets> [--vectors <folder>] [--write]
// Fits how likely a hit is evidence where there is any, from its rank and its distance from the best hit; run it after the
// other trainings. Tested on sets left out, multiplied by how answerable each question is: what was promised, what was true.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadRanker } from "./_ranker.mjs";
import { messageOf, readSet, textOf } from "./_sets.mjs";
import { logistic } from "./_training.mjs";
import { vectorsOf } from "./_vectors.mjs";

const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    vectors: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const ranker = await loadRanker();
const SETS = ["locomo", "beam-100k", "assistant-said", "madial-en", "cranfield", "memdaily-zh"];
const DEPTH = 20;

/** Every hit of every question that has evidence; each set counts the same. */
function hitsOf(set, vectors) {
  const file = join(options.data, `${set}.json`);
  if (!existsSync(file)) return [];
  const hits = readSet(file).convs.flatMap((conv) => {
    const corpus = ranker.plainCorpus(conv.docs.map(messageOf));
    const nearnessOf = vectors?.(conv);
    return conv.queries
      .filter(({ gold }) => gold.length > 0)
      .flatMap(({ question, gold }) => {
        const nearness = nearnessOf?.(question);
        const query = ranker.parseQuery(question);
        const { follow, answerable } = ranker.rank(corpus, query, {
          limit: DEPTH,
          ...(nearness && { nearness }),
        });
        const hits = follow((doc) => textOf(conv.docs[doc]));
        const wanted = new Set(gold);
        const scores = hits.map(({ score }) => score);
        return ranker.likelihoodSigns(scores).map(({ behind, rank }, at) => ({
          set,
          answerable,
          row: [behind, rank],
          isTrue: wanted.has(conv.docs[hits[at].doc].id),
        }));
      });
  });
  return hits.map((hit) => ({ ...hit, weight: 1 / hits.length / SETS.length }));
}

const likely = ({ row, answerable }, { weights, bias }) =>
  answerable / (1 + Math.exp(-row.reduce((sum, value, i) => sum + weights[i] * value, bias)));

/** Mean distance between what was promised and what was true, over ten groups of equal size. */
function calibration(list) {
  const sorted = list.toSorted((a, b) => a.promised - b.promised);
  const size = Math.ceil(sorted.length / 10);
  const groups = Array.from({ length: 10 }, (_, at) => sorted.slice(at * size, (at + 1) * size)).filter(
    ({ length }) => length > 0,
  );
  const rows = groups.map((group) => ({
    promised: group.reduce((sum, { promised }) => sum + promised, 0) / group.length,
    kept: group.filter(({ isTrue }) => isTrue).length / group.length,
    share: group.length / sorted.length,
  }));
  return { error: rows.reduce((sum, row) => sum + row.share * Math.abs(row.promised - row.kept), 0), rows };
}

function fitted(mode, vectors) {
  const all = SETS.flatMap((set) => hitsOf(set, vectors));
  const tested = [];
  for (const set of SETS) {
    const own = all.filter((hit) => hit.set === set);
    if (own.length === 0) continue;
    const model = logistic(
      all.filter((hit) => hit.set !== set),
      { steps: 150 },
    );
    const promised = own.map((hit) => ({ ...hit, promised: likely(hit, model) }));
    tested.push(...promised);
    const mean = promised.reduce((sum, hit) => sum + hit.promised, 0) / promised.length;
    const kept = promised.filter(({ isTrue }) => isTrue).length / promised.length;
    console.log(
      `${mode}, ${set} left out: promised ${mean.toFixed(3)}, true ${kept.toFixed(3)}, calibration error ${calibration(promised).error.toFixed(3)}`,
    );
  }
  const { error, rows } = calibration(tested);
  console.log(`${mode}, all: calibration error ${error.toFixed(3)}; promised/true by tenth:`);
  console.log(
    `  ${rows.map(({ promised, kept }) => `${promised.toFixed(2)}/${kept.toFixed(2)}`).join("  ")}`,
  );
  return logistic(all, { steps: 150 });
}

const models = { LEXICAL: fitted("lexical") };
if (options.vectors) models.HYBRID = fitted("hybrid", vectorsOf(ranker, options.vectors));

if (options.write && models.HYBRID) {
  const round = (value) => Number(value.toFixed(3));
  const text = Object.entries(models).map(
    ([name, { weights, bias }]) => `
export const LIKELY_${name}: Likelihood = {
  bias: ${round(bias)},
  behind: ${round(weights[0])},
  rank: ${round(weights[1])},
};
`,
  );
  writeFileSync(
    join(import.meta.dirname, "..", "src", "index", "rank", "probability-weights.ts"),
    `/**
 * What tells how likely a hit is evidence. Written by bench/train-probability.mjs: logistic regression on the first hits of
 * every question that has evidence; not to be changed by hand.
 */
export interface Likelihood {
  readonly bias: number;
  /** Of a score, less the best one. */
  readonly behind: number;
  /** Of the logarithm of its rank. */
  readonly rank: number;
}
${text.join("")}`,
  );
}
