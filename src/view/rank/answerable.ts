import { ANSWERABLE_HYBRID, ANSWERABLE_LEXICAL, type Judgement } from "./answerable-weights.js";
import type { Scene } from "./features.js";

export interface Sign {
  readonly name: string;
  readonly meaning: string;
  readonly vector?: true;
  value(scene: Scene, candidates: readonly number[]): number;
}

const most = (candidates: readonly number[], value: (doc: number) => number): number =>
  candidates.reduce((best, doc) => Math.max(best, value(doc)), 0);

/** Signs that something in the memory is near the question. */
export const SIGNS: readonly Sign[] = [
  {
    name: "share",
    meaning: "most of the question that one document holds",
    value: ({ matches }, candidates) => most(candidates, matches.share),
  },
  {
    name: "shareAround",
    meaning: "most of the question that a document and its neighbours hold",
    value: ({ matches }, candidates) => most(candidates, matches.shareAround),
  },
  {
    name: "words",
    meaning: "the best match of words, as a share of the best possible",
    value: ({ matches }, candidates) => most(candidates, matches.withNames) / (matches.ceiling || 1),
  },
  { name: "absent", meaning: "what of the question occurs nowhere", value: ({ matches }) => matches.absent },
  {
    name: "terms",
    meaning: "how many words the question has",
    value: ({ question }) => Math.min(3, Math.log(1 + question.terms.length)),
  },
  {
    name: "near",
    meaning: "the nearest meaning of a whole text",
    vector: true,
    value: ({ nearness }) => nearness?.max ?? 0,
  },
  {
    name: "passage",
    meaning: "the nearest meaning of a passage",
    vector: true,
    value: ({ nearness }, candidates) =>
      nearness ? most(candidates, (doc) => nearness.passage(doc) ?? 0) : 0,
  },
];

/**
 * How likely it is, 0 to 1, that the memory holds an answer. It says "little here is near this question", and never proves
 * that nothing is: a question in the memory's own words looks answerable.
 */
export function answerable(
  scene: Scene,
  candidates: readonly number[],
  { bias, bySign }: Judgement = scene.nearness ? ANSWERABLE_HYBRID : ANSWERABLE_LEXICAL,
): number {
  if (candidates.length === 0) return 0;
  const sum = SIGNS.reduce((so, { name, value }) => {
    const weight = bySign[name];
    return weight === undefined ? so : so + weight * value(scene, candidates);
  }, bias);
  return 1 / (1 + Math.exp(-sum));
}
