/** session: the only way in. Doors import this and nothing else. */
export {
  ERRORS,
  type ErrorCode,
  type Hash,
  type Json,
  type JsonObject,
  type MemoryId,
  PalimpsestError,
  parseTime,
  type Scope,
  shortHash,
  shortId,
  type Timestamp,
  toName,
} from "../base/index.js";
export type {
  BranchInfo,
  BranchStatus,
  Drawable,
  FieldChange,
  LaneCell,
  LaneRow,
  Timeline,
  TimelineRow,
  WordChange,
} from "../branches/index.js";
export { laneRows, mermaidGraph, timeline } from "../branches/index.js";
export type {
  CompactOptions,
  CompactReport,
  ErasureReceipt,
  GcOptions,
  GcReport,
  HealthOptions,
  HealthProblem,
  HealthReport,
  Lost,
  RebuildOptions,
  RebuildReport,
  RepairReport,
  RestoreReport,
  VerifyOptions,
  VerifyProblem,
  VerifyReport,
} from "../care/index.js";
export {
  type AstNode,
  type DocumentFormat,
  type ExportFormat,
  fileName,
  findHeadlineMissingId,
  headlinesMissingId,
  type ImportFormat,
  type NoteLink,
} from "../documents/index.js";
export type { Embedder, EmbedderChoice, EmbedKind } from "../embed/index.js";
export type {
  GateConfig,
  Kind,
  MemoryChange,
  MemoryInput,
  Mode,
  Modes,
  RefusalCode,
  Verdict,
  VerdictKind,
} from "../gate/index.js";
export type {
  Author,
  Contest,
  FullRecord,
  Lifetime,
  MemoryRecord,
  Op,
  Origin,
  Sensitivity,
  Term,
  Tier,
  Triple,
  Trust,
} from "../ledger/index.js";
export type { Proof } from "../merkle/index.js";
export {
  isPostgresUrl,
  memoryStorage,
  type PostgresOptions,
  postgresStorage,
  type Storage,
  sqliteStorage,
} from "../storage/index.js";
export type { Reason } from "../view/index.js";
export { cosineSimilarity } from "../view/index.js";
export type { BulkOptions } from "./bulk.js";
export type { EmbeddingControl, EmbeddingState } from "./embedding-control.js";
export type { EraseTarget } from "./erase-target.js";
export { replaceFile } from "./files.js";
export { type ImageReport, imagePath, isImage } from "./image.js";
export type { Memory } from "./memory.js";
export { defaultLocation, type OpenOptions, openStore } from "./open-store.js";
export type { SearchHit } from "./search-hit.js";
export { type ReadOptions, Session } from "./session.js";
export type { WriteOptions } from "./session-core.js";
export { type SessionOptions, Store } from "./store.js";
export type { Transaction, TransactionResult } from "./transaction.js";
export type { SearchMode, VectorUse } from "./vector-leg.js";
export type { Backup, BackupOptions, RestoreOptions } from "./verbs/backup.js";
export type { BisectOptions, BisectResult } from "./verbs/bisect.js";
export type { BlameItem } from "./verbs/blame.js";
export type { BranchContext, BranchContextOptions } from "./verbs/branch-context.js";
export type { Branch, BranchChange, NewBranch } from "./verbs/branches.js";
export type { Resolution } from "./verbs/conflicts.js";
export type {
  ConsolidationCandidate,
  ConsolidationOptions,
  DeletionProposal,
} from "./verbs/consolidation.js";
export type { ChangedItem, Diff, DiffItem } from "./verbs/diff.js";
export type { Links } from "./verbs/documents.js";
export type { EraseOptions, EraseReport } from "./verbs/erase.js";
export type { Export, ExportOptions } from "./verbs/export.js";
export type { ForgetOptions } from "./verbs/forget.js";
export type { GraphCommit, GraphOptions } from "./verbs/graph.js";
export type { HistoryItem } from "./verbs/history.js";
export type { ImportOptions, ImportReport } from "./verbs/import.js";
export type { IngestCounts, IngestOptions } from "./verbs/ingest.js";
export type { IngestedFile, IngestFilesOptions, IngestReport } from "./verbs/ingest-files.js";
export type { ListFilter } from "./verbs/list.js";
export type { LogEvent, LogItem, LogOptions } from "./verbs/log.js";
export type { Conflict, MergeOptions, MergeOutcome, MergeResult } from "./verbs/merge.js";
export type { MilestoneOptions } from "./verbs/milestones.js";
export type { OperationItem } from "./verbs/ops.js";
export type { PickOptions } from "./verbs/pick.js";
export { repairStore } from "./verbs/repair.js";
export type { AuthorCommits, RollbackOptions, RollbackResult } from "./verbs/rollback.js";
export type { SearchOptions, SearchResult } from "./verbs/search.js";
export type { SemanticAnswer, SemanticHit, SemanticSearchOptions } from "./verbs/semantic-search.js";
export type { Snapshot } from "./verbs/snapshots.js";
export type { Stats } from "./verbs/stats.js";
export type { Tag } from "./verbs/tags.js";
export { STEP_KINDS, type StepKind, type TraceStep } from "./verbs/trace.js";
export type { TreeChanges } from "./verbs/tree-changes.js";
export type { UndoResult } from "./verbs/undo.js";
export type { UpdateOptions } from "./verbs/update.js";
export type { VaultStats } from "./verbs/vault-stats.js";
export type { MemoryView } from "./verbs/view.js";
export type { Change } from "./watch.js";
