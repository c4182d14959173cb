import { type ExportedBranch, type ExportFormat, exportParts } from "../../documents/index.js";
import type { Desk } from "../desk.js";
import { list } from "./list.js";
import { log } from "./log.js";

export interface ExportOptions {
  readonly format?: ExportFormat | undefined;
  readonly scope?: string | undefined;
  /** With the commits that the session sees. */
  readonly history?: boolean | undefined;
}

export interface Export {
  readonly count: number;
  /** The text of the file, piece by piece. */
  readonly parts: Iterable<string>;
}

/** How many commits a file of each format tells of. */
const COMMITS = { json: 1_000, jsonl: 0, markdown: 50, org: 0, "mcp-memory": 0 } as const;

/** What the session sees, as a file for people or other programs. */
export function exportMemories(
  desk: Desk,
  { format = "json", scope, history }: ExportOptions,
): Promise<Export> {
  const { context, reader } = desk;
  return desk.read(async (tip, now) => {
    const memories = await list(context, reader, tip, now, scope === undefined ? {} : { scope });
    const limit = history ? COMMITS[format] : 0;
    const commits = limit > 0 ? await log(context, reader, [tip], { limit }) : undefined;
    const parts = exportParts(format, {
      at: now,
      branch: context.branch,
      branches: await branchesOf(desk),
      memories,
      ...(commits && { history: commits }),
    });
    return { count: memories.length, parts };
  });
}

async function branchesOf({ reader }: Desk): Promise<ExportedBranch[]> {
  const refs = await reader.storage.refs("heads/");
  return [...refs].map(([name, { target, meta }]) => ({
    name: name.slice("heads/".length),
    persona: typeof meta?.persona === "string" ? meta.persona : "default",
    head: target,
  }));
}
