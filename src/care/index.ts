/** care: keeping a store whole. */
export { type VerifyOptions, type VerifyProblem, type VerifyReport, verifyStore } from "./verify.js";
