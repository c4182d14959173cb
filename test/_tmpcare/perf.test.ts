import { test } from "vitest";
import { mkdtempSync } from "node:fs";
import { memoryStorage, sqliteStorage, openStore } from "/work/main/src/session/index.js";
import { verifyStore } from "/work/main/src/care/index.js";
const words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon".split(" ");
const text = (i: number) => { let t = `Fact ${i}:`; let n = i; while (t.length < 100) { n = (n * 1103515245 + 12345) & 0x7fffffff; t += " " + words[n % 20]; } return t; };
const N = Number(process.env.N ?? 100000), S = Number(process.env.S ?? 10000);
test("perf", async () => {
  for (const kind of (process.env.K ?? "memory,sqlite").split(",")) {
    const make = () => kind === "memory" ? memoryStorage() : sqliteStorage(mkdtempSync("/tmp/pal-perf-"));
    let storage = make();
    let store = await openStore(storage);
    let pal = store.session();
    let t = performance.now();
    await pal.rememberMany(Array.from({ length: N }, (_, i) => text(i)));
    console.log(kind, "write", performance.now() - t);
    const before = process.memoryUsage().rss;
    t = performance.now();
    const r = await store.verify();
    console.log(kind, N, "verify ms", performance.now() - t, { ...r, problems: r.problems.slice(0, 5) }, "rss+", (process.memoryUsage().rss - before) >> 20);
    await store.close();
    storage = make();
    store = await openStore(storage);
    pal = store.session();
    const pend = [];
    for (let i = 0; i < S; i++) { pend.push(pal.remember(text(i))); if (i % 100 === 99) await Promise.all(pend.splice(0)); }
    t = performance.now();
    const q = await store.verify();
    console.log(kind, S, "singles verify ms", performance.now() - t, { ...q, problems: q.problems.slice(0, 5) });
    await store.close();
  }
}, 600000);
