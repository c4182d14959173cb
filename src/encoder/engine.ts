import { FFN, HIDDEN, LAYERS, MAX_TOKENS } from "./config.js";
import { KERNEL } from "./kernels.js";
import { type EncoderLayout, judgeLayout, type LinearOffsets, layout } from "./layout.js";

interface Kernels {
  quantizeRows(x: number, q: number, scales: number, rows: number, k: number): void;
  linear(
    q: number,
    rowScales: number,
    w: number,
    scales: number,
    bias: number,
    y: number,
    rows: number,
    k: number,
    n: number,
    gelu: number,
    scratch: number,
  ): void;
  layerNorm(x: number, residual: number, gain: number, bias: number, rows: number, width: number): void;
  attention(qkv: number, out: number, scratch: number, tokens: number, width: number): void;
}

/** Tokens of several texts run together, without padding between them. */
export const BATCH_TOKENS = 256;
/** Rows per matrix product: activations of 64 rows stay in the L2 cache. */
export const BLOCK = 64;
const PAGE = 65536;
/** Attention works on 4 queries at a time and may touch rows past the last one. */
const ROWS = BATCH_TOKENS + 8;
/** The kernels' own constants lie below this. */
export const WEIGHTS_AT = 4096;

interface Scratch {
  x: number;
  wide: number;
  narrow: number;
  q: number;
  scales: number;
  attention: number;
  products: number;
}

function scratchAt(start: number): { at: Scratch; end: number } {
  let at = (start + 63) & ~63;
  const take = (bytes: number): number => {
    const begin = at;
    at = (at + bytes + 63) & ~63;
    return begin;
  };
  const scratch = {
    x: take(ROWS * HIDDEN * 4),
    wide: take(Math.max(ROWS * 3 * HIDDEN, BLOCK * FFN) * 4), // q, k and v, later the FFN block
    narrow: take(ROWS * HIDDEN * 4),
    q: take(BLOCK * FFN * 2),
    scales: take(BLOCK * 4),
    products: take(HIDDEN * 16 + (BLOCK + 3) * 32),
    attention: take((36 * MAX_TOKENS + 128) * 4),
  };
  return { at: scratch, end: at };
}

const SCRATCH_BYTES = scratchAt(0).end + 64;

/** Where the judge's weights go when they are asked for; behind them one number says that they are there. */
export const judgeAt = (payloadBytes: number): number => (WEIGHTS_AT + payloadBytes + 63) & ~63;
const scratchFrom = (payloadBytes: number): number => judgeAt(payloadBytes) + judgeLayout().end + 16;

/**
 * Shared memory: the embedder's weights once, room for the judge's, then one scratch area per worker. Room that nobody
 * writes to costs nothing.
 */
export function createMemory(payloadBytes: number, workers: number): WebAssembly.Memory {
  const pages = Math.ceil((scratchFrom(payloadBytes) + workers * SCRATCH_BYTES) / PAGE) + 1;
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

export function payloadView(memory: WebAssembly.Memory, payloadBytes: number): Uint8Array {
  return new Uint8Array(memory.buffer, WEIGHTS_AT, payloadBytes);
}

/** The words that the weights know, one on each line. */
export function vocabularyView(memory: WebAssembly.Memory, payloadBytes: number): Uint8Array {
  return payloadView(memory, payloadBytes).subarray(layout().vocab);
}

/** What every encoder of this shape does, over the memory of one worker. Results of a text do not depend on its neighbours in a batch. */
export class Engine {
  readonly kernels: Kernels;
  readonly scratch: Scratch;
  readonly f32: Float32Array;
  readonly #i8: Int8Array;
  readonly #map = layout();

  constructor(
    readonly memory: WebAssembly.Memory,
    readonly payloadBytes: number,
    workerIndex: number,
  ) {
    const abort = (): never => {
      throw new Error("embedding kernel aborted");
    };
    const module = new WebAssembly.Module(Buffer.from(KERNEL, "base64"));
    const instance = new WebAssembly.Instance(module, { env: { memory, abort } });
    this.kernels = instance.exports as unknown as Kernels;
    this.scratch = scratchAt(scratchFrom(payloadBytes) + workerIndex * SCRATCH_BYTES).at;
    this.f32 = new Float32Array(memory.buffer);
    this.#i8 = new Int8Array(memory.buffer);
    this.#warmUp();
  }

  /**
   * Runs texts of so many tokens each through the layers, at most BATCH_TOKENS together. What goes in and what comes out is
   * in `scratch.x`, a row for each token.
   */
  encode(lengths: readonly number[], base: number, map: EncoderLayout): void {
    const [k, s] = [this.kernels, this.scratch];
    const rows = lengths.reduce((sum, length) => sum + length, 0);
    if (rows > BATCH_TOKENS) throw new RangeError(`batch of ${rows} tokens`);
    k.layerNorm(s.x, 0, base + map.norm.gain, base + map.norm.bias, rows, HIDDEN);

    for (let l = 0; l < LAYERS; l++) {
      const layer = map.layers[l]!;
      for (let t = 0; t < rows; t += BLOCK) {
        const n = Math.min(BLOCK, rows - t);
        const to = s.wide + t * 3 * HIDDEN * 4;
        this.linear(s.x + t * HIDDEN * 4, base, layer.qkv, to, n, HIDDEN, 3 * HIDDEN, false);
      }
      let first = 0;
      for (const length of lengths) {
        const from = s.wide + first * 3 * HIDDEN * 4;
        k.attention(from, s.narrow + first * HIDDEN * 4, s.attention, length, HIDDEN);
        first += length;
      }
      // The q/k/v area is free from here on and serves as the FFN block.
      for (let t = 0; t < rows; t += BLOCK) {
        const n = Math.min(BLOCK, rows - t);
        const x = s.x + t * HIDDEN * 4;
        const y = s.narrow + t * HIDDEN * 4;
        this.linear(y, base, layer.out, y, n, HIDDEN, HIDDEN, false);
        k.layerNorm(x, y, base + layer.norm1.gain, base + layer.norm1.bias, n, HIDDEN);
        this.linear(x, base, layer.up, s.wide, n, HIDDEN, FFN, true);
        this.linear(s.wide, base, layer.down, y, n, FFN, HIDDEN, false);
        k.layerNorm(x, y, base + layer.norm2.gain, base + layer.norm2.bias, n, HIDDEN);
      }
    }
  }

  /** At most BLOCK rows. y may equal x: the input is quantized to a separate buffer first. */
  linear(
    x: number,
    base: number,
    at: LinearOffsets,
    y: number,
    rows: number,
    k: number,
    n: number,
    gelu: boolean,
  ): void {
    const [kernels, s] = [this.kernels, this.scratch];
    kernels.quantizeRows(x, s.q, s.scales, (rows + 3) & ~3, k);
    kernels.linear(
      s.q,
      s.scales,
      base + at.w,
      base + at.scale,
      base + at.bias,
      y,
      rows,
      k,
      n,
      gelu ? 1 : 0,
      s.products,
    );
  }

  /** What takes nearly all the time, on whatever lies there: enough of it that V8 optimises it, in the background. */
  #warmUp(): void {
    const { x, wide } = this.scratch;
    this.linear(x, WEIGHTS_AT, this.#map.layers[0]!.up, wide, 4, HIDDEN, FFN, true);
  }

  /** Words as vectors, one after the other into `scratch.x`, each with what `beside` adds for its place in its text. */
  embedTokens(sequences: readonly (readonly number[])[], beside: (place: number) => number): void {
    const [f32, i8, map] = [this.f32, this.#i8, this.#map];
    const table = WEIGHTS_AT + map.word;
    const scales = (WEIGHTS_AT + map.wordScale) / 4;
    let to = this.scratch.x / 4;
    for (const ids of sequences) {
      for (let t = 0; t < ids.length; t++) {
        const row = table + ids[t]! * HIDDEN;
        const scale = f32[scales + ids[t]!]!;
        const added = beside(t) / 4;
        for (let j = 0; j < HIDDEN; j++) f32[to + j] = i8[row + j]! * scale + f32[added + j]!;
        to += HIDDEN;
      }
    }
  }
}
