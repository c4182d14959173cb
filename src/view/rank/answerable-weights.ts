/** Weights of the signs that a question can be answered. Written by bench/train-answerable.mjs. */
export interface Judgement {
  readonly bias: number;
  readonly bySign: Readonly<Record<string, number>>;
  /** Below this, abstain. */
  readonly threshold: number;
}

export const ANSWERABLE_LEXICAL: Judgement = { bias: 0, bySign: {}, threshold: 0.5 };
export const ANSWERABLE_HYBRID: Judgement = { bias: 0, bySign: {}, threshold: 0.5 };
