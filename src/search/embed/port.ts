/** What a text is for: something to be found, or the question that looks for it. Some models treat them differently. */
export type EmbedKind = "document" | "query";

/** Turns texts into vectors whose angles say how much alike the texts are. */
export interface Embedder {
  /** Model, version and preprocessing. Vectors of different ids are never compared. */
  readonly id: string;
  readonly dimensions: number;
  /** Longer texts are cut there, so long documents are split before. */
  readonly maxTokens: number;
  /** The languages the model understands, as BCP 47 tags; empty when it is not known. */
  readonly languages: readonly string[];
  /** Does every text stay on this machine? */
  readonly local: boolean;
  /**
   * One vector per text, in order, the same for the same text whatever else is asked for with it. A call that was
   * aborted rejects with the signal's reason at once; any other failure is a PalimpsestError (EMBEDDER_UNAVAILABLE,
   * or CLOSED after close).
   */
  embed(texts: readonly string[], kind: EmbedKind, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Lets go of threads and sockets; what is under way is refused with CLOSED. Closing twice is fine. */
  close(): Promise<void>;
}
