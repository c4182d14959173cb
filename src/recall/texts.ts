import { plainCorpus, rank } from "../index/index.js";
import { parseQuery } from "../language/index.js";
import type { Citation, LayerAnswer } from "./layers.js";

/** A text of a layer that has no index of its own. */
export interface LayerText extends Omit<Citation, "score"> {
  readonly title?: string;
}

const MOST = 3;

/**
 * Judges a few texts as memories are judged, by the same ranker and the same measured threshold, so that a scratchpad, an
 * issue and a memory are hits under one rule.
 */
export function answerFrom(question: string, texts: readonly LayerText[]): LayerAnswer {
  if (texts.length === 0) return { status: "empty", best: 0, found: [] };
  const corpus = plainCorpus(
    texts.map(({ text, title }) => ({ text, ...(title !== undefined && { title }) })),
  );
  const { hits, answerable, abstain } = rank(corpus, parseQuery(question), { limit: MOST });
  const found = hits.map(({ doc, probability }) => {
    const { title: _, ...text } = texts[doc] as LayerText;
    return { ...text, score: probability };
  });
  return { status: abstain ? "empty" : "hit", best: answerable, found };
}
