// npm run bench:retrieval -- --data <file> [--mode hybrid|lexical|vector] --out run.jsonl
// Loads each conversation of a question set as messages through the public library, waits until all is embedded where
// that is needed, asks its questions with session.search, and writes one line a question: { conv, query, ranked, ms, abstain,
// score }. Gold and answers are never read.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { memoryStorage, openStore } from "../dist/index.js";
import { loadConversation } from "./_conversation.mjs";
import { readSet } from "./_sets.mjs";

const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    mode: { type: "string", default: "lexical" },
    out: { type: "string", default: "run.jsonl" },
  },
});
if (!options.data) throw new Error("usage: --data <file> [--mode hybrid|lexical|vector] [--out run.jsonl]");
const DEPTH = 50;

const set = readSet(options.data);
const lines = [];
const times = [];
let refused = 0;
let embedded = 0;
for (const conv of set.convs) {
  const store = await openStore(memoryStorage());
  refused += await loadConversation(store, conv.docs);
  const session = store.session({ agent: "reader" });
  const started = performance.now();
  if (options.mode !== "lexical" && !(await (await store.embedding()).done()))
    throw new Error("Not everything could be embedded.");
  embedded += performance.now() - started;
  for (const { id, question } of conv.queries) {
    const start = performance.now();
    const found = await session.search(question, { limit: DEPTH, mode: options.mode });
    const ms = performance.now() - start;
    times.push(ms);
    lines.push({
      conv: conv.conv_id,
      query: id,
      ranked: found.hits.map((hit) => hit.id.slice("doc-".length)),
      ms: Number(ms.toFixed(3)),
      abstain: found.abstain,
      score: Number(found.answerable.toFixed(4)),
    });
  }
  await store.close();
}
writeFileSync(options.out, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor(times.length * share)]?.toFixed(2);
console.log(
  `${lines.length} questions, ${refused} documents refused; p50 ${at(0.5)} ms, p95 ${at(0.95)} ms; embedding ${(embedded / 1000).toFixed(0)} s -> ${options.out}`,
);
