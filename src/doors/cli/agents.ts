import { existsSync } from "node:fs";
import { readPlainSync } from "../../session/opening.js";
import type { Call } from "./command.js";
import { AGENT_NAMES, agentsWith } from "./connect/agents.js";
import { typedPath } from "./fixes.js";

/** An agent that is installed here, and whether it knows this memory. */
export interface AgentState {
  readonly agent: string;
  readonly file: string;
  readonly state: "connected" | "not connected" | "unreadable";
  readonly fix?: string;
}

/** Which agents have a home here, and whether their configuration names us: found as `connect` finds it. */
export function agentStates({ io }: Call): AgentState[] {
  const place = { env: io.env, cwd: io.cwd, project: false };
  const agents = agentsWith(() => "");
  return AGENT_NAMES.filter((name) => existsSync(agents[name].home(place))).map((name) => {
    const { server } = agents[name];
    const file = server.file(place);
    const state = stateOf(file, server.disconnect);
    const agent = name === "claude" ? "claude-code" : name;
    if (state === "connected") return { agent, file, state };
    const fix = state === "unreadable" ? `\${EDITOR:-vi} ${typedPath(file)}` : `pal connect ${name}`;
    return { agent, file, state, fix };
  });
}

const LARGEST = 64 << 20;

function stateOf(file: string, without: (text: string) => string): AgentState["state"] {
  try {
    const text = readPlainSync(file, LARGEST).toString();
    return without(text) === text ? "not connected" : "connected";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "not connected" : "unreadable";
  }
}
