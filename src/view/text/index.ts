export { analyse, analyserId, eachTerm, type Token } from "./analyse.js";
export { detectLanguage } from "./detect.js";
export { folded } from "./fold.js";
export type { Language } from "./languages.js";
export { nameWords, withoutNames } from "./names.js";
export { passagesOf } from "./passages.js";
export { holdsPhrase, parseQuery, type Query, queryTokens } from "./query.js";
