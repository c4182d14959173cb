import { type Hash, PalimpsestError, timestamp } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import { type Judge, Judging } from "../judge/index.js";
import { saysNothing } from "../memories/index.js";
import type { At } from "../repo/index.js";
import type { SearchHit, SearchMode, SearchResult } from "../search/index.js";
import { limitOf, MOST, search } from "../search/index.js";
import { apartFrom, byWords, isUnspaced, saysSomething } from "./by-words.js";
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
    const words = () => wordsAnswer(at, about, found, limit);
    // The judge reads words, and in some scripts these are not parted.
    if (isUnspaced(about)) return words();
    try {
      const judge = await at.context.engine.companion(Judging).judge();
      return judge ? await judgesAnswer(judge, at, about, found, { limit, mode }) : words();
    } catch (error) {
      if (!(error instanceof PalimpsestError && error.code === "JUDGE_UNAVAILABLE")) throw error;
      return { ...words(), reason: error.message };
    }
  },
});

/** What a search found, and the records of it. */
interface Look {
  readonly result: SearchResult;
  readonly records: ReadonlyMap<Hash, MemoryRecord>;
  /** Is it a room or drawer that says nothing but its name? */
  isBare(hit: SearchHit): boolean;
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
  return { result, records, isBare };
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
  const hits = new Map<Hash, SearchHit>();
  for (const { result, isBare } of [first, ...(then ? [then] : [])]) {
    const telling = result.hits.filter((hit) => hit.repeats === undefined && !isBare(hit));
    for (const hit of telling.slice(0, JUDGED)) hits.set(hit.hash, hit);
  }
  const records = new Map([...first.records, ...(then?.records ?? [])]);
  const { certainty, best, told, renewed } = await judgedOf(judge, about, [...hits.values()], records, time);
  const quoted = told.slice(0, limit);
  at.context.served.note(quoted);
  const inPlaceOf = renewed.map(({ id, text, saidAt, updatedAt }) => ({
    id,
    text,
    updatedAt: saidAt ?? updatedAt,
  }));
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

function wordsAnswer(at: At, about: string, { result, records, isBare }: Look, limit: number): LayerAnswer {
  const hits = apartFrom(about, result.hits, isBare).filter(({ repeats }) => repeats === undefined);
  const { isEnough, best, told } = byWords(about, { ...result, hits: hits.slice(0, limit) });
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
