/** care: keeping a store whole and small. */

export { checkHealth, type HealthOptions, type HealthReport } from "./health.js";
export type { HealthProblem } from "./health-problems.js";
export { PROBLEMS, type ProblemName, type VerifyProblem } from "./problems.js";
export { type ErasureReceipt, searchErased } from "./receipt.js";
export { THINNING, thinNodes } from "./thin.js";
export { type VerifyOptions, type VerifyReport, verifyStore } from "./verify.js";
