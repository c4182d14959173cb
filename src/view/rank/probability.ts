import { LIKELY_HYBRID, LIKELY_LEXICAL } from "./probability-weights.js";

/** Beyond these odds an estimate from a few thousand questions says nothing more. */
const SUREST = 8;

/** What a probability is made from: one row for each of the scores, which fall. Equal scores are of equal rank. */
export function likelihoodSigns(scores: readonly number[], answerable: number) {
  const odds = Math.max(-SUREST, Math.min(SUREST, Math.log(answerable / (1 - answerable))));
  let rank = 1;
  return scores.map((score, at) => {
    if (at > 0 && score < scores[at - 1]!) rank = at + 1;
    return { answerable: odds, behind: score - scores[0]!, rank: Math.log(rank) };
  });
}

/** How likely each hit is evidence for the question, by its rank, its distance from the best, and whether there is any. */
export function probabilities(scores: readonly number[], answerable: number, isHybrid: boolean): number[] {
  const weights = isHybrid ? LIKELY_HYBRID : LIKELY_LEXICAL;
  return likelihoodSigns(scores, answerable).map((signs) => {
    const sum =
      weights.bias +
      weights.answerable * signs.answerable +
      weights.behind * signs.behind +
      weights.rank * signs.rank;
    return 1 / (1 + Math.exp(-sum));
  });
}
