import type { Certainty, Lines, Signs } from "./port.js";

/** A probability of a head's sum x is that of `scale` times x and `bias`. */
interface Scale {
  readonly scale: number;
  readonly bias: number;
}

/** What training found besides the weights; `judge.json` beside them. */
export interface Figures {
  readonly id: string;
  readonly answers: Scale;
  readonly relation: { readonly scale: number; readonly biases: readonly [number, number, number] };
  readonly keep: Scale;
  readonly asks: Scale;
  readonly lines: Lines;
  /** How sure an answer is: a sum over its signs. Without vectors the usual cosine counts. */
  readonly sure: {
    readonly bias: number;
    readonly answers: number;
    readonly next: number;
    readonly cosine: number;
    readonly words: number;
    readonly unseen: number;
    readonly usualCosine: number;
    readonly certain: number;
    readonly nothing: number;
  };
}

/** Six places: what a machine rounds otherwise lies behind them. */
const rounded = (p: number): number => Math.round(p * 1e6) / 1e6;

export const probability = (sum: number, { scale, bias }: Scale): number =>
  rounded(1 / (1 + Math.exp(-(scale * sum + bias))));

/** Probabilities that add up to 1. */
export function shares(sums: readonly number[], { scale, biases }: Figures["relation"]): number[] {
  const raised = sums.map((sum, at) => Math.exp(scale * sum + biases[at]!));
  const all = raised.reduce((a, b) => a + b);
  return raised.map((one) => rounded(one / all));
}

/** Sums of heads lie between these; a probability of 0 or 1 is no more than far out. */
const FAR = 8;
export const logit = (p: number): number =>
  p <= 0 ? -FAR : p >= 1 ? FAR : Math.max(-FAR, Math.min(FAR, Math.log(p / (1 - p))));

/** How sure it is that these signs belong to an answer. */
export function sureness({ answers, next, cosine, words, unseen }: Signs, { sure }: Figures): number {
  return rounded(
    sure.bias +
      sure.answers * logit(answers) +
      sure.next * logit(next) +
      sure.cosine * (cosine ?? sure.usualCosine) +
      sure.words * words +
      sure.unseen * unseen,
  );
}

export function certaintyOf(signs: Signs, figures: Figures): Certainty {
  const sum = sureness(signs, figures);
  return sum >= figures.sure.certain ? "certain" : sum < figures.sure.nothing ? "nothing" : "possible";
}
