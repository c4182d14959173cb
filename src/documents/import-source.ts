import { lstat, opendir, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { PalimpsestError, type Timestamp } from "../core/base/index.js";
import { chunksOf, readText, textChunksOf, unusable } from "../repo/index.js";
import { headOfPlain } from "../storage/index.js";
import { formatOfFile, formatOfFolder, IMPORT_FORMATS, type ImportFormat } from "./import/detect.js";
import { fromExport } from "./import/exported.js";
import { importGcc } from "./import/gcc.js";
import { importInstructions } from "./import/instructions.js";
import { entriesOf, type Import, type ImportEntry } from "./import/item.js";
import { jsonItems } from "./import/json-items.js";
import { importMcpMemory } from "./import/mcp-memory.js";
import { importNanobot } from "./import/nanobot.js";
import { importNotes } from "./import/notes.js";
import { markdownEntries, orgEntries } from "./import/own-files.js";
import { besideDays, importDailyNotes, importPalace, importScratchpad } from "./import/palace.js";
import { importSnap } from "./import/snap.js";
import { type TranscriptFormat, transcriptReader } from "./import/transcript.js";
import { importVault } from "./import/vault.js";
import { linesOf } from "./text-lines.js";

/** What is to be imported, entry by entry, from the start each time it is asked. */
export interface ImportSource {
  readonly format: ImportFormat;
  entries(): AsyncIterable<ImportEntry>;
  /** Files where others were read from that are none of the format. */
  readonly passedOver?: number;
}

/** People open files that they got from others, so that the cost of looking at one is bounded. */
const LIMITS = { wholeFile: 64 << 20, folder: 256 << 20, files: 20_000, line: 32 << 20 };
const HEAD = 1 << 16;

export async function openImport(
  path: string,
  given: ImportFormat | undefined,
  now: Timestamp,
): Promise<ImportSource> {
  const found = await stat(path).catch((error) => {
    throw unusable(path, error);
  });
  if (found.isDirectory()) return fromFolder(path, given, now);
  if (!found.isFile()) throw new PalimpsestError("INVALID_FILE", `${path} is neither a file nor a folder.`);
  return fromFile(path, given ?? formatOfFile(await headOf(path), path), now, found.size);
}

async function headOf(path: string): Promise<string> {
  const head = await headOfPlain(path, HEAD).catch((error) => {
    throw unusable(path, error);
  });
  return head.toString();
}

function fromFile(
  path: string,
  format: ImportFormat | undefined,
  now: Timestamp,
  size: number,
): ImportSource {
  if (format === "json" || format === "mem0") return { format, entries: () => fromJson(textChunksOf(path)) };
  if (format === "jsonl") return { format, entries: () => fromLines(chunksOf(path)) };
  if (format === "claude-code" || format === "codex")
    return { format, entries: () => fromTranscript(chunksOf(path), format, path) };
  if (format === "markdown" || format === "org") {
    const read = format === "org" ? orgEntries : markdownEntries;
    return { format, entries: () => read(linesOf(chunksOf(path), LIMITS.line)) };
  }
  const whole = WHOLE[format as keyof typeof WHOLE];
  if (format === undefined || whole === undefined) throw unknownFormat(path);
  if (size > LIMITS.wholeFile) throw tooMuch(`${path} is larger than ${LIMITS.wholeFile >> 20} MB`);
  return {
    format,
    async *entries() {
      yield* entriesOf(whole(await readText(path), path, now));
    },
  };
}

const WHOLE: Partial<Record<ImportFormat, (text: string, path: string, now: Timestamp) => Import>> = {
  vault: importVault,
  snap: importSnap,
  scratchpad: importScratchpad,
  "mcp-memory": importMcpMemory,
  instructions: (text, path) => importInstructions(text, basename(path)),
};

async function* fromJson(chunks: AsyncIterable<string>): AsyncGenerator<ImportEntry> {
  const counts = new Map<string | undefined, number>();
  for await (const { key, value, isEmpty } of jsonItems(chunks)) {
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    if (isEmpty) continue;
    const entry = fromExport(key, value, `${key === "relations" ? "relation" : "memory"} ${number}`);
    if (entry) yield entry;
  }
  if (counts.size > 0 && ![undefined, "memories", "results"].some((key) => counts.has(key)))
    throw new PalimpsestError("INVALID_FILE", "There is no list of memories in this file.");
}

async function* fromLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ImportEntry> {
  for await (const [where, value] of jsonLines(bytes)) {
    const entry = fromExport(undefined, value, where);
    if (entry) yield entry;
  }
}

async function* fromTranscript(bytes: AsyncIterable<Uint8Array>, format: TranscriptFormat, path: string) {
  const read = transcriptReader(format, path);
  for await (const [where, value] of jsonLines(bytes)) {
    if (value === undefined) yield { problem: { where, reason: "This line cannot be read." } };
    else yield* read(value);
  }
}

async function* jsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly [string, unknown]> {
  for await (const line of linesOf(bytes, LIMITS.line)) {
    const where = `line ${line.number}`;
    try {
      yield [where, "text" in line ? (JSON.parse(line.text) as unknown) : undefined];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      yield [where, undefined];
    }
  }
}

async function fromFolder(
  folder: string,
  given: ImportFormat | undefined,
  now: Timestamp,
): Promise<ImportSource> {
  const paths = await pathsIn(folder);
  if (given === undefined && paths.includes(".palimpsest.json"))
    throw new PalimpsestError("INVALID_FILE", `${folder} is the mirror of a palace.`, {
      hint: "Only the store it came from syncs it; move memories with `pal export` and `pal import`.",
    });
  const format = given ?? formatOfFolder(paths) ?? (await formatInside(folder, paths));
  if (format === "claude-code" || format === "codex") return talksIn(folder, paths, format);
  const files = await textsOf(
    folder,
    paths.filter((path) => /\.(?:json|md|txt|ya?ml)$|(?:^|\/)HEAD$/.test(path) && !/(?:^|\/)\./.test(path)),
  );
  return {
    format: format ?? "json",
    ...(format === "daily" && { passedOver: besideDays(paths).length }),
    async *entries() {
      if (format === "nanobot") yield* entriesOf(importNanobot(files));
      else if (format === "gcc") yield* entriesOf(importGcc(files));
      else if (format === "daily") yield* entriesOf(importDailyNotes(files));
      else if (format === "mempalace") yield* entriesOf(importPalace(files));
      else if (format === "basic-memory" || format === "obsidian")
        yield* entriesOf(await importNotes(files, format));
      else if (format === "scratchpad")
        for (const [name, text] of files) yield* entriesOf(importScratchpad(text, name, now));
      else throw unknownFormat(folder);
    },
  };
}

/** Notes that name a permalink, or conversations, are known by what they say. */
async function formatInside(folder: string, paths: readonly string[]): Promise<ImportFormat | undefined> {
  const talk = paths.find((path) => path.endsWith(".jsonl"));
  if (talk !== undefined) {
    const format = formatOfFile(await headOf(join(folder, talk)), talk);
    return format === "claude-code" || format === "codex" ? format : undefined;
  }
  for (const path of paths.filter((name) => name.endsWith(".md")).slice(0, 50))
    if (/^---[ \t]*\r?\n(?:.*\r?\n){0,50}?permalink:/.test(await headOf(join(folder, path))))
      return "basic-memory";
  return undefined;
}

function talksIn(folder: string, paths: readonly string[], format: TranscriptFormat): ImportSource {
  const talks = paths.filter((path) => path.endsWith(".jsonl"));
  return {
    format,
    async *entries() {
      for (const path of talks) yield* fromTranscript(chunksOf(join(folder, path)), format, path);
    },
  };
}

/** Files below a folder by relative path, in order. Links are not followed: they may lead anywhere. */
async function pathsIn(folder: string): Promise<string[]> {
  const paths: string[] = [];
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = await opendir(at).catch((error) => {
      throw unusable(folder, error);
    });
    for await (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules") waiting.push(path);
      // A vault is known by this folder, also while nothing is in it.
      if (entry.isDirectory() && at === folder && entry.name === ".obsidian") paths.push(".obsidian/");
      if (entry.isFile()) paths.push(relative(folder, path).replaceAll(sep, "/"));
      if (paths.length + waiting.length > LIMITS.files)
        throw tooMuch(`${folder} holds more than ${LIMITS.files.toLocaleString("en-US")} files`);
    }
  }
  return paths.sort();
}

/** A file may be replaced by a link between looking and reading, so it is looked at again. */
async function textsOf(folder: string, paths: readonly string[]): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  let size = 0;
  for (const path of paths) {
    const found = await lstat(join(folder, path)).catch((error) => {
      throw unusable(path, error);
    });
    if (!found.isFile()) continue;
    size += found.size;
    if (found.size > LIMITS.wholeFile || size > LIMITS.folder)
      throw tooMuch(`${folder} holds more than can be read at once`);
    files.set(path, await readText(join(folder, path)));
  }
  return files;
}

const tooMuch = (what: string): PalimpsestError =>
  new PalimpsestError("INVALID_FILE", `${what}.`, { hint: "Import it in smaller parts." });

const unknownFormat = (path: string): PalimpsestError =>
  new PalimpsestError("INVALID_FILE", `Nobody here knows what ${path} is.`, {
    hint: `Name its format (--format): ${IMPORT_FORMATS.join(", ")}, image. Notes and documents: \`pal ingest\`.`,
  });
