// node bench/train-judge.mjs --lives a-13,b-09 [--write]     (build first)
// Draws the judge's lines on stores that no training saw: how sure an answer is by all signs together, and from where on it is
// certain, or nothing. Each file is tested with lines drawn on the others.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadJudge } from "../dist/judge/index.js";
import { miniLmEmbedder } from "../dist/search/embed/minilm.js";
import { judged, readLives } from "./_lives.mjs";
import { temporary } from "./_measure.mjs";
import { logistic } from "./_training.mjs";

const { values } = parseArgs({
  options: {
    lives: { type: "string" },
    rows: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const root = join(import.meta.dirname, "..");
const FIGURES = join(root, "models/judge/judge.json");
/** Aims below what is promised: lines from so few questions let more of the unseen pass. */
const CERTAIN = 0.025;
const NOTHING = 0.025;
const FAR = 8;
const logit = (p) => Math.max(-FAR, Math.min(FAR, Math.log(p / (1 - p))));
const usualCosine = 0.55;
const SIGNS = {
  answers: ({ answers }) => logit(answers),
  next: ({ next }) => logit(next),
  cosine: ({ cosine }) => cosine ?? usualCosine,
  words: ({ words }) => words,
  unseen: ({ unseen }) => unseen,
};
const names = Object.keys(SIGNS);

async function rowsOf() {
  const place = temporary("train-judge");
  const embedder = miniLmEmbedder({ cacheDir: join(place.directory, "cache") });
  const judge = await loadJudge("small", { threads: embedder.threads });
  const rows = await judged(
    readLives(join(root, "train/data/lives"), values.lives.split(",")),
    judge,
    embedder,
  );
  await judge.close();
  await embedder.close();
  place.remove();
  return rows;
}

/** Right answers against all others, each side with the same weight; wrong ones of told questions among the others. */
function linesOf(rows, used = names) {
  const yes = rows.filter(({ isRight }) => isRight).length;
  const samples = rows.map(({ signs, isRight }) => ({
    row: used.map((name) => SIGNS[name](signs)),
    isTrue: isRight,
    weight: 1 / (2 * (isRight ? yes : rows.length - yes)),
  }));
  const { weights, bias } = logistic(samples);
  const model = {
    bias,
    ...Object.fromEntries(names.map((name) => [name, weights[used.indexOf(name)] ?? 0])),
  };
  const never = rows.filter(({ isTold }) => !isTold).map((row) => sure(row, model));
  const told = rows.filter(({ isTold }) => isTold).map((row) => sure(row, model));
  never.sort((a, b) => b - a);
  told.sort((a, b) => a - b);
  return {
    ...model,
    certain: never[Math.floor(CERTAIN * never.length)] + 1e-6,
    nothing: told[Math.floor(NOTHING * told.length)],
  };
}

const sure = ({ signs }, model) =>
  names.reduce((sum, name) => sum + model[name] * SIGNS[name](signs), model.bias);

/** Shares of the asks that were left out, with lines drawn on the others. */
function tested(rows, used) {
  const said = [];
  for (const file of new Set(rows.map((row) => row.file))) {
    const model = linesOf(
      rows.filter((row) => row.file !== file),
      used,
    );
    for (const row of rows.filter((row) => row.file === file)) {
      const score = sure(row, model);
      said.push({
        ...row,
        says: score >= model.certain ? "certain" : score < model.nothing ? "nothing" : "possible",
      });
    }
  }
  return said;
}

const percent = (part, all) => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
function print(name, said) {
  const told = said.filter(({ isTold }) => isTold);
  const never = said.filter(({ isTold }) => !isTold);
  const old = told.filter(({ hasOld }) => hasOld);
  const count = (list, test) => percent(list.filter(test).length, list.length);
  console.log(
    `${name}: told ${told.length}: first right ${count(told, (r) => r.isRight)}, right and certain ${count(told, (r) => r.isRight && r.says === "certain")}, ` +
      `wrong and certain ${count(told, (r) => !r.isRight && r.says === "certain")}, nothing ${count(told, (r) => r.says === "nothing")}; ` +
      `never ${never.length}: certain ${count(never, (r) => r.says === "certain")}, nothing ${count(never, (r) => r.says === "nothing")}; ` +
      `possible ${count(said, (r) => r.says === "possible")}; updated ${old.length}: new first ${count(old, (r) => r.isRight)}, old first ${count(old, (r) => r.isStale)}`,
  );
}

const rows = values.rows
  ? readFileSync(values.rows, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
  : await rowsOf();
writeFileSync("/tmp/judge-work/rows.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
print("the judge alone", tested(rows, ["answers"]));
print("with the next", tested(rows, ["answers", "next"]));
print("with the cosine", tested(rows, ["answers", "next", "cosine"]));
print("all signs", tested(rows, names));
const model = linesOf(rows);
console.log(model);
if (values.write) {
  const figures = JSON.parse(readFileSync(FIGURES, "utf8"));
  const rounded = Object.fromEntries(
    Object.entries(model).map(([name, value]) => [name, Number(value.toFixed(4))]),
  );
  figures.sure = { ...rounded, usualCosine };
  writeFileSync(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
}
