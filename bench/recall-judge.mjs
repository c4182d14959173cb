// npm run bench:recall -- --lives "" | --lives b-01,b-03   (--mode hybrid is usual here too)
// What recall says of lives told over months, on the way that a user's question takes: every belief remembered in its order and
// at its time, every question asked. Files that no training saw (`held` in models/judge/judge.json) unless others are named.
// Each share with its 95 % interval after Wilson. `PAL_JUDGE=none` measures words alone.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryStorage, openStore } from "../dist/index.js";

const root = join(import.meta.dirname, "..");
const count = (rows, test) => rows.filter(test).length;

function share(part, all) {
  if (all === 0) return "-";
  const [p, z] = [part / all, 1.96];
  const middle = (p + (z * z) / (2 * all)) / (1 + (z * z) / all);
  const half = (z * Math.sqrt((p * (1 - p)) / all + (z * z) / (4 * all * all))) / (1 + (z * z) / all);
  const percent = (value) => (100 * Math.min(1, Math.max(0, value))).toFixed(1);
  return `${percent(p)} % (${percent(middle - half)}–${percent(middle + half)}) of ${all}`;
}

function heldFiles() {
  const file = join(root, "models/judge/judge.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).held.lives : ["b-"];
}

function storesOf(folder, wanted) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl") && wanted.some((start) => name.startsWith(start)))
    .sort()
    .flatMap((name) =>
      readFileSync(join(folder, name), "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => JSON.parse(line)),
    );
}

/** One store: all that is asked of it, with what recall said. */
async function asked({ beliefs, asks }, mode, times) {
  let now = Date.parse("2020-01-01T00:00:00Z");
  const store = await openStore(memoryStorage(), { clock: () => now });
  const session = store.session({ agent: "bench", trust: "user" });
  const places = new Map();
  const lost = new Set();
  for (const [at, { t, on }] of beliefs.entries()) {
    now = Math.max(now + 60_000, Date.parse(on) + 36_000_000);
    const verdict = await session.remember(t);
    if (verdict.id) places.set(verdict.id, at);
    else lost.add(at);
  }
  now += 86_400_000;
  if (mode !== "lexical") await (await store.embedding()).done();
  const rows = [];
  for (const { q, by, was = [] } of asks) {
    const start = performance.now();
    const { answered, citations, nearest, certainty } = await session.recall(q, { mode });
    times.push(performance.now() - start);
    const quoted = (answered ? citations : nearest ? [nearest] : []).map(({ id }) => places.get(id));
    rows.push({
      ...{ q, isTold: by.length > 0, hasOld: was.length > 0 },
      // Before there was a judge, what was answered was quoted as the answer.
      says: certainty ?? (answered ? "certain" : "nothing"),
      isRight: by.includes(quoted[0]),
      isShown: answered && quoted.some((at) => by.includes(at)),
      isOldFirst:
        quoted.some((at) => was.includes(at)) &&
        !quoted
          .slice(
            0,
            quoted.findIndex((at) => was.includes(at)),
          )
          .some((at) => by.includes(at)),
      first: beliefs[quoted[0]]?.t,
      lost: lost.size,
    });
  }
  await store.close();
  return { rows, lost: lost.size };
}

export async function lives({ files, mode = "hybrid", data, show = false }) {
  const stores = storesOf(data ?? join(root, "train/data/lives"), files ?? heldFiles());
  const rows = [];
  const times = [];
  let lost = 0;
  for (const store of stores) {
    const found = await asked(store, mode, times);
    rows.push(...found.rows);
    lost += found.lost;
  }
  const told = rows.filter(({ isTold }) => isTold);
  const never = rows.filter(({ isTold }) => !isTold);
  const updated = told.filter(({ hasOld }) => hasOld);
  const print = (what, test, of) => console.log(`  ${what.padEnd(36)} ${share(count(of, test), of.length)}`);
  console.log(`${stores.length} stores, ${mode}; beliefs that were not kept: ${lost}`);
  print("told: right first and certain", (r) => r.isRight && r.says === "certain", told);
  print("told: wrong first and certain", (r) => !r.isRight && r.says === "certain", told);
  print("told: right first", (r) => r.isRight, told);
  print("told: the right one is quoted", (r) => r.isShown, told);
  print("told: possible", (r) => r.says === "possible", told);
  print("told: called nothing", (r) => r.says === "nothing", told);
  print("never told: certain", (r) => r.says === "certain", never);
  print("never told: possible", (r) => r.says === "possible", never);
  print("never told: called nothing", (r) => r.says === "nothing", never);
  print("updated: the new value first", (r) => r.isRight, updated);
  print("updated: the old value before it", (r) => r.isOldFirst, updated);
  times.sort((a, b) => a - b);
  console.log(
    `  ms a recall: median ${times[times.length >> 1].toFixed(1)}, of 20 the slowest ${times[Math.floor(times.length * 0.95)].toFixed(1)}`,
  );
  if (show)
    for (const { q, isTold, isRight, says, first } of rows)
      if (isTold ? !isRight || says === "nothing" : says === "certain")
        console.log(`${says}\t${isTold ? "told" : "never"}\t${q}\t→ ${first}`);
}
