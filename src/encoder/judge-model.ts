import { HIDDEN, JUDGE_FIRST_TOKENS, JUDGE_OUTPUTS, JUDGE_TOKENS } from "./config.js";
import { BLOCK, type Engine, judgeAt } from "./engine.js";
import { judgeLayout } from "./layout.js";
import type { WordPieceTokenizer } from "./tokenizer.js";

/** Two texts as the judge reads them: [CLS] first [SEP] second [SEP]. */
export interface PairIds {
  readonly ids: readonly number[];
  /** Where the second text begins. */
  readonly second: number;
}

/** A text alone is a pair whose second text is empty. */
export function pairIds(tokenizer: WordPieceTokenizer, first: string, second: string): PairIds {
  const room = JUDGE_TOKENS - 3;
  const after = tokenizer.encode(second, room + 2).slice(1);
  const before = tokenizer.encode(first, (after.length > 1 ? JUDGE_FIRST_TOKENS : room) + 2);
  const rest = after.slice(0, -1).slice(0, JUDGE_TOKENS - 1 - before.length);
  return { ids: [...before, ...rest, ...after.slice(-1)], second: before.length };
}

/**
 * tanh to four places, in operations that every machine and Node rounds alike; Math.tanh is none of them. Beyond the edge the
 * fraction would leave the range.
 */
function tanh(x: number): number {
  const v = Math.max(-4.97, Math.min(4.97, x));
  const s = v * v;
  return (v * (135135 + s * (17325 + s * (378 + s)))) / (135135 + s * (62370 + s * (3150 + s * 28)));
}

/** The judge: pairs in, for each the sums of its heads out. */
export class JudgeModel {
  readonly #engine: Engine;
  readonly #map = judgeLayout();
  readonly #at: number;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#at = judgeAt(engine.payloadBytes);
  }

  /** `pairs` hold at most BATCH_TOKENS tokens together. Writes JUDGE_OUTPUTS numbers for each into `out`. */
  forward(pairs: readonly PairIds[], out: Float32Array, outAt: number): void {
    this.#embed(pairs);
    this.#engine.encode(
      pairs.map(({ ids }) => ids.length),
      this.#at,
      this.#map,
    );
    let row = 0;
    for (let n = 0; n < pairs.length; n += BLOCK) {
      const part = pairs.slice(n, n + BLOCK);
      this.#head(part, row, out, outAt + n * JUDGE_OUTPUTS);
      for (const { ids } of part) row += ids.length;
    }
  }

  #embed(pairs: readonly PairIds[]): void {
    const { f32, scratch } = this.#engine;
    const positions = this.#at + this.#map.position;
    this.#engine.embedTokens(
      pairs.map(({ ids }) => ids),
      (place) => positions + place * HIDDEN * 4,
    );
    const segments = (this.#at + this.#map.segment) / 4;
    let to = scratch.x / 4;
    for (const { ids, second } of pairs)
      for (let t = 0; t < ids.length; t++, to += HIDDEN) {
        const segment = segments + (t < second ? 0 : HIDDEN);
        for (let j = 0; j < HIDDEN; j++) f32[to + j]! += f32[segment + j]!;
      }
  }

  /** The first token beside the mean of all, through one layer, onto the outputs. */
  #head(pairs: readonly PairIds[], firstRow: number, out: Float32Array, outAt: number): void {
    const { f32, scratch } = this.#engine;
    const { head, out: weights, outBias } = this.#map;
    let from = scratch.x / 4 + firstRow * HIDDEN;
    let to = scratch.wide / 4;
    for (const { ids } of pairs) {
      const sum = new Float64Array(HIDDEN);
      for (let j = 0; j < HIDDEN; j++) f32[to + j] = f32[from + j]!;
      for (let t = 0; t < ids.length; t++, from += HIDDEN)
        for (let j = 0; j < HIDDEN; j++) sum[j]! += f32[from + j]!;
      for (let j = 0; j < HIDDEN; j++) f32[to + HIDDEN + j] = sum[j]! / ids.length;
      to += 2 * HIDDEN;
    }
    this.#engine.linear(
      scratch.wide,
      this.#at,
      head,
      scratch.narrow,
      pairs.length,
      2 * HIDDEN,
      HIDDEN,
      false,
    );
    const outputs = (this.#at + weights) / 4;
    const biases = (this.#at + outBias) / 4;
    for (let n = 0; n < pairs.length; n++) {
      const said = scratch.narrow / 4 + n * HIDDEN;
      for (let j = 0; j < HIDDEN; j++) f32[said + j] = tanh(f32[said + j]!);
      for (let c = 0; c < JUDGE_OUTPUTS; c++) {
        let sum = f32[biases + c]!;
        for (let j = 0; j < HIDDEN; j++) sum += f32[said + j]! * f32[outputs + c * HIDDEN + j]!;
        out[outAt + n * JUDGE_OUTPUTS + c] = sum;
      }
    }
  }
}
