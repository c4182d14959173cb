import { type MemoryId, parseScope } from "../core/base/index.js";
import {
  Access,
  checkGiven,
  checkOptions,
  type Given,
  listOf,
  path,
  read,
  readOnce,
  verb,
  WRITING,
  type WriteOptions,
} from "../repo/index.js";
import type { AstNode } from "./ast.js";
import type { FileTree } from "./file-tree.js";
import type { KnowledgeGraph } from "./graph/knowledge-graph.js";
import {
  EXPORT,
  type ExportOptions,
  IMPORT,
  type ImportOptions,
  INGEST,
  INGEST_FILES,
  type IngestFilesOptions,
  type IngestOptions,
  LINKS,
  SOURCE,
  WHERE,
} from "./options.js";
import type { Export } from "./verbs/export.js";
import type { FillStore, ImportReport } from "./verbs/import.js";
import type { IngestReport } from "./verbs/ingest-files.js";

const NOTHING = {};
const INGEST_AST = { ...INGEST, ...WRITING };

const documents = () => import("./verbs/documents.js");

/** What a session does with documents, and with memory in the forms in which other tools know it. */
export const documentVerbs = {
  /**
   * Stores a syntax tree, one memory per node, and answers with the id of its root. Ingested again, only what changed
   * is written.
   */
  ingestAst: verb("writes", INGEST_AST, (access, name) => {
    return async (ast: AstNode, options: IngestOptions & WriteOptions = NOTHING): Promise<MemoryId> => {
      checkOptions(name, options, INGEST_AST);
      const { ingestAst } = await import("./verbs/ingest.js");
      return ingestAst(await staying(access), ast, options);
    };
  }),

  /** Reads Org and Markdown files, or all of a folder, as trees of memories: one commit per file. */
  ingest: verb("writes", INGEST_FILES, (access, name) => {
    return async (
      paths: string | readonly string[],
      options: IngestFilesOptions = NOTHING,
    ): Promise<IngestReport> => {
      checkOptions(name, options, INGEST_FILES);
      const all = typeof paths === "string" ? [paths] : readOnce(paths);
      checkGiven(name, { paths: all }, { paths: listOf(path, "paths") });
      const { ingestFiles } = await import("./verbs/ingest-files.js");
      return ingestFiles(await staying(access), all, options);
    };
  }),

  /** A document, or part of one, as the file it came from: the same bytes when nothing has changed since. */
  source: read(SOURCE, documents, ({ sourceOf }, at, options, id: string) => sourceOf(at, id, options)),

  /** Which notes a note links to, and which link to it. */
  links: read(LINKS, documents, ({ links }, at, { scope }, id: string) => links(at, id, scope)),

  /** What the session sees, as a file for people or other programs. */
  export: verb("reads", EXPORT, (access, name) => {
    return async (options: ExportOptions = NOTHING): Promise<Export> => {
      checkOptions(name, options, EXPORT);
      const { exportMemories } = await import("./verbs/export.js");
      return access.look(options.at, (at) => exportMemories(at, options));
    };
  }),

  /** The knowledge graph in a scope: entities, what was observed of them, and relations. */
  knowledgeGraph: verb("writes", WHERE, (access, name) => {
    return async (options: Given<typeof WHERE> = NOTHING): Promise<KnowledgeGraph> => {
      checkOptions(name, options, WHERE);
      const { KnowledgeGraph } = await import("./graph/knowledge-graph.js");
      return new KnowledgeGraph(access, parseScope(options.scope ?? access.context.home));
    };
  }),

  /** The text files in a scope. */
  fileTree: verb("writes", WHERE, (access, name) => {
    return async (options: Given<typeof WHERE> = NOTHING): Promise<FileTree> => {
      checkOptions(name, options, WHERE);
      const { FileTree } = await import("./file-tree.js");
      return new FileTree(access, parseScope(options.scope ?? access.context.home));
    };
  }),
};

/**
 * `import`: reads an export, or the memories of another system, through the gate. Read twice, a file changes nothing. An
 * empty store becomes the one whose image is in the file; filling it needs the checks of a room above this one.
 */
export const importVerb = (filling: () => Promise<{ readonly fillFrom: FillStore }>) =>
  verb("writes", IMPORT, (access, name) => {
    return async (from: string, options: ImportOptions = NOTHING): Promise<ImportReport> => {
      checkGiven(name, { path: from }, { path });
      checkOptions(name, options, IMPORT);
      const [{ importFile }, { fillFrom }] = await Promise.all([import("./verbs/import.js"), filling()]);
      return importFile(await staying(access), from, options, fillFrom);
    };
  });

/** A session where it is now: what takes several commits makes them all on one branch. */
const staying = (access: Access): Promise<Access> => access.open((context) => new Access(context));
