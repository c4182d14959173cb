import { HttpClient, type Timeouts } from "./http.js";
import type { Embedder, EmbedKind } from "./port.js";
import { inParts, readVectors, sayable } from "./vectors.js";

export interface OllamaOptions {
  /** Default `$OLLAMA_EMBEDDING_MODEL`, else `nomic-embed-text`. */
  readonly model?: string;
  /** Default `$OLLAMA_HOST`, else localhost:11434; with or without scheme and port, as Ollama itself takes it. */
  readonly host?: string;
  readonly timeouts?: Timeouts;
}

const PART = 32;
/** What Ollama cuts at unless a model says otherwise. */
const USUAL_TOKENS = 2048;

/** Models that were trained with a word before each text that says what it is for. */
const PREFIXES: readonly (readonly [model: RegExp, prefixes: Readonly<Record<EmbedKind, string>>])[] = [
  [/^nomic-embed-text/, { document: "search_document: ", query: "search_query: " }],
];

/** A model served by Ollama. Its digest is part of the id: a model that was pulled anew is another model. */
export async function ollamaEmbedder(options: OllamaOptions = {}, signal?: AbortSignal): Promise<Embedder> {
  const model = options.model ?? (process.env.OLLAMA_EMBEDDING_MODEL || "nomic-embed-text");
  const client = new HttpClient(addressOf(options.host ?? process.env.OLLAMA_HOST), {}, options.timeouts);
  const prefixes = PREFIXES.find(([pattern]) => pattern.test(model))?.[1];
  let isOld = false;
  const ask = async (texts: readonly string[], size: number | undefined, until?: AbortSignal) => {
    const input = texts.map(sayable);
    if (!isOld) {
      const { status, text } = await client.call("api/embed", { model, input }, until);
      // Before 0.3 there was no such path, and Go's router says so; a model that is missing is a 404 too.
      isOld = status === 404 && /page not found/.test(text);
      const answer = isOld ? undefined : (client.read(status, text) as { embeddings?: unknown });
      if (answer) return readVectors(answer.embeddings, texts.length, size);
    }
    const vectors: unknown[] = [];
    for (const prompt of input) {
      const answer = await client.json("api/embeddings", { model, prompt }, until);
      vectors.push((answer as { embedding?: unknown })?.embedding);
    }
    return readVectors(vectors, texts.length, size);
  };
  const [probe] = await ask(["palimpsest"], undefined, signal);
  const dimensions = probe!.length;
  const version = (await digestOf(client, model, signal)) ?? "unknown";
  return {
    id: `ollama/${model}@${version}/${dimensions}${prefixes ? "/prefixed" : ""}`,
    dimensions,
    maxTokens: USUAL_TOKENS,
    languages: /^nomic-embed-text/.test(model) ? ["en"] : [],
    local: client.isLocal,
    embed: (texts, kind, until) =>
      inParts(texts, PART, (part) =>
        ask(
          part.map((text) => (prefixes ? prefixes[kind] + text : text)),
          dimensions,
          until,
        ),
      ),
    close: async () => client.close(),
  };
}

async function digestOf(
  client: HttpClient,
  model: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { status, text } = await client.call("api/tags", undefined, signal);
  if (status !== 200) return undefined;
  const tags = client.read(status, text) as { models?: { name?: string; digest?: string }[] };
  const named = new Set([model, `${model}:latest`]);
  return tags?.models?.find?.(({ name }) => named.has(name ?? ""))?.digest?.slice(0, 12);
}

/** `0.0.0.0` is where a server listens, not where it can be called. */
export function addressOf(host: string | undefined): string {
  const given = host?.trim() || "localhost:11434";
  const url = new URL(/^[a-z]+:\/\//i.test(given) ? given : `http://${given}`);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (!/^[a-z]+:\/\/|:\d+(\/|$)/i.test(given)) url.port = "11434";
  return url.href;
}
