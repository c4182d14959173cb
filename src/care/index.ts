/** care: keeping a store whole and small. */

export type { CompactReport } from "./compact.js";
export type { FoundBy } from "./erase-target.js";
export type { GcReport } from "./gc.js";
export type { HealthProblem, HealthReport } from "./health.js";
export {
  BACKUP,
  type BackupOptions,
  COMPACT,
  type CompactOptions,
  type EraseOptions,
  type EraseTarget,
  GC,
  type GcOptions,
  HEALTH,
  type HealthOptions,
  LOAD,
  type LoadOptions,
  REBUILD,
  RESTORE,
  type RebuildOptions,
  type RestoreOptions,
  USAGE,
  type UsageOptions,
  VERIFY,
  type VerifyOptions,
} from "./options.js";
export { isDerived, type VerifyProblem } from "./problems.js";
export type { RebuildReport } from "./rebuild.js";
export type { ErasureReceipt, WordPlace } from "./receipt.js";
export type { Lost, RepairReport } from "./repair.js";
export type { RestoreReport } from "./restore.js";
export type { StoreUsage } from "./usage.js";
export type { Backup } from "./verbs/backup.js";
export type { ErasedMemory, EraseReport } from "./verbs/erase.js";
export type { Accepted } from "./verbs/erase-request.js";
export { repairStore } from "./verbs/repair.js";
export { careVerbs } from "./verbs.js";
export type { SinceReport, VerifyReport } from "./verify.js";
