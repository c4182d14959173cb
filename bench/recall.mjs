// npm run bench:recall -- --data <file> [--mode hybrid|lexical] [--out run.jsonl]
// npm run bench:recall -- --lives [b-01,b-03]      lives over months, as bench/recall-judge.mjs says
// npm run bench:recall -- --size 100000      what recall, a wake-up and the hooks cost in a store of so many memories
// Loads each conversation of a question set as messages, asks its questions with session.recall, and writes one line a
// question as `bench:retrieval` does: the turns cited, in order, and whether the answer was that nothing is known. Gold is
// read only to print how often a turn with the answer is cited first, and among the first three.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { memoryStorage, openStore } from "../dist/index.js";
import { loadConversation } from "./_conversation.mjs";
import { readSet } from "./_sets.mjs";

const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    mode: { type: "string", default: "lexical" },
    out: { type: "string" },
    size: { type: "string" },
    lives: { type: "string" },
  },
});
if (options.size) {
  await (await import("./_recall-large.mjs")).large(Number(options.size));
  process.exit();
}
if (options.lives !== undefined) {
  const files = options.lives === "" ? undefined : options.lives.split(",");
  const mode = process.argv.includes("--mode") ? options.mode : "hybrid";
  await (await import("./recall-judge.mjs")).lives({ files, mode });
  process.exit();
}
if (!options.data)
  throw new Error(
    "usage: --data <file> [--mode hybrid|lexical] [--out run.jsonl], --lives <files>, or --size <n>",
  );

const lines = [];
const times = [];
const tally = { answerable: 0, first: 0, three: 0, declined: 0, never: 0, honest: 0 };
for (const conv of readSet(options.data).convs) {
  const store = await openStore(memoryStorage());
  await loadConversation(store, conv.docs);
  const session = store.session({ agent: "reader" });
  if (options.mode !== "lexical") await (await store.embedding()).done();
  for (const { id, question, gold = [], category } of conv.queries) {
    const start = performance.now();
    const { answered, citations, nearest, trace } = await session.recall(question, { mode: options.mode });
    times.push(performance.now() - start);
    const cited = (answered ? citations : nearest ? [nearest] : []).map((one) => one.id.slice("doc-".length));
    lines.push({
      ...{ conv: conv.conv_id, query: id, ranked: cited, ms: Number(times.at(-1).toFixed(3)) },
      ...{ abstain: !answered, score: Number((trace[0]?.best ?? 0).toFixed(4)) },
    });
    // Whose premise is wrong has no answer, though a turn is near it.
    if (category === "adversarial") continue;
    if (gold.length === 0) {
      tally.never++;
      if (!answered) tally.honest++;
      continue;
    }
    tally.answerable++;
    if (!answered) tally.declined++;
    if (answered && gold.includes(cited[0])) tally.first++;
    if (answered && cited.slice(0, 3).some((one) => gold.includes(one))) tally.three++;
  }
  await store.close();
}
if (options.out) writeFileSync(options.out, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
times.sort((a, b) => a - b);
const share = (part, of) => (of === 0 ? "-" : `${((100 * part) / of).toFixed(1)} %`);
console.log(
  `${tally.answerable} answerable: cited first ${share(tally.first, tally.answerable)}, among three ${share(tally.three, tally.answerable)}, declined ${share(tally.declined, tally.answerable)}; ${tally.never} without an answer: declined ${share(tally.honest, tally.never)}; p50 ${times[times.length >> 1]?.toFixed(2)} ms`,
);
