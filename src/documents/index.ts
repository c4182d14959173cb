/** documents: Org and Markdown as trees of records and back; files of other memory systems. Pure. */
export { type AstNode, fromAst } from "./ast.js";
export { derivedId, rootId } from "./derived-id.js";
export {
  type ExportedBranch,
  type ExportFormat,
  graphExport,
  parentsFirst,
} from "./export.js";
export { markdownExport, orgExport, subjectOf } from "./export-people.js";
export { type ExportStream, jsonExport, jsonlExport } from "./export-stream.js";
export type { Exported } from "./exported-fields.js";
export { fileName } from "./file-name.js";
export {
  byPosition,
  type Entity,
  type EntityGraph,
  entityId,
  entityMemory,
  exactText,
  GRAPH_TYPES,
  graphLines,
  type Relation,
  relationId,
  relationMemory,
  relationOf,
  remarkId,
  remarkMemory,
  typeOfEntity,
} from "./graph.js";
export { IgnoreRules } from "./ignore.js";
export {
  IMAGE_MAGIC,
  type Image,
  type ImageObject,
  ImageReader,
  type ImageSource,
  imageLines,
} from "./image.js";
export { formatOfFile, formatOfFolder, IMPORT_FORMATS, type ImportFormat } from "./import/detect.js";
export { fromExport } from "./import/exported.js";
export { importGcc } from "./import/gcc.js";
export { importInstructions } from "./import/instructions.js";
export {
  entriesOf,
  type Import,
  type ImportEntry,
  type ImportedBranch,
  type ImportedMemory,
  type ImportProblem,
} from "./import/item.js";
export { type JsonItem, jsonItems } from "./import/json-items.js";
export { importMcpMemory } from "./import/mcp-memory.js";
export { importNanobot } from "./import/nanobot.js";
export { importNotes } from "./import/notes.js";
export { markdownEntries, orgEntries } from "./import/own-files.js";
export { besideDays, importDailyNotes, importPalace, importScratchpad } from "./import/palace.js";
export { importSnap } from "./import/snap.js";
export { type TranscriptFormat, transcriptReader } from "./import/transcript.js";
export { importVault } from "./import/vault.js";
export { LinkGraph, type NoteLink } from "./links.js";
export { isMadeHere, type MadeHere } from "./made-here.js";
export { findHeadlineMissingId, headlinesMissingId, writeIds } from "./missing-ids.js";
export { type DocNode, preorder } from "./node.js";
export { positionsFor } from "./order.js";
export { type DocumentFormat, formatOf, parseDocument } from "./parse.js";
export { idsOf, type Plan, planTree, type Step, saysSame } from "./plan.js";
export { renderTree } from "./render.js";
export { linesOf, type TextLine } from "./text-lines.js";
