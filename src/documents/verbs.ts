import { parseScope } from "../core/base/index.js";
import { Access, act, checkGiven, listOf, path, read, readOnce, WRITING } from "../repo/index.js";
import type { AstNode } from "./ast.js";
import { EXPORT, IMPORT, INGEST, INGEST_FILES, LINKS, SOURCE, WHERE } from "./options.js";
import type { FillStore } from "./verbs/import.js";

const documents = () => import("./verbs/documents.js");

/** What a session does with documents, and with memory in the forms in which other tools know it. */
export const documentVerbs = {
  /**
   * Stores a syntax tree, one memory per node, and answers with the id of its root. Ingested again, only what changed
   * is written.
   */
  ingestAst: act(
    "writes",
    { ...INGEST, ...WRITING },
    () => import("./verbs/ingest.js"),
    ({ ingestAst }, access, options, ast: AstNode) => ingestAst(staying(access), ast, options),
  ),

  /** Reads Org and Markdown files, or all of a folder, as trees of memories: one commit per file. */
  ingest: act(
    "writes",
    INGEST_FILES,
    () => import("./verbs/ingest-files.js"),
    ({ ingestFiles }, access, options, paths: string | readonly string[]) => {
      const all = typeof paths === "string" ? [paths] : readOnce(paths);
      checkGiven("ingest", { paths: all }, { paths: listOf(path, "paths") });
      return ingestFiles(staying(access), all, options);
    },
  ),

  /** A document, or part of one, as the file it came from: the same bytes when nothing has changed since. */
  source: read(SOURCE, documents, ({ sourceOf }, at, options, id: string) => sourceOf(at, id, options)),

  /** Which notes a note links to, and which link to it. */
  links: read(LINKS, documents, ({ links }, at, { scope }, id: string) => links(at, id, scope)),

  /** What the session sees, as a file for people or other programs. */
  export: act(
    "reads",
    EXPORT,
    () => import("./verbs/export.js"),
    ({ exportMemories }, access, options) => access.look(options.at, (at) => exportMemories(at, options)),
  ),

  /** The knowledge graph in a scope: entities, what was observed of them, and relations. */
  knowledgeGraph: act(
    "writes",
    WHERE,
    () => import("./graph/knowledge-graph.js"),
    ({ KnowledgeGraph }, access, { scope }) =>
      new KnowledgeGraph(access, parseScope(scope ?? access.context.home)),
  ),

  /** The text files in a scope. */
  fileTree: act(
    "writes",
    WHERE,
    () => import("./file-tree.js"),
    ({ FileTree }, access, { scope }) => new FileTree(access, parseScope(scope ?? access.context.home)),
  ),
};

/**
 * `import`: reads an export, or the memories of another system, through the gate. Read twice, a file changes nothing. An
 * empty store becomes the one whose image is in the file; filling it needs the checks of a room above this one.
 */
export const importVerb = (filling: () => Promise<{ readonly fillFrom: FillStore }>) =>
  act(
    "writes",
    IMPORT,
    async () => {
      const [{ importFile }, { fillFrom }] = await Promise.all([import("./verbs/import.js"), filling()]);
      return { importFile, fillFrom };
    },
    ({ importFile, fillFrom }, access, options, from: string) => {
      checkGiven("import", { path: from }, { path });
      return importFile(staying(access), from, options, fillFrom);
    },
  );

/** A session where it is now: what takes several commits makes them all on one branch. */
const staying = ({ context }: Access): Access => new Access(context);
