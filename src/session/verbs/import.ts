import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { PalimpsestError, parseId, parseScope, type Timestamp } from "../../base/index.js";
import {
  formatOfFile,
  formatOfFolder,
  type Import,
  type ImportedMemory,
  type ImportFormat,
  importJson,
  importJsonl,
  importNanobot,
  importPalace,
  importScratchpad,
  importSnap,
  importVault,
  parentsFirst,
} from "../../documents/index.js";
import type { VerdictKind } from "../../gate/index.js";
import { laneOf } from "../../ledger/index.js";
import type { Judged } from "../admit.js";
import type { Context } from "../context.js";
import type { Desk } from "../desk.js";
import type { Draft } from "../draft.js";
import { readText, unusable } from "../files.js";
import { forget } from "./forget.js";
import { remember } from "./remember.js";

export interface ImportOptions {
  readonly format?: ImportFormat | undefined;
  /** Where memories go that name no scope. */
  readonly scope?: string | undefined;
  /** The session vouches for the file; otherwise it has the trust of something from outside, and canon becomes register. */
  readonly trusted?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ImportReport extends Readonly<Record<VerdictKind, number>> {
  readonly format: ImportFormat;
  /** Forgotten here because the file says they were deleted. */
  readonly forgotten: number;
  /** Canon that came in as register because nobody vouched for the file. */
  readonly lowered: number;
  readonly problems: readonly { readonly where: string; readonly reason: string }[];
}

const PER_COMMIT = 1_000;

/** Reads a file or folder of another memory system, or of an export, through the gate. Read twice, it changes nothing. */
export async function importFile(desk: Desk, path: string, options: ImportOptions): Promise<ImportReport> {
  const { format, data } = await desk.read((_, now) => readImport(path, options.format, now));
  const counts: Record<VerdictKind, number> = {
    accepted: 0,
    updated: 0,
    duplicate: 0,
    rejected: 0,
    quarantined: 0,
  };
  const problems = [...data.problems];
  const items = parentsFirst(data.memories);
  for (let at = 0; at < items.length; at += PER_COMMIT) {
    options.signal?.throwIfAborted();
    const part = items.slice(at, at + PER_COMMIT);
    const { value } = await desk.write("import", writing(path, options), async (draft) => {
      const verdicts: Judged[] = [];
      for (const item of part) verdicts.push(await judged(desk.context, draft, item, options));
      return verdicts;
    });
    for (const [index, { verdict, reason = "" }] of value.entries()) {
      counts[verdict]++;
      if (verdict === "rejected" || verdict === "quarantined")
        problems.push({ where: (part[index] as ImportedMemory).id, reason });
    }
    options.onProgress?.(Math.min(at + PER_COMMIT, items.length), items.length);
  }
  const lowered = options.trusted ? 0 : items.filter(({ tier }) => tier === "canon").length;
  return { ...counts, format, forgotten: await forgetAll(desk, path, data, options), lowered, problems };
}

const writing = (path: string, { dryRun }: ImportOptions) => ({
  message: `import ${basename(path)}`,
  dryRun,
});

async function judged(
  context: Context,
  draft: Draft,
  item: ImportedMemory,
  { scope, trusted }: ImportOptions,
): Promise<Judged> {
  const { tier, source: _, ...rest } = item;
  const place = item.scope ?? scope;
  try {
    const known = await draft.entry(place === undefined ? context.home : parseScope(place), parseId(item.id));
    if (known && laneOf(known.record.type) !== laneOf(item.type ?? "fact"))
      throw new PalimpsestError("INVALID_ID", `The id belongs to a memory of type "${known.record.type}".`);
    return await remember(context, draft, {
      ...rest,
      ...(place !== undefined && { scope: place }),
      ...(tier && (trusted || tier !== "canon") && { tier }),
      ...(!trusted && { source: "import" }),
    });
  } catch (error) {
    if (!(error instanceof PalimpsestError) || !error.code.startsWith("INVALID_")) throw error;
    const { code, message: reason, hint } = error;
    return { verdict: "rejected", code, check: "shape", reason, hint, branch: draft.branch };
  }
}

async function forgetAll(desk: Desk, path: string, data: Import, options: ImportOptions): Promise<number> {
  if (data.forgotten.length === 0) return 0;
  const { context } = desk;
  const { value } = await desk.write("import", writing(path, options), async (draft) => {
    let count = 0;
    for (const { id, scope = options.scope } of data.forgotten) {
      const place = scope === undefined ? context.home : parseScope(scope);
      const entry = context.sight.sees(place) ? await draft.entry(place, parseId(id)) : undefined;
      if (!entry || !context.sight.seesRecord(entry.record)) continue;
      const reason = "Deleted in the imported file.";
      if ((await forget(context, draft, id, { scope: place, reason })).verdict === "accepted") count++;
    }
    return count;
  });
  return value;
}

async function readImport(
  path: string,
  given: ImportFormat | undefined,
  now: Timestamp,
): Promise<{ readonly format: ImportFormat; readonly data: Import }> {
  const found = await stat(path).catch((error) => {
    throw unusable(path, error);
  });
  if (found.isDirectory()) return fromFolder(path, given, now);
  const text = await readText(path);
  const format = given ?? formatOfFile(text, basename(path));
  const read = { json: importJson, jsonl: importJsonl, vault: importVault, snap: importSnap } as const;
  if (format === "scratchpad") return { format, data: importScratchpad(text, path, now) };
  if (format !== undefined && format in read)
    return { format, data: read[format as keyof typeof read](text) };
  throw unknownFormat(path);
}

async function fromFolder(path: string, given: ImportFormat | undefined, now: Timestamp) {
  const files = await textsIn(path);
  const format = given ?? formatOfFolder(files.keys());
  if (format === "nanobot") return { format, data: importNanobot(files) };
  if (format === "mempalace") return { format, data: importPalace(files) };
  if (format !== "scratchpad") throw unknownFormat(path);
  const pads = [...files].map(([name, text]) => importScratchpad(text, name, now));
  const all = <K extends keyof Import>(key: K) =>
    pads.flatMap((pad) => pad[key] as never[]) as unknown as Import[K];
  return {
    format,
    data: { memories: all("memories"), forgotten: all("forgotten"), problems: all("problems") },
  };
}

const unknownFormat = (path: string): PalimpsestError =>
  new PalimpsestError("INVALID_FILE", `Nobody here knows what ${path} is.`, {
    hint: "Name its format: json, jsonl, vault, snap, nanobot, mempalace, scratchpad, image.",
  });

/** Texts of a folder by relative path. */
async function textsIn(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const isText = /\.(?:json|md|txt|ya?ml)$|^HEAD$/.test(entry.name);
    if (!entry.isFile() || !isText) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(folder, path).replaceAll(sep, "/"), await readText(path));
  }
  return files;
}
