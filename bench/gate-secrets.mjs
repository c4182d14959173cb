// npm run build && node bench/gate-secrets.mjs [--count 200] [--seed 90210] [--ordinary <file.json,file.jsonl,…>] [--show] [--dist <folder>]
// How many secrets of each family the real gate finds, plain and in other forms, and how much of each it cuts out; and how
// often it finds one where there is none: in ordinary lines, and in every text of the files that are named.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ordinary } from "./_ordinary.mjs";
import { chance, drawing, FAMILIES, FORMS, plainOf } from "./_secret-forms.mjs";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "90210" },
    ordinary: { type: "string", default: "" },
    show: { type: "boolean", default: false },
    dist: { type: "string", default: join(import.meta.dirname, "..", "dist") },
  },
});
const COUNT = Number(values.count);
const { memoryStorage, openStore } = await import(join(resolve(values.dist), "index.js"));
const OFF = ["journal", "duplicate", "contradiction", "capacity", "pace", "recall-loop"];
const store = await openStore(memoryStorage());
const session = store.session({ agent: "bench", gate: { off: OFF, limits: { document: 1 << 20 } } });

/** What the gate says of a document with this text, and what it would keep. */
async function judged(text) {
  const { found = [], verdict, id } = await session.remember(text, { type: "note" });
  const raised = found.some((kind) => kind === "secret" || kind === "password");
  const kept = raised && verdict === "accepted" ? ((await session.get(id))?.text ?? "") : text;
  return { raised, kept };
}

const row = (name, cells) => console.log(`| ${[name, ...cells].join(" | ")} |`);
const share = (part, whole) => `${((part / whole) * 100).toFixed(1)} %`;

async function recallOf(name, random, make) {
  const draw = drawing(random);
  let found = 0;
  let cut = 0;
  for (let n = 0; n < COUNT; n++) {
    const [text, secret] = make(draw);
    const { raised, kept } = await judged(text);
    if (raised) found++;
    if (raised && !kept.includes(secret)) cut++;
    else if (values.show && n < 40)
      console.log(`    ${raised ? "left" : "missed"}: ${JSON.stringify(text.slice(0, 160))}`);
  }
  row(name, [share(found, COUNT), share(cut, COUNT)]);
}

row("family", ["found", "cut out"]);
row("---", ["---:", "---:"]);
let seed = Number(values.seed);
for (const [name, make] of Object.entries(FAMILIES)) await recallOf(name, chance(seed++), make);

const written = (form) => (draw) => {
  const secret = form(plainOf(draw));
  return [`note: ${secret} of today`, secret];
};
for (const [name, form] of Object.entries(FORMS)) await recallOf(name, chance(seed++), written(form));
const forms = Object.values(FORMS);
await recallOf("two forms, one in the other", chance(seed++), (draw) => {
  const [inner, outer] = [draw.one(forms), draw.one(forms)];
  return written((text) => outer(inner(text)))(draw);
});

const stringsOf = (value) => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
};
function* textsOf(file) {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".json")) yield* stringsOf(JSON.parse(text));
  else if (file.endsWith(".jsonl"))
    for (const line of text.split("\n").filter(Boolean)) yield* stringsOf(JSON.parse(line));
  else yield* text.split(/\n{2,}/);
}

console.log("");
row("ordinary texts", ["texts", "false alarms"]);
row("---", ["---:", "---:"]);
async function alarms(name, texts) {
  let count = 0;
  let wrong = 0;
  for (const text of texts) {
    if (text.trim() === "") continue;
    count++;
    const { raised, kept } = await judged(text).catch(() => ({ raised: false }));
    if (!raised) continue;
    wrong++;
    const at = kept.indexOf("[redacted:");
    if (values.show) console.log(`    ${JSON.stringify(text.slice(Math.max(0, at - 60), at + 100))}`);
  }
  row(name, [count, wrong]);
}
const lines = ordinary(drawing(chance(seed++)), COUNT);
for (const kind of new Set(lines.map(([kind]) => kind)))
  await alarms(
    kind,
    lines.filter(([of]) => of === kind).map(([, text]) => text),
  );
for (const file of values.ordinary.split(",").filter(Boolean))
  await alarms(file.split("/").at(-1), textsOf(file));
await store.close();
