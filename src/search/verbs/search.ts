import { PalimpsestError, parseScope, parseTime, type Scope } from "../../core/base/index.js";
import { corpusOf } from "../../index/index.js";
import { parseQuery, type Query } from "../../language/index.js";
import { facetsOf, placesIn, placesOf } from "../../memories/index.js";
import type { At } from "../../repo/index.js";
import type { SearchOptions } from "../options.js";
import { answerTo, type Question, type RankingPort, type SearchHit, UNREADABLE } from "../ranking.js";
import { type SearchMode, type VectorLeg, type VectorUse, vectorLeg } from "../vector-leg.js";
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

/** The memories the session sees that answer a question best. */
export async function search(at: At, text: string, options: SearchOptions): Promise<SearchResult> {
  const start = performance.now();
  const { context, now } = at;
  const { engine } = context;
  const asked = questionOf(text, options);
  const only = options.scope === undefined ? undefined : parseScope(options.scope);
  const leg = await vectorLeg(
    { engine, context, now, text: asked.query.text },
    modeOf(options.mode),
    options.waitMs ?? 0,
    asked.limit + UNREADABLE,
  );
  const { near, nearestOf: _, ...vectorUse } = leg;
  const mode = near ? (options.mode ?? "hybrid") : "lexical";
  const question = { ...asked, byMeaning: mode === "vector", rules: context.rules };
  const found = await answerTo(question, await portOf(at, options, only, leg));
  // Only now: to read everything for its vectors would delay the first answer.
  if (options.mode === undefined && vectorUse.vectors !== "unused")
    engine.companion(Vectors).searched(context.branch);
  return { mode, ...found, ...vectorUse, ms: performance.now() - start };
}

/** What is asked, if it can be. */
function questionOf(text: string, options: SearchOptions): Omit<Question, "byMeaning" | "rules"> {
  if (typeof text !== "string") throw new PalimpsestError("INVALID_VALUE", "A question is given as text.");
  return {
    limit: limitOf(options.limit),
    diversity: diversityOf(options.diversity),
    query: withTimes(parseQuery(text), options),
    minScore: options.minScore ?? Number.NEGATIVE_INFINITY,
    usePriors: options.usePriors ?? true,
  };
}

/** The store as the ranking of one question sees it. */
async function portOf(
  at: At,
  options: SearchOptions,
  only: Scope | undefined,
  { near, nearestOf }: VectorLeg,
): Promise<RankingPort> {
  const { context, tip } = at;
  const { views, branch, sight, engine } = context;
  const { reader } = engine;
  const now = Date.parse(at.now);
  const facets = facetsOf(options);
  const places = await placesOf(at, options);
  return {
    look: (run) => views.use(branch, tip, run),
    ground: (view) => ({
      corpus: corpusOf(view, sight, now, only),
      facets: [...facets, ...placesIn(view, context, now, places)],
      nearness: near?.(view),
    }),
    records: (hashes) => reader.values("memory", hashes),
    missed: (hash) => reader.missed(hash),
    ...(nearestOf && { nearestOf }),
  };
}

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
