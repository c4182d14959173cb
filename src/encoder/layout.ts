import { FFN, HIDDEN, JUDGE_OUTPUTS, JUDGE_TOKENS, LAYERS, MAX_TOKENS, VOCAB } from "./config.js";

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

/** What every encoder of this shape has. */
export interface EncoderLayout {
  readonly norm: NormOffsets;
  readonly layers: readonly LayerOffsets[];
}

export interface Layout extends EncoderLayout {
  readonly word: number;
  readonly wordScale: number;
  readonly position: number;
  /** Where the vocabulary starts; it runs to the end. */
  readonly vocab: number;
}

/** The judge reads words by the embedder's table. */
export interface JudgeLayout extends EncoderLayout {
  readonly position: number;
  readonly segment: number;
  readonly head: LinearOffsets;
  readonly out: number;
  readonly outBias: number;
  readonly end: number;
}

/** Gives out one place after another. */
class Places {
  at = 0;

  take(bytes: number): number {
    const start = this.at;
    this.at = (this.at + bytes + 15) & ~15; // SIMD loads like 16-byte alignment
    return start;
  }

  linear(n: number, k: number): LinearOffsets {
    return { w: this.take(n * k), scale: this.take(n * 4), bias: this.take(n * 4) };
  }

  norm(): NormOffsets {
    return { gain: this.take(HIDDEN * 4), bias: this.take(HIDDEN * 4) };
  }

  encoder(): EncoderLayout {
    const norm = this.norm();
    const layers: LayerOffsets[] = [];
    for (let l = 0; l < LAYERS; l++)
      layers.push({
        qkv: this.linear(3 * HIDDEN, HIDDEN),
        out: this.linear(HIDDEN, HIDDEN),
        norm1: this.norm(),
        up: this.linear(FFN, HIDDEN),
        down: this.linear(HIDDEN, FFN),
        norm2: this.norm(),
      });
    return { norm, layers };
  }
}

/** Byte offsets of the quantized weights. Computed, not stored: FORMAT_VERSION fixes the shape. */
export function layout(): Layout {
  const places = new Places();
  const word = places.take(VOCAB * HIDDEN);
  const wordScale = places.take(VOCAB * 4);
  const position = places.take(MAX_TOKENS * HIDDEN * 4);
  return { word, wordScale, position, ...places.encoder(), vocab: places.at };
}

/** The same for the judge's weights; `train/export.py` writes them in this order. */
export function judgeLayout(): JudgeLayout {
  const places = new Places();
  const position = places.take(JUDGE_TOKENS * HIDDEN * 4);
  const segment = places.take(2 * HIDDEN * 4);
  const encoder = places.encoder();
  const head = places.linear(HIDDEN, 2 * HIDDEN);
  const out = places.take(JUDGE_OUTPUTS * HIDDEN * 4);
  const outBias = places.take(JUDGE_OUTPUTS * 4);
  return { position, segment, ...encoder, head, out, outBias, end: places.at };
}
