// node bench/train-judge.mjs [--record <file>] [--only lives] [--write]     (build first)
// Draws the judge's lines on files that no training saw (`held` in models/judge/judge.json): how sure an answer is by all signs
// together, from where on it is certain, or nothing, and from where on relations and worth are believed. Each file of lives is
// tested with lines drawn on the others. `--record` keeps what the judge said of lives, to draw again without asking.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadJudge } from "../dist/judge/index.js";
import { miniLmEmbedder } from "../dist/search/embed/minilm.js";
import { readLives, recorded, replayed } from "./_lives.mjs";
import { temporary } from "./_measure.mjs";
import { logistic } from "./_training.mjs";

const { values } = parseArgs({
  options: {
    record: { type: "string" },
    only: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const root = join(import.meta.dirname, "..");
const FIGURES = join(root, "models/judge/judge.json");
const DATA = join(root, "train/data");
const figures = JSON.parse(readFileSync(FIGURES, "utf8"));
const place = temporary("train-judge");
const embedder = miniLmEmbedder({ cacheDir: join(place.directory, "cache") });
const judge = await loadJudge("small", { threads: embedder.threads });

/** At most so many of the never-told are certain, and of the told nothing. */
const CERTAIN = 0.03;
const NOTHING = 0.03;
/** What renews wrongly loses a belief: of what stands beside, at most so much may pass for it. */
const REPLACED = 0.02;
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
const linesIn = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));

async function recordsOfLives() {
  if (values.record && existsSync(values.record)) return linesIn(values.record);
  const records = await recorded(readLives(join(DATA, "lives"), figures.held.lives), judge, embedder);
  if (values.record) writeFileSync(values.record, records.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return records;
}

/** Right answers against all others, each side with the same weight; wrong ones of told questions are among the others. */
function surenessOf(rows, used = names) {
  const yes = rows.filter(({ isRight }) => isRight).length;
  const samples = rows.map(({ signs, isRight }) => ({
    row: used.map((name) => SIGNS[name](signs)),
    isTrue: isRight,
    weight: 1 / (2 * (isRight ? yes : rows.length - yes)),
  }));
  const { weights, bias } = logistic(samples);
  const sum = { bias, ...Object.fromEntries(names.map((name) => [name, weights[used.indexOf(name)] ?? 0])) };
  const scores = (isTold) =>
    rows
      .filter((row) => row.isTold === isTold)
      .map((row) => sure(row, sum))
      .sort((a, b) => a - b);
  const [told, never] = [scores(true), scores(false)];
  return {
    ...sum,
    certain: never[Math.ceil((1 - CERTAIN) * never.length)],
    nothing: told[Math.floor(NOTHING * told.length)],
  };
}

const sure = ({ signs }, sum) => names.reduce((so, name) => so + sum[name] * SIGNS[name](signs), sum.bias);

/** What would be said of the asks of each file, with lines drawn on the others. */
function tested(rows, used) {
  return [...new Set(rows.map(({ file }) => file))].flatMap((file) => {
    const lines = surenessOf(
      rows.filter((row) => row.file !== file),
      used,
    );
    return rows
      .filter((row) => row.file === file)
      .map((row) => {
        const score = sure(row, lines);
        const says = score >= lines.certain ? "certain" : score < lines.nothing ? "nothing" : "possible";
        return { ...row, says };
      });
  });
}

function print(name, said) {
  const share = (list, test) =>
    `${((100 * list.filter(test).length) / Math.max(1, list.length)).toFixed(1)} %`;
  const told = said.filter(({ isTold }) => isTold);
  const never = said.filter(({ isTold }) => !isTold);
  const old = told.filter(({ hasOld }) => hasOld);
  console.log(
    `${name}: told ${told.length}: first right ${share(told, (r) => r.isRight)}, right and certain ${share(told, (r) => r.isRight && r.says === "certain")}, ` +
      `wrong and certain ${share(told, (r) => !r.isRight && r.says === "certain")}, nothing ${share(told, (r) => r.says === "nothing")}; ` +
      `never ${never.length}: certain ${share(never, (r) => r.says === "certain")}, nothing ${share(never, (r) => r.says === "nothing")}; ` +
      `possible ${share(said, (r) => r.says === "possible")}; updated ${old.length}: new first ${share(old, (r) => r.isRight)}, old first ${share(old, (r) => r.isStale)}`,
  );
}

const heldRows = (folder, test) =>
  readdirSync(join(DATA, folder))
    .filter((name) => test(name) && figures.held[folder].some((start) => name.startsWith(start)))
    .flatMap((name) => linesIn(join(DATA, folder, name)));

/** The line with the best F1, of those that let no more of the others pass than may. */
function bestLine(name, scored, most = 1) {
  const real = scored.filter(({ isTrue }) => isTrue).length;
  let best = { f1: -1, line: 1, p: 0, r: 0 };
  for (let line = 0.02; line < 1; line += 0.01) {
    const flagged = scored.filter(({ score }) => score >= line);
    const hit = flagged.filter(({ isTrue }) => isTrue).length;
    const [p, r] = [hit / Math.max(1, flagged.length), hit / Math.max(1, real)];
    const f1 = p + r === 0 ? 0 : (2 * p * r) / (p + r);
    if ((flagged.length - hit) / (scored.length - real) <= most && f1 > best.f1) best = { f1, line, p, r };
  }
  const [line, p, r, f1] = [best.line, best.p, best.r, best.f1].map((value) => value.toFixed(2));
  console.log(`${name}: ${scored.length}, line ${line}: P ${p} R ${r} F1 ${f1}`);
  return Number(line);
}

async function otherLines() {
  const pairs = heldRows("relation", () => true).flatMap(({ old, same, renews, different }) => [
    ...same.map((text) => ({ old, text, is: "same" })),
    ...renews.map((text) => ({ old, text, is: "renews" })),
    ...different.map((text) => ({ old, text, is: "beside" })),
  ]);
  for (const pair of pairs) [pair.said] = await judge.relations(pair.text, [pair.old]);
  const scored = (list, kind) => list.map(({ is, said }) => ({ isTrue: is === kind, score: said[kind] }));
  const same = bestLine("same", scored(pairs, "same"));
  const apart = pairs.filter(({ is, said }) => is !== "same" && said.same < same);
  const renews = bestLine("renews", scored(apart, "renews"), REPLACED);
  const lines = heldRows("keep", (name) => name.includes("lines"));
  const worths = await judge.worths(lines.map(({ text }) => ({ text })));
  const keep = bestLine(
    "keep",
    lines.map((row, at) => ({ isTrue: row.keep, score: worths[at].keep })),
  );
  const asked = [];
  for (const { text, recall } of linesIn(join(root, "bench/prompts/mixed.jsonl")))
    asked.push({ isTrue: recall, score: await judge.asks(text) });
  return { same, renews, keep, asks: bestLine("asks", asked) };
}

const records = await recordsOfLives();
const others = values.only === "lives" ? figures.lines : await otherLines();
const certainty = () => "possible";
const cut = (rival) => replayed(records, { lines: { ...others, rival }, certainty });
/** Where most are right; what was true once, said as if it still were, is worse than another wrong answer. */
const tries = [];
for (let rival = 0.1; rival < 1; rival += 0.05) {
  const said = await cut(rival);
  const count = (test) => said.filter(test).length;
  tries.push({ rival, good: count(({ isRight }) => isRight) - count(({ isStale }) => isStale) });
}
const { rival } = tries.reduce((best, one) => (one.good > best.good ? one : best));
console.log(`of two that answer, the later renews from ${rival.toFixed(2)} on`);
const rows = await cut(rival);
print("the judge alone", tested(rows, ["answers"]));
print("with the next", tested(rows, ["answers", "next"]));
print("all signs", tested(rows, names));
// The cosine was tried and adds nothing to these.
const USED = ["answers", "next", "words", "unseen"];
print("with the words", tested(rows, USED));
const lines = surenessOf(rows, USED);
console.log(lines);
const { same, renews, keep, asks } = others;
figures.lines = { same, renews, rival: Number(rival.toFixed(2)), keep, asks };
figures.sure = {
  ...Object.fromEntries(Object.entries(lines).map(([name, value]) => [name, Number(value.toFixed(4))])),
  usualCosine,
};
if (values.write) writeFileSync(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
await judge.close();
await embedder.close();
place.remove();
