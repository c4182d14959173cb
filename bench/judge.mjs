// npm run bench:judge -- [--corpora <dir>] [--only lives,relation,keep,corpora]
// How well the judge tells what answers what, on files that no training saw (`held` in models/judge/judge.json), with 95 %
// intervals, beside the product as it is and what words and vectors alone do. `--corpora` names labelled corpora to put to it too.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { memoryStorage, openStore } from "../dist/index.js";
import { loadJudge } from "../dist/judge/index.js";
import { miniLmEmbedder } from "../dist/search/embed/minilm.js";
import { judged, readLives, recalled } from "./_lives.mjs";
import { temporary } from "./_measure.mjs";

const { values } = parseArgs({
  options: {
    corpora: { type: "string" },
    only: { type: "string", default: "lives,relation,keep,corpora" },
  },
});
const root = join(import.meta.dirname, "..");
const DATA = join(root, "train/data");
const { held } = JSON.parse(readFileSync(join(root, "models/judge/judge.json"), "utf8"));
const rowsIn = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
const heldRows = (folder, test) =>
  readdirSync(join(DATA, folder))
    .filter((name) => test(name) && held[folder].some((start) => name.startsWith(start)))
    .sort()
    .flatMap((name) => rowsIn(join(DATA, folder, name)));

/** A share with its 95 % interval after Wilson, which holds for few of many too. */
function share(part, all) {
  if (all === 0) return "-";
  const [p, z] = [part / all, 1.96];
  const middle = (p + (z * z) / (2 * all)) / (1 + (z * z) / all);
  const half = (z * Math.sqrt((p * (1 - p)) / all + (z * z) / (4 * all * all))) / (1 + (z * z) / all);
  const percent = (value) => (100 * value).toFixed(1);
  return `${percent(p)} % (${percent(Math.max(0, middle - half))}–${percent(Math.min(1, middle + half))})`;
}

/** Precision, recall and F1 of flags, the latter with an interval from a thousand draws with a fixed seed. */
function report(name, flags, truths) {
  const scoreOf = (places) => {
    let [hit, flagged, real] = [0, 0, 0];
    for (const at of places) {
      if (flags[at]) flagged++;
      if (truths[at]) real++;
      if (flags[at] && truths[at]) hit++;
    }
    const [p, r] = [hit / Math.max(1, flagged), hit / Math.max(1, real)];
    return { p, r, f1: p + r === 0 ? 0 : (2 * p * r) / (p + r) };
  };
  const whole = scoreOf(flags.keys());
  let state = 7;
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const drawn = Array.from({ length: 1000 }, () => {
    const places = flags.map(() => Math.floor(draw() * flags.length));
    return scoreOf(places).f1;
  }).sort((a, b) => a - b);
  console.log(
    `  ${name.padEnd(34)} n ${String(flags.length).padStart(5)}  P ${whole.p.toFixed(2)}  R ${whole.r.toFixed(2)}  F1 ${whole.f1.toFixed(2)} (${drawn[25].toFixed(2)}–${drawn[974].toFixed(2)})`,
  );
}

const count = (rows, test) => rows.filter(test).length;

/** By a line over which one in twenty of the never-told stand: set on these very questions, so a little too good. */
function byScore(name, rows) {
  const told = rows.filter(({ isTold }) => isTold);
  const never = rows.filter(({ isTold }) => !isTold);
  const line = never.map(({ score }) => score).sort((a, b) => b - a)[Math.floor(0.05 * never.length)];
  console.log(
    `  ${name.padEnd(34)} first right ${share(
      count(told, (r) => r.isRight),
      told.length,
    )}, right and above the line ${share(
      count(told, (r) => r.isRight && r.score > line),
      told.length,
    )} at 5 % of never told`,
  );
}

async function lives(judge, embedder) {
  const stores = readLives(join(DATA, "lives"), held.lives);
  console.log(`\nLives over months: ${stores.length} stores`);
  const rows = await judged(stores, judge, embedder);
  const told = rows.filter(({ isTold }) => isTold);
  const never = rows.filter(({ isTold }) => !isTold);
  const old = told.filter(({ hasOld }) => hasOld);
  const say = (what, part, all) => console.log(`  ${what.padEnd(34)} ${share(part, all)}`);
  console.log(" the judge, of the nearest eight:");
  say(
    "told: first right",
    count(told, ({ isRight }) => isRight),
    told.length,
  );
  say(
    "told: first right and certain",
    count(told, (r) => r.isRight && r.certainty === "certain"),
    told.length,
  );
  say(
    "told: wrong and certain",
    count(told, (r) => !r.isRight && r.certainty === "certain"),
    told.length,
  );
  say(
    "told: called nothing",
    count(told, (r) => r.certainty === "nothing"),
    told.length,
  );
  say(
    "never told: called certain",
    count(never, (r) => r.certainty === "certain"),
    never.length,
  );
  say(
    "never told: called nothing",
    count(never, (r) => r.certainty === "nothing"),
    never.length,
  );
  say(
    "possible, of all",
    count(rows, (r) => r.certainty === "possible"),
    rows.length,
  );
  say(
    "updated: the new value first",
    count(old, ({ isRight }) => isRight),
    old.length,
  );
  say(
    "updated: the old value first",
    count(old, ({ isStale }) => isStale),
    old.length,
  );
  byScore(
    "the cosine alone",
    rows.map(({ isTold, byCosine }) => ({ isTold, ...byCosine })),
  );
  for (const mode of ["lexical", "hybrid"]) {
    const product = await recalled(stores, { mode });
    const asked = product.filter(({ isTold }) => isTold);
    const unasked = product.filter(({ isTold }) => !isTold);
    const renewed = asked.filter(({ hasOld }) => hasOld);
    console.log(` the product, ${mode}:`);
    say(
      "told: right and answered",
      count(asked, (r) => r.isAnswered && r.isRight),
      asked.length,
    );
    say(
      "told: not answered",
      count(asked, (r) => !r.isAnswered),
      asked.length,
    );
    say(
      "never told: answered",
      count(unasked, (r) => r.isAnswered),
      unasked.length,
    );
    say(
      "updated: the new value first",
      count(renewed, ({ isRight }) => isRight),
      renewed.length,
    );
    say(
      "updated: the old value first",
      count(renewed, ({ isStale }) => isStale),
      renewed.length,
    );
    byScore(
      mode === "lexical" ? "search by words (BM25)" : "search",
      product.map(({ isTold, bySearch }) => ({ isTold, ...bySearch })),
    );
  }
}

/** What the gate makes of two beliefs, one after the other. */
async function gateOn(first, second) {
  const session = (await openStore(memoryStorage())).session({ agent: "bench" });
  try {
    await session.remember(first);
    const { verdict, against } = await session.remember(second);
    if (verdict === "duplicate") return "same";
    return verdict === "updated" || against !== undefined ? "renews" : "beside";
  } catch {
    return "beside";
  }
}

const relationOf = ({ same, renews }, lines) =>
  same >= lines.same ? "same" : renews >= lines.renews ? "renews" : "beside";

async function relationsOf(judge, pairs) {
  const said = [];
  for (const { old, text } of pairs)
    said.push(relationOf((await judge.relations(text, [old]))[0], judge.lines));
  return said;
}

async function relation(judge) {
  const pairs = heldRows("relation", () => true).flatMap(({ old, same, renews, different }) => [
    ...same.map((text) => ({ old, text, is: "same" })),
    ...renews.map((text) => ({ old, text, is: "renews" })),
    ...different.map((text) => ({ old, text, is: "beside" })),
  ]);
  console.log("\nRelations");
  const bySystem = { "the judge": await relationsOf(judge, pairs), "the gate": [] };
  for (const { old, text } of pairs) bySystem["the gate"].push(await gateOn(old, text));
  for (const [name, said] of Object.entries(bySystem))
    for (const kind of ["same", "renews"])
      report(
        `${name}: ${kind}`,
        said.map((one) => one === kind),
        pairs.map(({ is }) => is === kind),
      );
}

async function journalOn(text) {
  const session = (await openStore(memoryStorage())).session({ agent: "bench" });
  try {
    return (await session.remember(text)).check === "journal";
  } catch {
    return true;
  }
}

async function noise(judge, rows, title) {
  console.log(`\n${title}`);
  const worths = await judge.worths(rows.map(({ text }) => ({ text })));
  const truths = rows.map(({ isNoise }) => isNoise);
  report(
    "the judge: noise",
    worths.map(({ keep }) => keep < judge.lines.keep),
    truths,
  );
  const said = [];
  for (const { text } of rows) said.push(await journalOn(text));
  report("the gate: noise", said, truths);
}

async function corpora(judge, folder) {
  const read = (name) => {
    const file = join(folder, `${name}.jsonl`);
    return existsSync(file) ? rowsIn(file) : [];
  };
  await noise(
    judge,
    read("journal").map(({ text, journal }) => ({ text, isNoise: journal })),
    "Journal",
  );
  for (const [name, kind, of, isIt] of [
    [
      "contradictions",
      "renews",
      ({ old, new: text }) => ({ old, text }),
      ({ label }) => label === "contradicts" || label === "updates",
    ],
    ["duplicates", "same", ({ a, b }) => ({ old: a, text: b }), ({ label }) => label === "duplicate"],
  ]) {
    const items = read(name);
    for (const origin of new Set(items.map((item) => item.origin))) {
      console.log(`\n${name}, ${origin}`);
      const some = items.filter((item) => item.origin === origin);
      const truths = some.map(isIt);
      report(
        "the judge",
        (await relationsOf(judge, some.map(of))).map((one) => one === kind),
        truths,
      );
      const said = [];
      for (const { old, text } of some.map(of)) said.push((await gateOn(old, text)) === kind);
      report("the gate", said, truths);
    }
  }
  const questions = read("recall-questions");
  console.log("\nQuestions to memory");
  const asked = [];
  for (const { text } of questions) asked.push((await judge.asks(text)) >= judge.lines.asks);
  report(
    "the judge",
    asked,
    questions.map(({ recall }) => recall),
  );
  const session = (await openStore(memoryStorage())).session({ agent: "bench" });
  const detected = [];
  for (const { text } of questions) detected.push((await session.isRecall(text)).recall);
  report(
    "the detector",
    detected,
    questions.map(({ recall }) => recall),
  );
}

const place = temporary("judge");
const embedder = miniLmEmbedder({ cacheDir: join(place.directory, "cache") });
const judge = await loadJudge("small", { threads: embedder.threads });
const wanted = values.only.split(",");
if (wanted.includes("lives")) await lives(judge, embedder);
if (wanted.includes("relation")) await relation(judge);
if (wanted.includes("keep"))
  await noise(
    judge,
    heldRows("keep", (name) => name.includes("lines")).map(({ text, keep }) => ({ text, isNoise: !keep })),
    "Noise and facts that use its words",
  );
if (wanted.includes("corpora") && values.corpora) await corpora(judge, values.corpora);
await judge.close();
await embedder.close();
place.remove();
