import { PalimpsestError, unreadable } from "../core/base/index.js";

/** One turn of a conversation, as chat interfaces have it. */
export interface Message {
  readonly role: "user" | "assistant" | "system" | "tool";
  readonly content: string;
  /** Who speaks, where several people do. */
  readonly name?: string;
}

const ROLES = new Set(["user", "assistant", "system", "tool"]);

/** Checks what a caller gives as a conversation; `session_id`-style extras of other tools are left alone. */
export function parseMessages(given: unknown): Message[] {
  try {
    return parsed(given);
  } catch (error) {
    throw unreadable(error);
  }
}

function parsed(given: unknown): Message[] {
  if (!Array.isArray(given))
    throw new PalimpsestError("INVALID_FIELD", "A conversation is a list of messages.");
  return Array.from(given, (one: unknown, at) => {
    const { role = "user", content, name } = (one ?? {}) as Partial<Record<keyof Message, unknown>>;
    if (typeof content !== "string" || typeof role !== "string" || !ROLES.has(role))
      throw new PalimpsestError(
        "INVALID_FIELD",
        `Message ${at} needs a "content" (text) and a "role" (user, assistant, system or tool).`,
      );
    if (name !== undefined && typeof name !== "string")
      throw new PalimpsestError("INVALID_FIELD", `The name in message ${at} is no text.`);
    return { role: role as Message["role"], content, ...(name && { name }) };
  });
}
