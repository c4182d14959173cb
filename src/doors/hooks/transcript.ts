import { createHash } from "node:crypto";

/** One thing that was said in a conversation with a coding agent. */
export interface Said {
  /** The same whenever the same transcript is read again. */
  readonly key: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly turn: number;
  readonly time?: string;
}

interface Row {
  readonly type?: unknown;
  readonly uuid?: unknown;
  readonly timestamp?: unknown;
  readonly isSidechain?: unknown;
  readonly isMeta?: unknown;
  readonly message?: unknown;
  readonly payload?: unknown;
}

/**
 * What people and the model said, of a transcript of Claude Code or a rollout of Codex: lines of JSON. Tools, thoughts,
 * side chains and lines of unknown kinds are passed over; a line that is cut is the end.
 */
export function readTranscript(text: string): Said[] {
  const said: Said[] = [];
  let turn = 0;
  for (const line of text.split("\n")) {
    const row = parsed(line);
    if (!row || row.isSidechain === true || row.isMeta === true) continue;
    const message = messageOf(row);
    if (!message) continue;
    const spoken = textOf(message.content).trim();
    if (spoken === "") continue;
    const time = typeof row.timestamp === "string" ? row.timestamp : undefined;
    said.push({
      key: typeof row.uuid === "string" ? row.uuid : keyOf(time, message.role, spoken, turn),
      role: message.role,
      text: spoken,
      turn: turn++,
      ...(time !== undefined && { time }),
    });
  }
  return said;
}

/** What has no id of its own is known by when and what: of a long transcript only the end is read, so places shift. */
const keyOf = (time: string | undefined, role: string, text: string, turn: number): string =>
  time === undefined
    ? String(turn)
    : createHash("sha256")
        .update(JSON.stringify([time, role, text]))
        .digest("hex")
        .slice(0, 24);

function parsed(line: string): Row | undefined {
  if (line.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Row) : undefined;
  } catch {
    return undefined;
  }
}

function messageOf({ type, message, payload }: Row): { role: Said["role"]; content: unknown } | undefined {
  const holder =
    type === "response_item" ? payload : type === "user" || type === "assistant" ? message : undefined;
  if (typeof holder !== "object" || holder === null) return undefined;
  const { role, content, type: kind } = holder as { role?: unknown; content?: unknown; type?: unknown };
  if (type === "response_item" && kind !== "message") return undefined;
  return role === "user" || role === "assistant" ? { role, content } : undefined;
}

const SPOKEN = new Set(["text", "input_text", "output_text"]);

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block: unknown) => {
      const { type, text } = (typeof block === "object" && block !== null ? block : {}) as Record<
        string,
        unknown
      >;
      return SPOKEN.has(String(type)) && typeof text === "string" ? [text] : [];
    })
    .join("\n");
}
