import {
  type Hash,
  type MemoryId,
  PalimpsestError,
  parseScope,
  parseTime,
  type Scope,
  type Timestamp,
  timestamp,
} from "../../base/index.js";
import type { Author, MemoryRecord, Tip } from "../../ledger/index.js";
import {
  analyse,
  corpusOf,
  type Doc,
  type Hit,
  holdsPhrase,
  parseQuery,
  type Query,
  queryTokens,
  type Reason,
  search as rankedSearch,
} from "../../view/index.js";
import type { Context } from "../context.js";
import type { Reader } from "../reader.js";
import { facetsOf, type ListFilter } from "./list.js";

export interface SearchOptions extends Omit<ListFilter, "session"> {
  /** Only what was said, or else written, at or after a time; or before one. */
  readonly after?: string;
  readonly before?: string;
  /** Leave out what scores less. */
  readonly minScore?: number;
  /** Whether what is newer and held more surely comes first among equals; true unless said. */
  readonly usePriors?: boolean;
}

export interface SearchHit {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly type: string;
  readonly text: string;
  readonly score: number;
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
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

const LIMIT = 10;
/** Texts read at a time while looking for a phrase. */
const SLICE = 50;

/** The memories the session sees that answer a question best. */
export async function search(
  context: Context,
  reader: Reader,
  tip: Tip,
  now: string,
  text: string,
  options: SearchOptions,
): Promise<SearchResult> {
  const start = performance.now();
  if (typeof text !== "string") throw new PalimpsestError("INVALID_VALUE", "A question is given as text.");
  const { views, branch, sight } = context;
  const limit = options.limit ?? LIMIT;
  const only = options.scope === undefined ? undefined : parseScope(options.scope);
  const query = withTimes(parseQuery(text), options);
  const { ranked, languages } = await views.use(branch, tip, (view) => {
    const corpus = corpusOf(view, sight, Date.parse(now), only);
    const found = rankedSearch(corpus, query, {
      limit: limit + SPARE,
      facets: facetsOf(options),
      usePriors: options.usePriors ?? true,
    });
    const least = options.minScore ?? Number.NEGATIVE_INFINITY;
    return {
      ranked: found
        .filter(({ score }) => score >= least)
        .slice(0, query.exact ? undefined : limit + UNREADABLE)
        .map((one) => ({ ...one, found: view.doc(one.doc) })),
      languages: corpus.languages,
    };
  });
  const terms = new Set(queryTokens(query.text, languages).map(({ term }) => term));
  const hits: SearchHit[] = [];
  for (let from = 0; from < ranked.length && hits.length < limit; from += SLICE) {
    const slice = ranked.slice(from, from + SLICE);
    const records = await reader.values(
      "memory",
      slice.map(({ found }) => found.hash),
    );
    for (const one of slice) {
      if (hits.length >= limit) break;
      const record = records.get(one.found.hash);
      if (!record) reader.damaged.add(one.found.hash);
      else if (!query.exact || holdsAll(record, query)) hits.push(hitOf(one, record, terms));
    }
  }
  return { hits, ms: performance.now() - start };
}

/** More are ranked than asked for, so that equals are in order before the cut; and a few read, should one be unreadable. */
const SPARE = 40;
const UNREADABLE = 3;

function withTimes(query: Query, { after, before }: SearchOptions): Query {
  const time = (text: string): number => Date.parse(parseTime(text));
  return {
    ...query,
    ...(after !== undefined && { after: Math.max(time(after), query.after ?? Number.NEGATIVE_INFINITY) }),
    ...(before !== undefined && { before: Math.min(time(before), query.before ?? Number.POSITIVE_INFINITY) }),
  };
}

function holdsAll({ text, attributes, topic, tags, triple }: MemoryRecord, { phrases }: Query): boolean {
  const { TITLE, title } = attributes ?? {};
  const texts = [text, TITLE, title, topic, triple?.subject, triple?.object, ...(tags ?? [])].filter(
    (one) => typeof one === "string",
  );
  return phrases.every((phrase) => texts.some((one) => holdsPhrase(one, phrase)));
}

function hitOf(
  { found, score, why }: Hit & { readonly found: Doc },
  { text, type }: MemoryRecord,
  terms: ReadonlySet<string>,
): SearchHit {
  const { id, scope, hash, version, commit, author, speaker, session, turn, said } = found;
  return Object.freeze({
    id,
    scope,
    type,
    text,
    score,
    why: Object.freeze(why),
    matches: matchesIn(text, found.language, terms),
    hash,
    version,
    commit: commit as Hash,
    author,
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
