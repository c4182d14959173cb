import { isObject } from "./item.js";

export type ImportFormat =
  | "json"
  | "jsonl"
  | "vault"
  | "snap"
  | "nanobot"
  | "mempalace"
  | "daily"
  | "scratchpad";

/** What a file is, by what it says. */
export function formatOfFile(text: string, name: string): ImportFormat | undefined {
  const start = text
    .slice(0, 2000)
    .replace(/^\ufeff/, "")
    .trimStart();
  if (/\.snap$/i.test(name) || start.startsWith(";;") || /^\(\s*:memory\b/i.test(start)) return "snap";
  const whole = start.startsWith("{") || start.startsWith("[") ? parsed(text) : undefined;
  if (isObject(whole) && ("entries" in whole || "session_id" in whole)) return "scratchpad";
  if (Array.isArray(whole) || (isObject(whole) && "memories" in whole)) return "json";
  const first = parsed(text.slice(0, text.indexOf("\n") + 1 || text.length));
  if (!isObject(first)) return /\.jsonl$/i.test(name) ? "jsonl" : undefined;
  return isVaultLine(first) ? "vault" : "jsonl";
}

const isVaultLine = (line: Record<string, unknown>): boolean =>
  ["created_at", "topic_id", "deleted_at", "updated_at"].some((key) => key in line) && "id" in line;

/** What a folder is, by the files in it. */
export function formatOfFolder(paths: Iterable<string>): ImportFormat | undefined {
  const list = [...paths];
  const has = (pattern: RegExp) => list.some((path) => pattern.test(path));
  if (has(/^(?:ledger\/)?events\/.+\.json$/) || has(/^branches\.json$/)) return "nanobot";
  if (has(/^rooms\/.+\.md$/) || has(/^identity\.txt$/)) return "mempalace";
  if (has(/^(?:memory\/)?\d{4}-\d\d-\d\d\.md$/)) return "daily";
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
