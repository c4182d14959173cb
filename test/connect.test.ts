import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import { agentsWith } from "../src/doors/cli/connect/agents.js";
import { Shell } from "./_cli.js";
import { MAIN } from "./_mcp.js";
import { ROOT } from "./_processes.js";

let shell: Shell;
let home: string;
beforeEach(() => {
  shell = new Shell();
  home = shell.cwd;
});
afterEach(() => shell.remove());

const connect = async (...args: string[]) => {
  const env = { HOME: home, PATH: "/nowhere" };
  const { code, json } = await shell.with({ env })("connect", ...args, "--json");
  return { exit: code, json };
};
const read = (...path: string[]): string => readFileSync(join(home, ...path), "utf8");
function write(text: string, ...path: string[]): string {
  const file = join(home, ...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const FILES = {
  claude: [".claude.json"],
  codex: [".codex", "config.toml"],
  cursor: [".cursor", "mcp.json"],
  opencode: [".config", "opencode", "opencode.json"],
  gemini: [".gemini", "settings.json"],
} as const;
const names = Object.keys(FILES) as (keyof typeof FILES)[];

it.each(names)(
  "CP30 connects %s from nothing, says the same twice, and undoes it without a trace",
  async (name) => {
    const first = await connect(name);
    expect(first).toMatchObject({ exit: 0, json: { agent: name, connected: true, changed: true } });
    const text = read(...FILES[name]);
    expect(text).toContain('"mcp"');
    expect(text).toContain(name);
    expect(await connect(name)).toMatchObject({ exit: 0, json: { changed: false } });
    expect(read(...FILES[name])).toBe(text);
    expect(await connect(name, "--undo")).toMatchObject({
      exit: 0,
      json: { connected: false, changed: true },
    });
    expect(existsSync(join(home, ...FILES[name]))).toBe(false);
    expect(await connect(name, "--undo")).toMatchObject({ exit: 0, json: { changed: false } });
  },
);

it("CP51 writes the address of a database as it was given", async () => {
  await connect("claude", "--store", "postgres://db.example/memory");
  expect(JSON.parse(read(".claude.json")).mcpServers.palimpsest.args).toContain(
    "postgres://db.example/memory",
  );
});

it("CP30 claude-code is another name of claude", async () => {
  const { json } = (await connect("claude-code")) as { json: { agent: string } };
  expect(json.agent).toBe("claude");
  expect(JSON.parse(read(".claude.json")).mcpServers.palimpsest.args).toContain("claude");
});

const OWN = {
  claude: '{\n  "numStartups": 3, // counted\n  "mcpServers": { "other": { "command": "x" } }\n}\n',
  codex: '# mine\nmodel = "o9"\n\n[mcp_servers.other]\ncommand = "x" # kept\n',
  cursor: '{ "mcpServers": {} }',
  opencode: '{\n  // theme\n  "theme": "dark",\n}\n',
  gemini: '{\n  "ui": { "theme": "dark" } // ui\n}\n',
};

it.each(names)(
  "CP31 keeps what %s's file says, keeps a copy, and gives the very bytes back",
  async (name) => {
    const file = write(OWN[name], ...FILES[name]);
    const { json } = (await connect(name)) as { json: { backup: string } };
    expect(readFileSync(json.backup, "utf8")).toBe(OWN[name]);
    for (const comment of ["counted", "# mine", "# kept", "// theme"])
      expect(readFileSync(file, "utf8").includes(comment)).toBe(OWN[name].includes(comment));
    // Connected otherwise, the copy is still that of the time before us.
    await connect(name, "--tools", "full");
    expect(readFileSync(json.backup, "utf8")).toBe(OWN[name]);
    await connect(name, "--undo");
    expect(readFileSync(file, "utf8")).toBe(OWN[name]);
    expect(existsSync(json.backup)).toBe(false);
  },
);

it.each(names)("CP32 after changes of others only our entry goes: %s", async (name) => {
  const file = write(OWN[name], ...FILES[name]);
  await connect(name);
  const more = name === "codex" ? "\n[later]\nx = 1\n" : "";
  const text = readFileSync(file, "utf8");
  writeFileSync(file, name === "codex" ? text + more : text.replace("{", '{ "later": 1,'));
  await connect(name, "--undo");
  const left = readFileSync(file, "utf8");
  expect(left).not.toContain("palimpsest");
  expect(left).toContain("later");
  if (name === "claude")
    expect(parse(left.replace("// counted", ""))).toMatchObject({ later: 1, mcpServers: { other: {} } });
});

it("CP33 --dry-run shows the file and writes nothing", async () => {
  const file = write(OWN.claude, ".claude.json");
  const { json } = await connect("claude", "--dry-run");
  expect(json).toMatchObject({ changed: false, text: expect.stringContaining("palimpsest") });
  expect(readFileSync(file, "utf8")).toBe(OWN.claude);
  expect(existsSync(`${file}.before-palimpsest`)).toBe(false);
});

it("CP34 a file that cannot be changed safely is left as it is, exit 1", async () => {
  const bad = write("{ not json", ".claude.json");
  expect(await connect("claude")).toMatchObject({ exit: 1, json: { error: { code: "FILE_UNUSABLE" } } });
  expect(readFileSync(bad, "utf8")).toBe("{ not json");
  write("mcp_servers = { x = { command = 'y' } }\n", ".codex", "config.toml");
  expect(await connect("codex")).toMatchObject({ exit: 1 });
  expect(await connect("nobody")).toMatchObject({ exit: 2 });
});

it("CP35 permissions stay, and a link stays a link", async () => {
  const real = write(OWN.cursor, "dotfiles", "mcp.json");
  mkdirSync(join(home, ".cursor"));
  symlinkSync(real, join(home, ".cursor", "mcp.json"));
  const before = statSync(real).mode;
  await connect("cursor");
  expect(readFileSync(real, "utf8")).toContain("palimpsest");
  expect(statSync(real).mode).toBe(before);
});

it("CP36 what was named on the line goes into the configuration; --project writes beside the work", async () => {
  await connect("claude", "--project", "--store", "mem", "--scopes", "shared,agent/x", "--agent", "x");
  const { args } = JSON.parse(read(".mcp.json")).mcpServers.palimpsest;
  expect(args.slice(1)).toEqual([
    "mcp",
    "--agent",
    "x",
    "--store",
    join(home, "mem"),
    "--scopes",
    "shared,agent/x",
  ]);
});

it("CP37 CP50 CP52 the plugin's manifests agree with the package and name files that are there; server and hooks start the same way", () => {
  const json = (...path: string[]) => JSON.parse(readFileSync(join(ROOT, ...path), "utf8"));
  const { name, version } = json("package.json");
  for (const kind of [".claude-plugin", ".codex-plugin"])
    expect(json("plugin", kind, "plugin.json")).toMatchObject({ name, version });
  const { skills, mcpServers, hooks: codexHooks } = json("plugin", ".codex-plugin", "plugin.json");
  for (const path of [skills, mcpServers, codexHooks, "hooks/hooks.json", "skills/memory/SKILL.md"])
    expect(existsSync(join(ROOT, "plugin", path))).toBe(true);
  // Both start the program that is installed, and speak as the agent they serve, so that they see and write one scope.
  for (const [agent, server, hooked, root] of [
    ["claude", ".mcp.json", "hooks/hooks.json", "CLAUDE_PLUGIN_ROOT"],
    ["codex", mcpServers, codexHooks, "PLUGIN_ROOT"],
  ]) {
    const { command, args } = json("plugin", server).mcpServers[name];
    const start = agent === "codex" ? "./scripts/pal.mjs" : `\${${root}}/scripts/pal.mjs`;
    expect([command, ...args]).toEqual(["node", start, "mcp", "--agent", agent]);
    for (const [event, groups] of Object.entries(json("plugin", hooked).hooks))
      for (const { hooks } of groups as { hooks: { command: string }[] }[])
        for (const hook of hooks)
          expect(hook.command).toBe(`node "\${${root}}/scripts/pal.mjs" hook ${event} --agent ${agent}`);
  }
  const [, front] =
    /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(join(ROOT, "plugin/skills/memory/SKILL.md"), "utf8")) ?? [];
  expect(parse(front ?? "")).toMatchObject({ name: "memory", description: expect.any(String) });
  expect(json(".claude-plugin", "marketplace.json").plugins[0].source).toBe("./plugin");
  expect(json(".agents", "plugins", "marketplace.json").plugins[0].source.path).toBe("./plugin");
});

it("CP50 the plugin starts the installed program of its own version and no other, and says what is missing, each time anew", () => {
  const plugin = join(home, "plugin");
  cpSync(join(ROOT, "plugin"), plugin, { recursive: true });
  const bin = join(home, "bin");
  mkdirSync(bin);
  const env = { PATH: `${bin}:/nowhere`, HOME: home, PAL_HOME: join(home, "store") };
  const start = (...args: string[]) =>
    spawnSync(process.execPath, [join(plugin, "scripts", "pal.mjs"), ...args], {
      ...{ env, cwd: home, input: "{}", encoding: "utf8" },
    });
  const missing = start("hook", "SessionStart", "--agent", "claude");
  expect([missing.status, JSON.parse(missing.stdout)]).toEqual([
    0,
    { systemMessage: expect.stringMatching(/not installed.*npm install --global palimpsest@\d/) },
  ]);
  expect(start("hook", "Stop", "--agent", "claude").stdout).toBe("{}\n");
  expect(start("mcp")).toMatchObject({ status: 1, stderr: expect.stringContaining("npm install") });
  // Another program of that name, and another version of ours.
  const other = join(home, "lib", "node_modules", "palimpsest");
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, "main.js"), "console.log('other')");
  writeFileSync(join(bin, "pal"), "#!/bin/sh\necho other\n");
  for (const [name, version, told] of [
    ["palindrome", "0.1.0", "not installed"],
    ["palimpsest", "9.9.9", "in version 9.9.9"],
  ]) {
    writeFileSync(join(other, "package.json"), JSON.stringify({ name, version, bin: { pal: "main.js" } }));
    expect(start("mcp").stderr).toContain(told);
  }
  rmSync(join(bin, "pal"));
  symlinkSync(MAIN, join(bin, "pal"));
  expect(start("--version").stdout.trim()).toBe(
    JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version,
  );
});

const HOOKED = {
  claude: [".claude", "settings.json"],
  codex: [".codex", "hooks.json"],
  cursor: [".cursor", "hooks.json"],
  opencode: [".config", "opencode", "plugin", "palimpsest.js"],
  gemini: [".gemini", "settings.json"],
} as const;

it.each(names)(
  "CP810 --hooks tells %s of hooks by an absolute path and with one store, and undo leaves nothing",
  async (name) => {
    await connect(name, "--hooks", "--store", join(home, "my mem"));
    const text = read(...HOOKED[name]);
    expect(text).toContain(process.execPath);
    expect(text).toContain("my mem");
    expect(text).toContain(name);
    expect(read(...FILES[name])).toContain("my mem");
    expect((await connect(name, "--hooks", "--store", join(home, "my mem"))).json).toMatchObject({
      changed: false,
    });
    await connect(name, "--undo");
    for (const path of [FILES[name], HOOKED[name]]) expect(existsSync(join(home, path[0]))).toBe(false);
  },
);

it("CP810 hooks of others stay, in order and as they are written, also when ours change and go", async () => {
  const own = `{
  // mine
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] } // loud
    ],
    "UserPromptSubmit": []
  }
}
`;
  const file = write(own, ...HOOKED.claude);
  await connect("claude", "--hooks");
  const first = readFileSync(file, "utf8");
  for (const kept of ["// mine", "// loud", "say done"]) expect(first).toContain(kept);
  await connect("claude", "--hooks", "--agent", "orion");
  const { hooks } = JSON.parse(readFileSync(file, "utf8").replace(/\/\/.*/g, ""));
  expect(hooks.Stop).toHaveLength(2);
  expect(hooks.Stop[0].hooks[0].command).toBe("say done");
  expect(hooks.UserPromptSubmit).toHaveLength(1);
  expect(hooks.Stop[1].hooks[0].command).toMatch(/ hook Stop --agent orion\b/);
  writeFileSync(file, readFileSync(file, "utf8").replace("// mine", "// still mine"));
  await connect("claude", "--undo");
  const left = readFileSync(file, "utf8");
  expect(left).not.toContain("hook Stop");
  expect(left).toContain("// still mine");
  expect(JSON.parse(left.replace(/\/\/.*/g, "")).hooks.Stop).toHaveLength(1);
});

it("CP810 $PAL_HOME goes into the configuration, because it does not reach a server", async () => {
  const env = { HOME: home, PATH: "/nowhere", PAL_HOME: join(home, "mine") };
  await shell.with({ env })("connect", "codex", "--hooks");
  for (const path of [FILES.codex, HOOKED.codex]) expect(read(...path)).toContain(join(home, "mine"));
});

const ENTRIES = {
  claude: '{"mcpServers":{"palimpsest":{"command":"npx","args":["x"],"env":{"PAL_HOME":"/old"}}}}',
  codex:
    '[mcp_servers.palimpsest]\ncommand = "npx"\nargs = [\n  "x",\n]\nstartup_timeout_sec = 9 # slow\n\n[mcp_servers.palimpsest.env]\nPAL_HOME = "/old"\n',
  cursor: '{"mcpServers":{"palimpsest":{"command":"npx","env":{"A":"b"}}}}',
  opencode: '{"mcp":{"palimpsest":{"type":"local","command":["x"],"environment":{"A":"b"}}}}',
  gemini: '{"mcpServers":{"palimpsest":{"command":"npx","trust":true,"env":{"A":"b"}}}}',
};
it.each(names)(
  "CP811 an entry that somebody wrote for %s is kept, its own settings stay, and it comes back",
  async (name) => {
    const file = write(ENTRIES[name], ...FILES[name]);
    const { json } = (await connect(name)) as { json: { backup: string } };
    expect(readFileSync(json.backup, "utf8")).toBe(ENTRIES[name]);
    const text = readFileSync(file, "utf8");
    expect(text).toContain('"mcp"');
    for (const own of ENTRIES[name].match(
      /PAL_HOME|startup_timeout_sec = 9 # slow|"env(?:ironment)?"|"trust"/g,
    ) ?? [])
      expect(text).toContain(own);
    expect(text).not.toContain('"x"');
    // Others change the file; what was theirs comes back all the same.
    writeFileSync(file, name === "codex" ? `model = "o9"\n${text}` : text.replace("{", '{ "later": 1,'));
    await connect(name, "--undo");
    const left = readFileSync(file, "utf8");
    expect(left).toContain(name === "codex" ? 'model = "o9"' : '"later"');
    expect(left).toContain(name === "opencode" ? '"x"' : '"npx"');
    expect(left).not.toContain('"--agent"');
    writeFileSync(file, ENTRIES[name]);
    await connect(name);
    await connect(name, "--undo");
    expect(readFileSync(file, "utf8")).toBe(ENTRIES[name]);
  },
);

it("CP812 several agents in one call; one that cannot be changed keeps none of the others from it", async () => {
  write("{ not json", ...FILES.cursor);
  const { exit, json } = await connect("claude", "cursor", "codex", "gemini");
  expect(exit).toBe(1);
  expect(json).toMatchObject({
    agents: [{ agent: "claude" }, { agent: "codex" }, { agent: "gemini" }],
    failed: [{ code: "FILE_UNUSABLE" }],
  });
  expect(read(...FILES.gemini)).toContain('"mcp"');
  expect(await connect("claude", "nobody")).toMatchObject({ exit: 2 });
});

it("CP813 connect and doctor find the same files, wherever an agent was told to keep them", async () => {
  const places = {
    ...{ CLAUDE_CONFIG_DIR: join(home, "c"), CODEX_HOME: join(home, "x"), XDG_CONFIG_HOME: join(home, "g") },
    GEMINI_CLI_HOME: join(home, "gem"),
  };
  const env = { HOME: home, PATH: "/nowhere", ...places };
  for (const path of ["c", "x", "g/opencode", "gem/.gemini"])
    mkdirSync(join(home, path), { recursive: true });
  write('{ "theme": "dark", }', "g", "opencode", "opencode.jsonc");
  const run = shell.with({ env });
  const states = async () =>
    ((await run("doctor", "--json")).json as { agents: { agent: string; file: string; state: string }[] })
      .agents;
  expect((await states()).map(({ agent, state }) => [agent, state])).toEqual(
    ["claude-code", "codex", "opencode", "gemini"].map((agent) => [agent, "not connected"]),
  );
  const { json } = await run("connect", "claude", "codex", "opencode", "gemini", "--json");
  const files = (json as { agents: { file: string }[] }).agents.map(({ file }) => file);
  expect(files).toEqual([
    ...[join(home, "c", ".claude.json"), join(home, "x", "config.toml")],
    ...[join(home, "g", "opencode", "opencode.jsonc"), join(home, "gem", ".gemini", "settings.json")],
  ]);
  expect(await states()).toMatchObject(files.map((file) => ({ file, state: "connected" })));
});

it("CP813 on Windows the profile counts, and a command is quoted as its shell reads it", () => {
  const agents = agentsWith(() => "");
  const place = {
    env: { USERPROFILE: "C:/Users/ann", HOME: "/c/Users/ann" },
    cwd: "C:/work",
    project: false,
  };
  expect(agents.claude.server.file({ ...place, platform: "win32" })).toBe("C:/Users/ann/.claude.json");
  const start = {
    ...{ command: "C:\\Program Files\\nodejs\\node.exe", program: ["C:\\npm\\main.js"] },
    ...{ options: ["--agent", "codex"], serverOptions: [], platform: "win32" as const },
  };
  const { hooks } = JSON.parse(agents.claude.hooks.connect("", start));
  expect(hooks.Stop[0].hooks[0].command).toBe(
    '"C:\\Program Files\\nodejs\\node.exe" "C:\\npm\\main.js" hook Stop --agent codex',
  );
  const table = agents.codex.server.connect("", start);
  expect(table).toContain('command = "C:\\\\Program Files\\\\nodejs\\\\node.exe"');
  expect(agents.codex.server.isConnected(table, start)).toBe(true);
});
