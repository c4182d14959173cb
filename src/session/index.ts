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
  SinceReport,
  VerifyOptions,
  VerifyProblem,
  VerifyReport,
  WordPlace,
} from "../care/index.js";
export { isDerived } from "../care/index.js";
export {
  type AstNode,
  type DocumentFormat,
  type Entity,
  type EntityGraph,
  type ExportFormat,
  fileName,
  findHeadlineMissingId,
  headlinesMissingId,
  IMPORT_FORMATS,
  type ImportFormat,
  type ImportProblem,
  isMadeHere,
  linesOf,
  type NoteLink,
  type Relation,
  type TextLine,
} from "../documents/index.js";
export type { Embedder, EmbedderChoice, EmbedKind } from "../embed/index.js";
export type {
  AnyVerdict,
  AutoAccept,
  GateConfig,
  Kind,
  KnownVerdict,
  MemoryChange,
  MemoryInput,
  Mode,
  Modes,
  RefusalCode,
  RefusedVerdict,
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
export type { ConsistencyProof, Proof } from "../merkle/index.js";
export {
  type AiSdkModel,
  aiSdkModel,
  type Budget,
  type ChatOptions,
  type Cost,
  chatModel,
  type DaySpent,
  type Decision,
  type Fact,
  type Finding,
  type FindingKind,
  type Message,
  type MindOptions,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  type Patience,
  type PersonaScore,
  type Spent,
} from "../mind/index.js";
export {
  type Drawer,
  forCodeReview,
  forHealthCheck,
  forIssueAnalysis,
  LAYOUTS,
  type Layout,
  type LayoutRoom,
  type NewScratch,
  type Playbook,
  type PlaybookHit,
  type Promotion,
  type Room,
  type ScratchEntry,
  type ScratchHit,
} from "../palace/index.js";
export {
  type Artifact,
  type ArtifactLayerOptions,
  type ArtifactQuery,
  type ArtifactSource,
  artifactLayer,
  type Citation,
  type Detection,
  type Disagreement,
  detectRecall,
  type ForgeOptions,
  forgeArtifacts,
  type GitOptions,
  gitArtifacts,
  HONEST,
  type Layer,
  type LayerAnswer,
  type LayerName,
  type LayerStatus,
  type Loaded,
  type ReadItem,
  readEnvelopes,
  type TraceItem,
  tokensOf,
  withoutEnvelopes,
} from "../recall/index.js";
export {
  copyNames,
  Destination,
  isPostgresUrl,
  keepCopy,
  memoryStorage,
  openPlain,
  type PostgresOptions,
  postgresStorage,
  readPlain,
  readPlainSync,
  type Storage,
  sqliteStorage,
} from "../storage/index.js";
export type { Reason } from "../view/index.js";
export { cosineSimilarity } from "../view/index.js";
export type { BulkOptions } from "./bulk.js";
export type { EmbeddingControl, EmbeddingState } from "./embedding-control.js";
export type { FoundBy } from "./erase-candidate.js";
export type { EraseTarget } from "./erase-target.js";
export type { FileChanges, FileOrFolder, FileTree } from "./file-tree/file-tree.js";
export { checkPut, editFile, putFile, putFiles } from "./files.js";
export type { AddedObservations, KnowledgeGraph } from "./graph/knowledge-graph.js";
export { type ImageReport, imagePath, isImage } from "./image.js";
export type { Memory } from "./memory.js";
export { defaultLocation, type OpenOptions, openStore } from "./open-store.js";
export type { WriteOptions } from "./options.js";
export type { SearchHit } from "./search-hit.js";
export { type ReadOptions, Session } from "./session.js";
export { type SessionOptions, Store } from "./store.js";
export type { Transaction, TransactionResult } from "./transaction.js";
export type { StoreUsage, UsageOptions } from "./usage.js";
export type { SearchMode, VectorUse } from "./vector-leg.js";
export type { AcceptedItem, AcceptOptions } from "./verbs/accept-review.js";
export type { Backup, BackupOptions, RestoreOptions } from "./verbs/backup.js";
export type { BisectOptions, BisectResult } from "./verbs/bisect.js";
export type { BlameItem } from "./verbs/blame.js";
export type { BranchContext, BranchContextOptions } from "./verbs/branch-context.js";
export type { Branch, BranchChange, NewBranch } from "./verbs/branches.js";
export type { ConsolidateOptions, ConsolidationReport } from "./verbs/consolidate.js";
export type {
  ConsolidationCandidate,
  ConsolidationOptions,
  DeletionProposal,
} from "./verbs/consolidation.js";
export type { ContextBlock, ContextOptions } from "./verbs/context.js";
export type { ChangedItem, Diff, DiffItem } from "./verbs/diff.js";
export type { Links } from "./verbs/documents.js";
export type { ErasedMemory, EraseOptions, EraseReport } from "./verbs/erase.js";
export type { Accepted } from "./verbs/erase-request.js";
export type { Export, ExportOptions } from "./verbs/export.js";
export type { Figures, FiguresOptions } from "./verbs/figures.js";
export type { ForgetOptions } from "./verbs/forget.js";
export type { GraphCommit, GraphOptions } from "./verbs/graph.js";
export type { HandOver, HandOverOptions, TakenOver } from "./verbs/hand-over.js";
export type { Heartbeat, HeartbeatOptions } from "./verbs/heartbeat.js";
export type { HistoryItem } from "./verbs/history.js";
export type { ImportOptions, ImportReport } from "./verbs/import.js";
export type { IngestCounts, IngestOptions } from "./verbs/ingest.js";
export type { IngestedFile, IngestFilesOptions, IngestReport } from "./verbs/ingest-files.js";
export type { ListFilter } from "./verbs/list.js";
export type { LogEvent, LogItem, LogOptions } from "./verbs/log.js";
export type { Conflict, HeldBack, MergeOptions, MergeOutcome, MergeResult } from "./verbs/merge.js";
export type { MilestoneOptions } from "./verbs/milestones.js";
export type { MoveOptions } from "./verbs/move.js";
export type { OperationItem, PassedOver } from "./verbs/ops.js";
export type { PlaceOptions } from "./verbs/palace.js";
export type { PersonaAnswer } from "./verbs/persona.js";
export type { PickOptions } from "./verbs/picked-change.js";
export type { PlaybookAnswer, PlaybookOptions } from "./verbs/playbooks.js";
export type { ConversationOptions, ConversationReport, FactOutcome } from "./verbs/process-conversation.js";
export type { Proposed, ProposeOptions } from "./verbs/propose.js";
export type { CitedMemory, Recall, RecallOptions } from "./verbs/recall.js";
export type { Reflection, ReflectOptions, ReflectReport } from "./verbs/reflect.js";
export type { Rejected } from "./verbs/reject-review.js";
export { repairStore } from "./verbs/repair.js";
export type { Resolution } from "./verbs/resolve.js";
export type { ReviewChange, ReviewItem, ReviewOptions } from "./verbs/review.js";
export type { AuthorCommits, RollbackOptions, RollbackResult } from "./verbs/rollback.js";
export type { ScratchOptions, ScratchSearchOptions } from "./verbs/scratch.js";
export type { SearchOptions, SearchResult } from "./verbs/search.js";
export type { SemanticAnswer, SemanticHit, SemanticSearchOptions } from "./verbs/semantic-search.js";
export type { Snapshot } from "./verbs/snapshots.js";
export type { Stats } from "./verbs/stats.js";
export type { SyncOptions, SyncReport } from "./verbs/sync-palace.js";
export type { Tag } from "./verbs/tags.js";
export type { Tainted } from "./verbs/taint.js";
export { STEP_KINDS, type StepKind, type TraceStep } from "./verbs/trace.js";
export type { TreeChanges } from "./verbs/tree-changes.js";
export type { UndoResult } from "./verbs/undo.js";
export type { UpdateOptions } from "./verbs/update.js";
export type { VaultStats } from "./verbs/vault-stats.js";
export type { MemoryView } from "./verbs/view.js";
export type { WakeUp, WakeUpOptions } from "./verbs/wake-up.js";
export type { Derived, Support, Why } from "./verbs/why.js";
export type { Change } from "./watch.js";
export type { WhyCommands } from "./why-commands.js";
