import { FFN, HIDDEN, LAYERS, MAX_TOKENS, VOCAB } from "./config.js";

export interface LinearOffsets {
  readonly w: number;
  readonly scale: number;
  readonly bias: number;
}

export interface NormOffsets {
  readonly gain: number;
  readonly bias: number;
}

export interface LayerOffsets {
  readonly qkv: LinearOffsets;
  readonly out: LinearOffsets;
  readonly norm1: NormOffsets;
  readonly up: LinearOffsets;
  readonly down: LinearOffsets;
  readonly norm2: NormOffsets;
}

export interface Layout {
  readonly word: number;
  readonly wordScale: number;
  readonly position: number;
  readonly norm: NormOffsets;
  readonly layers: readonly LayerOffsets[];
  /** Where the vocabulary starts; it runs to the end. */
  readonly vocab: number;
}

/** Byte offsets of the quantized weights. Computed, not stored: FORMAT_VERSION fixes the shape. */
export function layout(): Layout {
  let at = 0;
  const take = (bytes: number): number => {
    const start = at;
    at = (at + bytes + 15) & ~15; // SIMD loads like 16-byte alignment
    return start;
  };
  const linear = (n: number, k: number): LinearOffsets => ({
    w: take(n * k),
    scale: take(n * 4),
    bias: take(n * 4),
  });
  const norm = (): NormOffsets => ({ gain: take(HIDDEN * 4), bias: take(HIDDEN * 4) });
  const word = take(VOCAB * HIDDEN);
  const wordScale = take(VOCAB * 4);
  const position = take(MAX_TOKENS * HIDDEN * 4);
  const embeddingNorm = norm();
  const layers: LayerOffsets[] = [];
  for (let l = 0; l < LAYERS; l++)
    layers.push({
      qkv: linear(3 * HIDDEN, HIDDEN),
      out: linear(HIDDEN, HIDDEN),
      norm1: norm(),
      up: linear(FFN, HIDDEN),
      down: linear(HIDDEN, FFN),
      norm2: norm(),
    });
  return { word, wordScale, position, norm: embeddingNorm, layers, vocab: at };
}
