import { lettersOf } from "./_service.js";
import type { Embedder, EmbedKind } from "./port.js";
import { closedEmbedder, unavailable } from "./unavailable.js";

/** An embedder for tests, as good as any by the contract: counts letters, notes what it was asked, fails as told. */
export class Letters implements Embedder {
  readonly dimensions = 8;
  readonly maxTokens: number;
  readonly languages: readonly string[];
  readonly local: boolean;
  readonly id: string;
  readonly asked: { readonly kind: EmbedKind; readonly texts: readonly string[] }[] = [];
  /** Says which calls fail. */
  fails: (texts: readonly string[], kind: EmbedKind) => boolean = () => false;
  /** Waited for before every answer. */
  gate: Promise<unknown> = Promise.resolve();
  isClosed = false;

  constructor({
    id = "letters/v1",
    local = true,
    maxTokens = 256,
    languages = [] as readonly string[],
  } = {}) {
    this.id = id;
    this.local = local;
    this.maxTokens = maxTokens;
    this.languages = languages;
  }

  async embed(texts: readonly string[], kind: EmbedKind, signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (this.isClosed) throw closedEmbedder();
    this.asked.push({ kind, texts });
    await this.gate;
    await new Promise((resume) => setImmediate(resume));
    signal?.throwIfAborted();
    if (this.isClosed) throw closedEmbedder();
    if (this.fails(texts, kind)) throw unavailable("It fails as told.");
    return texts.map((text) => Float32Array.from(lettersOf(text)));
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  get documents(): string[] {
    return this.asked.filter(({ kind }) => kind === "document").flatMap(({ texts }) => texts);
  }
}
