import { type Hash, PalimpsestError, parseScope, parseTime } from "../../core/base/index.js";
import type { MemoryRecord } from "../../core/ledger/index.js";
import { corpusOf, search as rankedSearch, type View } from "../../index/index.js";
import {
  detectLanguage,
  holdsPhrase,
  parseQuery,
  type Query,
  queryTokens,
  toldNames,
} from "../../language/index.js";
import { facetsOf, placesIn, placesOf } from "../../memories/index.js";
import type { At, Engine } from "../../repo/index.js";
import { diverse, saysTheSame } from "../distinct.js";
import type { SearchOptions } from "../options.js";
import { hitOf, type SearchHit } from "../search-hit.js";
import { type SearchMode, type VectorUse, vectorLeg } from "../vector-leg.js";
import { Vectors } from "../vectors.js";

export interface SearchResult extends VectorUse {
  /** Best first; what only repeats a better one comes after all others. */
  readonly hits: readonly SearchHit[];
  /** How it was searched. Where the question could not be compared by meaning it is lexical, whatever was asked. */
  readonly mode: SearchMode;
  /**
   * How likely the memory holds an answer, 0 to 1: little in it is near the question, or much. No proof of either; a question
   * in the memory's own words looks answerable.
   */
  readonly answerable: number;
  /** Too little for an answer: better say that it is not known. */
  readonly abstain: boolean;
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

const LIMIT = 10;
/** As many as the ranker looks at closely: a longer list would not be in the order of what answers best. */
export const MOST = 200;
/** Texts read at a time while looking for a phrase. */
const SLICE = 50;

/** The memories the session sees that answer a question best. */
export async function search(at: At, text: string, options: SearchOptions): Promise<SearchResult> {
  const { context, tip, now } = at;
  const { engine } = at.context;
  const start = performance.now();
  if (typeof text !== "string") throw new PalimpsestError("INVALID_VALUE", "A question is given as text.");
  const { views, branch, sight } = context;
  const { reader } = engine;
  const limit = limitOf(options.limit);
  const diversity = diversityOf(options.diversity);
  const only = options.scope === undefined ? undefined : parseScope(options.scope);
  const query = withTimes(parseQuery(text), options);
  const asked = { engine, context, now, text: query.text };
  const { near, nearestOf, ...vectorUse } = await vectorLeg(
    asked,
    modeOf(options.mode),
    options.waitMs ?? 0,
    limit + UNREADABLE,
  );
  const mode = near ? (options.mode ?? "hybrid") : "lexical";
  const places = await placesOf(at, options);
  const rankIn = (view: View, query: Query, isSameMatter: boolean) => {
    const corpus = corpusOf(view, sight, Date.parse(now), only);
    const nearness = near?.(view);
    const ranking = rankedSearch(corpus, query, {
      limit: limit + UNREADABLE,
      facets: [...facetsOf(options), ...placesIn(view, context, Date.parse(now), places)],
      usePriors: options.usePriors ?? true,
      isSameMatter,
      ...(nearness && { nearness, byMeaning: mode === "vector" }),
    });
    return { view, version: view.version, corpus, nearness, ranking };
  };
  let last: ReturnType<typeof rankIn> | undefined;
  /** Told the texts of the leads, it goes on from the last look, if the view is still the same. */
  const look = (query: Query, isSameMatter: boolean, told?: ReadonlyMap<Hash, MemoryRecord>) =>
    views.use(branch, tip, (view) => {
      const isSame = told && last?.view === view && last.version === view.version;
      last = isSame ? last! : rankIn(view, query, isSameMatter);
      const { corpus, nearness, ranking } = last;
      const { hits, leads, follow, another, ...judged } = ranking;
      const found = told ? follow((doc) => told.get(view.hashOf(doc))?.text) : hits;
      const least = options.minScore ?? Number.NEGATIVE_INFINITY;
      return {
        judged,
        leads: leads.map((doc) => view.hashOf(doc)),
        ...(another && { another: { ...another, hashes: another.docs.map((doc) => view.hashOf(doc)) } }),
        ranked: found
          .filter(({ score }) => score >= least)
          .map((one) => ({ ...one, similarity: nearness?.near(one.doc), found: view.doc(one.doc) })),
        languages: corpus.languages,
      };
    });
  const plain = await look(query, false);
  const facts = plain.judged.abstain ? [] : plain.ranked.filter(({ found }) => found.session === undefined);
  const named = showsNames(query.text) ? query : await withNames(query, facts.slice(0, limit), reader);
  const first = named === query ? plain : await look(named, false);
  const isMeant =
    nearestOf && first.another
      ? (await nearestOf(first.another.asked, first.another.hashes)) >= SAME_MATTER
      : false;
  const straight = isMeant ? await look(named, true) : first;
  const { ranked, languages, judged } =
    straight.leads.length === 0
      ? straight
      : await look(named, isMeant, await reader.values("memory", straight.leads));
  const terms = new Set(queryTokens(query.text, languages).map(({ term }) => term));
  const told: SearchHit[] = [];
  const repeated: SearchHit[] = [];
  const [enough, step] =
    diversity > 0 ? [ranked.length, SLICE] : [limit, query.exact ? SLICE : limit + UNREADABLE];
  for (let from = 0; from < ranked.length && told.length < enough; from += step) {
    const slice = ranked.slice(from, from + step);
    const records = await reader.values(
      "memory",
      slice.map(({ found }) => found.hash),
    );
    for (const one of slice) {
      if (told.length >= enough) break;
      const record = records.get(one.found.hash);
      if (!record) await reader.missed(one.found.hash);
      else if (!query.exact || holdsAll(record, query)) {
        const hit = hitOf(one, record, terms);
        const same =
          told.length < COMPARED ? told.find((better) => saysTheSame(better, hit, context.rules)) : undefined;
        if (same) repeated.push(Object.freeze({ ...hit, repeats: same.id }));
        else told.push(hit);
      }
    }
  }
  const kept = diversity > 0 ? diverse(told, limit, diversity) : told;
  const hits = [...kept, ...repeated].slice(0, limit);
  // Only now: to read everything for its vectors would delay the first answer.
  if (options.mode === undefined && vectorUse.vectors !== "unused")
    engine.companion(Vectors).searched(branch);
  const nothing = hits.length === 0 && { answerable: 0, abstain: true };
  return { hits, mode, ...judged, ...nothing, ...vectorUse, ms: performance.now() - start };
}

/** Whoever writes names with capitals has said which they are; German does so with every noun. */
const showsNames = (question: string): boolean =>
  /\s\p{Lu}/u.test(question) && detectLanguage(question)?.code !== "de";

/** The question with the names in it that facts show. */
async function withNames(
  query: Query,
  facts: readonly { readonly found: { readonly hash: Hash } }[],
  reader: Engine["reader"],
): Promise<Query> {
  if (facts.length === 0) return query;
  const records = await reader.values(
    "memory",
    facts.map(({ found }) => found.hash),
  );
  const names = toldNames(
    query.text,
    [...records.values()].map(({ text }) => text),
  );
  return names.length === 0 ? query : { ...query, names };
}

/** From this cosine on, what is asked of a name without its words is told of it in others. */
const SAME_MATTER = 0.3;
/** A few more than asked for, should one be unreadable. */
const UNREADABLE = 3;
/** Whoever looks at more than these does not mind reading a thing twice. */
const COMPARED = 20;

/** How many to find, if that many can be found. */
export function limitOf(limit = LIMIT): number {
  if (Number.isInteger(limit) && limit >= 0 && limit <= MOST) return limit;
  throw new PalimpsestError(
    "INVALID_VALUE",
    `A search finds at most ${MOST} memories; the limit is a whole number up to that, not ${String(limit)}.`,
    { hint: "Ask for less, or list what fits by type, tag or place." },
  );
}

function diversityOf(diversity = 0): number {
  if (diversity >= 0 && diversity <= 1) return diversity;
  throw new PalimpsestError(
    "INVALID_VALUE",
    `A diversity is a number from 0 to 1, not ${String(diversity)}.`,
  );
}

const MODES: readonly unknown[] = ["hybrid", "lexical", "vector"];
function modeOf(mode: SearchMode | undefined): SearchMode | undefined {
  if (mode === undefined || MODES.includes(mode)) return mode;
  throw new PalimpsestError("INVALID_VALUE", `There is no mode ${JSON.stringify(mode)}.`, {
    hint: "Choose hybrid, lexical or vector.",
  });
}

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
