import { type Hash, type MemoryId, type Scope, type Timestamp, timestamp } from "../core/base/index.js";
import type { Author, MemoryRecord } from "../core/ledger/index.js";
import type { Doc, Hit, Reason } from "../index/index.js";
import { analyse } from "../language/index.js";
import { answer } from "../repo/index.js";

export interface SearchHit {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly type: string;
  readonly text: string;
  readonly topic?: string;
  readonly score: number;
  /** How likely it is evidence for the question, 0 to 1, as measured on public question sets. */
  readonly probability: number;
  /** Cosine with the question, where it was compared. */
  readonly similarity?: number;
  /** What speaks for and against it, the weightiest first; the points add up to the score. */
  readonly why: readonly Reason[];
  /** Where the text holds the words asked for, in UTF-16 units. */
  readonly matches: readonly (readonly [start: number, end: number])[];
  readonly hash: Hash;
  readonly version: number;
  readonly commit: Hash;
  readonly author: Author;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Of a message: who said it, in which conversation and turn, and when. */
  readonly speaker?: string;
  readonly session?: string;
  readonly turn?: number;
  readonly saidAt?: Timestamp;
  /** A better hit that says the same. */
  readonly repeats?: MemoryId;
}

/** A hit as the ranker knows it, and what the view knows of its memory. */
export interface Ranked extends Hit {
  readonly found: Doc;
  readonly similarity: number | undefined;
}

export function hitOf(
  { found, score, probability, similarity, why }: Ranked,
  { text, type, topic }: MemoryRecord,
  terms: ReadonlySet<string>,
): SearchHit {
  const { id, scope, hash, version, commit, author, speaker, session, turn, said } = found;
  return Object.freeze({
    id,
    scope,
    type,
    text,
    ...(topic !== undefined && { topic }),
    score,
    probability,
    ...(similarity !== undefined && { similarity }),
    why: answer(why),
    // Reading the text again costs more than finding it did, and most never ask.
    get matches() {
      return answer(matchesIn(text, found.language, terms));
    },
    hash,
    version,
    commit: commit as Hash,
    author: Object.freeze(author),
    createdAt: timestamp(found.created),
    updatedAt: timestamp(found.updated),
    ...(speaker !== undefined && { speaker }),
    ...(session !== undefined && { session }),
    ...(turn !== undefined && { turn }),
    ...(!Number.isNaN(said) && { saidAt: timestamp(said) }),
  });
}

/** Where a text holds one of the terms, joined where they overlap. */
function matchesIn(text: string, language: string, terms: ReadonlySet<string>): [number, number][] {
  const ranges: [number, number][] = [];
  for (const { term, start, end } of analyse(text, language)) {
    if (!terms.has(term)) continue;
    const last = ranges.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}
