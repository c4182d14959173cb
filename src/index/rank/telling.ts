import { rarity } from "./bm25.js";
import type { AskedTerm } from "./question.js";

/** As if there were so many more documents, of which so many hold a word that is as rare as most, or a light one. */
const DOCUMENTS = 100;
const HELD = 0.2;
const LIGHT_HELD = 15;

/**
 * How much a term tells of what a question is about. A small memory cannot know how rare a word is: where it holds one fact,
 * the words of that fact are in every document, and all others look rare. So it is seen as part of a larger one.
 */
export const tellingOf = (size: number, found: number, { isLight, weight }: AskedTerm): number =>
  weight * rarity(size + DOCUMENTS, found + (isLight ? LIGHT_HELD : HELD));
