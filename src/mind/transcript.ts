import type { Fact, Message } from "./facts.js";
import { REDACTED } from "./guard.js";
import { tokensIn } from "./model/port.js";
import type { Extracted } from "./prompts/extract-v1.js";

/** A conversation as a model is shown it, in parts of at most so many tokens. JSON, so that no message can end its frame. */
export function transcripts(messages: readonly Message[], most: number): string[] {
  const parts: string[] = [];
  let lines: string[] = [];
  let size = 0;
  for (const [turn, { role, name, content }] of messages.entries()) {
    if (role === "system" || role === "tool") continue;
    const line = JSON.stringify({ turn, role, ...(name && { name }), content: shortened(content, most) });
    const cost = tokensIn(line) + 1;
    if (lines.length > 0 && size + cost > most) {
      parts.push(lines.join("\n"));
      lines = [];
      size = 0;
    }
    lines.push(line);
    size += cost;
  }
  if (lines.length > 0) parts.push(lines.join("\n"));
  return parts;
}

const shortened = (text: string, most: number): string =>
  tokensIn(text) > most / 2 ? `${text.slice(0, most).toWellFormed()} […]` : text;

const plain = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();

/** Only what a user said in these very words counts; the rest is reported with the reason. */
export function supported(
  { facts, refused }: Extracted,
  messages: readonly Message[],
  known: (text: string) => boolean,
): Extracted {
  const kept: Fact[] = [];
  const left = [...refused];
  for (const fact of facts) {
    const turn = turnOf(fact, messages);
    const reason =
      turn === undefined
        ? "No user said these words."
        : fact.evidence.includes(REDACTED) || fact.text.includes(REDACTED)
          ? "It speaks of something that must not be kept."
          : known(fact.evidence) || known(fact.text)
            ? "These words came from memory."
            : undefined;
    if (reason === undefined) kept.push({ ...fact, turn: turn! });
    else left.push({ said: fact.text, reason });
  }
  return { facts: kept, refused: left };
}

function turnOf({ evidence, turn }: Fact, messages: readonly Message[]): number | undefined {
  const quote = plain(evidence);
  const says = (at: number) => messages[at]?.role === "user" && plain(messages[at].content).includes(quote);
  if (says(turn)) return turn;
  const found = [...messages.keys()].filter(says);
  return found.length === 1 ? found[0] : undefined;
}
