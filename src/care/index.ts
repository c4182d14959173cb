/** care: keeping a store whole and small. */

export type { CompactOptions, CompactReport } from "./compact.js";
export type { FoundBy } from "./erase-candidate.js";
export type { EraseTarget } from "./erase-target.js";
export type { GcOptions, GcReport } from "./gc.js";
export type { HealthOptions, HealthReport } from "./health.js";
export type { HealthProblem } from "./health-problems.js";
export { isDerived, type VerifyProblem } from "./problems.js";
export type { RebuildOptions, RebuildReport } from "./rebuild.js";
export type { ErasureReceipt, WordPlace } from "./receipt.js";
export type { Lost, RepairReport } from "./repair.js";
export type { RestoreReport } from "./restore.js";
export type { SinceReport } from "./since.js";
export type { StoreUsage, UsageOptions } from "./usage.js";
export type { Backup, BackupOptions, RestoreOptions } from "./verbs/backup.js";
export type { ErasedMemory, EraseOptions, EraseReport } from "./verbs/erase.js";
export type { Accepted } from "./verbs/erase-request.js";
export type { LoadOptions } from "./verbs/fill-store.js";
export { repairStore } from "./verbs/repair.js";
export type { VerifyOptions, VerifyReport } from "./verify.js";
