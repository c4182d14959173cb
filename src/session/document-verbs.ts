import { type MemoryId, parseBranch, parseTime } from "../core/base/index.js";
import { type BranchStatus, headRef } from "../core/ledger/index.js";
import type {
  AstNode,
  Export,
  ExportOptions,
  ImportedBranch,
  ImportOptions,
  ImportReport,
  IngestFilesOptions,
  IngestOptions,
  IngestReport,
  Links,
  SourceOptions,
} from "../documents/index.js";
import type { NewBranch, TreeChanges } from "../history/index.js";
import type { WriteOptions } from "../repo/index.js";
import {
  type Allowed,
  action,
  answer,
  checkGiven,
  checkOptions,
  type Desk,
  deskOf,
  flag,
  listOf,
  PLACED,
  path,
  readOnce,
  signal,
  text,
  WRITING,
} from "../repo/index.js";
import { WorkVerbs } from "./work-verbs.js";

const INGEST: Allowed<IngestOptions> = { scope: text, parent: text, trusted: flag };

/** The verbs of a session that are about documents and files. Their code is loaded when one is called. */
export class DocumentVerbs extends WorkVerbs {
  #desk(): Promise<Desk> {
    return this.open(async () => deskOf(this.engine, this.context));
  }

  /** A fresh id of one's own: unique, lower-case, sortable by time. */
  newId(): MemoryId {
    return this.context.newId();
  }

  /**
   * Stores a syntax tree, one memory per node, and answers with the id of its root. Ingested again, only what changed
   * is written.
   */
  async ingestAst(ast: AstNode, options: IngestOptions & WriteOptions = {}): Promise<MemoryId> {
    checkOptions("ingestAst", options, { ...INGEST, ...WRITING });
    return (await load()).ingestAst(await this.#desk(), ast, options);
  }

  /** Reads Org and Markdown files, or all of a folder, as trees of memories: one commit per file. */
  async ingest(paths: string | readonly string[], options: IngestFilesOptions = {}): Promise<IngestReport> {
    checkOptions("ingest", options, {
      ...INGEST,
      format: text,
      writeIds: flag,
      name: action,
      dryRun: flag,
      onProgress: action,
      signal,
    });
    const all = typeof paths === "string" ? [paths] : readOnce(paths);
    checkGiven("ingest", { paths: all }, { paths: listOf(path, "paths") });
    return (await load()).ingestPaths(await this.#desk(), all, options);
  }

  /** A document, or part of one, as the file it came from: the same bytes when nothing has changed since. */
  async source(id: string, options: SourceOptions = {}): Promise<string> {
    checkOptions("source", options, { ...PLACED, format: text });
    return (await load()).sourceOf(await this.#desk(), id, options);
  }

  /** Which notes a note links to, and which link to it. */
  async links(id: string, options: { readonly scope?: string; readonly at?: string } = {}): Promise<Links> {
    checkOptions("links", options, PLACED);
    return answer(await (await load()).links(await this.#desk(), id, options.scope, options.at));
  }

  /** What changed in a tree between two states (commits or times; default now), in time proportional to the change. */
  async changesBelow(
    id: string,
    options: { readonly from: string; readonly to?: string; readonly scope?: string },
  ): Promise<TreeChanges> {
    checkOptions("changesBelow", options, { scope: text, from: text, to: text });
    const { changesBelow } = await import("../history/verbs/tree-changes.js");
    return answer(await changesBelow(await this.#desk(), id, options));
  }

  /** What the session sees, as a file for people or other programs. */
  async export(options: ExportOptions = {}): Promise<Export> {
    checkOptions("export", options, { ...PLACED, format: text, by: text, history: flag, onProgress: action });
    const { exportMemories } = await import("../documents/verbs/export.js");
    const made = await exportMemories(await this.#desk(), options);
    const { format = "json" } = options;
    return { ...made, parts: this.#told(made.parts, `saved ${made.count} memories as ${format}`) };
  }

  /** The same parts; the line is logged when all of them were taken. */
  async *#told(parts: AsyncIterable<string>, line: string): AsyncGenerator<string> {
    yield* parts;
    this.engine.log(line);
  }

  /** Reads an export, or the memories of another system, through the gate. Read twice, a file changes nothing. */
  async import(from: string, options: ImportOptions = {}): Promise<ImportReport> {
    checkGiven("import", { path: from }, { path });
    checkOptions("import", options, {
      format: text,
      scope: text,
      trusted: flag,
      dryRun: flag,
      onProgress: action,
      signal,
    });
    const [{ importFile }, { fillFrom }] = await Promise.all([
      import("../documents/verbs/import.js"),
      import("../care/verbs/fill-store.js"),
    ]);
    try {
      const desk = await this.#desk();
      const report = await importFile(
        desk,
        from,
        options,
        (branch) => this.#deskOn(branch, options),
        fillFrom,
      );
      const taken = report.accepted + report.updated;
      if (!options.dryRun) this.engine.log(`loaded ${taken} memories from ${from}`);
      return report;
    } catch (error) {
      this.engine.log(`load failed: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  }

  async #deskOn(branch: ImportedBranch, { dryRun }: ImportOptions): Promise<Desk> {
    const name = parseBranch(branch.name);
    const isThere = (await this.engine.storage.ref(headRef(name))) !== undefined;
    // What would be on it is judged where it would begin.
    if (!isThere && dryRun) return this.#desk();
    if (!isThere) await this.createBranch(name, newBranchOf(branch));
    return deskOf(this.engine, { ...this.context, branch: name });
  }
}

const STATUS: readonly (string | undefined)[] = ["merged", "abandoned"] satisfies BranchStatus[];

const newBranchOf = ({ persona, purpose, status, created }: ImportedBranch): NewBranch => ({
  ...(persona !== undefined && { persona }),
  ...(purpose !== undefined && { purpose }),
  ...(STATUS.includes(status) && { status: status as BranchStatus }),
  ...(created !== undefined && { created: parseTime(created) }),
});

const load = () => import("../documents/verbs/documents.js");
