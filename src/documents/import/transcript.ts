import type { JsonObject } from "../../base/index.js";
import { derivedId } from "../derived-id.js";
import { defined, type ImportEntry, isObject, piecesOf, textOf } from "./item.js";

export type TranscriptFormat = "claude-code" | "codex";
type Line = Record<string, unknown>;

/** Which agent wrote this line of a conversation, if one did. */
export function transcriptOf(line: Line): TranscriptFormat | undefined {
  if (isObject(line.payload) && typeof line.type === "string") return "codex";
  if (textOf(line.sessionId) !== undefined && typeof line.type === "string") return "claude-code";
  if (line.type === "summary" && textOf(line.leafUuid) !== undefined) return "claude-code";
  return undefined;
}

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

function sessionOf({ sessionId, type, payload }: Line): string | undefined {
  const own = textOf(sessionId);
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
function codexSaid({ type, payload }: Line): Said | undefined {
  if (type !== "response_item" || !isObject(payload) || payload.type !== "message") return undefined;
  const { role } = payload;
  const text = role === "user" || role === "assistant" ? textIn(payload.content) : undefined;
  return text === undefined ? undefined : { role: role as string, text };
}

const TEXTS = new Set(["text", "input_text", "output_text"]);

function textIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return textOf(content)?.toWellFormed();
  const texts = content.filter(isObject).filter(({ type }) => TEXTS.has(String(type)));
  return textOf(texts.flatMap(({ text }) => textOf(text) ?? []).join("\n\n"))?.toWellFormed();
}
