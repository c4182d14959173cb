import type { Hash, MemoryId, Scope } from "../core/base/index.js";
import {
  type Author,
  laneOf,
  type MemoryRecord,
  type Sensitivity,
  sensitivityOf,
} from "../core/ledger/index.js";
import { detectLanguage, eachWord, lexicon } from "../language/index.js";
import { eachFacet } from "./facets.js";
import { traitsOf } from "./rank/index.js";
import { NO_SAYING, sayingOf } from "./saying.js";

/** A memory as it stands at a head: what the view is made from. */
export interface Held {
  readonly record: MemoryRecord;
  readonly hash: Hash;
  readonly version: number;
  readonly created: string;
  readonly updated: string;
  /** Absent while it is being written. */
  readonly commit: Hash | undefined;
  readonly author: Author;
}

/** What the directory keeps of a memory. Times are milliseconds since 1970. */
export interface Doc {
  readonly scope: Scope;
  readonly sensitivity: Sensitivity;
  readonly id: MemoryId;
  readonly hash: Hash;
  readonly version: number;
  readonly created: number;
  readonly updated: number;
  readonly commit: Hash | undefined;
  readonly author: Author;
  /** Infinity when it does not expire. */
  readonly expires: number;
  /** Of a message: its conversation, its place in it, who said it and as what. */
  readonly session: string | undefined;
  readonly turn: number | undefined;
  readonly speaker: string | undefined;
  readonly role: string | undefined;
  /** When it was said or began to be true; NaN when nobody says. */
  readonly said: number;
  /** The language of its text. */
  readonly language: string;
  /** What its text shows by itself; see `traitsOf`. */
  readonly traits: number;
  readonly confidence: number;
  /** Words that say something, of all fields. */
  readonly length: number;
  /** Of a belief: what it says word for word; see `sayingOf`. */
  readonly saying: number;
}

/** How much a word counts where it stands: a title says what a text is about. */
const WEIGHT = { text: 1, title: 2, triple: 1.5, topic: 1.5, tag: 1.5, speaker: 1 } as const;

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Who counts the terms of a memory: words by their numbers in the lexicon, facets as they are. */
export interface TermCounter {
  countWord(word: number, weight: number): void;
  /** One that is there or not, however often it is handed on. */
  markTerm(term: string): void;
}

/** Hands on the terms of a memory, words and facets alike; answers how many carry meaning, and in which language. */
export function readTerms(
  record: MemoryRecord,
  counter: TermCounter,
): { readonly length: number; readonly language: string } {
  const language = detectLanguage(record.text)?.code ?? "en";
  let length = 0;
  const read = (text: unknown, weight: number): void => {
    if (typeof text !== "string" || text === "") return;
    eachWord(text, language, (word) => {
      counter.countWord(word, weight);
      length += lexicon.tellingOf(word);
    });
  };
  const { text, attributes, triple, topic, tags, type, origin } = record;
  read(text, WEIGHT.text);
  read(attributes?.TITLE, WEIGHT.title);
  read(attributes?.title, WEIGHT.title);
  read(triple?.subject, WEIGHT.triple);
  read(triple?.object, WEIGHT.triple);
  read(topic, WEIGHT.topic);
  if (tags) for (const tag of tags) read(tag, WEIGHT.tag);
  if (laneOf(type) === "message") read(origin.actor, WEIGHT.speaker);
  eachFacet(record, (facet) => counter.markTerm(facet));
  return { length, language };
}

export function docOf(held: Held, { length, language }: Pick<Doc, "length" | "language">): Doc {
  const { record } = held;
  const { origin, attributes, valid } = record;
  const lane = laneOf(record.type);
  const isSaid = lane === "message";
  return {
    scope: record.scope,
    sensitivity: sensitivityOf(record),
    id: record.id,
    hash: held.hash,
    version: held.version,
    created: timeOf(held.created),
    updated: timeOf(held.updated),
    commit: held.commit,
    author: held.author,
    expires: record.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(record.expiresAt),
    session: isSaid ? origin.session : undefined,
    turn: isSaid ? origin.turn : undefined,
    speaker: isSaid ? origin.actor : undefined,
    role: isSaid ? asText(attributes?.role) : undefined,
    said: valid?.from === undefined ? Number.NaN : Date.parse(valid.from),
    language,
    traits: traitsOf(record.text, language),
    confidence: Math.fround(record.confidence ?? 1),
    length,
    saying: lane === "belief" ? sayingOf(record.text) : NO_SAYING,
  };
}

/** Of what was written together the times are the same. */
let last = { text: "", time: Number.NaN };
function timeOf(text: string): number {
  if (last.text !== text) last = { text, time: Date.parse(text) };
  return last.time;
}
