import type { BranchName, Hash, JsonObject } from "../core/base/index.js";
import type { EncoderThreads } from "../encoder/index.js";
import type { Verdict } from "../gate/index.js";
import type { Companion, Engine, WrittenItem } from "../repo/index.js";
import type { EmbedderChoice } from "./embed/load.js";
import type { Embedding, EmbeddingHost } from "./embedding.js";
import { EMBEDDED } from "./embedding-text.js";

const STAY_MS = 2_000;

/** What vectors need of an open store. */
export interface VectorsHost extends EmbeddingHost {
  assertOpen(): void;
}

/** The vectors of an open store; nothing of them is loaded before somebody asks. */
export class Vectors implements Companion {
  readonly #host: VectorsHost;
  readonly #choice: EmbedderChoice | undefined;
  #embedding: Embedding | undefined;
  #stay: NodeJS.Timeout | undefined;

  constructor(host: VectorsHost, choice: EmbedderChoice | undefined) {
    this.#host = host;
    this.#choice = choice;
  }

  async embedding(): Promise<Embedding> {
    const { Embedding } = await import("./embedding.js");
    this.#host.assertOpen();
    this.#embedding ??= new Embedding(this.#host, this.#choice);
    return this.#embedding;
  }

  /** The threads of the embedder, where one is loaded and runs in some. */
  async threads(): Promise<EncoderThreads | undefined> {
    return this.#embedding?.threads();
  }

  get inUse(): boolean {
    return this.#embedding?.isInUse === true;
  }

  /** Has anybody, here or elsewhere, embedded something of this store? Costs one look. */
  async areThere(): Promise<boolean> {
    return (await this.#host.reader.storage.side(EMBEDDED)) !== undefined;
  }

  /** A process that searches and is still here a while later gets vectors; one that ends before never loads a model. */
  searched(branch: BranchName): void {
    this.#stay ??= setTimeout(() => {
      void this.embedding().then(
        (embedding) => embedding.start(branch),
        () => undefined,
      );
    }, STAY_MS).unref();
  }

  /** A memory that asks for its vector has it before its writer is answered. A failure is made good later. */
  written(items: readonly WrittenItem[], verdicts: readonly Verdict[]): Promise<void> | undefined {
    const marked = verdicts.filter(({ commit }, at) => commit !== undefined && isMarked(items[at]));
    if (marked.length === 0) return undefined;
    return this.#embed(
      marked[0]!.branch,
      marked.flatMap(({ hash }) => hash ?? []),
    );
  }

  async #embed(branch: BranchName, versions: readonly Hash[]): Promise<void> {
    const embedding = await this.embedding();
    await embedding.now(branch, versions).catch(() => undefined);
  }

  committed(): void {
    this.#embedding?.committed();
  }

  erased(): void {
    this.#embedding?.forget();
  }

  async close(): Promise<void> {
    clearTimeout(this.#stay);
    await this.#embedding?.close();
  }
}

/** A node that asks to be embedded when it comes in. What cannot be read is refused elsewhere. */
export function isMarked(
  item: string | { readonly attributes?: JsonObject | undefined } | undefined,
): boolean {
  try {
    return typeof item === "object" && item.attributes?.EMBED === "t";
  } catch {
    return false;
  }
}

/** What asks for its vector has it before its writer is answered; a failure is no failure of the write, and made good later. */
export async function embedNow(engine: Engine, branch: BranchName, versions: readonly Hash[]): Promise<void> {
  if (versions.length === 0) return;
  const embedding = await engine.companion(Vectors).embedding();
  await embedding.now(branch, versions).catch(() => undefined);
}
