import type { Citation, Layer, LayerAnswer } from "../layers.js";
import { answerFrom } from "../texts.js";
import { type CacheOptions, cachedArtifacts } from "./cache.js";
import type { Artifact, ArtifactSource } from "./port.js";
import { artifactQuery, isNamed } from "./query.js";

export interface ArtifactLayerOptions extends CacheOptions {
  /** For all sources together; default 10 s. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const MOST = 5;

/** L3: what forges and repositories say. Asked when memory does not know, or when the question names something there. */
export function artifactLayer(sources: readonly ArtifactSource[], options: ArtifactLayerOptions = {}): Layer {
  const { timeoutMs = TIMEOUT_MS } = options;
  const cached = sources.map((source) => cachedArtifacts(source, options));
  return {
    name: "L3",
    isNamedIn: (question) => isNamed(artifactQuery(question)),
    async ask(question): Promise<LayerAnswer> {
      const query = artifactQuery(question);
      const signal = AbortSignal.timeout(timeoutMs);
      const answers = await Promise.allSettled(cached.map((source) => source.find(query, signal)));
      const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      const failed = answers.flatMap((answer) =>
        answer.status === "rejected" ? [messageOf(answer.reason)] : [],
      );
      const judged = judge(question, found);
      // What a source that failed might have held is not known.
      return judged.status === "empty" && failed.length > 0
        ? { ...judged, status: "unavailable", reason: failed.join(" ") }
        : judged;
    },
  };
}

/** What the question named is the answer, whatever its words; among the rest the words decide. */
function judge(question: string, found: readonly Artifact[]): LayerAnswer {
  const named = found.filter((one) => one.isNamed);
  const rest = answerFrom(question, found.filter((one) => !one.isNamed).map(textOf));
  if (named.length === 0) return rest;
  const citations = named.map((one) => ({ ...textOf(one), score: 1 }));
  return { status: "hit", best: 1, found: [...citations, ...rest.found].slice(0, MOST) };
}

const textOf = ({
  id,
  title,
  text,
  updatedAt,
  author,
  uri,
}: Artifact): Omit<Citation, "score"> & { title: string } => ({
  layer: "L3",
  id,
  title,
  text,
  uri,
  ...(updatedAt !== undefined && { updatedAt }),
  ...(author !== undefined && { speaker: author }),
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
