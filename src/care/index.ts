/** care: keeping a store whole. */
export { PROBLEMS, type ProblemName, type VerifyProblem } from "./problems.js";
export { type VerifyOptions, type VerifyReport, verifyStore } from "./verify.js";
