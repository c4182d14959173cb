import type { JsonObject } from "../../core/base/index.js";
import { derivedId } from "../derived-id.js";
import { defined, type ImportEntry, isObject, piecesOf, textOf } from "./item.js";

export type TranscriptFormat = "claude-code" | "codex";
type Line = Record<string, unknown>;

/** Which agent wrote this line of a conversation, if one did. */
export function transcriptOf(line: Line): TranscriptFormat | undefined {
  if (isObject(line.payload) && typeof line.type === "string") return "codex";
  if (textOf(line.sessionId) !== undefined && typeof line.type === "string") return "claude-code";
  if (line.type === "summary" && textOf(line.leafUuid) !== undefined) return "claude-code";
  if (line.type === "file-history-snapshot" && isObject(line.snapshot)) return "claude-code";
  if (isOldCodex(line)) return "codex";
  return undefined;
}

/** How the first line of a conversation, and each thing said, looked before lines had a payload. */
const isOldCodex = (line: Line): boolean =>
  (textOf(line.id) !== undefined && textOf(line.timestamp) !== undefined && "instructions" in line) ||
  (line.type === "message" && Array.isArray(line.content) && textIn(line.content) !== undefined);

interface Said {
  readonly role: string;
  readonly text: string;
  readonly id?: string | undefined;
}

/** Reads one conversation line by line: what people and agents said, as messages. What tools said is left out. */
export function transcriptReader(format: TranscriptFormat, file: string): (line: unknown) => ImportEntry[] {
  let session = file.replace(/^.*[/\\]|\.jsonl$/g, "");
  let turn = 0;
  return (line) => {
    if (!isObject(line)) return [{ problem: { where: file, reason: "A line of it is no object." } }];
    session = sessionOf(line) ?? session;
    const said = format === "codex" ? codexSaid(line) : claudeSaid(line);
    if (!said) return [];
    const at = turn++;
    const base = said.id ?? derivedId(session, "message", JSON.stringify([said.role, said.text]), at);
    return piecesOf(said.text).map((text, piece) => ({
      memory: {
        id: `${format}/${session}/${base}${piece === 0 ? "" : `/${piece + 1}`}`,
        type: "message",
        text,
        turn: at,
        speaker: said.role,
        conversation: session,
        uri: `${format}:${session}`,
        attributes: defined({
          role: said.role,
          time: line.timestamp,
          folder: textOf(line.cwd),
        }) as JsonObject,
      },
    }));
  };
}

function sessionOf({ sessionId, type, payload, id: first, ...rest }: Line): string | undefined {
  const own = textOf(sessionId) ?? ("instructions" in rest ? textOf(first) : undefined);
  if (own !== undefined) return nameOf(own);
  const id = type === "session_meta" && isObject(payload) ? textOf(payload.id) : undefined;
  return id === undefined ? undefined : nameOf(id);
}

const nameOf = (text: string): string => text.replace(/[^\w.-]+/g, "-").slice(0, 100);

/** Sidechains are talks of an agent with itself, meta lines are the program's own. */
function claudeSaid({ type, message, isMeta, isSidechain, uuid }: Line): Said | undefined {
  if ((type !== "user" && type !== "assistant") || isMeta === true || isSidechain === true) return undefined;
  const text = isObject(message) ? textIn(message.content) : undefined;
  const id = textOf(uuid);
  return text === undefined ? undefined : { role: type, text, id: id && nameOf(id) };
}

/** `event_msg` lines say the same again. */
function codexSaid(line: Line): Said | undefined {
  const said = line.type === "response_item" ? line.payload : line;
  if (!isObject(said) || said.type !== "message") return undefined;
  const { role } = said;
  const text = role === "user" || role === "assistant" ? textIn(said.content) : undefined;
  return text === undefined ? undefined : { role: role as string, text };
}

const TEXTS = new Set(["text", "input_text", "output_text"]);

function textIn(content: unknown): string | undefined {
  const parts = Array.isArray(content)
    ? content.filter(isObject).flatMap(({ type, text }) => (TEXTS.has(String(type)) ? text : []))
    : [content];
  const said = parts.flatMap((part) => textOf(part) ?? []).filter((part) => !OF_THE_PROGRAM.test(part));
  return textOf(said.join("\n\n"))?.toWellFormed();
}

/** What the program put into a person's mouth: commands, their output, where it runs, what it was told beforehand. */
const OF_THE_PROGRAM =
  /^\s*<(?:command-name|command-message|local-command-(?:stdout|stderr)|bash-(?:input|stdout|stderr)|environment_context|user_instructions|system-reminder)>/;
