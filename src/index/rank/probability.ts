import { LIKELY_HYBRID, LIKELY_LEXICAL } from "./probability-weights.js";

/** What a probability is made from: one row for each of the scores, which fall. Equal scores are of equal rank. */
export function likelihoodSigns(scores: readonly number[]): { behind: number; rank: number }[] {
  let rank = 1;
  return scores.map((score, at) => {
    if (at > 0 && score < scores[at - 1]!) rank = at + 1;
    return { behind: score - scores[0]!, rank: Math.log(rank) };
  });
}

/** How likely each hit is evidence: that there is any, and then by its rank and its distance from the best. */
export function probabilities(scores: readonly number[], answerable: number, isHybrid: boolean): number[] {
  const weights = isHybrid ? LIKELY_HYBRID : LIKELY_LEXICAL;
  return likelihoodSigns(scores).map(({ behind, rank }) => {
    const sum = weights.bias + weights.behind * behind + weights.rank * rank;
    return answerable / (1 + Math.exp(-sum));
  });
}
