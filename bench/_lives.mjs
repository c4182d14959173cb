// Lives: stores of beliefs told over months, with what is asked of them (train/data/lives). What the judge says of the nearest
// eight, with the signs that its lines are drawn over; and what BM25, the cosine and the product's own recall make of them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryStorage, openStore } from "../dist/index.js";
import { judgedAnswer } from "../dist/judge/index.js";

const NEAREST = 8;

/** Stores of files whose names begin as wanted. */
export function readLives(folder, wanted) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl") && wanted.some((start) => name.startsWith(start)))
    .sort()
    .flatMap((name) =>
      readFileSync(join(folder, name), "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => ({ file: name.slice(0, -".jsonl".length), ...JSON.parse(line) })),
    );
}

const cosine = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0);

/** For each ask: what would be quoted, whether it is right, whether what was outdated comes before, and the signs. */
export async function judged(stores, judge, embedder) {
  const rows = [];
  for (const store of stores) {
    const beliefs = await embedder.embed(
      store.beliefs.map(({ t }) => t),
      "document",
    );
    const questions = await embedder.embed(
      store.asks.map(({ q }) => q),
      "document",
    );
    for (const [n, ask] of store.asks.entries()) {
      const near = beliefs
        .map((vector, at) => ({ at, cosine: cosine(vector, questions[n]) }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, NEAREST);
      const candidates = near.map(({ at, cosine }) => {
        const { t, on } = store.beliefs[at];
        return { text: t, told: Date.parse(on) + at, cosine };
      });
      const answer = await judgedAnswer(judge, ask.q, candidates);
      const chosen = near[answer.at].at;
      rows.push({
        file: store.file,
        store: store.about,
        question: ask.q,
        isTold: ask.by.length > 0,
        isRight: ask.by.includes(chosen),
        isStale: (ask.was ?? []).includes(chosen),
        hasOld: (ask.was ?? []).length > 0,
        isNear: ask.by.some((by) => near.some(({ at }) => at === by)),
        certainty: answer.certainty,
        signs: answer.signs,
        quoted: store.beliefs[chosen].t,
        byCosine: { score: near[0].cosine, isRight: ask.by.includes(near[0].at) },
      });
    }
  }
  return rows;
}

/** The product as it is, and its search by words alone. */
export async function recalled(stores, { mode }) {
  const rows = [];
  for (const store of stores) {
    let now = 0;
    const opened = await openStore(memoryStorage(), {
      clock: { now: () => now },
      ...(mode === "lexical" && { embedder: "none" }),
    });
    const session = opened.session({ agent: "bench" });
    const places = new Map();
    for (const [at, { t, on }] of store.beliefs.entries()) {
      now = Date.parse(on) + 36_000_000 + at * 60_000;
      const verdict = await session.remember(t);
      for (const id of [verdict.id, verdict.memory?.id]) if (id) places.set(id, at);
    }
    now += 86_400_000;
    if (mode !== "lexical") await (await opened.embedding()).done();
    for (const ask of store.asks) {
      const { answered, citations, certainty } = await session.recall(ask.q, { mode });
      const { hits = [] } = await session.search(ask.q, { mode, limit: 1 });
      const [said] = answered ? citations.map(({ id }) => places.get(id)) : [];
      const [first] = hits;
      rows.push({
        isTold: ask.by.length > 0,
        isAnswered: answered && certainty !== "possible",
        isRight: said !== undefined && ask.by.includes(said),
        isStale: (ask.was ?? []).includes(said),
        hasOld: (ask.was ?? []).length > 0,
        bySearch: {
          score: first?.score ?? -Infinity,
          isRight: first !== undefined && ask.by.includes(places.get(first.id)),
        },
      });
    }
    await opened.close();
  }
  return rows;
}
