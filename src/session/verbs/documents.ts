import { type MemoryId, parseId, parseScope, type Scope } from "../../base/index.js";
import { type AstNode, derivedId, fromAst } from "../../documents/index.js";
import type { MemoryRecord } from "../../ledger/index.js";
import type { Desk } from "../desk.js";
import { ScopeTree } from "../scope-tree.js";
import type { WriteOptions } from "../session.js";
import { forget } from "./forget.js";
import { type IngestJob, type IngestOptions, ingest, isIngested } from "./ingest.js";
import { type IngestFilesOptions, type IngestHost, type IngestReport, ingestFiles } from "./ingest-files.js";

/** Stores a syntax tree and answers with the id of its root. */
export async function ingestAst(
  desk: Desk,
  ast: AstNode,
  { scope, parent, trusted, ...options }: IngestOptions & WriteOptions,
): Promise<MemoryId> {
  const tree = fromAst(ast);
  const root = tree.id === undefined ? derivedId(parent ?? "", tree.type, tree.text, 0) : parseId(tree.id);
  const job = { tree, root, scope, parent, trusted };
  const { value } = await desk.write("ingest", options, (draft) => ingest(desk.context, draft, job));
  return value.root;
}

/** Reads files and folders of documents; the scope is read once for all of them. */
export function ingestPaths(
  desk: Desk,
  paths: readonly string[],
  options: IngestFilesOptions,
): Promise<IngestReport> {
  const { context, reader } = desk;
  const scopeOf = (given: string | undefined): Scope =>
    given === undefined ? context.home : parseScope(given);
  const index = new ScopeTree(context, scopeOf(options.scope));
  const host: IngestHost = {
    write: (job: IngestJob, writing) =>
      desk.write("ingest", writing, (draft) => ingest(context, draft, { ...job, index })),
    documentsUnder: (prefix) =>
      desk.read(async (tip) => {
        await index.follow(reader, tip);
        return [...index.all()].filter((record) => isDocumentUnder(record, prefix));
      }),
    forgetDocument: async (root, dryRun) => {
      const message = `forget ${root.attributes?.path}`;
      const { value } = await desk.write("ingest", { message, dryRun }, async (draft) => {
        await index.follow(reader, draft.start);
        const ours = index.below(root.id).filter(isIngested).toReversed();
        for (const { id, scope } of ours) await forget(context, draft, id, { scope });
        return ours.length;
      });
      return value;
    },
  };
  return ingestFiles(host, paths, options);
}

const isDocumentUnder = (record: MemoryRecord, prefix: string): boolean =>
  record.type === "document" &&
  isIngested(record) &&
  typeof record.attributes?.path === "string" &&
  record.attributes.path.startsWith(prefix);
