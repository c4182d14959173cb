import type { Hash } from "../core/base/index.js";
import { laneOf, type MemoryRecord } from "../core/ledger/index.js";
import { type Certainty, type Judge, judgedAnswer } from "../judge/index.js";
import type { SearchHit } from "../search/index.js";
import { coverage, isNamed } from "./by-words.js";
import type { AskedTime } from "./said-when.js";

/** What the judge makes of the memories that search put forward. */
export interface Judged {
  readonly certainty: Certainty;
  /** How likely the first of them answers, 0 to 1. */
  readonly best: number;
  /** Those to quote, best first; where nothing answers, the nearest. */
  readonly told: readonly SearchHit[];
  /** What the first of them took the place of. */
  readonly renewed: readonly SearchHit[];
}

/** Beside the answer others are quoted that answer too, as likely as this at least. */
const LIKELY = 0.5;
/** Beside what is only possible, others nearly as likely, by this share of the odds. */
const NEARLY = 0.2;

/**
 * Which memories answer a question, and how sure that is. Where it names a time, what was said then goes before the rest; what
 * was not said then is no certain answer to one that asks what was.
 */
export async function judgedOf(
  judge: Judge,
  question: string,
  hits: readonly SearchHit[],
  records: ReadonlyMap<Hash, MemoryRecord>,
  time: AskedTime | undefined,
): Promise<Judged> {
  const all = await answerAmong(judge, question, hits, records);
  if (time === undefined) return all;
  const then = hits.filter((hit) => {
    const at = toldAt(hit, records.get(hit.hash));
    return at >= time.from && at < time.to;
  });
  const within = await answerAmong(judge, time.rest, then, records);
  const isSurer = all.certainty === "certain" && within.certainty !== "certain";
  if (within.certainty !== "nothing" && (time.isOver || !isSurer)) return within;
  return time.isOver && all.certainty === "certain" ? { ...all, certainty: "possible" } : all;
}

async function answerAmong(
  judge: Judge,
  question: string,
  hits: readonly SearchHit[],
  records: ReadonlyMap<Hash, MemoryRecord>,
): Promise<Judged> {
  const answer = await judgedAnswer(
    judge,
    question,
    hits.map((hit) => ({
      text: readAs(hit),
      told: toldAt(hit, records.get(hit.hash)),
      cosine: hit.similarity,
    })),
  );
  if (answer === undefined) return { certainty: "nothing", best: 0, told: [], renewed: [] };
  const { certainty, at, answers, same, outdated, renewed, signs } = answer;
  // What is believed is quoted before what was only said, where they say the same.
  const first = [at, ...same].find((one) => !isSaid(hits[one]!)) ?? at;
  const passed = new Set([at, ...same, ...outdated]);
  const line = certainty === "certain" ? LIKELY : NEARLY * (answers[at] ?? 0);
  const others = answers
    .map((likely, one) => ({ likely, one }))
    .filter(({ likely, one }) => !passed.has(one) && likely >= line)
    .sort((a, b) => b.likely - a.likely || a.one - b.one)
    .map(({ one }) => one);
  // A question that names a topic is shown what the topic holds.
  const named = hits.filter(({ topic }) => certainty === "nothing" && isNamed(topic, question));
  if (named.length > 0) return { certainty: "possible", best: signs.answers, told: named, renewed: [] };
  return {
    certainty,
    best: signs.answers,
    told: [first, ...(certainty === "nothing" ? [] : others)].map((one) => hits[one]!),
    renewed: renewed.map((one) => hits[one]!),
  };
}

/** A topic is the question that a memory answers: "backend language: prefers Rust". */
function readAs(hit: SearchHit): string {
  const topic = hit.topic?.replace(/[-_/.:]+/g, " ") ?? "";
  return topic === "" || coverage(topic, [hit.text]) === 1 ? passageOf(hit) : `${topic}: ${passageOf(hit)}`;
}

const isSaid = ({ type }: SearchHit): boolean => laneOf(type) === "message";

/** When it came to be true, as far as somebody said so, or else was said or written. */
function toldAt(hit: SearchHit, record: MemoryRecord | undefined): number {
  return Date.parse(record?.valid?.from ?? hit.saidAt ?? hit.updatedAt);
}

/** As much of a text as the judge reads beside a question. */
const READ = 420;
/** So much of it before the first word that was asked for. */
const BEFORE = 100;

/** The passage of a text that holds the most of what was asked for; a short text is its own. */
function passageOf(hit: Pick<SearchHit, "text" | "matches">): string {
  const { text } = hit;
  if (text.length <= READ) return text;
  const { matches } = hit;
  let best = { from: 0, holds: -1 };
  for (const start of [0, ...matches.map(([start]) => Math.max(0, start - BEFORE))]) {
    const holds = matches.filter(([from, to]) => from >= start && to <= start + READ).length;
    if (holds > best.holds) best = { from: start, holds };
  }
  const from = best.from === 0 ? 0 : text.indexOf(" ", best.from) + 1;
  return text.slice(from, from + READ).toWellFormed();
}
