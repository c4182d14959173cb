/** care: keeping a store whole and small. */

export { type BackupFile, type BackupReport, writeBackup } from "./backup.js";
export { type CompactOptions, type CompactReport, compactStore } from "./compact.js";
export { copyStore, publish } from "./copy.js";
export { collectGarbage, type GcOptions, type GcReport } from "./gc.js";
export { checkHealth, type HealthOptions, type HealthReport } from "./health.js";
export type { HealthProblem } from "./health-problems.js";
export { isDerived, PROBLEMS, type ProblemName, type VerifyProblem } from "./problems.js";
export { type RebuildOptions, type RebuildReport, rebuildStore } from "./rebuild.js";
export { type ErasureReceipt, searchErased, type WordPlace } from "./receipt.js";
export { type Lost, type RepairReport, repairInto } from "./repair.js";
export { type RestoreReport, restoreStore } from "./restore.js";
export { withScratchStore } from "./scratch-store.js";
export type { SinceReport } from "./since.js";
export { thinInTurn } from "./thin.js";
export { tombstonesFrom, tombstonesIn } from "./tombstones.js";
export { type VerifyOptions, type VerifyReport, verifyFilled, verifyStore } from "./verify.js";
