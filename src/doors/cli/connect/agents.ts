import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { addItem, memberAt, removeItems, removeMember, setMember } from "./jsonc.js";
import { isWrittenOtherwise, otherRows, removeTable, setTable, tableLines } from "./toml.js";

/** How the program is to be started, and as whom. */
export interface Start {
  /** Absolute, so that nobody else's program of that name is ever run. */
  readonly command: string;
  /** What comes before the name of a command: the program's own file. */
  readonly program: readonly string[];
  /** Who speaks, and which store. */
  readonly options: readonly string[];
  /** Of the server alone. */
  readonly serverOptions: readonly string[];
  readonly platform: NodeJS.Platform;
}

/** One file in which an agent is told of us. Texts in, texts out. */
export interface Edit {
  file(place: Place): string;
  isConnected(text: string, start: Start): boolean;
  connect(text: string, start: Start): string;
  disconnect(text: string): string;
  /** Was what it says of us written by us, and nothing added to it? Then it need not be kept. */
  isOurs(text: string): boolean;
  /** Puts back what a file from before said of us, where it said anything. */
  restore(text: string, from: string): string;
  /** Of several edits as one: each may have been made alone. */
  readonly parts?: readonly Edit[];
}

export interface Agent {
  readonly title: string;
  /** There where the agent is installed. */
  home(place: Place): string;
  readonly server: Edit;
  /** What remembers and recalls by itself. */
  readonly hooks: Edit;
  /** What is done after a change, if anything. */
  readonly after: string;
  readonly afterHooks: string;
}

export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** For this project alone, not for the user. */
  readonly project: boolean;
  readonly platform?: NodeJS.Platform;
}

const NAME = "palimpsest";
/** On Windows a shell that came with git has a HOME of its own, which no agent looks at. */
const home = ({ env, platform = process.platform }: Place): string =>
  (platform === "win32" ? env.USERPROFILE || env.HOME : env.HOME || env.USERPROFILE) || homedir();

const serverArgs = ({ program, options, serverOptions }: Start): string[] => [
  ...program,
  "mcp",
  ...options,
  ...serverOptions,
];

type Entry = Readonly<Record<string, unknown>>;
const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const OUR_KEYS = new Set(["type", "command", "args", "enabled"]);

/** A configuration in JSON, in which servers are members of one object. */
function inJson(servers: string, entryOf: (start: Start) => Entry, file: Edit["file"]): Edit {
  const path = [servers, NAME];
  const wanted = (text: string, start: Start): Entry => {
    const known = memberAt(text, path);
    return { ...(isEntry(known) && known), ...entryOf(start) };
  };
  return {
    file,
    isConnected: (text, start) =>
      JSON.stringify(memberAt(text, path)) === JSON.stringify(wanted(text, start)),
    connect: (text, start) => setMember(text, path, wanted(text, start)),
    disconnect: (text) => removeMember(text, path),
    isOurs: (text) => {
      const known = memberAt(text, path);
      return isEntry(known) && Object.keys(known).every((key) => OUR_KEYS.has(key)) && isOurStart(known);
    },
    restore: (text, from) => {
      const known = memberAt(from, path);
      return known === undefined ? text : setMember(text, path, known);
    },
  };
}

const isOurStart = ({ command, args }: Entry): boolean => {
  const words = [command, args].flat();
  const at = words.indexOf("mcp");
  return at > 0 && words[at + 1] === "--agent";
};

const plain = (start: Start) => ({ command: start.command, args: serverArgs(start) });

const TABLE = ["mcp_servers", NAME];
const rowsOf = (start: Start): string[] => [
  `command = ${JSON.stringify(start.command)}`,
  `args = [${serverArgs(start)
    .map((arg) => JSON.stringify(arg))
    .join(", ")}]`,
];
const inToml = (file: Edit["file"]): Edit => ({
  file,
  isConnected: (text, start) => {
    const lines = tableLines(text, TABLE) ?? [];
    return rowsOf(start).every((row) => lines.includes(row));
  },
  connect(text, start) {
    if (isWrittenOtherwise(text, TABLE))
      throw new Error(`${TABLE[0]} is written as a dotted key or an inline table`);
    const others = otherRows(text, TABLE, ["command", "args"]);
    while (others.at(-1)?.trim() === "") others.pop();
    return setTable(text, TABLE, [...rowsOf(start), ...others]);
  },
  disconnect: (text) => removeTable(text, TABLE),
  isOurs: (text) => {
    const others = otherRows(text, TABLE, ["command", "args"]).filter((row) => row.trim() !== "");
    return (
      others.length === 0 && tableLines(text, TABLE)?.some((row) => /"mcp", "--agent"/.test(row)) === true
    );
  },
  restore: (text, from) => {
    const rows = otherRows(from, TABLE, []);
    return rows.length === 0 ? text : setTable(text, TABLE, rows);
  },
});

/** One word of a shell. */
const word = (text: string, platform: NodeJS.Platform): string =>
  /^[\w@%+=:,./-]+$/.test(text)
    ? text
    : platform === "win32"
      ? `"${text.replaceAll('"', '\\"')}"`
      : `'${text.replaceAll("'", "'\\''")}'`;

const hookCommand = (event: string, { command, program, options, platform }: Start): string =>
  [command, ...program, "hook", event, ...options].map((one) => word(one, platform)).join(" ");
const OUR_HOOK = /\bhook ["']?[A-Za-z]+["']? ["']?--agent\b/;
const isOurHook = (value: unknown): boolean =>
  isEntry(value) &&
  (typeof value.command === "string"
    ? OUR_HOOK.test(value.command) && /palimpsest|\bpal\b|main\.(?:js|ts)/.test(value.command)
    : Array.isArray(value.hooks) && value.hooks.some(isOurHook));

/** Hooks are lists by event, in which others have theirs. */
function hooksInJson(
  file: Edit["file"],
  itemsOf: (start: Start) => Readonly<Record<string, Entry>>,
  alsoSays: Entry = {},
): Edit {
  const without = (text: string): string => {
    const hooks = memberAt(text, ["hooks"]);
    if (!isEntry(hooks)) return text;
    const left = Object.keys(hooks).reduce(
      (one, event) => removeItems(one, ["hooks", event], isOurHook),
      text,
    );
    const rest = memberAt(left, ["hooks"]);
    return left !== text && isEntry(rest) && Object.keys(rest).length === 0
      ? removeMember(left, ["hooks"])
      : left;
  };
  const itemsIn = (text: string, event: string): readonly unknown[] => {
    const found = memberAt(text, ["hooks", event]);
    return Array.isArray(found) ? found : [];
  };
  return {
    file,
    isConnected: (text, start) =>
      Object.entries(itemsOf(start)).every(
        ([event, item]) =>
          itemsIn(text, event).filter(isOurHook).length === 1 &&
          itemsIn(text, event).some((one) => JSON.stringify(one) === JSON.stringify(item)),
      ),
    connect: (text, start) => {
      const begun = Object.entries(alsoSays).reduce(
        (one, [key, value]) => (memberAt(one, [key]) === undefined ? setMember(one, [key], value) : one),
        without(text),
      );
      return Object.entries(itemsOf(start)).reduce(
        (one, [event, item]) => addItem(one, ["hooks", event], item),
        begun,
      );
    },
    disconnect: (text) => {
      const left = without(text);
      if (left === text) return text;
      // What was only said for our sake goes with us.
      return Object.entries(alsoSays).every(
        ([key]) => Object.keys((memberAt(left, []) ?? {}) as Entry).join() === key,
      )
        ? Object.keys(alsoSays).reduce((one, key) => removeMember(one, [key]), left)
        : left;
    },
    isOurs: () => true,
    restore: (text) => text,
  };
}

/** Milliseconds for one host, seconds for the others. */
const grouped =
  (events: Readonly<Record<string, number>>, unit = 1, matcher?: string) =>
  (start: Start) =>
    Object.fromEntries(
      Object.entries(events).map(([event, timeout]) => [
        event,
        {
          ...(matcher !== undefined && event === "SessionStart" && { matcher }),
          hooks: [{ type: "command", command: hookCommand(event, start), timeout: timeout * unit }],
        },
      ]),
    );

const claudeHome = (place: Place): string => place.env.CLAUDE_CONFIG_DIR || join(home(place), ".claude");
const codexHome = (place: Place): string => place.env.CODEX_HOME || join(home(place), ".codex");
const geminiHome = (place: Place): string => join(place.env.GEMINI_CLI_HOME || home(place), ".gemini");
const opencodeHome = (place: Place): string =>
  join(place.env.XDG_CONFIG_HOME || join(home(place), ".config"), "opencode");
const geminiFile = (place: Place): string =>
  join(place.project ? join(place.cwd, ".gemini") : geminiHome(place), "settings.json");

const STARTS = "startup|resume|clear|compact";

/** The whole file is ours; a file of that name that is not is left alone. */
function opencodePlugin(file: Edit["file"], source: () => string): Edit {
  const MARK = "// Written by `pal connect opencode --hooks`";
  const ours = (text: string): boolean => text.trim() === "" || text.startsWith(MARK);
  const made = (start: Start): string => {
    const command = [start.command, ...start.program];
    return `${MARK}; --undo removes it.\n${source()
      .replace(/^const PAL = .*$/m, `const PAL = ${JSON.stringify(command)};`)
      .replace(/^const OPTIONS = .*$/m, `const OPTIONS = ${JSON.stringify(start.options)};`)}`;
  };
  return {
    file,
    isConnected: (text, start) => text === made(start),
    connect: (text, start) => {
      if (!ours(text)) throw new Error("a file of that name is there already");
      return made(start);
    },
    disconnect: (text) => (ours(text) ? "" : text),
    isOurs: ours,
    restore: (text) => text,
  };
}

export const agentsWith = (pluginSource: () => string) =>
  ({
    claude: {
      title: "Claude Code",
      home: claudeHome,
      server: inJson(
        "mcpServers",
        (start) => ({ type: "stdio", ...plain(start) }),
        (place) =>
          place.project
            ? join(place.cwd, ".mcp.json")
            : join(place.env.CLAUDE_CONFIG_DIR || home(place), ".claude.json"),
      ),
      hooks: hooksInJson(
        (place) => join(place.project ? join(place.cwd, ".claude") : claudeHome(place), "settings.json"),
        grouped(
          { SessionStart: 30, UserPromptSubmit: 30, PreCompact: 60, Stop: 60, SessionEnd: 60 },
          1,
          STARTS,
        ),
      ),
      after: "Start a new session of Claude Code; /mcp shows the server.",
      afterHooks: "/hooks shows them.",
    },
    codex: {
      title: "Codex",
      home: codexHome,
      server: inToml((place) =>
        place.project ? join(place.cwd, ".codex", "config.toml") : join(codexHome(place), "config.toml"),
      ),
      hooks: hooksInJson(
        (place) => join(place.project ? join(place.cwd, ".codex") : codexHome(place), "hooks.json"),
        grouped({ SessionStart: 30, UserPromptSubmit: 30, PreCompact: 60, Stop: 60 }, 1, STARTS),
      ),
      after: "Start a new session of Codex; `codex mcp list` shows the server.",
      afterHooks: "Codex runs hooks only once they are trusted: open it and accept them under /hooks.",
    },
    cursor: {
      title: "Cursor",
      home: (place) => join(home(place), ".cursor"),
      server: inJson("mcpServers", plain, (place) =>
        join(place.project ? place.cwd : home(place), ".cursor", "mcp.json"),
      ),
      // Its hook before a prompt takes no context, so that none is asked for.
      hooks: hooksInJson(
        (place) => join(place.project ? place.cwd : home(place), ".cursor", "hooks.json"),
        (start) => ({ sessionStart: { command: hookCommand("sessionStart", start) } }),
        { version: 1 },
      ),
      after: "Cursor loads it by itself; Settings → MCP shows the server.",
      afterHooks: "Cursor takes a wake-up at the start of a session; at a prompt its agent has to ask.",
    },
    opencode: {
      title: "OpenCode",
      home: opencodeHome,
      server: inJson(
        "mcp",
        (start) => ({ type: "local", command: [start.command, ...serverArgs(start)], enabled: true }),
        (place) => {
          const folder = place.project ? place.cwd : opencodeHome(place);
          const commented = join(folder, "opencode.jsonc");
          return existsSync(commented) ? commented : join(folder, "opencode.json");
        },
      ),
      hooks: opencodePlugin(
        (place) =>
          join(place.project ? join(place.cwd, ".opencode") : opencodeHome(place), "plugin", "palimpsest.js"),
        pluginSource,
      ),
      after: "Start OpenCode anew.",
      afterHooks: "The plugin is loaded at the next start.",
    },
    gemini: {
      title: "Gemini CLI",
      home: geminiHome,
      server: inJson("mcpServers", plain, geminiFile),
      hooks: hooksInJson(
        geminiFile,
        grouped(
          { SessionStart: 30, BeforeAgent: 30, PreCompress: 60, AfterAgent: 60, SessionEnd: 60 },
          1_000,
        ),
      ),
      after: "Start a new session of Gemini CLI; /mcp shows the server.",
      afterHooks: "/hooks shows them; in a project they have to be trusted.",
    },
  }) as const satisfies Record<string, Agent>;

export type AgentName = keyof ReturnType<typeof agentsWith>;
export const AGENT_NAMES: readonly AgentName[] = ["claude", "codex", "cursor", "opencode", "gemini"];
