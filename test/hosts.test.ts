import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HostModel, hostModel } from "./_host-model.js";
import { MAIN } from "./_mcp.js";
import { ROOT } from "./_processes.js";

// The real hosts, where somebody has installed them: they are heavy and no dependencies of ours. Each has a home of its own and
// speaks with a scripted model on loopback; nothing leaves the machine. Not under /tmp, which Codex does not take for a home.
const TOOLS = process.env.PAL_TEST_TOOLS;
const programOf = (name: string): string => join(TOOLS ?? "/nowhere", "node_modules", ".bin", name);
const LONG = 400_000;

let home: string;
let work: string;
let model: HostModel;
beforeEach(async () => {
  home = mkdtempSync(join(existsSync("/var/tmp") ? "/var/tmp" : ROOT, "pal-host-"));
  work = join(home, "work");
  mkdirSync(work);
  model = await hostModel();
});
afterEach(async () => {
  await model.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

const envOf = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", PAL_HOME: join(home, "store"), NO_COLOR: "1" },
  ...more,
});

function ran(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(command, args, { cwd: work, env, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      out += part;
    });
  const late = setTimeout(() => child.kill("SIGKILL"), LONG / 4);
  return new Promise((done) =>
    child.on("close", () => {
      clearTimeout(late);
      done(out);
    }),
  );
}
const pal = (...args: string[]) => ran(process.execPath, [MAIN, ...args], envOf());

interface Host {
  readonly program: string;
  prepare(url: string): NodeJS.ProcessEnv;
  args(prompt: string): string[];
}

const put = (text: string, ...path: string[]): void => {
  const file = join(home, ...path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
};

const HOSTS: Readonly<Record<string, Host>> = {
  claude: {
    program: "claude",
    prepare: (url) => ({
      ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "x", DISABLE_AUTOUPDATER: "1" },
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
    args: (prompt) => ["-p", prompt, "--allowedTools", "mcp__palimpsest"],
  },
  codex: {
    program: "codex",
    prepare(url) {
      const provider = `name = "fake"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"`;
      put(
        `model = "fake"\nmodel_provider = "fake"\n\n[model_providers.fake]\n${provider}\n`,
        ...[".codex", "config.toml"],
      );
      return { FAKE_KEY: "x" };
    },
    // Trust is given by a person at a screen; who runs it with hooks of their own says so.
    args: (prompt) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt],
  },
  opencode: {
    program: "opencode",
    prepare(url) {
      const fake = {
        ...{ npm: "@ai-sdk/openai-compatible", models: { fake: { name: "fake" } } },
        options: { baseURL: `${url}/v1`, apiKey: "x" },
      };
      const config = { model: "fake/fake", provider: { fake }, share: "disabled", autoupdate: false };
      put(JSON.stringify(config, undefined, 2), ".config", "opencode", "opencode.json");
      return { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
    },
    args: (prompt) => ["run", prompt],
  },
  gemini: {
    program: "gemini",
    prepare(url) {
      put(
        JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } }),
        ...[".gemini", "settings.json"],
      );
      return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "x" };
    },
    args: (prompt) => ["--skip-trust", "--yolo", "-m", "gemini-2.5-pro", "-p", prompt],
  },
};

/** What the model was sent for the last prompts, without what we told it before. */
const sentSince = (from: number): string => model.requests.slice(from).join("\n");

describe.each(Object.entries(HOSTS))("J811 %s", (name, host) => {
  const program = programOf(host.program);

  it.skipIf(!existsSync(program))(
    `J811 what ${name} was told in one session it is shown in the next, by a tool and by hooks alone`,
    { timeout: LONG },
    async () => {
      const env = envOf(host.prepare(model.url));
      expect(await pal("connect", name, "--hooks")).toContain("is connected");
      const first = await ran(program, host.args("CALL memory_add text: The staging port is 6543."), env);
      expect(await pal("list"), first).toContain("The staging port is 6543.");

      let from = model.requests.length;
      await ran(program, host.args("CALL memory_recall question: Which port has staging?"), env);
      expect(sentSince(from)).toMatch(/\[1\]|quotations/);
      expect(sentSince(from)).toContain("The staging port is 6543.");

      from = model.requests.length;
      await ran(program, host.args("Which port has staging?"), env);
      expect(sentSince(from)).toContain("# Wake-up");
      expect(sentSince(from)).toMatch(/## Recalled[^#]*The staging port is 6543\./);

      // Of the conversation what was said is kept, and nothing of the host.
      const kept = await pal("list", "--type", "message", "--json");
      expect(kept).toContain("Which port has staging?");
      expect(kept).not.toMatch(/system-reminder|environment_context|session_context|## Recalled/);
      await pal("connect", name, "--undo");
    },
  );
});

it.skipIf(!existsSync(programOf("claude")))(
  "J811 the plugin is valid for Claude Code, works from a copy of its folder, and says what is missing",
  { timeout: LONG },
  async () => {
    const { claude } = HOSTS;
    const env = { ...envOf(claude!.prepare(model.url)), PAL_PROGRAM: MAIN };
    for (const path of ["plugin", "."])
      expect(
        await ran(programOf("claude"), ["plugin", "validate", join(ROOT, path), "--strict"], env),
      ).toContain("Validation passed");
    await ran(programOf("claude"), ["plugin", "marketplace", "add", ROOT], env);
    const installed = await ran(programOf("claude"), ["plugin", "install", "palimpsest@palimpsest"], env);
    expect(installed).toContain("palimpsest");
    await pal("remember", "The staging port is 6543.");
    const args = claude!.args("Which port has staging?");
    await ran(programOf("claude"), args, env);
    expect(sentSince(0)).toMatch(/## Recalled[^#]*The staging port is 6543\./);
    // A copy of the folder alone, and no program anywhere: a person is told what to do, and it works as soon as it was done.
    await ran(programOf("claude"), ["plugin", "uninstall", "palimpsest@palimpsest"], env);
    const copy = join(home, "copy");
    cpSync(join(ROOT, "plugin"), copy, { recursive: true });
    const without = { ...env, PAL_PROGRAM: "" };
    args.push("--plugin-dir", copy);
    const told = await ran(
      programOf("claude"),
      [...args, "--output-format", "stream-json", "--verbose", "--include-hook-events"],
      without,
    );
    expect(told).toContain("npm install --global palimpsest@");
    const from = model.requests.length;
    await ran(programOf("claude"), args, env);
    expect(sentSince(from)).toMatch(/## Recalled[^#]*The staging port is 6543\./);
  },
);
