import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readPlainSync } from "../../session/opening.js";
import type { Call } from "./command.js";
import { typedPath } from "./fixes.js";

/** An agent that is installed here, and whether it knows this memory. */
export interface AgentState {
  readonly agent: string;
  readonly file: string;
  readonly state: "connected" | "not connected" | "unreadable";
  readonly fix?: string;
}

interface Known {
  readonly agent: string;
  /** There when the agent is installed. */
  readonly home: string;
  readonly file: string;
  /** The command that tells it of this memory. */
  readonly connect: string;
}

const AGENTS: readonly Known[] = [
  { agent: "claude-code", home: ".claude", file: ".claude.json", connect: "pal connect claude" },
  { agent: "codex", home: ".codex", file: ".codex/config.toml", connect: "pal connect codex" },
  { agent: "cursor", home: ".cursor", file: ".cursor/mcp.json", connect: "pal connect cursor" },
  {
    agent: "opencode",
    home: ".config/opencode",
    file: ".config/opencode/opencode.json",
    connect: "pal connect opencode",
  },
  {
    agent: "gemini",
    home: ".gemini",
    file: ".gemini/settings.json",
    connect: "gemini mcp add palimpsest pal mcp",
  },
];

/** Which agents have a home here, and whether their configuration names us. */
export function agentStates({ io }: Call): AgentState[] {
  const home = io.env.HOME ?? homedir();
  return AGENTS.filter(({ home: own }) => existsSync(join(home, own))).map(
    ({ agent, file: name, connect }) => {
      const file = join(home, name);
      const state = stateOf(file);
      if (state === "connected") return { agent, file, state };
      return {
        agent,
        file,
        state,
        fix: state === "unreadable" ? `\${EDITOR:-vi} ${typedPath(file)}` : connect,
      };
    },
  );
}

const LARGEST = 64 << 20;

function stateOf(file: string): AgentState["state"] {
  try {
    const text = readPlainSync(file, LARGEST).toString();
    if (file.endsWith(".json")) JSON.parse(text);
    return /palimpsest|"pal"|\bpal mcp\b|'pal'/.test(text) ? "connected" : "not connected";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "not connected" : "unreadable";
  }
}
