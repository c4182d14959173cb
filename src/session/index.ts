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
export type { VerifyOptions, VerifyProblem, VerifyReport } from "../care/index.js";
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
export type { MemoryChange, MemoryInput, RefusalCode, Verdict, VerdictKind } from "../gate/index.js";
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
export { memoryStorage, type Storage, sqliteStorage } from "../storage/index.js";
export type { BulkOptions } from "./bulk.js";
export { replaceFile } from "./files.js";
export { type ImageReport, imagePath, isImage } from "./image.js";
export type { Memory } from "./memory.js";
export { defaultLocation, type OpenOptions, openStore } from "./open-store.js";
export { type ReadOptions, Session, type WriteOptions } from "./session.js";
export { type SessionOptions, Store } from "./store.js";
export type { Transaction, TransactionResult } from "./transaction.js";
export type { Links } from "./verbs/documents.js";
export type { Export, ExportOptions } from "./verbs/export.js";
export type { ForgetOptions } from "./verbs/forget.js";
export type { HistoryItem } from "./verbs/history.js";
export type { ImportOptions, ImportReport } from "./verbs/import.js";
export type { IngestCounts, IngestOptions } from "./verbs/ingest.js";
export type { IngestedFile, IngestFilesOptions, IngestReport } from "./verbs/ingest-files.js";
export type { ListFilter } from "./verbs/list.js";
export type { LogEvent, LogItem, LogOptions } from "./verbs/log.js";
export type { OperationItem } from "./verbs/ops.js";
export type { Stats } from "./verbs/stats.js";
export type { TreeChanges } from "./verbs/tree-changes.js";
export type { UndoResult } from "./verbs/undo.js";
export type { UpdateOptions } from "./verbs/update.js";
