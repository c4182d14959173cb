import { laneOf, type MemoryRecord } from "../core/ledger/index.js";
import { saysNothing } from "../memories/index.js";
import type { At } from "../repo/index.js";
import type { SearchHit, SearchMode } from "../search/index.js";
import { limitOf, MOST, type SearchResult, search } from "../search/index.js";
import { askedFor } from "./answer/asked-for.js";
import { mayAnswer } from "./answer/may-answer.js";
import { besideNothing } from "./beside-nothing.js";
import { COVERED, coverage, isUnspaced, saysSomething, wordsHeld } from "./coverage.js";
import { sidesOf } from "./disagree.js";
import type { Citation, Layer } from "./layers.js";
import { secondLook } from "./second-look.js";

const LIMIT = 5;
/** Names of rooms and drawers answer nothing: so many more are looked at, and those left out. */
const PLACES = 5;
/** Much less likely than the best: a quotation that would only distract. */
const FAINT = 0.1;
/** Nearly as likely as the best. */
const CLOSE = 0.8;
const LANES = ["belief", "document", "message"];

/** L1: beliefs, the palace and documents, and what was said. It ends the walk where search would not abstain. */
export const memoryLayer = (
  at: At,
  { limit = LIMIT, mode }: { readonly limit?: number | undefined; readonly mode?: SearchMode | undefined },
): Layer => layerOf(at, limitOf(limit), mode);

const layerOf = (at: At, limit: number, mode: SearchMode | undefined): Layer => ({
  name: "L1",
  async ask(question) {
    const { context, reader } = at;
    // A search without words lists what is newest, and a word that says nothing is everywhere: neither would be an answer.
    if (!saysSomething(question)) return { status: "empty", best: 0, found: [] };
    const about = question.replace(USER, " ");
    const result = await search(at, about, {
      limit: Math.min(limit + PLACES, MOST),
      ...(mode !== undefined && { mode }),
    });
    const records = await reader.values(
      "memory",
      result.hits.map(({ hash }) => hash),
    );
    const bare = result.hits.filter(({ hash }) => isBare(records.get(hash)));
    const hits = besideNothing(
      about,
      result.hits.filter((hit) => hit.repeats === undefined && !bare.includes(hit)),
      bare,
    ).slice(0, limit);
    const named = hits.filter(({ hash }) => isTopicNamed(records.get(hash), question));
    const { best, isEnough } = judged(about, { ...result, hits });
    const told = isEnough ? answering(about, chosen(hits)) : [];
    const kept = told.length > 0 ? secondLook(about, told) : named.length > 0 ? named : hits.slice(0, 1);
    context.served.note(kept);
    return {
      status: told.length > 0 || named.length > 0 ? "hit" : "empty",
      best: isEnough && told.length === 0 ? Math.min(best, UNTOLD) : best,
      found: kept.map((hit) => citationOf(hit, records.get(hit.hash))),
    };
  },
});

const isBare = (record: MemoryRecord | undefined): boolean => record !== undefined && saysNothing(record);

/** Whose memory this is; nobody writes "the user" into every memory of theirs. */
const USER = /\bthe user(?:['’]s)?\b/gi;

/** A topic whose every word is in the question was asked for by its name. */
const isTopicNamed = (record: MemoryRecord | undefined, question: string): boolean =>
  record?.topic !== undefined && coverage(record.topic.replace(/[-_/.:]+/g, " "), [question]) === 1;

/** Search leaves it open whether a question in a script without spaces can be answered; how much of it is held decides. */
function judged(
  question: string,
  { hits, answerable, abstain }: SearchResult,
): { readonly best: number; readonly isEnough: boolean } {
  if (hits.length === 0) return { best: 0, isEnough: false };
  if (abstain || !isUnspaced(question)) return { best: answerable, isEnough: !abstain };
  const best = coverage(
    question,
    hits.map(({ text }) => text),
  );
  // One word of several is a name, of which something else is told.
  const isMore = best === 1 || hits.some(({ text }) => wordsHeld(question, text) > 1);
  return { best, isEnough: best >= COVERED && isMore };
}

/** What is believed is told before what was only said, where both are about as likely. */
function chosen(hits: readonly SearchHit[]): SearchHit[] {
  const best = hits[0]?.probability ?? 0;
  const kept = hits.filter(({ probability }) => probability >= FAINT * best);
  const close = kept.filter(({ probability }) => probability >= CLOSE * best);
  const rank = ({ type }: SearchHit): number => LANES.indexOf(laneOf(type));
  return [...close.toSorted((a, b) => rank(a) - rank(b)), ...kept.slice(close.length)];
}

/** Holds so much of what the best holds of a question: it speaks of the same. */
const AS_MUCH = 0.6;
/** It speaks of the thing and does not tell what is asked of it: no more likely than this. */
const UNTOLD = 0.2;

const isSaid = ({ type }: SearchHit): boolean => laneOf(type) === "message";

/**
 * Those that may answer come first; none, where no fact that speaks of what is asked shows what is wanted. What was said leans
 * on what was said around it and is not judged alone; where it comes first everything stays as it is.
 */
function answering(question: string, hits: SearchHit[]): SearchHit[] {
  if (askedFor(question) === undefined || (hits[0] && isSaid(hits[0]))) return hits;
  const held = new Map(hits.map((hit) => [hit, coverage(question, [hit.text])]));
  const least = AS_MUCH * Math.max(...held.values());
  const may = hits.filter((hit) => held.get(hit)! >= least && (isSaid(hit) || mayAnswer(question, hit.text)));
  return may.length === 0 ? [] : [...may, ...hits.filter((hit) => !may.includes(hit))];
}

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
