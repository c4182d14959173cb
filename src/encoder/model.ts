import { HIDDEN } from "./config.js";
import { type Engine, WEIGHTS_AT } from "./engine.js";
import { layout } from "./layout.js";

/** The embedder: token ids in, unit vectors out. */
export class MiniLmModel {
  readonly #engine: Engine;
  readonly #map = layout();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** `sequences` hold at most BATCH_TOKENS tokens together. Writes one vector after another into `out`. */
  forward(sequences: readonly (readonly number[])[], out: Float32Array, outAt: number): void {
    const positions = WEIGHTS_AT + this.#map.position;
    this.#engine.embedTokens(sequences, (place) => positions + place * HIDDEN * 4);
    const lengths = sequences.map((ids) => ids.length);
    this.#engine.encode(lengths, WEIGHTS_AT, this.#map);
    let first = 0;
    for (const length of lengths) {
      this.#pool(first, length, out, outAt);
      first += length;
      outAt += HIDDEN;
    }
  }

  /** Mean over tokens, then unit length. */
  #pool(first: number, tokens: number, out: Float32Array, at: number): void {
    const f32 = this.#engine.f32;
    const sum = new Float64Array(HIDDEN);
    let from = this.#engine.scratch.x / 4 + first * HIDDEN;
    for (let t = 0; t < tokens; t++, from += HIDDEN) {
      for (let j = 0; j < HIDDEN; j++) sum[j]! += f32[from + j]!;
    }
    let square = 0;
    for (let j = 0; j < HIDDEN; j++) square += sum[j]! * sum[j]!;
    const norm = 1 / Math.sqrt(square || 1); // the mean's 1/tokens cancels out
    for (let j = 0; j < HIDDEN; j++) out[at + j] = sum[j]! * norm;
  }
}
