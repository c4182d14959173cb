import { fileName } from "../source.js";
import { isObject } from "./item.js";
import { isGraphLine } from "./mcp-memory.js";
import { isOwnMarkdown, isOwnOrg } from "./own-files.js";
import { transcriptOf } from "./transcript.js";

export const IMPORT_FORMATS = [
  ...["json", "jsonl", "mem0", "vault", "snap", "nanobot", "mempalace", "daily", "mcp-memory", "scratchpad"],
  ...["claude-code", "codex", "basic-memory", "obsidian", "instructions", "markdown", "org", "gcc"],
] as const as readonly ImportFormat[];

export type ImportFormat =
  | "json"
  | "jsonl"
  | "mem0"
  | "vault"
  | "snap"
  | "nanobot"
  | "mempalace"
  | "daily"
  | "mcp-memory"
  | "scratchpad"
  | "claude-code"
  | "codex"
  | "basic-memory"
  | "obsidian"
  | "instructions"
  | "markdown"
  | "org"
  | "gcc";

/** What a file is, by its name and how it begins. */
export function formatOfFile(head: string, path: string): ImportFormat | undefined {
  const name = fileName(path);
  const start = head.replace(/^\ufeff/, "").trimStart();
  if (/\.snap$/i.test(name) || start.startsWith(";;") || /^\(\s*:memory\b/i.test(start)) return "snap";
  if (/^(?:CLAUDE|AGENTS|MEMORY)(?:\.local)?\.md$/i.test(name)) return "instructions";
  if (isOwnMarkdown(start)) return "markdown";
  if (isOwnOrg(start)) return "org";
  const end = start.indexOf("\n");
  const first = parsed(end < 0 ? start : start.slice(0, end));
  if (isGraphLine(first)) return "mcp-memory";
  if (isObject(first)) return formatOfObject(first) ?? formatOfLines(start);
  const isMem0 = isMem0List(start);
  if (start.startsWith("[")) return isMem0 ? "mem0" : "json";
  if (/\.jsonl$/i.test(name)) return "jsonl";
  if (!start.startsWith("{")) return undefined;
  if (/"(?:entries|session_id)"\s*:/.test(start) && !/"memories"\s*:/.test(start)) return "scratchpad";
  return isMem0 ? "mem0" : "json";
}

/** A list whose first element has a `memory` where ours have a text. */
function isMem0List(start: string): boolean {
  const [opening] = /^\[\s*\{|"(?:results|memories)"\s*:\s*\[\s*\{/.exec(start) ?? [];
  if (opening === undefined) return false;
  const element = start.slice(start.indexOf(opening) + opening.length);
  const [field] = /"(?:text|memory)"\s*:\s*"/.exec(element) ?? [];
  return field?.startsWith('"memory"') === true;
}

/** Programs begin a conversation with lines of their own. */
function formatOfLines(start: string): ImportFormat {
  for (const line of start.split("\n", 20)) {
    const value = parsed(line);
    const transcript = isObject(value) ? transcriptOf(value) : undefined;
    if (transcript) return transcript;
  }
  return "jsonl";
}

/** The whole of a small file, or the first line of many. */
function formatOfObject(first: Record<string, unknown>): ImportFormat | undefined {
  if (Array.isArray(first.memories)) return isMem0Item(first.memories[0]) ? "mem0" : "json";
  if (Array.isArray(first.results)) return "mem0";
  const transcript = transcriptOf(first);
  if (transcript) return transcript;
  if ("entries" in first || "session_id" in first) return "scratchpad";
  return isVaultLine(first) ? "vault" : undefined;
}

const isMem0Item = (item: unknown): boolean =>
  isObject(item) && typeof item.memory === "string" && !("text" in item);

const isVaultLine = (line: Record<string, unknown>): boolean =>
  ["created_at", "topic_id", "deleted_at", "updated_at"].some((key) => key in line) && "id" in line;

/** What a folder is, by the files in it. */
export function formatOfFolder(paths: Iterable<string>): ImportFormat | undefined {
  const list = [...paths];
  const has = (pattern: RegExp) => list.some((path) => pattern.test(path));
  if (has(/^branches\/.+\/commit\.md$/) && has(/^main\.md$/)) return "gcc";
  if (has(/^(?:ledger\/)?events\/.+\.json$/) || has(/^branches\.json$/)) return "nanobot";
  if (has(/^rooms\/.+\.md$/) || has(/^identity\.txt$/)) return "mempalace";
  if (has(/^\.obsidian\//)) return "obsidian";
  if (has(/^(?:memory\/)?\d{4}-\d\d-\d\d(?:-[^/]{1,80})?\.md$/)) return "daily";
  if (has(/^MEMORY\.md$/)) return "nanobot";
  return list.length > 0 && list.every((path) => /^[^/]+\.json$/.test(path)) ? "scratchpad" : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
