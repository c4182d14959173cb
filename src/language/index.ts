/** language: how texts become words, in each language. */

export { analyse, analyserId, eachWord, lexicon } from "./analyse.js";
export { detectLanguage } from "./detect.js";
export { folded } from "./fold.js";
export {
  glanceAt,
  holdsPhrase,
  nameWords,
  parseQuery,
  type Query,
  queryTokens,
  tailOf,
  toldNames,
} from "./query.js";
export { cut, cutToTokens, tokensOf } from "./tokens.js";
