/** Messages to and from the worker threads. */
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

/** Texts to embed, or pairs to judge; `weights` is the judge's file. */
export type Job =
  | { readonly texts: readonly string[] }
  | { readonly pairs: readonly (readonly [first: string, second: string])[]; readonly weights: string };

export type WorkerOutput =
  /** There is no cache yet: the weights are being quantized, which takes a second or two, once per machine. */
  | { readonly type: "preparing" }
  | { readonly type: "ready"; readonly shared: SharedWeights }
  /** A vector for each text, or the judge's outputs for each pair, one after the other. */
  | { readonly type: "result"; readonly numbers: Float32Array };
