import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { memberAt, removeMember, setMember } from "./jsonc.js";
import { isWrittenOtherwise, removeTable, setTable, tableLines } from "./toml.js";

/** How `pal mcp` is to be started. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

/** One agent's configuration: where it is, and what it says of us. Texts in, texts out. */
export interface Agent {
  readonly title: string;
  file(place: Place): string;
  isConnected(text: string, start: Start): boolean;
  connect(text: string, start: Start): string;
  disconnect(text: string): string;
  /** What is done after a change, if anything. */
  readonly after: string;
}

export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** For this project alone, not for the user. */
  readonly project: boolean;
}

const NAME = "palimpsest";
const home = ({ env }: Place): string => env.HOME || env.USERPROFILE || homedir();

/** A configuration in JSON, in which servers are members of one object. */
function inJson(
  title: string,
  servers: string,
  entryOf: (start: Start) => Record<string, unknown>,
  file: Agent["file"],
  after: string,
): Agent {
  const path = [servers, NAME];
  return {
    ...{ title, file, after },
    isConnected: (text, start) => JSON.stringify(memberAt(text, path)) === JSON.stringify(entryOf(start)),
    connect: (text, start) => setMember(text, path, entryOf(start)),
    disconnect: (text) => removeMember(text, path),
  };
}

const plain = ({ command, args }: Start) => ({ command, args });
const TABLE = ["mcp_servers", NAME];
const rowsOf = ({ command, args }: Start): string[] => [
  `command = ${JSON.stringify(command)}`,
  `args = [${args.map((arg) => JSON.stringify(arg)).join(", ")}]`,
];

export const AGENTS = {
  claude: inJson(
    "Claude Code",
    "mcpServers",
    (start) => ({ type: "stdio", ...plain(start) }),
    (place) => {
      if (place.project) return join(place.cwd, ".mcp.json");
      return join(place.env.CLAUDE_CONFIG_DIR || home(place), ".claude.json");
    },
    "Start a new session of Claude Code; /mcp shows the server.",
  ),
  codex: {
    title: "Codex",
    file: (place) =>
      place.project
        ? join(place.cwd, ".codex", "config.toml")
        : join(place.env.CODEX_HOME || join(home(place), ".codex"), "config.toml"),
    isConnected: (text, start) => tableLines(text, TABLE)?.join("\n") === rowsOf(start).join("\n"),
    connect(text, start) {
      if (isWrittenOtherwise(text, TABLE))
        throw new Error(`${TABLE[0]} is written as a dotted key or an inline table`);
      return setTable(text, TABLE, rowsOf(start));
    },
    disconnect: (text) => removeTable(text, TABLE),
    after: "Start a new session of Codex; `codex mcp list` shows the server.",
  },
  cursor: inJson(
    "Cursor",
    "mcpServers",
    plain,
    (place) => join(place.project ? place.cwd : home(place), ".cursor", "mcp.json"),
    "Cursor loads it by itself; Settings → MCP shows the server.",
  ),
  opencode: inJson(
    "OpenCode",
    "mcp",
    ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
    (place) => {
      const folder = place.project
        ? place.cwd
        : join(place.env.XDG_CONFIG_HOME || join(home(place), ".config"), "opencode");
      const commented = join(folder, "opencode.jsonc");
      return existsSync(commented) ? commented : join(folder, "opencode.json");
    },
    "Start OpenCode anew.",
  ),
} as const satisfies Record<string, Agent>;

export type AgentName = keyof typeof AGENTS;
