import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
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
  readonly files: readonly string[];
  /** How it is told without our help. */
  readonly connect: string;
}

const AGENTS: readonly Known[] = [
  {
    agent: "claude-code",
    home: ".claude",
    files: [".claude.json"],
    connect: "claude mcp add palimpsest -- pal mcp --agent claude",
  },
  {
    agent: "codex",
    home: ".codex",
    files: [".codex/config.toml"],
    connect: "codex mcp add palimpsest -- pal mcp --agent codex",
  },
  {
    agent: "cursor",
    home: ".cursor",
    files: [".cursor/mcp.json"],
    connect: `echo '{"mcpServers":{"palimpsest":{"command":"pal","args":["mcp"]}}}' > ~/.cursor/mcp.json`,
  },
  {
    agent: "gemini",
    home: ".gemini",
    files: [".gemini/settings.json"],
    connect: "gemini mcp add palimpsest pal mcp",
  },
];

/** Which agents have a home here, and whether their configuration names us. */
export function agentStates({ io, commands }: Call): AgentState[] {
  const home = io.env.HOME ?? homedir();
  return AGENTS.filter(({ home: own }) => existsSync(join(home, own))).map(({ agent, files, connect }) => {
    const file = join(home, files[0] as string);
    const state = stateOf(file);
    const fix = commands.includes("connect") ? `pal connect ${agent}` : connect;
    if (state === "connected") return { agent, file, state };
    return { agent, file, state, fix: state === "unreadable" ? `\${EDITOR:-vi} ${typedPath(file)}` : fix };
  });
}

function stateOf(file: string): AgentState["state"] {
  try {
    const text = readFileSync(file, "utf8");
    if (file.endsWith(".json")) JSON.parse(text);
    return /palimpsest|"pal"|\bpal mcp\b|'pal'/.test(text) ? "connected" : "not connected";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "not connected" : "unreadable";
  }
}
