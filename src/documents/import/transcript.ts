import type { JsonObject } from "../../core/base/index.js";
import { derivedId } from "../derived-id.js";
import { saidOnLine } from "../transcript.js";
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
  (line.type === "message" && saidOnLine(line) !== undefined);

/** Reads one conversation line by line: what people and agents said, as messages. What tools said is left out. */
export function transcriptReader(format: TranscriptFormat, file: string): (line: unknown) => ImportEntry[] {
  let session = file.replace(/^.*[/\\]|\.jsonl$/g, "");
  let turn = 0;
  return (line) => {
    if (!isObject(line)) return [{ problem: { where: file, reason: "A line of it is no object." } }];
    session = sessionOf(line) ?? session;
    const spoken = saidOnLine(line);
    if (!spoken) return [];
    const at = turn++;
    const base =
      (spoken.id && nameOf(spoken.id)) ??
      derivedId(session, "message", JSON.stringify([spoken.role, spoken.text]), at);
    return piecesOf(spoken.text).map((text, piece) => ({
      memory: {
        id: `${format}/${session}/${base}${piece === 0 ? "" : `/${piece + 1}`}`,
        type: "message",
        text,
        turn: at,
        speaker: spoken.role,
        conversation: session,
        uri: `${format}:${session}`,
        attributes: defined({
          role: spoken.role,
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
