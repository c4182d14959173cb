import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import { Shell } from "./_cli.js";
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
  // Whoever installs the plugin need not have installed the command: server and hooks fetch it the same way.
  // Both speak as the agent they serve, so that they see and write one scope.
  for (const [agent, server, hooked] of [
    ["claude", ".mcp.json", "hooks/hooks.json"],
    ["codex", mcpServers, codexHooks],
  ]) {
    const { command, args } = json("plugin", server).mcpServers[name];
    expect([command, ...args]).toEqual(["npx", "--yes", name, "mcp", "--agent", agent]);
    for (const [event, groups] of Object.entries(json("plugin", hooked).hooks))
      for (const { hooks } of groups as { hooks: { command: string }[] }[])
        for (const hook of hooks)
          expect(hook.command).toBe(`npx --yes palimpsest hook ${event} --agent ${agent}`);
  }
  const [, front] =
    /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(join(ROOT, "plugin/skills/memory/SKILL.md"), "utf8")) ?? [];
  expect(parse(front ?? "")).toMatchObject({ name: "memory", description: expect.any(String) });
  expect(json(".claude-plugin", "marketplace.json").plugins[0].source).toBe("./plugin");
  expect(json(".agents", "plugins", "marketplace.json").plugins[0].source.path).toBe("./plugin");
});
