/** Messages between the embedder and its worker threads. */
export interface SharedWeights {
  readonly memory: WebAssembly.Memory;
  readonly payloadBytes: number;
}

export interface WorkerInput {
  readonly index: number;
  readonly maxWorkers: number;
  readonly cacheDir: string;
  readonly modelDir: string | undefined;
  /** Set for every worker but the first, which loads the weights. */
  readonly shared: SharedWeights | undefined;
}

export interface Job {
  readonly texts: readonly string[];
}

export type WorkerOutput =
  /** There is no cache yet: the weights are being quantized, which takes a second or two, once per machine. */
  | { readonly type: "preparing" }
  | { readonly type: "ready"; readonly shared: SharedWeights }
  | { readonly type: "result"; readonly vectors: Float32Array };
