import { type Hash, PalimpsestError, timestamp } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import { type Judge, Judging } from "../judge/index.js";
import { saysNothing } from "../memories/index.js";
import type { At } from "../repo/index.js";
import type { SearchHit, SearchMode, SearchResult } from "../search/index.js";
import { limitOf, MOST, search } from "../search/index.js";
import { byWords, isUnspaced, saysSomething } from "./by-words.js";
import { sidesOf } from "./disagree.js";
import { judgedOf } from "./judged.js";
import type { Citation, Layer, LayerAnswer } from "./layers.js";
import { type AskedTime, timeAsked } from "./said-when.js";

const LIMIT = 5;
/** Names of rooms and drawers answer nothing: so many more are looked at, and those left out. */
const PLACES = 5;
/** So many of those that search puts first are judged. */
const JUDGED = 8;

interface Wanted {
  readonly limit: number;
  readonly mode: SearchMode | undefined;
}

/** L1: beliefs, the palace and documents, and what was said. Which of it answers the judge tells, or words alone without one. */
export const memoryLayer = (
  at: At,
  { limit = LIMIT, mode }: { readonly limit?: number | undefined; readonly mode?: SearchMode | undefined },
): Layer => layerOf(at, { limit: limitOf(limit), mode });

const layerOf = (at: At, { limit, mode }: Wanted): Layer => ({
  name: "L1",
  async ask(question) {
    // A search without words lists what is newest, and a word that says nothing is everywhere: neither would be an answer.
    if (!saysSomething(question)) return { status: "empty", best: 0, found: [] };
    const about = question.replace(USER, " ");
    const found = await look(at, about, { limit: Math.max(limit, JUDGED), mode });
    // It reads words, and in some scripts these are not parted.
    const judge = isUnspaced(about) ? undefined : await judgeOf(at);
    if (judge === undefined || "unavailable" in judge)
      return { ...wordsAnswer(at, about, found, limit), ...(judge && { reason: judge.unavailable }) };
    return judgesAnswer(judge, at, about, found, { limit, mode });
  },
});

/** The judge, or why there is none. Without one memory is asked by words. */
async function judgeOf(at: At): Promise<Judge | { readonly unavailable: string } | undefined> {
  try {
    return await at.context.engine.companion(Judging).judge();
  } catch (error) {
    if (error instanceof PalimpsestError && error.code === "JUDGE_UNAVAILABLE")
      return { unavailable: error.message };
    throw error;
  }
}

/** What a search found, apart from names of places, and the records of it. */
interface Look {
  readonly result: SearchResult;
  readonly hits: readonly SearchHit[];
  readonly records: ReadonlyMap<Hash, MemoryRecord>;
}

async function look(
  at: At,
  about: string,
  { limit, mode }: Wanted,
  time?: Pick<AskedTime, "from" | "to">,
): Promise<Look> {
  const result = await search(at, about, {
    limit: Math.min(limit + PLACES, MOST),
    ...(mode !== undefined && { mode }),
    ...(time && Number.isFinite(time.from) && { after: timestamp(time.from) }),
    ...(time && Number.isFinite(time.to) && { before: timestamp(time.to) }),
  });
  const records = await at.reader.values(
    "memory",
    result.hits.map(({ hash }) => hash),
  );
  const isBare = ({ hash }: SearchHit): boolean => {
    const record = records.get(hash);
    return record !== undefined && saysNothing(record);
  };
  const hits = result.hits.filter((hit) => hit.repeats === undefined && !isBare(hit));
  return { result, hits, records };
}

async function judgesAnswer(
  judge: Judge,
  at: At,
  about: string,
  first: Look,
  { limit, mode }: Wanted,
): Promise<LayerAnswer> {
  const time = timeAsked(about, Date.parse(at.now));
  const then = time && (await look(at, time.rest, { limit: JUDGED, mode }, time));
  const hits = [...first.hits.slice(0, JUDGED)];
  for (const hit of then?.hits.slice(0, JUDGED) ?? [])
    if (!hits.some(({ hash }) => hash === hit.hash)) hits.push(hit);
  const records = new Map([...first.records, ...(then?.records ?? [])]);
  const { certainty, best, told, renewed } = await judgedOf(judge, about, hits, records, time);
  const quoted = told.slice(0, limit);
  at.context.served.note(quoted);
  const inPlaceOf = renewed.map(({ id, text, saidAt, updatedAt }) => ({ id, text, updatedAt: saidAt ?? updatedAt }));
  return {
    status: STATUS[certainty],
    isCertain: certainty === "certain",
    isJudged: true,
    best,
    found: quoted.map((hit, n) => ({
      ...citationOf(hit, records.get(hit.hash)),
      ...(n === 0 && inPlaceOf.length > 0 && { inPlaceOf }),
    })),
  };
}

const STATUS = { certain: "hit", possible: "possible", nothing: "empty" } as const;

function wordsAnswer(at: At, about: string, { result, hits, records }: Look, limit: number): LayerAnswer {
  const { isEnough, best, told } = byWords(
    about,
    { ...result, hits: hits.slice(0, limit) },
    ({ hash }) => records.get(hash)?.topic,
  );
  at.context.served.note(told);
  return {
    status: isEnough ? "hit" : "empty",
    best,
    found: told.map((hit) => citationOf(hit, records.get(hit.hash))),
  };
}

/** Whose memory this is; nobody writes "the user" into every memory of theirs. */
const USER = /\bthe user(?:['’]s)?\b/gi;

export function citationOf(hit: SearchHit, record: MemoryRecord | undefined): Citation {
  const { id, text, type, scope, commit, hash, version, author, speaker, session, turn, saidAt } = hit;
  const contested = record && sidesOf(record);
  return {
    layer: "L1",
    ...{ id, text, type, scope, commit, hash, version, author },
    score: hit.probability,
    updatedAt: hit.updatedAt,
    ...(record && { trust: record.origin.trust }),
    ...(record?.topic !== undefined && { topic: record.topic }),
    ...(speaker !== undefined && { speaker }),
    ...(session !== undefined && { session }),
    ...(turn !== undefined && { turn }),
    ...(saidAt !== undefined && { saidAt }),
    ...(contested?.length && { contested }),
  };
}
