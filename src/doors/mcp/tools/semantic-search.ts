import * as z from "zod";
import { VERBS } from "../../../session/index.js";
import { argument, limit } from "../fields.js";
import { fitting, quoted } from "../telling.js";
import { tool } from "../tool.js";

const BUDGET = 4_000;
/** Long enough for the model to load and for a few new memories, short enough to wait for. */
const WAIT_MS = 5_000;

const { options: OPTIONS } = VERBS.semanticSearch;

export const semanticSearch = tool({
  name: "semantic_search",
  title: "Search by meaning",
  description:
    "Find memories near in meaning though they use other words. memory_search is faster; use this when it finds nothing.",
  kind: "read",
  aliases: { query: ["question", "q", "text", "content"], limit: ["max", "k", "top_k", "n"] },
  example: { query: "where the test system listens" },
  input: z.strictObject({
    query: z.string().min(1).max(2_000),
    limit,
    min_similarity: argument(OPTIONS.minSimilarity, { min: -1, max: 1 }),
  }),
  output: z.object({
    status: z.enum(["complete", "partial", "unavailable"]),
    missing: z.number().optional(),
    reason: z.string().optional(),
    hits: z.array(z.object({ id: z.string(), text: z.string(), scope: z.string(), similarity: z.number() })),
  }),
  async run({ session }, { query, limit: most, min_similarity: minSimilarity }) {
    const { hits, status, missing, reason } = await session.semanticSearch(query, {
      ...{ limit: most, waitMs: WAIT_MS },
      ...(minSimilarity !== undefined && { minSimilarity }),
    });
    const found = hits.map(({ id, similarity, memory: { text, scope } }) => ({
      ...{ id, text, scope, similarity: Math.round(similarity * 1_000) / 1_000 },
    }));
    const { items } = fitting(found, BUDGET);
    return {
      status,
      ...(status === "partial" && { missing }),
      ...(status === "unavailable" && { reason: reason ?? "no embedder" }),
      hits: [...items],
    };
  },
  tell({ status, missing, reason, hits }) {
    const rows = hits.map(
      ({ id, text, scope, similarity }) => `${similarity} ${quoted(text)} (id ${id}, ${scope})`,
    );
    const note =
      status === "unavailable"
        ? [`Could not be searched by meaning: ${reason}. Use memory_search.`]
        : status === "partial"
          ? [`${missing} memories are not compared yet.`]
          : rows.length === 0
            ? ["Nothing is near in meaning."]
            : [];
    return [...rows, ...note].join("\n");
  },
});
