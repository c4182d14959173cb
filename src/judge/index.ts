/** judge: what answers what, what renews what, and what is worth keeping, told by a small trained model. */

export { type Candidate, type JudgedAnswer, judgedAnswer } from "./answer.js";
export { Judging } from "./judging.js";
export { type JudgeChoice, type LoadJudgeOptions, loadJudge } from "./load.js";
export type { Certainty, Judge, Kind, Lines, Relation, Said, Signs, Worth } from "./port.js";
