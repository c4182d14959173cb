// node bench/train-ranker.mjs --data <folder of question sets> [--vectors <folder>] [--write]
// Trains the ranker's weights, tests them on conversations they never saw, and writes src/index/rank/weights-*.ts.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { followed, kinWeight, ordered } from "./_kin.mjs";
import { loadRanker, questionsOf } from "./_ranker.mjs";
import { learn, meanOf, measures, seeded } from "./_training.mjs";
import { vectorsOf } from "./_vectors.mjs";

const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    vectors: { type: "string" },
    write: { type: "boolean", default: false },
    ablate: { type: "boolean", default: false },
    candidates: { type: "string", default: "200" },
  },
});
/** How much a set counts as a whole, and which of its conversations are tested together. */
const SETS = {
  locomo: { weight: 1, foldOf: (conv) => conv },
  "beam-100k": { weight: 0.8, foldOf: (conv) => conv >> 1 },
  "assistant-said": { weight: 0.5, foldOf: (conv) => conv >> 1 },
  "memdaily-zh": { weight: 0.3, foldOf: (conv) => conv % 5, english: false },
  "madial-en": { weight: 0.5, foldOf: () => 5 },
  cranfield: { weight: 0.3, foldOf: () => 6 },
};

const ranker = await loadRanker();
const columns = ranker.FEATURES;
const width = columns.length;
const signed = columns.map((feature) => feature.signed === true);
const mode = options.vectors ? "hybrid" : "lexical";
const usable = columns.map((feature) => mode === "hybrid" || !feature.vector);
const vectors = options.vectors ? vectorsOf(ranker, options.vectors) : undefined;
const candidates = Number(options.candidates);

const questions = Object.entries(SETS).flatMap(([set, { foldOf, english = true }]) => {
  const file = join(options.data, `${set}.json`);
  if (!existsSync(file)) return [];
  return questionsOf(ranker, file, { set, foldOf, candidates, nearnessOf: english ? vectors : undefined });
});
const random = seeded(7);
for (const question of questions) question.sample = sampleOf(question);

/** The evidence against the likeliest others and some by chance. */
function sampleOf({ gold, found, nearest, rows }) {
  const row = new Map(found.map((doc, at) => [doc, at]));
  const wanted = new Set(gold);
  const held = gold.filter((doc) => row.has(doc));
  const chance = Array.from({ length: 15 }, () => found[Math.floor(random() * found.length)]);
  const others = new Set(
    [...found.slice(0, 45), ...nearest, ...chance].filter((doc) => row.has(doc) && !wanted.has(doc)),
  );
  const chosen = [...held, ...others];
  const sample = new Float64Array(chosen.length * width);
  chosen.forEach((doc, at) => {
    sample.set(rows.subarray(row.get(doc) * width, (row.get(doc) + 1) * width), at * width);
  });
  return { rows: sample, golds: held.length };
}

/** Each set counts as much as it is to, whatever its size. */
function weighted(from, sampleOf) {
  const counts = new Map();
  for (const { set } of from) counts.set(set, (counts.get(set) ?? 0) + 1);
  return from.map((question) => ({
    ...sampleOf(question),
    weight: SETS[question.set].weight / counts.get(question.set),
  }));
}
function train(from, used = usable) {
  const samples = weighted(from, ({ sample }) => sample).filter(({ golds }) => golds > 0);
  return learn(samples, { width, signed, used });
}
const byFeature = (weights) => Object.fromEntries(columns.map(({ name }, i) => [name, weights[i]]));
const follow = (question, weights) => followed(ranker, question, byFeature(weights));
const trainKin = (from, rowsOf) =>
  kinWeight(weighted(from, (question) => ({ rows: rowsOf(question), gold: question.gold })));

const pct = (value) => value.toFixed(1);
function print(title, groups) {
  console.log(`\n${title}\n`);
  for (const [name, list] of groups) {
    const { n, r10, r20, mrr } = meanOf(list);
    console.log(
      `| ${name.padEnd(28)} | ${String(n).padStart(4)} | ${pct(r10)} | ${pct(r20)} | ${pct(mrr)} |`,
    );
  }
}
function grouped(list, keyOf) {
  const groups = new Map();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/** Kin is learnt from scores that never saw their own question, as it will meet them. */
function leftOut(used = usable, useKin = true) {
  const folds = [...new Set(questions.map(({ fold }) => fold))];
  const rows = new Map();
  for (const fold of folds) {
    const { weights } = train(
      questions.filter((question) => question.fold !== fold),
      used,
    );
    for (const question of questions)
      if (question.fold === fold) rows.set(question, follow(question, weights));
  }
  const kinFor = (isTrained) =>
    useKin ? trainKin(questions.filter(isTrained), (question) => rows.get(question)) : 0;
  const results = folds.flatMap((fold) => {
    const kin = kinFor((question) => question.fold !== fold);
    return questions
      .filter((question) => question.fold === fold)
      .map((question) => ({ question, ...measures(ordered(rows.get(question), kin), question.gold) }));
  });
  return { results, kin: kinFor(() => true) };
}

console.log(`${mode}, ${questions.length} questions, ${candidates} candidates of the first pass`);
const ceiling = questions.map(({ set, gold, found }) => {
  const held = gold.filter((doc) => found.includes(doc)).length / gold.length;
  return { set, r10: held, r20: held, mrr: held };
});
print(
  "Evidence among the candidates (what the cut leaves)",
  grouped(ceiling, ({ set }) => set),
);

const { results, kin } = leftOut();
print(
  "Tested conversation left out: R@10, R@20, MRR",
  grouped(results, ({ question }) => question.set),
);
const locomo = results.filter(({ question }) => question.set === "locomo");
print(
  "LoCoMo by conversation",
  grouped(locomo, ({ question }) => question.conv.conv_id),
);
print(
  "LoCoMo by kind",
  grouped(locomo, ({ question }) => question.category),
);

for (const [title, trained, tested] of [
  ["Trained without LoCoMo", (set) => set !== "locomo", () => true],
  ["Trained on LoCoMo only", (set) => set === "locomo", (set) => set !== "locomo"],
]) {
  const from = questions.filter(({ set }) => trained(set));
  const { weights } = train(from);
  const kin = trainKin(from, (question) => follow(question, weights));
  const list = questions
    .filter(({ set }) => tested(set))
    .map((question) => ({ question, ...measures(ordered(follow(question, weights), kin), question.gold) }));
  print(
    title,
    grouped(list, ({ question }) => question.set),
  );
}

const bySet = ({ question }) => question.set;
if (options.ablate) {
  print("Without kin", grouped(leftOut(usable, false).results, bySet));
  for (const [i, { name }] of columns.entries())
    if (usable[i])
      print(`Without ${name}`, grouped(leftOut(usable.map((use, at) => use && at !== i)).results, bySet));
}

const { weights, perDeviation } = train(questions);
console.log("\nWeights from all sets (and per standard deviation)\n");
columns.forEach(({ name }, i) => {
  if (usable[i])
    console.log(
      `| ${name.padEnd(16)} | ${weights[i].toFixed(3).padStart(7)} | ${perDeviation[i].toFixed(2).padStart(6)} |`,
    );
});
console.log(`| kin              | ${kin.toFixed(3).padStart(7)} |        |`);
if (options.write) write();

function write() {
  const sets = [...new Set(questions.map(({ set }) => set))].join(", ");
  const lines = columns
    .map(({ name }, i) => [name, Number(weights[i].toFixed(3))])
    .filter(([, weight]) => weight !== 0)
    .map(([name, weight]) => `    ${name}: ${weight},`);
  const text = `import type { Weights } from "./weights.js";

/** Written by bench/train-ranker.mjs; not to be changed by hand. */
export const ${mode.toUpperCase()}: Weights = {
  provenance:
    "bench/train-ranker.mjs${mode === "hybrid" ? " --vectors" : ""}: ${questions.length} questions of ${sets}; softmax of evidence against others, non-negative unless signed",
  byFeature: {
${lines.join("\n")}
  },
  kin: ${Number(kin.toFixed(3))},
};
`;
  writeFileSync(join(import.meta.dirname, "..", "src", "index", "rank", `weights-${mode}.ts`), text);
}
