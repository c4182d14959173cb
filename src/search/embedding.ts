import { setMaxListeners } from "node:events";
import { type BranchName, type Hash, MAIN, PalimpsestError, parseBranch } from "../core/base/index.js";
import type { Tip } from "../core/ledger/index.js";
import type { EncoderThreads } from "../encoder/index.js";
import type { Reader } from "../repo/index.js";
import { Corpus } from "./corpus.js";
import { type EmbedderChoice, loadEmbedder, threadsOf } from "./embed/load.js";
import type { Embedder } from "./embed/port.js";
import { EmbeddingWork } from "./embedding-work.js";

/** What it needs of an open store. */
export interface EmbeddingHost {
  readonly reader: Reader;
  head(branch: BranchName): Promise<Tip>;
}

/** Writes in quick succession are followed once. */
const SETTLE_MS = 30;
/** Questions whose vectors are remembered. */
const QUERIES = 256;

/** The vectors of a store: of its memories, made in the background, and of questions. Made when first asked for. */
export class Embedding implements EmbeddingControl {
  readonly #host: EmbeddingHost;
  readonly #choice: EmbedderChoice | undefined;
  readonly #corpora = new Map<BranchName, Corpus>();
  readonly #queries = new Map<string, Float32Array>();
  readonly #abort = new AbortController();
  readonly #work: EmbeddingWork;
  #loading: Promise<Embedder | undefined> | undefined;
  #embedder: Embedder | undefined;
  #isOff = false;
  #isPreparing = false;

  constructor(host: EmbeddingHost, choice?: EmbedderChoice) {
    this.#host = host;
    this.#choice = choice;
    // As many questions wait at once as are asked; each lets go when it is answered.
    setMaxListeners(0, this.#abort.signal);
    this.#work = new EmbeddingWork({
      storage: host.reader.storage,
      signal: this.#abort.signal,
      embedder: () => this.embedder(),
      corpora: () => this.#followAll(),
      figures: () => {
        const { model = "", embedded, waiting, remainingMs } = this.state();
        return { model, embedded, waiting, remainingMs };
      },
    });
  }

  /** The embedder, loaded at the first call; undefined when there is none. A failure is not kept. */
  async embedder(): Promise<Embedder | undefined> {
    this.#abort.signal.throwIfAborted();
    this.#loading ??= loadEmbedder(this.#choice, {
      onPreparing: () => this.#prepares(),
      signal: this.#abort.signal,
    });
    try {
      this.#embedder = await this.#loading;
      this.#isOff = this.#embedder === undefined;
      return this.#embedder;
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  /** Those in which the embedder runs, if it is loaded or about to be. */
  async threads(): Promise<EncoderThreads | undefined> {
    return threadsOf(await this.#loading?.catch(() => undefined));
  }

  #prepares(): void {
    this.#isPreparing = true;
    this.#work.tell();
    const stop = this.#work.onProgress(() => {
      this.#isPreparing = false;
      stop();
    });
  }

  /** The memories of a branch with their vectors, as of its head; undefined when there is no embedder. */
  async corpus(branch: BranchName): Promise<Corpus | undefined> {
    const embedder = await this.embedder();
    if (!embedder) return undefined;
    const head = await this.#host.head(branch);
    const corpus = this.#corpora.get(branch) ?? new Corpus(this.#host.reader, embedder);
    this.#corpora.set(branch, corpus);
    await corpus.follow(head);
    return corpus;
  }

  /** Has anybody asked for vectors here? */
  get isInUse(): boolean {
    return this.#corpora.size > 0;
  }

  isLoaded(branch: BranchName): boolean {
    return this.#corpora.get(branch)?.isLoaded === true;
  }

  async #followAll(): Promise<Corpus[]> {
    for (const branch of this.#corpora.keys()) await this.corpus(branch);
    return [...this.#corpora.values()];
  }

  async query(text: string): Promise<Float32Array | undefined> {
    const asked = text.trim();
    const known = this.#queries.get(asked);
    if (known || asked === "") return known;
    const embedder = await this.embedder();
    if (!embedder) return undefined;
    const [vector] = await embedder.embed([asked], "query", this.#abort.signal);
    this.#isPreparing = false;
    if (this.#queries.size >= QUERIES) this.#queries.delete(this.#queries.keys().next().value as string);
    this.#queries.set(asked, vector!);
    return vector;
  }

  /** The vectors, in int8 one after the other, of those versions of memories that have them. */
  async vectorsOf(branch: BranchName, versions: Iterable<Hash>): Promise<Map<Hash, Int8Array>> {
    const corpus = await this.corpus(branch);
    const found = new Map<Hash, Int8Array>();
    for (const hash of versions) {
      const number = corpus?.numberOf(hash);
      if (number !== undefined && corpus?.index.has(number)) found.set(hash, corpus.index.vectorsOf(number));
    }
    return found;
  }

  /** The vectors of one version as numbers of length 1. */
  async unitVectors(branch: BranchName, version: Hash): Promise<Float32Array[]> {
    const packed = (await this.vectorsOf(branch, [version])).get(version);
    const size = this.#embedder?.dimensions ?? 1;
    return Array.from({ length: (packed?.length ?? 0) / size }, (_, at) =>
      unit(packed!.subarray(at * size, (at + 1) * size)),
    );
  }

  start(given: string = MAIN): void {
    const branch = parseBranch(given);
    if (this.#corpora.has(branch)) this.#work.start();
    // Where it fails to start a later call will ask again, and get the error.
    else
      void this.corpus(branch).then(
        () => this.#work.start(),
        () => undefined,
      );
  }

  pause(): void {
    this.#work.pause();
  }

  resume(): void {
    this.#work.isPaused = false;
    this.#work.start();
  }

  /** Something was erased: vectors and questions in RAM are made or read again. */
  forget(): void {
    this.#queries.clear();
    for (const branch of this.#corpora.keys())
      if (this.#embedder) this.#corpora.set(branch, new Corpus(this.#host.reader, this.#embedder));
  }

  /** Somebody committed. Costs nothing where nobody has asked for vectors yet. */
  committed(): void {
    if (this.#corpora.size > 0) this.#work.later(SETTLE_MS);
  }

  state(): EmbeddingState {
    let [embedded, waiting, withheld] = [0, 0, 0];
    for (const corpus of this.#corpora.values()) {
      embedded += corpus.embedded;
      waiting += corpus.waiting;
      withheld += corpus.withheld;
    }
    return {
      model: this.#embedder?.id,
      languages: this.#embedder?.languages ?? [],
      phase: this.#phase(waiting),
      embedded,
      waiting,
      withheld,
      remainingMs: this.#work.remainingMs(waiting),
      failure: this.#work.failure,
    };
  }

  #phase(waiting: number): EmbeddingState["phase"] {
    if (this.#isOff) return "off";
    if (this.#work.isPaused) return "paused";
    if (this.#work.failure !== undefined) return "failing";
    if (this.#isPreparing) return "preparing";
    if (waiting === 0) return "idle";
    return this.#work.isElsewhere ? "elsewhere" : "working";
  }

  onProgress(listener: () => void): () => void {
    return this.#work.onProgress(listener);
  }

  async done(given: string = MAIN, withinMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const branch = parseBranch(given);
    const end = performance.now() + withinMs;
    const alive = setInterval(() => undefined, 1000);
    try {
      for (let isFirst = true; ; isFirst = false) {
        const corpus = await this.corpus(branch);
        if (!corpus) return false;
        if (corpus.waiting === 0) return true;
        const left = end - performance.now();
        if (left <= 0 || this.#work.isPaused) return false;
        if (this.#work.failure !== undefined && !isFirst) return false;
        this.#work.start();
        await this.#news(left);
        if (this.#abort.signal.aborted) return false;
      }
    } finally {
      clearInterval(alive);
    }
  }

  /** Embeds these versions now, before any others. What fails is tried again in the background. */
  async now(branch: BranchName, versions: readonly Hash[]): Promise<void> {
    const corpus = await this.corpus(branch);
    if (!corpus) return;
    try {
      const lacking = (await corpus.prepared(versions)).filter(
        ({ hash }) => !corpus.index.has(corpus.numberOf(hash) ?? -1),
      );
      if (lacking.length > 0) await this.#work.embed(corpus, lacking);
    } finally {
      this.#work.later(SETTLE_MS);
    }
  }

  async close(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort(new PalimpsestError("CLOSED", "The store is closed."));
    await this.#work.stop();
    const embedder = await this.#loading?.catch(() => undefined);
    // One that the caller made is the caller's to close.
    if (embedder !== this.#choice) await embedder?.close();
  }

  #news(withinMs: number): Promise<void> {
    return new Promise((resume) => {
      const heard = (): void => {
        clearTimeout(timer);
        stop();
        resume();
      };
      const timer = setTimeout(heard, Math.min(withinMs, 1000));
      const stop = this.#work.onProgress(heard);
    });
  }
}

function unit(vector: Int8Array): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

export interface EmbeddingState {
  /** Undefined until the embedder was loaded, and when there is none. */
  readonly model: string | undefined;
  /** What the model understands; empty when it is not known. */
  readonly languages: readonly string[];
  /**
   * off: there is no embedder. preparing: the model is made ready, once per machine. failing: it is tried again later.
   * elsewhere: another process is at it.
   */
  readonly phase: "off" | "preparing" | "idle" | "working" | "paused" | "failing" | "elsewhere";
  readonly embedded: number;
  readonly waiting: number;
  /** Private memories, which a service on another machine is not shown. */
  readonly withheld: number;
  /** A guess from what the last ones took. */
  readonly remainingMs: number | undefined;
  readonly failure: string | undefined;
}

/** What the program that opened a store may know and say about its vectors. */
export interface EmbeddingControl {
  /** Over everything in the branches in use, in sight of a session or not. */
  state(): EmbeddingState;
  /** The vector of a text as a question; undefined for one that says nothing. Asked again it is remembered. */
  query(text: string): Promise<Float32Array | undefined>;
  /** Begins to embed what has no vector, and goes on with what is written from now on; returns at once. */
  start(branch?: string): void;
  /** Ends after the batch under way, until `resume`. Questions are still answered. */
  pause(): void;
  resume(): void;
  /** Called after every batch and when the model is being prepared; answers how to stop listening. */
  onProgress(listener: () => void): () => void;
  /**
   * True when every memory of a branch has its vector; false when it failed, was paused or took longer than `withinMs`.
   * Unlike the work in the background this does keep the process alive.
   */
  done(branch?: string, withinMs?: number): Promise<boolean>;
}
