import { PalimpsestError } from "../../core/base/index.js";
import type { Memory } from "../../memories/index.js";
import { get } from "../../memories/index.js";
import type { At } from "../../repo/index.js";
import type { Corpus, Doc } from "../corpus.js";
import type { Embedding } from "../embedding.js";
import type { SemanticSearchOptions } from "../options.js";

export interface SemanticHit {
  readonly id: Memory["id"];
  readonly similarity: number;
  readonly memory: Memory;
}

export interface SemanticAnswer {
  /** Most alike first. */
  readonly hits: readonly SemanticHit[];
  /** unavailable: nothing could be compared, which is not the same as nothing found. */
  readonly status: "complete" | "partial" | "unavailable";
  /** Memories that have no vector yet and were not looked at. */
  readonly missing: number;
  readonly model?: string;
  /** What the model understands; questions in other languages are better searched by words. */
  readonly languages?: readonly string[];
  readonly reason?: string;
}

/** The memories whose meaning is nearest to a question, by their vectors alone. */
export async function semanticSearch(
  at: At,
  embedding: Embedding,
  query: string,
  { limit = 10, minSimilarity = 0.5, waitMs = 0 }: SemanticSearchOptions,
): Promise<SemanticAnswer> {
  const { context, now } = at;
  try {
    const corpus = await embedding.corpus(context.branch);
    if (!corpus) return unavailable("There is no embedder ($PAL_EMBEDDER is none).");
    embedding.start(context.branch);
    if (waitMs > 0) await embedding.done(context.branch, waitMs);
    const vector = await embedding.query(corpus.names(context.sight).strip(query));
    const { mask, missing } = corpus.seenBy(context.sight, now);
    const found = vector ? best(corpus, corpus.index.similar(vector, mask), mask, limit, minSimilarity) : [];
    const embedder = await embedding.embedder();
    return {
      hits: await hitsOf(at, found),
      status: missing === 0 ? "complete" : "partial",
      missing,
      ...(embedder && { model: embedder.id, languages: embedder.languages }),
    };
  } catch (error) {
    if (error instanceof PalimpsestError && error.code === "EMBEDDER_UNAVAILABLE")
      return unavailable(error.message);
    throw error;
  }
}

const unavailable = (reason: string): SemanticAnswer => ({
  hits: [],
  status: "unavailable",
  missing: 0,
  reason,
});

function best(
  corpus: Corpus,
  cosines: Float32Array,
  mask: Uint8Array,
  limit: number,
  least: number,
): { readonly doc: Doc; readonly similarity: number }[] {
  const found: { doc: Doc; similarity: number }[] = [];
  for (const [number, similarity] of cosines.entries()) {
    if (similarity < least || !mask[number] || !corpus.index.has(number)) continue;
    const doc = corpus.doc(number);
    if (doc) found.push({ doc, similarity });
  }
  // Equals in an order that does not depend on how this process came to know them.
  found.sort((a, b) => b.similarity - a.similarity || (a.doc.hash < b.doc.hash ? -1 : 1));
  return found.slice(0, limit);
}

async function hitsOf(
  at: At,
  found: readonly { readonly doc: Doc; readonly similarity: number }[],
): Promise<SemanticHit[]> {
  const hits: SemanticHit[] = [];
  for (const { doc, similarity } of found) {
    const memory = await get(at, doc.id, doc.scope);
    // A commit that came in between is seen by the vectors before it is seen here.
    if (memory?.hash === doc.hash) hits.push({ id: memory.id, similarity, memory });
  }
  return hits;
}
