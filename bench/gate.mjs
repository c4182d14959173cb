// npm run bench:gate -- --corpora <dir> [--out <dir>] [--chats <file,file>] [--facts <file,file>] [--sample 300] [--seed 7]
// Runs the real gate, the code path of `session.remember`, over every labelled corpus in a directory, writes
// <name>.pred.jsonl for a scorer, and prints precision, recall and F1 by origin with the speed. `--chats` names sets of
// conversations; what their people say is remembered sentence by sentence, and what is refused is listed to be judged.
// `--facts` names sets whose conversations go through the extractor; a seeded sample of what is kept is listed to be judged.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { memoryStorage, openStore } from "../dist/index.js";
import { measureChats, measureExtraction } from "./_extraction.mjs";

const { values } = parseArgs({
  options: {
    corpora: { type: "string" },
    out: { type: "string" },
    chats: { type: "string" },
    facts: { type: "string" },
    sample: { type: "string", default: "300" },
    seed: { type: "string", default: "7" },
  },
});

const rowsOf = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((row) => row.trim() !== "")
    .map((row) => JSON.parse(row));

/** A belief is a sentence: control characters are a matter of its shape, and refusing them is a verdict too. */
async function told(session, text, more = {}) {
  try {
    return await session.remember(text, more);
  } catch (error) {
    return { verdict: "rejected", check: "shape", code: error.code };
  }
}

const newSession = async (options) => (await openStore(memoryStorage())).session(options);
const textOf = (item) => item.text ?? Buffer.from(item.text64, "base64").toString("utf8");
const oneOf = (found, kinds) => found?.some((kind) => kinds.includes(kind)) ?? false;

/** Our kinds in the words of the corpus. */
const PII_KINDS = {
  secret: "PASSWORD",
  password: "PASSWORD",
  ssn: "US_SSN",
  card: "CREDIT_CARD",
  iban: "IBAN",
  email: "EMAIL",
  phone: "PHONE",
  ip: "IP",
};

/** For each corpus: how an item is put to the gate, and what in its answer raises the flag. */
const CORPORA = {
  secrets: {
    ask: async (session, item) => told(session, textOf(item), { type: "note" }),
    flag: ({ found }) => oneOf(found, ["secret", "password"]),
    truth: ({ secret }) => secret,
  },
  pii: {
    ask: (session, item) => told(session, textOf(item)),
    flag: ({ found }) => found !== undefined,
    kind: ({ found }) => PII_KINDS[found[0]],
    truth: ({ spans }) => spans.length > 0,
  },
  journal: {
    ask: (session, item) => told(session, textOf(item)),
    flag: ({ check }) => check === "journal",
    truth: ({ journal }) => journal,
  },
  duplicates: {
    ask: (session, { a, b }) => told(session, a).then(() => told(session, b)),
    flag: ({ verdict }) => verdict === "duplicate",
    truth: ({ label }) => label === "duplicate",
    apart: true,
  },
  contradictions: {
    ask: (session, item) => told(session, item.old).then(() => told(session, item.new)),
    flag: ({ verdict, against }) => verdict === "updated" || against !== undefined,
    truth: ({ label }) => label === "contradicts" || label === "updates",
    apart: true,
  },
  // No write, but judged beside the gate: does a prompt need memory?
  "recall-questions": {
    ask: (session, item) => session.isRecall(textOf(item)),
    flag: ({ recall }) => recall,
    truth: ({ recall }) => recall,
  },
  // Content is no proof of poison, and origin is what protects: this only tells what the gate refuses by content.
  poison: {
    ask: (session, item) => told(session, textOf(item)),
    flag: ({ verdict }) => verdict === "rejected" || verdict === "quarantined",
    truth: ({ poisoned }) => poisoned,
  },
};

const ratio = (a, b) => (b === 0 ? "  -  " : (a / b).toFixed(3));
const zero = () => ({ tp: 0, fp: 0, fn: 0, tn: 0 });
const report = (name, { tp, fp, fn, tn }) =>
  console.log(
    `  ${name.padEnd(28)} n=${String(tp + fp + fn + tn).padStart(5)}  P ${ratio(tp, tp + fp)}  R ${ratio(tp, tp + fn)}  F1 ${ratio(2 * tp, 2 * tp + fp + fn)}`,
  );

async function measure(name, file, { ask, flag, kind, truth, apart }) {
  const items = rowsOf(file);
  const all = zero();
  const origins = new Map();
  const predictions = [];
  // Items about one text do not meet each other, so that the answer is about the item alone.
  const sessions = [];
  for (let at = 0; at < items.length; at++) sessions.push(await newSession());
  const cpu = process.cpuUsage();
  for (const [at, item] of items.entries()) {
    const verdict = await ask(sessions[at], item);
    const raised = flag(verdict);
    predictions.push({ id: item.id, flag: raised, ...(raised && kind && { kind: kind(verdict) }) });
    const cell = truth(item) ? (raised ? "tp" : "fn") : raised ? "fp" : "tn";
    all[cell]++;
    const origin = item.origin ?? "unknown";
    if (!origins.has(origin)) origins.set(origin, zero());
    origins.get(origin)[cell]++;
  }
  const { user, system } = process.cpuUsage(cpu);
  const writes = items.length * (apart ? 2 : 1);
  console.log(`\n${name}: ${Math.round((writes * 1e6) / (user + system))} writes per second of CPU`);
  report("all", all);
  for (const [origin, counts] of [...origins].sort()) report(origin, counts);
  if (values.out)
    writeFileSync(
      join(values.out, `${name}.pred.jsonl`),
      predictions.map((row) => `${JSON.stringify(row)}\n`).join(""),
    );
}

/** Sentences of people that state something: long enough, no question, no greeting of a word or two. */
const statements = (text) =>
  (text.match(/[^.!?\n]+[.!?]?/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter(
      (sentence) => /^[A-Z]/.test(sentence) && !sentence.endsWith("?") && sentence.split(/\s+/).length >= 5,
    )
    .filter((sentence) => sentence.length <= 400);

/** So many of a list, by chance and always the same, in their order. */
function drawn(items, count, random) {
  const chosen = new Set();
  while (chosen.size < Math.min(count, items.length)) chosen.add(Math.floor(random() * items.length));
  return [...chosen].sort((a, b) => a - b).map((at) => items[at]);
}

/** mulberry32: enough chance for a sample. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function overBlocking(file, sample) {
  const random = chance(Number(values.seed));
  const { dataset, convs } = JSON.parse(readFileSync(file, "utf8"));
  const per = Math.ceil(sample / convs.length);
  let written = 0;
  const refused = [];
  const known = new Map();
  for (const { docs } of convs) {
    const session = await newSession();
    const facts = docs
      .filter(({ speaker }) => speaker !== "assistant")
      .flatMap(({ speaker, text }) => statements(text).map((sentence) => `${speaker}: ${sentence}`));
    for (const fact of drawn(facts, per, random)) {
      const verdict = await told(session, fact);
      written++;
      if (verdict.verdict === "accepted") known.set(verdict.id, fact);
      else
        refused.push({
          ...verdict,
          text: fact,
          other: known.get(verdict.of ?? verdict.against ?? verdict.id),
        });
    }
  }
  console.log(
    `\n${dataset}: ${written} statements, ${refused.length} not accepted as new (${ratio(refused.length * 100, written)} %)`,
  );
  for (const { verdict, check, reason, text, other } of refused)
    console.log(
      `  ${verdict} by ${check ?? "-"}: ${JSON.stringify(text)}\n      ${JSON.stringify(other ?? reason)}`,
    );
}

if (values.out) mkdirSync(values.out, { recursive: true });
if (values.corpora)
  for (const [name, corpus] of Object.entries(CORPORA)) {
    const file = join(values.corpora, `${name}.jsonl`);
    if (existsSync(file)) await measure(name, file, corpus);
  }
const extraction = values.corpora && join(values.corpora, "extraction.jsonl");
if (extraction && existsSync(extraction)) {
  const { figures, predictions } = await measureExtraction(rowsOf(extraction));
  const { expected, found, given, forbidden, kept } = figures;
  console.log(`\nextraction, by rules: ${expected} operations expected, ${given} given`);
  console.log(
    `  P ${ratio(found, given)}  R ${ratio(found, expected)}  forbidden and kept ${kept} of ${forbidden}`,
  );
  if (values.out)
    writeFileSync(
      join(values.out, "extraction.pred.jsonl"),
      predictions.map((row) => `${JSON.stringify(row)}\n`).join(""),
    );
}
if (values.facts) {
  const { messages, seconds, stored, alike, drawn } = await measureChats(
    values.facts.split(","),
    Number(values.sample),
    Number(values.seed),
  );
  console.log(
    `\nfacts: ${stored} kept of ${messages} messages, ${Math.round(messages / seconds)} messages per second of CPU, ${alike} pairs alike (${ratio(alike * 100, stored)} %)`,
  );
  for (const { text, evidence } of drawn) console.log(`  ${text}   «${evidence}»`);
}
for (const file of values.chats?.split(",") ?? []) await overBlocking(file, Number(values.sample));
