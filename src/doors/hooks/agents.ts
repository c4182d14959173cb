/** The events a hook knows, whatever its host calls them. */
export type HookEvent = "start" | "prompt" | "keep";
export type AgentName = "claude" | "codex" | "cursor" | "opencode" | "gemini";
export const AGENTS: readonly AgentName[] = ["claude", "codex", "cursor", "opencode", "gemini"];
/** Hosts that take a context at a prompt; what another one throws away need not be looked for. */
export const takesContext = (agent: AgentName, event: HookEvent): boolean =>
  event !== "prompt" || agent !== "cursor";

const EVENTS: Readonly<Record<string, HookEvent>> = {
  sessionstart: "start",
  userpromptsubmit: "prompt",
  beforesubmitprompt: "prompt",
  beforeagent: "prompt",
  chatmessage: "prompt",
  precompact: "keep",
  sessioncompacting: "keep",
  postcompact: "keep",
  precompress: "keep",
  afteragent: "keep",
  sessionend: "keep",
  stop: "keep",
};

/** `SessionStart`, `session-start`, `sessionStart` and `session_start` are one event. */
export function eventOf(name: string): HookEvent | undefined {
  const plain = name.toLowerCase().replace(/[^a-z]/g, "");
  return Object.hasOwn(EVENTS, plain) ? EVENTS[plain] : undefined;
}

/** What a host tells a hook, as far as it is used; hosts add and leave out what they like. */
export interface HookInput {
  readonly session: string | undefined;
  readonly transcript: string | undefined;
  readonly cwd: string | undefined;
  readonly prompt: string | undefined;
}

export function readInput(text: string): HookInput {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    given = undefined;
  }
  const found = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
  const first = (...names: string[]): string | undefined => {
    for (const name of names) {
      const value = found[name];
      if (typeof value === "string" && value !== "") return value;
    }
    return undefined;
  };
  const roots = found.workspace_roots;
  const root = Array.isArray(roots) && typeof roots[0] === "string" ? roots[0] : undefined;
  return {
    session: first("session_id", "conversation_id", "sessionID", "sessionId"),
    transcript: first("transcript_path"),
    cwd: first("cwd", "directory") ?? root,
    prompt: first("prompt", "text", "message"),
  };
}

/** What a hook answers its host: a context for the model, or nothing to say. */
export function answerFor(agent: AgentName, event: HookEvent, context: string): object {
  const nothing = context === "";
  if (agent === "cursor")
    return event === "prompt" ? { continue: true } : nothing ? {} : { additional_context: context };
  if (agent === "opencode") return nothing ? {} : { context: [context] };
  if (event === "keep" || nothing) return {};
  const hookEventName = event === "prompt" && agent === "gemini" ? "BeforeAgent" : NAMES[event];
  return { hookSpecificOutput: { hookEventName, additionalContext: context } };
}

const NAMES = { start: "SessionStart", prompt: "UserPromptSubmit" } as const;
