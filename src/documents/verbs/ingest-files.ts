import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  type Hash,
  type MemoryId,
  PalimpsestError,
  parseId,
  parseScope,
  type Scope,
  unreadable,
} from "../../core/base/index.js";
import type { MemoryRecord } from "../../core/ledger/index.js";
import { forget, scopeTree } from "../../memories/index.js";
import {
  type Access,
  editFile,
  isThere,
  type Job,
  readText,
  SnapshotBefore,
  unusable,
  walk,
} from "../../repo/index.js";
import { type AstNode, type DocNode, typeOf } from "../ast.js";
import { derivedId } from "../derived-id.js";
import type { IngestFilesOptions } from "../options.js";
import { COMMON_KEYWORDS, lineAt, readDrawer, readHead } from "../org.js";
import { formatOf, parseDocument } from "../parse.js";
import { type IngestCounts, type IngestJob, ingestOne, isIngested } from "./ingest.js";

export interface IngestedFile extends IngestCounts {
  readonly path: string;
  readonly root: MemoryId;
  /** A commit whose state says what the file says: a new one if anything had changed. */
  readonly commit: Hash;
}

export interface IngestReport extends IngestCounts {
  readonly files: readonly IngestedFile[];
  /** Files that could not be read or were refused; nothing of them was written. */
  readonly failed: readonly { readonly path: string; readonly code: string; readonly reason: string }[];
}

interface Found {
  readonly path: string;
  readonly name: string;
}

/** Files, and the documents of folders, each as one commit. A file that fails does not stop the others. */
export async function ingestFiles(
  access: Access,
  paths: readonly string[],
  options: IngestFilesOptions,
): Promise<IngestReport> {
  const scope = options.scope === undefined ? access.context.home : parseScope(options.scope);
  const snapshot = new SnapshotBefore("ingest");
  const nameOf = options.name === undefined ? homeName : naming(options.name);
  const folders = await foldersOf(paths);
  const found = await filesOf(paths, folders, nameOf, options.signal);
  const elsewhere = found.length > 1 ? await namedIds(found) : undefined;
  const files: IngestedFile[] = [];
  const failed: { path: string; code: string; reason: string }[] = [];
  for (const [at, file] of found.entries()) {
    options.signal?.throwIfAborted();
    try {
      files.push(await ingestFile(access, file, elsewhere, options, snapshot));
    } catch (error) {
      if (!(error instanceof PalimpsestError) || !isOfTheFile(error)) throw error;
      failed.push({ path: file.name, code: error.code, reason: error.message });
    }
    options.onProgress?.(at + 1, found.length, file.path);
  }
  const gone = await forgetGone(access, folders, nameOf, scope, options, snapshot);
  const sum = (name: keyof IngestCounts) => files.reduce((total, file) => total + file[name], 0);
  return {
    files,
    failed,
    added: sum("added"),
    modified: sum("modified"),
    moved: sum("moved"),
    unchanged: sum("unchanged"),
    removed: sum("removed") + gone,
  };
}

/** A name is text; what else somebody's own way to name files answers is refused before anything is read. */
const naming =
  (nameOf: (path: string) => string) =>
  (path: string): string => {
    const name: unknown = nameOf(path);
    if (typeof name === "string" && name !== "") return name;
    throw new PalimpsestError("INVALID_VALUE", 'The option "name" of ingest must answer text.', {
      hint: "Give a function from a path to a name, or leave it out.",
    });
  };

/** What is wrong with the document, not with the store. */
const isOfTheFile = ({ code }: PalimpsestError): boolean => code.startsWith("INVALID_") || code === "REFUSED";

async function ingestFile(
  access: Access,
  { path, name }: Found,
  elsewhere: ReadonlySet<string> | undefined,
  options: IngestFilesOptions,
  snapshot: SnapshotBefore,
): Promise<IngestedFile> {
  const { dryRun, scope, parent, trusted, format } = options;
  const read = async (text: string): Promise<IngestJob> => {
    const tree = named(await parseDocument(text, path, format), name);
    return { tree, root: rootOf(tree, name), scope, parent, trusted, uri: name.slice(0, 2048), elsewhere };
  };
  let text = await readText(path);
  if (options.writeIds && !dryRun && (format ?? formatOf(path)) === "org") {
    const { value } = await ingestOne(access, await read(text), { message: "", dryRun: true }, snapshot);
    const withIds = writeIds(text, value.headlines);
    if (withIds !== text) await editFile(path, text, withIds);
    text = withIds;
  }
  const note = { message: `ingest ${name}`, dryRun };
  const { value, commit } = await ingestOne(access, await read(text), note, snapshot);
  const { headlines: _, marked: __, head, ...counts } = value;
  return { path: name, ...counts, commit: commit ?? head };
}

const named = (tree: DocNode, path: string): DocNode => ({
  ...tree,
  attributes: { ...tree.attributes, path },
});

/** A document is called by its own id, else by its path. */
export function rootOf(tree: DocNode, name: string): MemoryId {
  if (tree.id !== undefined) return parseId(tree.id);
  try {
    return parseId(name);
  } catch {
    return derivedId("", "document", name, 0);
  }
}

/** `~/notes/todo.org`, or the whole path of what lies elsewhere. */
function homeName(path: string): string {
  const below = relative(homedir(), path);
  const isBelow = below !== "" && !below.startsWith("..") && !isAbsolute(below);
  return (isBelow ? `~/${below}` : path).replaceAll(sep, "/");
}

async function foldersOf(paths: readonly string[]): Promise<string[]> {
  const { stat } = await import("node:fs/promises");
  const folders: string[] = [];
  for (const path of paths.map((path) => resolve(path)))
    if (
      (
        await stat(path).catch((error) => {
          throw unusable(path, error);
        })
      ).isDirectory()
    )
      folders.push(path);
  return folders;
}

async function filesOf(
  paths: readonly string[],
  folders: readonly string[],
  nameOf: (path: string) => string,
  signal: AbortSignal | undefined,
): Promise<Found[]> {
  const found = new Set<string>();
  for (const path of paths.map((path) => resolve(path))) {
    if (!folders.includes(path)) found.add(path);
    else
      for await (const file of walk(path, (name) => formatOf(name) !== undefined)) {
        signal?.throwIfAborted();
        found.add(file);
      }
  }
  return [...found].map((path) => ({ path, name: nameOf(path) }));
}

/** Every :ID: in the Org files of a run: a headline that moved from one file to another is no loss. */
async function namedIds(found: readonly Found[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { path } of found) {
    if (formatOf(path) !== "org") continue;
    const text = await readText(path).catch(() => "");
    for (const [, id = ""] of text.matchAll(/^[ \t]*:ID:[ \t](.*)$/gim)) ids.add(id.trim());
  }
  return ids;
}

/** Documents read earlier from a folder that now lacks them. */
async function forgetGone(
  access: Access,
  folders: readonly string[],
  nameOf: (path: string) => string,
  scope: Scope,
  { dryRun }: IngestFilesOptions,
  snapshot: SnapshotBefore,
): Promise<number> {
  let count = 0;
  for (const folder of folders) {
    const prefix = `${nameOf(folder)}/`;
    for (const root of await documentsUnder(access, scope, prefix)) {
      const path = String(root.attributes?.path);
      if (await isThere(join(folder, path.slice(prefix.length)))) continue;
      const { value } = await access.commit({
        ...{ verb: "ingest", options: { message: `forget ${path}`, dryRun }, snapshot, beside: true },
        run: (job) => forgetDocument(job, scope, root.id),
      });
      count += value;
    }
  }
  return count;
}

/** Documents in memory whose path begins so. */
const documentsUnder = (access: Access, scope: Scope, prefix: string): Promise<MemoryRecord[]> =>
  access.look(undefined, async ({ context, tip, now }) => {
    const tree = await scopeTree(context, scope, tip, now);
    return [...tree.all()].filter((record) => isDocumentUnder(record, prefix));
  });

const isDocumentUnder = (record: MemoryRecord, prefix: string): boolean =>
  record.type === "document" &&
  isIngested(record) &&
  typeof record.attributes?.path === "string" &&
  record.attributes.path.startsWith(prefix);

/** Forgets a document with everything below it that came from documents; answers how many nodes went. */
async function forgetDocument(job: Job, scope: Scope, root: MemoryId): Promise<number> {
  const { context, draft } = job;
  const tree = await scopeTree(context, scope, draft.start, draft.now);
  const ours = tree.below(root).filter(isIngested).toReversed();
  let gone = 0;
  for (const { id } of ours) if ((await forget(job, id, { scope })).verdict === "accepted") gone++;
  return gone;
}

/** Every headline of a syntax tree that has no :ID:, depth first. */
export function* headlinesMissingId(ast: AstNode): Generator<AstNode> {
  const found = missing(ast);
  for (;;) {
    let next: IteratorResult<AstNode>;
    try {
      next = found.next();
    } catch (error) {
      throw unreadable(error);
    }
    if (next.done) return;
    yield next.value;
  }
}

function* missing(ast: AstNode): Generator<AstNode> {
  const waiting: (AstNode | string | null | undefined)[] = [ast];
  const seen = new Set<object>();
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    const properties = node.properties ?? {};
    if (typeOf(node.type) === "headline" && !properties.ID && !properties[":ID"]) yield node;
    for (const child of [...(node.contents ?? [])].reverse()) waiting.push(child);
  }
}

/** The first headline without an :ID:, depth first; undefined if all have one. */
export const findHeadlineMissingId = (ast: AstNode): AstNode | undefined =>
  headlinesMissingId(ast).next().value as AstNode | undefined;

/**
 * An Org text in which every headline has an :ID:. `ids` are those of all its headlines in order; only headlines
 * without one are touched, and of them nothing but the drawer.
 */
function writeIds(text: string, ids: readonly string[]): string {
  const starts = [...text.matchAll(/(?<=^|\n)\*+ /g)].map(({ index }) => index);
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const pieces = [text.slice(0, starts[0] ?? text.length)];
  for (const [at, start] of starts.entries()) {
    const section = text.slice(start, starts[at + 1] ?? text.length);
    pieces.push(withId(section, ids[at] as string, eol));
  }
  return pieces.join("");
}

function withId(section: string, id: string, eol: string): string {
  const head = readHead(section, COMMON_KEYWORDS);
  if (head.properties.get("ID")) return section;
  const drawer = drawerStart(section, head.length);
  if (drawer === undefined) {
    const above = section.slice(0, head.length);
    const gap = above.endsWith("\n") ? "" : eol;
    return `${above}${gap}:PROPERTIES:${eol}:ID: ${id}${eol}:END:${eol}${section.slice(head.length)}`;
  }
  const begin = lineAt(section, drawer).end;
  const rest = section.slice(begin).replace(/^[ \t]*:ID:[ \t]*(?:\r?\n)/i, "");
  const indent = /^[ \t]*/.exec(section.slice(drawer))?.[0] ?? "";
  return `${section.slice(0, begin)}${indent}:ID: ${id}${eol}${rest}`;
}

/** Where the property drawer that ends a head begins. */
function drawerStart(section: string, end: number): number | undefined {
  for (let at = lineAt(section, 0).end; at < end; at = lineAt(section, at).end)
    if (readDrawer(section, at)?.end === end) return at;
  return undefined;
}
