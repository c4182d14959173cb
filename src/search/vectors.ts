import type { BranchName } from "../core/base/index.js";
import type { Companion } from "../repo/index.js";
import type { EmbedderChoice } from "./embed/load.js";
import type { Embedding, EmbeddingHost } from "./embedding.js";
import { EMBEDDED } from "./embedding-note.js";

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
