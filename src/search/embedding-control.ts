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

/** What whoever opened a store may know and say about its vectors. */
export interface EmbeddingControl {
  /** Over everything in the branches in use, whoever may see it. */
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
