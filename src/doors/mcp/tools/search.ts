import * as z from "zod";
import type { Memory, SearchHit, Session } from "../../../session/index.js";
import { type ScopeMeant, scopeMeant } from "../../cli/scope-words.js";
import { unlisted } from "../arguments.js";
import type { Door } from "../door.js";
import { budget, limit, scopeWord } from "../fields.js";
import { bare, counted, fitting, quoted } from "../telling.js";
import { tool } from "../tool.js";

const hit = z.object({
  id: z.string(),
  text: z.string(),
  topic: z.string().optional(),
  scope: z.string(),
  type: z.string(),
  score: z.number().optional(),
  version: z.number(),
  updated: z.string(),
  by: z.string(),
});
type Hit = z.input<typeof hit>;

/** Looked at for those of one lifetime, which the index does not know. */
const MANY = 200;

export const search = tool({
  name: "memory_search",
  title: "Search memory",
  description:
    'List memories by words, "exact phrases", type: tag: before: after:, or the newest. ' +
    "Call it before adding or changing; to answer a question call memory_recall.",
  kind: "read",
  isAlwaysLoaded: true,
  aliases: {
    query: ["question", "q", "text", "content", "prompt", "search", "about", "keywords"],
    limit: ["max", "k", "top_k", "max_results", "n", "count"],
  },
  example: { query: "staging port" },
  input: z.strictObject({
    query: z.string().max(2_000).optional(),
    subject: z.string().max(1_200).optional(),
    predicate: unlisted(z.string().max(1_200).optional()),
    scope: scopeWord.optional(),
    limit,
    budget,
  }),
  output: z.object({ hits: z.array(hit), left: z.number(), abstain: z.boolean() }),
  async run(door, { query: words = "", subject, predicate, scope, limit: most, budget: tokens }) {
    const query = predicate === undefined ? words : `${words} ${predicate.replaceAll("_", " ")}`.trim();
    const meant = scopeMeant(scope, door.sight);
    const { found, abstain } = await find(door, asked(query, subject), meant, most);
    const { items, left } = fitting(found, tokens);
    return { hits: [...items], left, abstain };
  },
  tell({ hits, left, abstain }) {
    if (hits.length === 0)
      return abstain ? "Nothing of this is found in memory." : "Nothing found in memory.";
    const more = left > 0 ? [`${counted(left, "more hit")} did not fit the budget.`] : [];
    const doubt = abstain ? ["None of these is likely to answer the question."] : [];
    return [...hits.map(rowOf), ...more, ...doubt].join("\n");
  },
});

/** A subject is a filter of the question; its quotes would end it. */
const asked = (query: string, subject: string | undefined): string =>
  subject === undefined ? query : `${query} subject:"${subject.replaceAll(/["\n]/g, " ")}"`.trim();

interface Found {
  readonly found: readonly Hit[];
  /** Nothing of it is likely to answer the question. */
  readonly abstain: boolean;
}

async function find(door: Door, question: string, meant: ScopeMeant, limit: number): Promise<Found> {
  const { session } = door;
  const { lifetime, ...where } = meant;
  const most = lifetime === undefined ? limit : MANY;
  const { hits, abstain } =
    question.trim() === ""
      ? { hits: await newest(session, where, most), abstain: false }
      : await session.search(question, { ...where, limit: most });
  return { found: await lasting(session, hits, lifetime, limit), abstain };
}

const newest = async (
  session: Session,
  where: Omit<ScopeMeant, "lifetime">,
  most: number,
): Promise<readonly Memory[]> =>
  Object.keys(where).length === 0
    ? (await session.view({ max: most })).items
    : (await session.list(where)).toReversed().slice(0, most);

async function lasting(
  session: Session,
  found: readonly (SearchHit | Memory)[],
  lifetime: ScopeMeant["lifetime"],
  limit: number,
): Promise<Hit[]> {
  if (lifetime === undefined) return found.map(hitOf);
  const kept: Hit[] = [];
  for (const one of found) {
    if (kept.length >= limit) break;
    const memory = "lifetime" in one ? one : await session.get(one.id, { scope: one.scope });
    if (memory?.lifetime === lifetime) kept.push(hitOf(one));
  }
  return kept;
}

const hitOf = (found: SearchHit | Memory): Hit => ({
  id: found.id,
  text: found.text,
  ...(found.topic !== undefined && { topic: found.topic }),
  scope: found.scope,
  type: found.type,
  ...("score" in found && { score: Math.round(found.score * 1_000) / 1_000 }),
  version: found.version,
  updated: found.updatedAt,
  by: found.author.id,
});

function rowOf({ id, text, topic, scope, type, score, version, updated, by }: Hit, at: number): string {
  const about = [
    `id ${id}`,
    ...(topic === undefined ? [] : [`topic ${bare(topic)}`]),
    ...[scope, `${type} v${version}`, updated.slice(0, 10), `by ${by}`],
    ...(score === undefined ? [] : [`score ${score}`]),
  ];
  return `${at + 1}. ${quoted(text)} (${about.join(", ")})`;
}
