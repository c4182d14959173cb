/** language: how texts become words, in each language. */

export { analyse, analyserId, eachWord, lexicon } from "./analyse.js";
export { detectLanguage } from "./detect.js";
export { folded } from "./fold.js";
export { nameWords } from "./names.js";
export { glanceAt, holdsPhrase, parseQuery, type Query, queryTokens } from "./query.js";
export { tailOf } from "./tail.js";
export { cut, cutToTokens, tokensOf } from "./tokens.js";
export { toldNames } from "./told-names.js";
