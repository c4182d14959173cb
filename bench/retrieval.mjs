// npm run bench:retrieval -- --data <file> --mode lexical --out run.jsonl
// Loads each conversation of a question set as messages through the public library, asks its questions with
// session.search, and writes one line a question: { conv, query, ranked, ms }. Gold and answers are never read.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { memoryStorage, openStore } from "../dist/index.js";
import { messageOf, readSet } from "./_sets.mjs";

const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    mode: { type: "string", default: "lexical" },
    out: { type: "string", default: "run.jsonl" },
  },
});
if (!options.data) throw new Error("usage: --data <file> [--mode lexical] [--out run.jsonl]");
if (options.mode !== "lexical") throw new Error(`There is no mode ${options.mode}; there is lexical.`);
const DEPTH = 50;

/** Whoever speaks writes in a session of their own, within the conversation; what nobody says is a note. */
async function load(store, docs) {
  const groups = new Map();
  docs.forEach((doc, turn) => {
    const { text, session, speaker, role, time } = messageOf(doc);
    const key = JSON.stringify(speaker === undefined ? null : [speaker, session]);
    const memory = {
      id: `doc-${doc.id}`,
      text,
      type: speaker === undefined ? "note" : "message",
      turn,
      ...(role && { attributes: { role } }),
      ...(time !== undefined && { valid: { from: new Date(time).toISOString() } }),
    };
    groups.set(key, [...(groups.get(key) ?? []), memory]);
  });
  let refused = 0;
  for (const [key, memories] of groups) {
    const [agent, sessionId] = JSON.parse(key) ?? ["library"];
    const writer = store.session({ agent, ...(sessionId && { sessionId }), trust: "user" });
    for (const { verdict, reason } of await writer.rememberMany(memories))
      if (verdict === "rejected" || verdict === "quarantined") {
        refused++;
        if (refused < 4) console.error(`${verdict}: ${reason}`);
      }
  }
  return refused;
}

const set = readSet(options.data);
const lines = [];
const times = [];
let refused = 0;
for (const conv of set.convs) {
  const store = await openStore(memoryStorage());
  refused += await load(store, conv.docs);
  const session = store.session({ agent: "reader" });
  for (const { id, question } of conv.queries) {
    const start = performance.now();
    const { hits } = await session.search(question, { limit: DEPTH });
    const ms = performance.now() - start;
    times.push(ms);
    lines.push({
      conv: conv.conv_id,
      query: id,
      ranked: hits.map((hit) => hit.id.slice("doc-".length)),
      ms: Number(ms.toFixed(3)),
    });
  }
  await store.close();
}
writeFileSync(options.out, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor(times.length * share)]?.toFixed(2);
console.log(
  `${lines.length} questions, ${refused} documents refused; p50 ${at(0.5)} ms, p95 ${at(0.95)} ms -> ${options.out}`,
);
