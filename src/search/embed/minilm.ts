import { EMBEDDER_ID, type EncoderOptions, EncoderThreads, HIDDEN, MAX_TOKENS } from "../../encoder/index.js";
import type { Embedder, EmbedKind } from "./port.js";

/** `threads` are those of others that run the same engine; without them it has its own. */
export interface MiniLmOptions extends EncoderOptions {
  readonly threads?: EncoderThreads;
}

/** What one message to a worker holds at most: an abort waits for no more than this. */
const CHUNK_TOKENS = 512;
/** A low guess; only the size of chunks depends on it. */
const CHARS_PER_TOKEN = 3;

/** all-MiniLM-L6-v2 in int8. */
class MiniLm implements Embedder {
  readonly id = EMBEDDER_ID;
  readonly dimensions = HIDDEN;
  readonly maxTokens = MAX_TOKENS;
  readonly languages = ["en"];
  readonly local = true;
  readonly threads: EncoderThreads;

  constructor(options: MiniLmOptions) {
    this.threads = options.threads ?? new EncoderThreads(options);
  }

  async embed(texts: readonly string[], kind: EmbedKind, signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    // Somebody waits for a query; documents are embedded in the background.
    const urgency = kind === "query" ? "urgent" : "bulk";
    try {
      const jobs = chunk(texts).map((part) => ({ texts: part }));
      return (await this.threads.run(jobs, urgency, signal)).flatMap(split);
    } catch (error) {
      throw signal?.aborted ? signal.reason : await this.#failure(error);
    }
  }

  close(): Promise<void> {
    return this.threads.close();
  }

  /** What went wrong, as callers see it. Loaded late: errors come with half of a session, and a start need not wait for it. */
  async #failure(error: unknown): Promise<Error> {
    const { asUnavailable, closedEmbedder } = await import("./unavailable.js");
    return this.threads.isClosed ? closedEmbedder() : asUnavailable(error, "The model cannot be used");
  }
}

export const miniLmEmbedder = (options: MiniLmOptions): Embedder => new MiniLm(options);

function chunk(texts: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let current: string[] = [];
  let tokens = 0;
  for (const text of texts) {
    const guess = Math.min(MAX_TOKENS, 2 + Math.ceil(text.length / CHARS_PER_TOKEN));
    if (current.length > 0 && tokens + guess > CHUNK_TOKENS) {
      chunks.push(current);
      current = [];
      tokens = 0;
    }
    current.push(text);
    tokens += guess;
  }
  if (current.length > 0) chunks.push(current);
  return chunks;
}

function split(vectors: Float32Array): Float32Array[] {
  const out: Float32Array[] = [];
  for (let at = 0; at < vectors.length; at += HIDDEN) out.push(vectors.slice(at, at + HIDDEN));
  return out;
}
