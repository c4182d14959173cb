// node bench/embed-sets.mjs --data <folder of question sets> --out <folder> [--sets locomo,madial-en]
// Embeds what training needs with the library's own model: build first. What the folder has already is kept.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { memoryStorage, openStore } from "../dist/index.js";
import { loadRanker } from "./_ranker.mjs";
import { readSet } from "./_sets.mjs";
import { textsOf } from "./_vectors.mjs";

const { values: options } = parseArgs({
  options: { data: { type: "string" }, out: { type: "string" }, sets: { type: "string" } },
});
if (!options.data || !options.out) throw new Error("usage: --data <folder> --out <folder> [--sets <names>]");
const ranker = await loadRanker();
const names = options.sets?.split(",").map((name) => `${name}.json`) ?? readdirSync(options.data);
const wanted = new Set();
for (const name of names)
  for (const conv of readSet(join(options.data, name)).convs) {
    const { documents, ofQuestion } = textsOf(ranker, conv);
    for (const text of documents.flat()) wanted.add(text);
    for (const { question } of conv.queries) for (const text of ofQuestion(question)) wanted.add(text);
  }

mkdirSync(options.out, { recursive: true });
const [keysFile, vectorsFile] = ["keys.json", "vectors.f32"].map((name) => join(options.out, name));
const keys = existsSync(keysFile) ? JSON.parse(readFileSync(keysFile, "utf8")) : [];
const chunks = existsSync(vectorsFile) ? [readFileSync(vectorsFile)] : [];
for (const key of keys) wanted.delete(key);

const store = await openStore(memoryStorage(), { embedder: "minilm" });
const embedding = await store.embedding();
const start = performance.now();
/** Large sets take half an hour: what is done is kept when it is cut off. */
const SAVED_EVERY = 1000;
let characters = 0;
let done = 0;
for (const text of wanted) {
  const vector = await embedding.query(text);
  done++;
  if (vector) {
    keys.push(text);
    chunks.push(Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
    characters += text.length;
  }
  if (done % SAVED_EVERY === 0) save();
}
save();
await store.close();

function save() {
  writeFileSync(vectorsFile, Buffer.concat(chunks));
  writeFileSync(keysFile, JSON.stringify(keys));
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${done} of ${wanted.size} texts, ${characters} characters in ${seconds} s -> ${options.out}`);
}
