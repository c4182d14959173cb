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

/** Relations are asked between so many, of those that are not hopeless; more than the decision itself asks. */
const RIVALS = 4;
const HOPELESS = 5;
const logit = (p) => Math.log(Math.max(p, 1e-6) / Math.max(1 - p, 1e-6));

/** For each ask what the judge says of the nearest eight and of how the likeliest of them stand to each other. */
export async function recorded(stores, judge, embedder) {
  const records = [];
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
        return { at, text: t, told: Date.parse(on) + at, cosine };
      });
      const answers = await judge.answers(
        ask.q,
        candidates.map(({ text }) => text),
      );
      const line = logit(Math.max(...answers)) - HOPELESS;
      const rivals = candidates
        .map((one, place) => ({ ...one, likely: answers[place] }))
        .sort((a, b) => b.likely - a.likely)
        .slice(0, RIVALS)
        .filter(({ likely }) => logit(likely) >= line)
        .sort((a, b) => a.told - b.told);
      const relations = [];
      for (const [later, { text }] of rivals.entries()) {
        const olds = rivals.slice(0, later);
        const said =
          later === 0
            ? []
            : await judge.relations(
                text,
                olds.map((old) => old.text),
              );
        for (const [at, old] of olds.entries())
          relations.push({ later: text, earlier: old.text, ...said[at] });
      }
      records.push({ file: store.file, store: store.about, ask, candidates, answers, relations });
    }
  }
  return records;
}

/** What would be quoted for each ask, by what was recorded: a judge of another cut can be tried without asking it again. */
export async function replayed(records, { lines, certainty }) {
  const rows = [];
  for (const { file, store, ask, candidates, answers, relations } of records) {
    const judge = {
      lines,
      certainty,
      answers: async () => answers,
      relations: async (later, olds) =>
        olds.map(
          (earlier) =>
            relations.find((one) => one.later === later && one.earlier === earlier) ?? {
              ...{ same: 0, renews: 0, beside: 1 },
            },
        ),
    };
    const answer = await judgedAnswer(judge, ask.q, candidates);
    const chosen = candidates[answer.at];
    rows.push({
      file,
      store,
      question: ask.q,
      isTold: ask.by.length > 0,
      isRight: ask.by.includes(chosen.at),
      isStale: (ask.was ?? []).includes(chosen.at),
      hasOld: (ask.was ?? []).length > 0,
      isNear: ask.by.some((by) => candidates.some(({ at }) => at === by)),
      certainty: answer.certainty,
      signs: answer.signs,
      quoted: chosen.text,
      byCosine: { score: candidates[0].cosine, isRight: ask.by.includes(candidates[0].at) },
    });
  }
  return rows;
}

export const judged = async (stores, judge, embedder) =>
  replayed(await recorded(stores, judge, embedder), {
    lines: judge.lines,
    certainty: (signs) => judge.certainty(signs),
  });

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
