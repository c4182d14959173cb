import { FFN, HIDDEN, LAYERS, MAX_TOKENS } from "./config.js";
import { KERNEL } from "./kernels.js";
import { type LinearOffsets, layout } from "./layout.js";

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
const BLOCK = 64;
const PAGE = 65536;
/** Attention works on 4 queries at a time and may touch rows past the last one. */
const ROWS = BATCH_TOKENS + 8;
/** The kernels' own constants lie below this. */
const WEIGHTS_AT = 4096;

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

/** Shared memory: the weights once, then one scratch area per worker. */
export function createMemory(payloadBytes: number, workers: number): WebAssembly.Memory {
  const pages = Math.ceil((WEIGHTS_AT + payloadBytes + workers * SCRATCH_BYTES) / PAGE) + 1;
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

export function payloadView(memory: WebAssembly.Memory, payloadBytes: number): Uint8Array {
  return new Uint8Array(memory.buffer, WEIGHTS_AT, payloadBytes);
}

/** The words that the weights know, one on each line. */
export function vocabularyView(memory: WebAssembly.Memory, payloadBytes: number): Uint8Array {
  return payloadView(memory, payloadBytes).subarray(layout().vocab);
}

/** The encoder: token ids in, unit vectors out. Results of a text do not depend on its neighbours in a batch. */
export class MiniLmModel {
  readonly #kernels: Kernels;
  readonly #scratch: Scratch;
  readonly #map = layout();
  readonly #f32: Float32Array;
  readonly #i8: Int8Array;

  constructor(memory: WebAssembly.Memory, payloadBytes: number, workerIndex: number) {
    const abort = (): never => {
      throw new Error("embedding kernel aborted");
    };
    const module = new WebAssembly.Module(Buffer.from(KERNEL, "base64"));
    const instance = new WebAssembly.Instance(module, { env: { memory, abort } });
    this.#kernels = instance.exports as unknown as Kernels;
    this.#scratch = scratchAt(WEIGHTS_AT + payloadBytes + workerIndex * SCRATCH_BYTES).at;
    this.#f32 = new Float32Array(memory.buffer);
    this.#i8 = new Int8Array(memory.buffer);
    this.#warmUp();
  }

  /** `sequences` hold at most BATCH_TOKENS tokens together. Writes one vector after another into `out`. */
  forward(sequences: readonly number[][], out: Float32Array, outAt: number): void {
    const [k, s, map] = [this.#kernels, this.#scratch, this.#map];
    const rows = sequences.reduce((sum, ids) => sum + ids.length, 0);
    if (rows > BATCH_TOKENS) throw new RangeError(`batch of ${rows} tokens`);
    this.#embedTokens(sequences);
    k.layerNorm(s.x, 0, WEIGHTS_AT + map.norm.gain, WEIGHTS_AT + map.norm.bias, rows, HIDDEN);

    for (let l = 0; l < LAYERS; l++) {
      const layer = map.layers[l]!;
      for (let t = 0; t < rows; t += BLOCK) {
        const n = Math.min(BLOCK, rows - t);
        this.#linear(
          s.x + t * HIDDEN * 4,
          layer.qkv,
          s.wide + t * 3 * HIDDEN * 4,
          n,
          HIDDEN,
          3 * HIDDEN,
          false,
        );
      }
      let first = 0;
      for (const ids of sequences) {
        k.attention(
          s.wide + first * 3 * HIDDEN * 4,
          s.narrow + first * HIDDEN * 4,
          s.attention,
          ids.length,
          HIDDEN,
        );
        first += ids.length;
      }
      // The q/k/v area is free from here on and serves as the FFN block.
      for (let t = 0; t < rows; t += BLOCK) {
        const n = Math.min(BLOCK, rows - t);
        const x = s.x + t * HIDDEN * 4;
        const y = s.narrow + t * HIDDEN * 4;
        this.#linear(y, layer.out, y, n, HIDDEN, HIDDEN, false);
        k.layerNorm(x, y, WEIGHTS_AT + layer.norm1.gain, WEIGHTS_AT + layer.norm1.bias, n, HIDDEN);
        this.#linear(x, layer.up, s.wide, n, HIDDEN, FFN, true);
        this.#linear(s.wide, layer.down, y, n, FFN, HIDDEN, false);
        k.layerNorm(x, y, WEIGHTS_AT + layer.norm2.gain, WEIGHTS_AT + layer.norm2.bias, n, HIDDEN);
      }
    }
    let first = 0;
    for (const ids of sequences) {
      this.#pool(first, ids.length, out, outAt);
      first += ids.length;
      outAt += HIDDEN;
    }
  }

  /** y may equal x: the input is quantized to a separate buffer first. */
  #linear(x: number, at: LinearOffsets, y: number, rows: number, k: number, n: number, gelu: boolean): void {
    const [kernels, s] = [this.#kernels, this.#scratch];
    kernels.quantizeRows(x, s.q, s.scales, (rows + 3) & ~3, k);
    kernels.linear(
      s.q,
      s.scales,
      WEIGHTS_AT + at.w,
      WEIGHTS_AT + at.scale,
      WEIGHTS_AT + at.bias,
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
    const { x, wide } = this.#scratch;
    this.#linear(x, this.#map.layers[0]!.up, wide, 4, HIDDEN, FFN, true);
  }

  #embedTokens(sequences: readonly number[][]): void {
    const [f32, i8, map] = [this.#f32, this.#i8, this.#map];
    const table = WEIGHTS_AT + map.word;
    const scales = (WEIGHTS_AT + map.wordScale) / 4;
    const positions = (WEIGHTS_AT + map.position) / 4;
    let to = this.#scratch.x / 4;
    for (const ids of sequences) {
      for (let t = 0; t < ids.length; t++) {
        const row = table + ids[t]! * HIDDEN;
        const scale = f32[scales + ids[t]!]!;
        const position = positions + t * HIDDEN;
        for (let j = 0; j < HIDDEN; j++) f32[to + j] = i8[row + j]! * scale + f32[position + j]!;
        to += HIDDEN;
      }
    }
  }

  /** Mean over tokens, then unit length. */
  #pool(first: number, tokens: number, out: Float32Array, at: number): void {
    const f32 = this.#f32;
    const sum = new Float64Array(HIDDEN);
    let from = this.#scratch.x / 4 + first * HIDDEN;
    for (let t = 0; t < tokens; t++, from += HIDDEN) {
      for (let j = 0; j < HIDDEN; j++) sum[j]! += f32[from + j]!;
    }
    let square = 0;
    for (let j = 0; j < HIDDEN; j++) square += sum[j]! * sum[j]!;
    const norm = 1 / Math.sqrt(square || 1); // the mean's 1/tokens cancels out
    for (let j = 0; j < HIDDEN; j++) out[at + j] = sum[j]! * norm;
  }
}
