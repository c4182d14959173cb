/** documents: what comes in from files and goes out to them. */

export type { AstNode } from "./ast.js";
export { type ExportFormat, isMadeHere } from "./export.js";
export type { FileChanges, FileOrFolder, FileTree } from "./file-tree.js";
export type { AddedObservations, KnowledgeGraph } from "./graph/knowledge-graph.js";
export type { Entity, EntityGraph, Relation } from "./graph.js";
export { type ImageObject, ImageReader } from "./image.js";
export { IMPORT_FORMATS, type ImportFormat } from "./import/detect.js";
export type { ImportedBranch, ImportProblem } from "./import/item.js";
export type { NoteLink } from "./links.js";
export type {
  ExportOptions,
  ImportOptions,
  IngestFilesOptions,
  IngestOptions,
  SourceOptions,
} from "./options.js";
export type { DocumentFormat } from "./parse.js";
export { fileName } from "./source.js";
export { linesOf, type TextLine } from "./text-lines.js";
export { type SaidLine, saidOnLine, withoutHostWords } from "./transcript.js";
export type { Links } from "./verbs/documents.js";
export type { Export } from "./verbs/export.js";
export { type ImageReport, imagePath, isImage, type SaveOptions } from "./verbs/image.js";
export type { FillStore, ImportReport } from "./verbs/import.js";
export type { IngestCounts } from "./verbs/ingest.js";
export {
  findHeadlineMissingId,
  headlinesMissingId,
  type IngestedFile,
  type IngestReport,
} from "./verbs/ingest-files.js";
export { documentVerbs, importVerb } from "./verbs.js";
