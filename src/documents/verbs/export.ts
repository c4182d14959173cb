import { hashBytes } from "../../core/base/index.js";
import { clears, decodeObject } from "../../core/ledger/index.js";
import { log, logItems } from "../../history/index.js";
import type { At, AtTip, Context, Reader } from "../../repo/index.js";
import { attentive, type Look } from "../../repo/index.js";
import {
  type ExportedBranch,
  type ExportFormat,
  ExportSource,
  graphExport,
  jsonExport,
  jsonlExport,
} from "../export.js";
import { markdownExport, orgExport, subjectOf } from "../export-people.js";
import { GRAPH_TYPES } from "../graph.js";
import { imageLines } from "../image.js";
import type { ExportOptions } from "../options.js";
import { imageOf } from "./image.js";

export interface Export {
  readonly count: number;
  /** The text of the file, piece by piece, read from the store meanwhile. */
  readonly parts: AsyncIterable<string>;
  /** Can an empty store become the same from the file? */
  readonly isWhole: boolean;
}

/** How many commits a file for people lists. */
const COMMITS = 50;

/** What the session sees, as a file for people or other programs. */
export async function exportMemories(at: At, options: ExportOptions): Promise<Export> {
  const { format = "json" } = options;
  const made = await partsAs(format, at, options);
  return { ...made, parts: logged(at.context, made, `saved ${made.count} memories as ${format}`) };
}

/** The same parts; the line is logged when all of them were taken. */
async function* logged(
  { engine }: Context,
  { parts }: Pick<Export, "parts">,
  line: string,
): AsyncGenerator<string> {
  yield* parts;
  engine.log(line);
}

async function partsAs(format: ExportFormat, at: At, options: ExportOptions): Promise<Export> {
  const { context, now } = at;
  const branches = await branchesOf(at);
  const types = format === "mcp-memory" ? GRAPH_TYPES : undefined;
  const source = await ExportSource.open(at, { ...options, types });
  const { count } = source;
  if (format === "json" || format === "jsonl") return streamed(at, { ...options, source, branches });
  const asParts = (parts: AsyncIterable<string>): Export => ({
    count,
    parts: attentive(parts, source.look),
    isWhole: false,
  });
  if (format === "org") return asParts(orgExport(now, source.nested()));
  if (format === "mcp-memory")
    return asParts(graphExport(source.placed("entity"), source.placed("relation")));
  const commits = options.history ? await lastCommits(at) : undefined;
  const head = { at: now, branch: context.branch, branches, count };
  const groups = source.groups(subjectOf);
  const rooms = options.by === "room" ? () => source.nested() : undefined;
  return asParts(
    markdownExport({ ...head, groups, ...(rooms && { rooms }), ...(commits && { history: commits }) }),
  );
}

/** Commits with what they were for, else what they did first. */
async function lastCommits({ context, tip }: AtTip) {
  const items = await log(context, [tip], { limit: COMMITS });
  return items.map(({ commit, time, message, reasons, first, changes }) => {
    const gist = message ?? reasons?.join("; ") ?? `${first.op} ${first.text || first.id}`;
    return { commit, time, message: changes > 1 ? `${gist} (${changes} changes)` : gist };
  });
}

async function streamed(
  { context, reader, tip, now }: At,
  given: ExportOptions & { readonly source: ExportSource; readonly branches: ExportedBranch[] },
): Promise<Export> {
  const { format, scope, at, history, branches, source } = given;
  const isAll = history === true && scope === undefined && at === undefined;
  const isWhole = isAll && seesEverything(context) && (await isReadable(reader, source.look));
  const image = isWhole ? await imageOf(reader.storage, now, source.look) : undefined;
  const head = {
    at: now,
    branch: context.branch,
    branches,
    ...(history && { history: logItems(context, [tip], {}) }),
    ...(image && { store: imageLines(image) }),
  };
  const parts =
    format === "jsonl"
      ? jsonlExport({ ...head, memories: source.nested() })
      : jsonExport({ ...head, memories: source.memories() });
  return { count: source.count, parts: attentive(parts, source.look), isWhole };
}

/**
 * A file that holds the whole store must not hold what its reader may not see. Whether anything is hidden is not asked: the
 * answer would tell that there is.
 */
const seesEverything = ({ sight }: Context): boolean =>
  sight.isEverywhere && clears(sight.clearance, "confidential");

/** A file with damage in it is of no use. */
async function isReadable(reader: Reader, look: Look): Promise<boolean> {
  for await (const { hash, bytes } of attentive(reader.storage.scan({ kinds: ["memory"] }), look)) {
    if (hashBytes("memory", bytes) !== hash) {
      reader.damaged.add(hash);
      return false;
    }
    try {
      decodeObject("memory", bytes);
    } catch {
      return false;
    }
  }
  return true;
}

async function branchesOf({ reader }: At): Promise<ExportedBranch[]> {
  const refs = await reader.storage.refs("heads/");
  return [...refs].map(([name, { target, meta }]) => ({
    name: name.slice("heads/".length),
    persona: typeof meta?.persona === "string" ? meta.persona : "default",
    head: target,
  }));
}
