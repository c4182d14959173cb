import { PalimpsestError, parseScope, type Timestamp } from "../../base/index.js";
import {
  type ExportedBranch,
  type ExportFormat,
  exportParts,
  imageLines,
  jsonExport,
  jsonlExport,
} from "../../documents/index.js";
import { decodeObject, type Tip } from "../../ledger/index.js";
import { Scene, select } from "../../view/index.js";
import type { Context } from "../context.js";
import type { Desk } from "../desk.js";
import { imageOf } from "../image.js";
import { gather, memoriesOf } from "../memories.js";
import type { Memory } from "../memory.js";
import type { Reader } from "../reader.js";
import { list } from "./list.js";
import { log, logItems } from "./log.js";

export interface ExportOptions {
  readonly format?: ExportFormat | undefined;
  readonly scope?: string | undefined;
  /**
   * With the commits that the session sees. JSON and JSONL also carry the whole store, from which an empty one becomes
   * the same, if the session sees everything in it.
   */
  readonly history?: boolean | undefined;
  /** Told of every thousand memories; may throw to end it. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Export {
  readonly count: number;
  /** The text of the file, piece by piece, read from the store meanwhile. */
  readonly parts: AsyncIterable<string>;
  /** Can an empty store become the same from this file? */
  readonly isWhole: boolean;
}

/** How many commits a file for people tells of. */
const COMMITS = { markdown: 50, org: 0, "mcp-memory": 0 } as const;

/** What the session sees, as a file for people or other programs. */
export function exportMemories(desk: Desk, options: ExportOptions): Promise<Export> {
  const { format = "json", scope } = options;
  const { context, reader } = desk;
  const only = scope === undefined ? {} : { scope };
  return desk.read(async (tip, now) => {
    const branches = await branchesOf(desk);
    if (format === "json" || format === "jsonl") return streamed(desk, tip, now, { ...options, branches });
    const memories = await list(context, reader, tip, now, only);
    const limit = options.history ? COMMITS[format] : 0;
    const commits = limit > 0 ? await log(context, reader, [tip], { limit }) : undefined;
    const input = { at: now, branch: context.branch, branches, memories };
    const parts = exportParts(format, { ...input, ...(commits && { history: commits }) });
    return { count: memories.length, parts: later(parts), isWhole: false };
  });
}

async function streamed(
  { context, reader }: Desk,
  tip: Tip,
  now: Timestamp,
  { format, scope, history, branches, onProgress }: ExportOptions & { readonly branches: ExportedBranch[] },
): Promise<Export> {
  const pages = new Pages(context, reader, tip, now, scope);
  const count = await pages.count();
  const isWhole = history === true && scope === undefined && (await seesEverything(context, reader));
  const image = isWhole ? await imageOf(reader.storage, now) : undefined;
  const write = format === "jsonl" ? jsonlExport : jsonExport;
  const parts = write({
    at: now,
    branch: context.branch,
    branches,
    memories: pages.memories((done) => onProgress?.(done, count)),
    ...(history && { history: logItems(context, reader, [tip], {}) }),
    ...(image && { store: imageLines(image) }),
  });
  return { count, parts, isWhole };
}

/** A file that holds the whole store must not hold what its reader may not see. */
async function seesEverything({ sight }: Context, { storage }: Reader): Promise<boolean> {
  for await (const { bytes } of storage.scan({ kinds: ["memory"] })) {
    try {
      if (!sight.seesRecord(decodeObject("memory", bytes))) return false;
    } catch {
      return false;
    }
  }
  return true;
}

const PAGE = 1_000;

/** The memories of a state in pages, so that no more than one of them is held. */
class Pages {
  readonly #context: Context;
  readonly #reader: Reader;
  readonly #tip: Tip;
  readonly #time: number;
  readonly #scope: string | undefined;
  #docs: readonly number[] = [];
  #numbering: object | undefined;

  constructor(context: Context, reader: Reader, tip: Tip, now: string, scope: string | undefined) {
    this.#context = context;
    this.#reader = reader;
    this.#tip = tip;
    this.#time = Date.parse(now);
    this.#scope = scope;
  }

  async count(): Promise<number> {
    await this.#page(0, 0);
    return this.#docs.length;
  }

  async *memories(onPage: (done: number) => void): AsyncGenerator<Memory> {
    for (let at = 0; ; at += PAGE) {
      const found = await this.#page(at, at + PAGE);
      if (at >= this.#docs.length) return;
      yield* await memoriesOf(this.#reader, found);
      onPage(Math.min(at + PAGE, this.#docs.length));
    }
  }

  /** A view that was tidied meanwhile counts anew; the order of what it holds at a commit stays. */
  #page(from: number, to: number) {
    const { views, branch, sight } = this.#context;
    const only = this.#scope === undefined ? undefined : parseScope(this.#scope);
    return views.use(branch, this.#tip, (view) => {
      if (view.numbering !== this.#numbering) {
        const count = this.#docs.length;
        this.#docs = select(new Scene(view, sight, this.#time, only), []);
        if (this.#numbering && this.#docs.length !== count)
          throw new PalimpsestError("STORE_BUSY", "What was to be exported was erased meanwhile.");
        this.#numbering = view.numbering;
      }
      return gather(view, this.#docs.slice(from, to), this.#context, this.#time);
    });
  }
}

async function* later(parts: Iterable<string>): AsyncGenerator<string> {
  yield* parts;
}

async function branchesOf({ reader }: Desk): Promise<ExportedBranch[]> {
  const refs = await reader.storage.refs("heads/");
  return [...refs].map(([name, { target, meta }]) => ({
    name: name.slice("heads/".length),
    persona: typeof meta?.persona === "string" ? meta.persona : "default",
    head: target,
  }));
}
