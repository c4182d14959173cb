import { packVectors } from "../index/index.js";
import { acquireLease, type Lease, type Storage } from "../storage/index.js";
import type { Batch, Corpus } from "./corpus.js";
import type { Embedder } from "./embed/port.js";
import { EMBEDDED, type EmbeddingNote } from "./embedding-text.js";

/** What the work is done on. */
export interface Workplace {
  readonly storage: Storage;
  /** Aborted when the store closes. */
  readonly signal: AbortSignal;
  embedder(): Promise<Embedder | undefined>;
  /** Every corpus in use, brought to its head. */
  corpora(): Promise<readonly Corpus[]>;
  figures(): EmbeddingNote;
}

/** Embedded between two looks at whatever else there is to do: so many memories, or so many characters, about a second. */
const BATCH = 16;
const BATCH_CHARS = 4_000;
/** What another process has embedded is only looked up, so more at once. */
const STORED_BATCH = 256;
const NOTE_MS = 5_000;
const RETRY_MS = [1_000, 5_000, 20_000, 60_000] as const;
const ELSEWHERE_MS = 1_000;

/**
 * The work in the background: one batch at a time, newest first, by one process for all. It keeps no process alive
 * (at most for the batch under way), nothing waits for it, and what failed is tried again later.
 */
export class EmbeddingWork {
  readonly #place: Workplace;
  readonly #listeners = new Set<() => void>();
  #lease: Lease | undefined;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #hasNews = false;
  #notedAt = Number.NEGATIVE_INFINITY;
  #msPerMemory: number | undefined;
  isPaused = false;
  isElsewhere = false;
  failure: string | undefined;

  constructor(place: Workplace) {
    this.#place = place;
  }

  start(): void {
    if (this.#running || this.isPaused || this.#place.signal.aborted) return;
    clearTimeout(this.#timer);
    this.failure = undefined;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.tell();
    });
  }

  /** Ends after the batch under way. */
  pause(): void {
    this.isPaused = true;
    clearTimeout(this.#timer);
  }

  /** Starts in a while, unless the process has ended by then. */
  later(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#place.signal.aborted) this.#timer = setTimeout(() => this.start(), ms).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.tell();
    await this.#rest().catch(() => undefined);
  }

  remainingMs(waiting: number): number | undefined {
    return this.#msPerMemory === undefined ? undefined : Math.round(this.#msPerMemory * waiting);
  }

  /** Called after every batch, and when the work ends; answers how to stop listening. What it throws is its caller's to mind. */
  onProgress(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(): void {
    // Outside of the work, which must not fail by who looks on.
    for (const listener of this.#listeners)
      queueMicrotask(() => {
        if (this.#listeners.has(listener)) listener();
      });
  }

  async #run(): Promise<void> {
    const { signal } = this.#place;
    try {
      while (!this.isPaused && !signal.aborted) {
        const busy = (await this.#place.corpora()).find(({ waiting }) => waiting > 0);
        if (!busy) return await this.#rest();
        // Not a reason to stay: a process that has nothing else to do ends here.
        await new Promise((resume) => setTimeout(resume, 0).unref());
        if (!(await this.#step(busy))) return;
        this.#failures = 0;
        this.tell();
      }
    } catch (error) {
      if (signal.aborted) return;
      this.failure = error instanceof Error ? error.message : String(error);
      this.later(RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)]!);
    }
  }

  /** One batch; false when it is another process's work. */
  async #step(corpus: Corpus): Promise<boolean> {
    this.isElsewhere = !(await this.#hasLease());
    if (this.isElsewhere) {
      await this.#takeStored(corpus, await corpus.next(STORED_BATCH));
      this.later(ELSEWHERE_MS);
      return false;
    }
    const batch = cut(await corpus.next(BATCH));
    const start = performance.now();
    await this.embed(corpus, batch);
    const each = (performance.now() - start) / Math.max(1, batch.length);
    this.#msPerMemory = this.#msPerMemory === undefined ? each : this.#msPerMemory * 0.9 + each * 0.1;
    if (performance.now() - this.#notedAt > NOTE_MS) await this.#note();
    return true;
  }

  /** Is this the process that does the work? The lease is kept until there is none left. */
  async #hasLease(): Promise<boolean> {
    if (this.#lease?.isHeld) return true;
    const { id } = (await this.#place.embedder())!;
    this.#lease = await acquireLease(this.#place.storage, `embedding/${id}`);
    if (this.#place.signal.aborted) await this.#release();
    return this.#lease !== undefined;
  }

  async #release(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    await lease?.release();
  }

  /** All is done: other processes hear so, and may be the next. */
  async #rest(): Promise<void> {
    if (this.#hasNews) await this.#note();
    await this.#release();
  }

  async #note(): Promise<void> {
    this.#notedAt = performance.now();
    this.#hasNews = false;
    const { storage, figures } = this.#place;
    await storage.setSide(EMBEDDED, JSON.stringify(figures()));
  }

  /** Embeds together; if that fails one by one, so that a single bad text holds up no other. */
  async embed(corpus: Corpus, batch: Batch): Promise<void> {
    try {
      await this.#embedTogether(corpus, batch);
    } catch (error) {
      let [succeeded, failed] = [0, 0];
      for (const one of batch) {
        // When the first few fail too it is not the text.
        if (this.#place.signal.aborted || batch.length === 1 || (succeeded === 0 && failed === 2)) break;
        await this.#embedTogether(corpus, [one]).then(
          () => succeeded++,
          () => {
            failed++;
            corpus.postpone(one.hash);
          },
        );
      }
      if (succeeded > 0) return;
      for (const { hash } of batch) corpus.postpone(hash);
      throw error;
    }
  }

  async #embedTogether(corpus: Corpus, batch: Batch): Promise<void> {
    const { storage, signal } = this.#place;
    const embedder = (await this.#place.embedder())!;
    const { epoch } = await storage.version();
    const lacking = await this.#takeStored(corpus, batch);
    const once = [...new Map(lacking.map(({ prepared }) => [prepared.key, prepared])).values()];
    const vectors = await embedder.embed(
      once.flatMap(({ texts }) => texts),
      "document",
      signal,
    );
    let at = 0;
    const entries = once.map(({ key, source, texts }) => {
      const own = packVectors(vectors.slice(at, at + texts.length));
      at += texts.length;
      return { key, source, vectors: own };
    });
    // Something was erased meanwhile: it may be one of these, so they are read again in the next round.
    if (entries.length > 0 && (await storage.putVectors(embedder.id, entries, epoch)) === "stale") return;
    this.#hasNews ||= entries.length > 0;
    const made = new Map(entries.map((entry) => [entry.key, entry.vectors]));
    for (const { hash, prepared } of lacking) corpus.fill(hash, prepared.key, made.get(prepared.key)!);
  }

  /** What somebody else has embedded meanwhile is taken over; answers what is still lacking. */
  async #takeStored(corpus: Corpus, batch: Batch): Promise<Batch> {
    const stored = await corpus.stored(batch.map(({ prepared }) => prepared.key));
    return batch.filter(({ hash, prepared }) => {
      const vectors = stored.get(prepared.key);
      if (vectors) corpus.fill(hash, prepared.key, vectors);
      return !vectors;
    });
  }
}

/** As many as fit, and at least one. */
function cut(batch: Batch): Batch {
  let size = 0;
  const end = batch.findIndex(({ prepared }, at) => {
    size += prepared.texts.reduce((sum, text) => sum + text.length, 0);
    return at > 0 && size > BATCH_CHARS;
  });
  return end < 0 ? batch : batch.slice(0, end);
}
