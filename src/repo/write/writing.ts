/**
 * What a write needs and a read does not: drafts, the gate and what it compares with. A process that only reads never
 * loads it.
 */

export { cleanText } from "../../gate/index.js";
export { cleanMoves, commitInfo, encodeOperation } from "./commit-info.js";
export { Draft } from "./draft.js";
