/** documents: Org and Markdown as trees of records and back; files of other memory systems. Pure. */
export { type AstNode, fromAst } from "./ast.js";
export { derivedId } from "./derived-id.js";
export {
  type ExportedBranch,
  type ExportFormat,
  type ExportInput,
  exportParts,
  parentsFirst,
} from "./export.js";
export { fileName } from "./file-name.js";
export { IgnoreRules } from "./ignore.js";
export { IMAGE_MAGIC, type Image, type ImageObject, imageLines, readImage } from "./image.js";
export { formatOfFile, formatOfFolder, type ImportFormat } from "./import/detect.js";
export { importJson, importJsonl } from "./import/exported.js";
export type { Import, ImportedMemory } from "./import/item.js";
export { importNanobot } from "./import/nanobot.js";
export { importDailyNotes, importPalace, importScratchpad } from "./import/palace.js";
export { importSnap } from "./import/snap.js";
export { importVault } from "./import/vault.js";
export { LinkGraph, type NoteLink } from "./links.js";
export { findHeadlineMissingId, headlinesMissingId, writeIds } from "./missing-ids.js";
export { type DocNode, preorder } from "./node.js";
export { positionsFor } from "./order.js";
export { type DocumentFormat, formatOf, parseDocument } from "./parse.js";
export { type Plan, planTree, type Step, saysSame } from "./plan.js";
export { renderTree } from "./render.js";
