import { action, flag, type Given, PLACED, progress, signal, text, typed } from "../repo/index.js";
import type { ExportFormat } from "./export.js";
import type { ImportFormat } from "./import/detect.js";
import type { DocumentFormat } from "./parse.js";

/** What the verbs of documents take. Their types, their checks and the options of doors follow from these fields. */

export const INGEST = {
  scope: typed<string | undefined>(text).as("where they go; default shared", "scope"),
  parent: typed<string | undefined>(text).as("hang them below this memory", "id"),
  trusted: typed<boolean | undefined>(flag).as("you vouch for what they say"),
};
export type IngestOptions = Given<typeof INGEST>;

const DRY_RUN = typed<boolean | undefined>(flag).as("say what would happen and write nothing");
const UNTIL = typed<AbortSignal | undefined>(signal);

export const INGEST_FILES = {
  ...INGEST,
  format: typed<DocumentFormat | undefined>(text).as("what the files are, whatever their names", "format"),
  writeIds: typed<boolean | undefined>(flag).as("write the ids of headlines without :ID: into the Org files"),
  name: typed<((path: string) => string) | undefined>(action).as(
    "how a file is called in memory; its path unless given, with `~` for the home directory",
  ),
  dryRun: DRY_RUN,
  onProgress: progress<[done: number, total: number, path: string]>().as("called after each file"),
  signal: UNTIL.as("ends the work between two files"),
};
export type IngestFilesOptions = Given<typeof INGEST_FILES>;

export const SOURCE = {
  ...PLACED,
  format: typed<DocumentFormat>(text).as("as which file; as the one it came from unless given", "format"),
};
export type SourceOptions = Given<typeof SOURCE>;

export const LINKS = { ...PLACED, scope: text.as("where it is", "scope") };

export const EXPORT = {
  at: typed<string | undefined>(PLACED.at),
  scope: typed<string | undefined>(text).as("only from this scope", "scope"),
  format: typed<ExportFormat | undefined>(text).as(
    "json (default), jsonl and org: all but dates and history; markdown: texts, or by room as org; mcp-memory: the graph; gcc: a folder with the work of branches; image: the whole store",
    "format",
  ),
  by: typed<"subject" | "room" | undefined>(text).as(
    "markdown by subject (default), or by room, which can be read back whole",
    "order",
  ),
  history: typed<boolean | undefined>(flag).as(
    "with the commits; json and jsonl become the same store again when imported into an empty one",
  ),
  onProgress: progress().as("called after every thousand memories; may throw to end it"),
};
export type ExportOptions = Given<typeof EXPORT>;

export const IMPORT = {
  format: typed<ImportFormat | undefined>(text).as("what it is, if that cannot be seen", "format"),
  scope: typed<string | undefined>(text).as("where memories go that name no scope", "scope"),
  trusted: typed<boolean | undefined>(flag).as("you vouch for it; else canon comes in as register"),
  dryRun: DRY_RUN,
  onProgress: progress().as("called after each commit with how many memories are done"),
  signal: UNTIL.as(
    "ends it between two commits; what is committed stays, and importing again goes on from there",
  ),
};
export type ImportOptions = Given<typeof IMPORT>;

/** Of a knowledge graph or a tree of files. */
export const WHERE = { scope: text.as("the scope it is in; that for new memories unless given", "scope") };
