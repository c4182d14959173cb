import { HttpClient, type Timeouts } from "./http.js";
import type { Embedder } from "./port.js";
import { unavailable } from "./unavailable.js";
import { inParts, readVectors, sayable } from "./vectors.js";

export interface OpenAiOptions {
  /** Default `text-embedding-3-small`. */
  readonly model?: string;
  /** Default `$OPENAI_BASE_URL`, else OpenAI's own; any service that speaks `/embeddings`. */
  readonly baseUrl?: string;
  /** Default `$OPENAI_API_KEY`. A local service may need none. */
  readonly apiKey?: string;
  /** Asked of models that can shorten their vectors. */
  readonly dimensions?: number;
  /** Default 8191, as of OpenAI's models. */
  readonly maxTokens?: number;
  readonly timeouts?: Timeouts;
}

const PART = 64;
const PROBE = "palimpsest";

/** Any service with an OpenAI-compatible `/embeddings`. The size of its vectors is asked for, not assumed. */
export async function openAiEmbedder(options: OpenAiOptions = {}, signal?: AbortSignal): Promise<Embedder> {
  const { env } = process;
  const model = options.model ?? "text-embedding-3-small";
  const key = options.apiKey ?? env.OPENAI_API_KEY;
  const base = options.baseUrl ?? env.OPENAI_BASE_URL ?? "https://api.openai.com/v1";
  const headers = key ? { authorization: `Bearer ${key}` } : {};
  const client = new HttpClient(base, headers, options.timeouts);
  const ask = async (texts: readonly string[], size: number | undefined, until?: AbortSignal) => {
    const asked = options.dimensions === undefined ? {} : { dimensions: options.dimensions };
    const body = { model, input: texts.map(sayable), encoding_format: "float", ...asked };
    const answer = (await client.json("embeddings", body, until)) as { data?: unknown };
    return readVectors(inOrder(answer?.data), texts.length, size);
  };
  const [probe] = await ask([PROBE], undefined, signal);
  const dimensions = probe!.length;
  return {
    id: `openai/${client.base.host}/${model.replaceAll(/\s/g, "-")}/${dimensions}`,
    dimensions,
    maxTokens: options.maxTokens ?? 8191,
    languages: [],
    local: client.isLocal,
    embed: (texts, _kind, until) => inParts(texts, PART, (part) => ask(part, dimensions, until)),
    close: async () => client.close(),
  };
}

/** The service says which vector belongs to which text; the order of the list is not promised. */
function inOrder(data: unknown): unknown {
  if (!Array.isArray(data)) throw unavailable("The service gave no vectors.");
  const items = data as { index?: number; embedding?: unknown }[];
  return items
    .map((item, at) => ({ index: item?.index ?? at, embedding: item?.embedding }))
    .sort((a, b) => a.index - b.index)
    .map(({ embedding }) => embedding);
}
