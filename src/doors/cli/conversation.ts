import { type Message, saidOnLine } from "../../session/index.js";

type Given = { readonly role?: unknown; readonly content?: unknown; readonly name?: unknown };

/**
 * A conversation as people have them: a JSON list of messages, one under "messages", one message a line, the transcript of a
 * coding agent, or plain text in which `User:` and `Assistant:` begin a turn.
 */
export function conversationIn(text: string): Message[] {
  const whole = parsed(text);
  const list = Array.isArray(whole) ? whole : (whole as { messages?: unknown } | undefined)?.messages;
  if (Array.isArray(list)) return list.map((one) => messageOf(one as Given));
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values = lines.map(parsed);
  if (values.length > 0 && values.every((value) => typeof value === "object" && value !== null)) {
    const said = values.flatMap((one) => ((one as Given).role === undefined ? (saidOnLine(one) ?? []) : []));
    return said.length > 0
      ? said.map(({ role, text: content }) => ({ role, content }))
      : values.map((one) => messageOf(one as Given));
  }
  return turnsIn(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Some services give a content of several parts; only its texts say something. */
function messageOf({ role, content, name }: Given): Message {
  const said = Array.isArray(content)
    ? (content as { type?: string; text?: string }[])
        .flatMap((part) => (typeof part.text === "string" ? [part.text] : []))
        .join("\n")
    : content;
  return { role, content: said, ...(name !== undefined && { name }) } as Message;
}

const TURN = /^(user|human|me|assistant|ai|bot|system)\s*:\s*/i;

function turnsIn(text: string): Message[] {
  const messages: { role: Message["role"]; content: string }[] = [];
  for (const line of text.split("\n")) {
    const who = TURN.exec(line)?.[1]?.toLowerCase();
    const rest = line.replace(TURN, "");
    if (who === undefined && messages.length > 0) messages[messages.length - 1]!.content += `\n${rest}`;
    else messages.push({ role: roleOf(who), content: rest });
  }
  return messages.filter(({ content }) => content.trim() !== "");
}

const roleOf = (who: string | undefined): Message["role"] =>
  who === "system" ? "system" : who === "assistant" || who === "ai" || who === "bot" ? "assistant" : "user";
