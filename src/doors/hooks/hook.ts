import { detectRecall, HONEST, type Session } from "../../session/index.js";
import type { AgentName, HookEvent, HookInput } from "./agents.js";
import { keepTranscript } from "./keep.js";

/** Hosts put this before every prompt, so that it has to be short. */
const PROMPT_TOKENS = 1_200;

/** What one event of a host is answered with: a context for the model, empty when there is nothing to say. */
export async function runHook(
  session: Session,
  event: HookEvent,
  agent: AgentName,
  input: HookInput,
): Promise<string> {
  switch (event) {
    case "start":
      return (await session.wakeUp()).text;
    case "prompt":
      return input.prompt === undefined ? "" : grounded(session, input.prompt);
    case "keep":
      if (input.transcript !== undefined)
        await keepTranscript(session, agent, input.session ?? "unnamed", input.transcript);
      return "";
  }
}

/**
 * Words only: a hook is a process of its own and cannot wait for a model. A question that does not sound like recall is
 * answered where memory plainly knows, and else left alone like everything that is no question.
 */
async function grounded(session: Session, prompt: string): Promise<string> {
  if (!mayBeKnown(prompt)) return "";
  const found = await session.recall(prompt, { mode: "lexical", budget: PROMPT_TOKENS });
  if (found.block !== undefined && (found.recall || found.plain)) return `${found.block}\n${ANSWER}`;
  return found.score >= SURELY && found.layer === "L5" ? `${HONEST} ${REFRAIN}` : "";
}

/** To say that memory knows nothing is noise where nobody asked it. */
const SURELY = 2 / 3;

/** Most prompts ask nothing; for them no store has to be opened. */
export function mayBeKnown(prompt: string): boolean {
  const { recall, asks } = detectRecall(prompt);
  return recall || asks;
}

const ANSWER = "Answer from these memories and name their ids; if they do not answer it, say so.";
const REFRAIN = "Say so, and mark whatever you add as not from memory.";
