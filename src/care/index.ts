/** care: keeping a store whole and small. */

export { PROBLEMS, type ProblemName, type VerifyProblem } from "./problems.js";
export { thinNodes } from "./thin.js";
export { type VerifyOptions, type VerifyReport, verifyStore } from "./verify.js";
