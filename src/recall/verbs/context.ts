import { PalimpsestError } from "../../core/base/index.js";
import { laneOf } from "../../core/ledger/index.js";
import { facet, Scene, select } from "../../index/index.js";
import { type Certainty, Judging } from "../../judge/index.js";
import type { Memory } from "../../memories/index.js";
import {
  CONFIG_ID,
  DRAWER,
  gather,
  get,
  memoriesOf,
  PALACE,
  ROOM,
  saysNothing,
} from "../../memories/index.js";
import type { At, Context } from "../../repo/index.js";
import { search } from "../../search/index.js";
import { briefingSections, memorySections } from "../blocks.js";
import { apartFrom, coverage } from "../by-words.js";
import { envelope, type Section } from "../envelope.js";
import type { LayerAnswer } from "../layers.js";
import { memoryLayer } from "../memory-layer.js";
import type { ContextOptions } from "../options.js";
import { plainQuestion } from "../question.js";

export interface ContextBlock {
  /** Framed as data; empty when there is nothing. */
  readonly text: string;
  readonly tokens: number;
  /** Ids of what is in it, in order. */
  readonly items: readonly string[];
  /** How many did not fit. */
  readonly left: number;
  /** Of a block about a query, where the judge looked at it: is the first of it the answer to that? */
  readonly certainty?: Certainty;
}

const BUDGET = 2_000;
const MAX_ITEMS = 20;

/** What the judge makes of a query; undefined without one that can be used. */
async function answerTo(at: At, query: string, { mode }: ContextOptions): Promise<LayerAnswer | undefined> {
  const judge = await at.context.engine
    .companion(Judging)
    .judge()
    .catch(() => undefined);
  if (judge === undefined) return undefined;
  const answer = await memoryLayer(at, { mode }).ask(plainQuestion(query));
  return answer.isJudged ? answer : undefined;
}

const certaintyOf = ({ isCertain, status }: LayerAnswer): Certainty =>
  isCertain ? "certain" : status === "possible" ? "possible" : "nothing";

/** What goes into a prompt: always the same, or what bears on a question; each through the one envelope. */
export async function context(at: At, options: ContextOptions): Promise<ContextBlock> {
  const { context: asker } = at;
  const { query, kind = query === undefined ? "briefing" : "memory" } = options;
  if (query !== undefined && typeof query !== "string")
    throw new PalimpsestError("INVALID_VALUE", "A question is given as text.");
  const memories =
    kind === "briefing"
      ? await always(at)
      : query === undefined || query.trim() === ""
        ? await newest(at)
        : await relevant(at, query, options);
  const most = options.maxItems ?? (kind === "briefing" ? Number.POSITIVE_INFINITY : MAX_ITEMS);
  const answer = query?.trim() && kind === "memory" ? await answerTo(at, query, options) : undefined;
  const first = answer?.isCertain ? memories.filter(({ id }) => id === answer.found[0]?.id) : [];
  const shown = [...first, ...memories.filter((one) => !first.includes(one))].slice(0, Math.max(0, most));
  const [title, sections] =
    kind === "briefing"
      ? ["Memory Snapshot", briefingSections(shown)]
      : ["Long-Term Memory Context", memorySections(shown, first)];
  const block = blockOf(asker, title, sections, options.budget ?? BUDGET, shown);
  return answer === undefined ? block : { ...block, certainty: certaintyOf(answer) };
}

export function blockOf(
  { random, served }: Context,
  title: string,
  sections: readonly Section[],
  budget: number,
  memories: readonly Memory[],
): ContextBlock {
  const { text, tokens, items, left } = envelope(sections, { title, budget, random });
  const shown = new Set(items.map(({ id }) => id));
  served.note(memories.filter(({ id }) => shown.has(id)));
  return { text, tokens, items: items.map(({ id }) => id), left };
}

const read = async (
  { context: asker, reader, tip, now }: At,
  pick: (scene: Scene) => number[],
): Promise<Memory[]> => {
  const time = Date.parse(now);
  const gathered = await asker.views.use(asker.branch, tip, (view) =>
    gather(view, pick(new Scene(view, asker.sight, time)), asker, time),
  );
  return memoriesOf(reader, gathered);
};

/** Canon by category and age, then what holds a topic. */
export const always = async (at: At): Promise<Memory[]> =>
  (await read(at, (scene) => select(scene, [facet.ALWAYS]))).toSorted(
    (a, b) =>
      Number(b.tier === "canon") - Number(a.tier === "canon") ||
      compare(a.category ?? "", b.category ?? "") ||
      compare(a.createdAt, b.createdAt),
  );

const NEWEST = 200;
const newestIn =
  (lane: "belief" | "document") =>
  async (at: At): Promise<Memory[]> =>
    (await read(at, (scene) => select(scene, [facet.byLane(lane)]).slice(-NEWEST)))
      .toReversed()
      .toSorted((a, b) => compare(b.updatedAt, a.updatedAt));
/** The beliefs made last, those changed last first. */
export const newest = newestIn("belief");
/** Notes and pages the same way, if they say anything; rooms and drawers are where they lie. */
export const newestPages = async (at: At): Promise<Memory[]> =>
  (await newestIn("document")(at)).filter(
    (memory) => memory.id !== CONFIG_ID && !PLACES.has(memory.type) && !saysNothing(memory),
  );
const PLACES = new Set([PALACE, ROOM, DRAWER]);

/** Of a query that is not likely to be answered, what holds at least half of it is still about it. */
const COVERED = 0.5;

/** Hits, best first, canon before the rest. Search always finds something; what is about something else, or said already, is left out. */
async function relevant(at: At, query: string, { mode, diversity }: ContextOptions): Promise<Memory[]> {
  const { hits, abstain } = await search(at, query, {
    limit: MAX_ITEMS * 2,
    ...(mode !== undefined && { mode }),
    ...(diversity !== undefined && { diversity }),
  });
  const fresh = hits.filter(({ repeats }) => repeats === undefined);
  const about = abstain ? fresh.filter(({ text }) => coverage(query, [text]) >= COVERED) : fresh;
  const found = await Promise.all(about.map(({ id, scope }) => get(at, id, scope)));
  const known = new Map(about.map((hit, at) => [hit, found[at]]));
  const there = about.filter((hit) => known.get(hit) !== undefined);
  const telling = apartFrom(query, there, (hit) => saysNothing(known.get(hit)!)).map(
    (hit) => known.get(hit)!,
  );
  const rank = ({ tier, type }: Memory): number =>
    tier === "canon" ? 0 : laneOf(type) === "message" ? 2 : 1;
  return telling.toSorted((a, b) => rank(a) - rank(b));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
