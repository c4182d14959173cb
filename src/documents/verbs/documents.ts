import { type MemoryId, PalimpsestError, parseId, parseScope, quote, SHARED } from "../../core/base/index.js";
import type { MemoryRecord, Tip } from "../../core/ledger/index.js";
import { forget, type ScopeTree, scopeTree } from "../../memories/index.js";
import type { Desk, WriteOptions } from "../../repo/index.js";
import { findKey, headLookup } from "../../repo/index.js";
import { embedNow } from "../../search/index.js";
import { type AstNode, fromAst } from "../ast.js";
import { rootId } from "../derived-id.js";
import { LinkGraph, type NoteLink } from "../links.js";
import { type DocumentFormat, formatOf } from "../parse.js";
import { renderTree } from "../render.js";
import { type IngestJob, type IngestOptions, ingest, isIngested } from "./ingest.js";
import { type IngestFilesOptions, type IngestHost, type IngestReport, ingestFiles } from "./ingest-files.js";

/** The documents' word for what everybody sees, and the default of their call. */
const MEMEX = "memex";

/** Stores a syntax tree and answers with the id of its root. */
export async function ingestAst(
  desk: Desk,
  ast: AstNode,
  { scope, parent, trusted, ...options }: IngestOptions & WriteOptions,
): Promise<MemoryId> {
  const tree = fromAst(ast);
  const root = tree.id === undefined ? rootId(tree, parent ?? "") : parseId(tree.id);
  const job = { tree, root, scope: scope === MEMEX ? SHARED : scope, parent, trusted };
  const { value } = await written(desk, job, options);
  return value.root;
}

/** One document as one commit, and the vectors that it asks for. */
async function written(desk: Desk, job: IngestJob, writing: WriteOptions) {
  const done = await desk.write("ingest", writing, (draft) => ingest({ context: desk.context, draft }, job));
  const { engine, context } = desk;
  if (done.commit !== undefined) await embedNow(engine, context.branch, done.value.marked);
  return done;
}

/** Reads files and folders of documents; the scope is read once for all of them. */
export function ingestPaths(
  desk: Desk,
  paths: readonly string[],
  options: IngestFilesOptions,
): Promise<IngestReport> {
  const { context, reader } = desk;
  const scope = options.scope === undefined ? context.home : parseScope(options.scope);
  const host: IngestHost = {
    write: (job, writing) => written(desk, job, writing),
    documentsUnder: (prefix) =>
      desk.read(async (tip, now) => {
        const tree = await scopeTree(context, scope, tip, now);
        return [...tree.all()].filter((record) => isDocumentUnder(record, prefix));
      }),
    forgetDocument: async (root, dryRun) => {
      const message = `forget ${root.attributes?.path}`;
      const { value } = await desk.write("ingest", { message, dryRun }, async (draft) => {
        const tree = await scopeTree(context, scope, draft.start, draft.now);
        const ours = tree.below(root.id).filter(isIngested).toReversed();
        let gone = 0;
        for (const { id } of ours)
          if ((await forget({ context, draft }, id, { scope })).verdict === "accepted") gone++;
        return gone;
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

export interface Links {
  /** Links that stand in this note or, if `from` says so, in a part of it, with the notes they lead to. */
  readonly outgoing: readonly (NoteLink & { readonly from?: MemoryId })[];
  /** Notes elsewhere that link here, or to a part of it. */
  readonly incoming: readonly { readonly id: MemoryId; readonly target: string }[];
}

/** Relations of a note and of all that lies below it, in both directions, among what the session sees of its scope. */
export function links(desk: Desk, id: string, scope?: string, at?: string): Promise<Links> {
  return desk.read(async (tip, now) => {
    const { record, tree } = await treeOf(desk, tip, now, id, scope);
    const graph = new LinkGraph(tree.all());
    const parts = tree.below(record.id);
    return {
      outgoing: parts.flatMap((part) =>
        graph.outgoing(part).map((link) => ({ ...link, ...(part !== record && { from: part.id }) })),
      ),
      incoming: graph.incoming(new Set(parts.map((part) => part.id))),
    };
  }, at);
}

export interface SourceOptions {
  readonly scope?: string;
  readonly format?: DocumentFormat;
  /** As it was at a commit, branch, tag, snapshot or time. */
  readonly at?: string;
}

/** A document, or a part of one, as the file it came from: the same bytes when nothing has changed since. */
export function sourceOf(desk: Desk, id: string, { scope, format, at }: SourceOptions = {}): Promise<string> {
  return desk.read(async (tip, now) => {
    const { record, tree } = await treeOf(desk, tip, now, id, scope);
    return renderTree(tree.below(record.id), format ?? formatOf(pathAbove(tree, record)) ?? "org");
  }, at);
}

function pathAbove(tree: ScopeTree, record: MemoryRecord): string {
  const seen = new Set<MemoryId>();
  let at: MemoryRecord | undefined = record;
  while (at && at.type !== "document" && !seen.has(at.id)) {
    seen.add(at.id);
    at = at.parent === undefined ? undefined : tree.get(at.parent);
  }
  return typeof at?.attributes?.path === "string" ? at.attributes.path : "";
}

async function treeOf(
  { context, reader }: Desk,
  tip: Tip,
  now: string,
  id: string,
  scope: string | undefined,
) {
  const key = await findKey(context, headLookup(reader, tip), id, scope);
  const tree = key && (await scopeTree(context, key.scope, tip, now));
  const record = key && tree?.get(key.id);
  if (!record || !tree) throw new PalimpsestError("NOT_FOUND", `There is no memory ${quote(id)}.`);
  return { record, tree };
}
