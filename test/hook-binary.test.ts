import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { main } from "./_binary.js";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "pal-hook-"));
  expect(pal(["remember", "We cache pages in Redis for an hour."]).status).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const pal = (args: readonly string[], input = "", cache = "cache", more: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, [main, ...args], {
    input,
    cwd: home,
    encoding: "utf8",
    // No PAL_HOME: the store is where the platform keeps data, which a package tells.
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_CACHE_HOME: join(home, cache),
      XDG_DATA_HOME: join(home, "data"),
      PAL_JUDGE: "none",
      ...more,
    },
  });
const ask = (prompt: string, cache?: string): string => {
  const { stdout, stderr, status } = pal(["hook", "UserPromptSubmit"], JSON.stringify({ prompt }), cache);
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout.replace(/memory-[0-9a-f]{32}/g, "memory");
};

const hasCompileCache = "enableCompileCache" in module;
const files = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const question = "What did we say about the cache?";

it.skipIf(process.platform !== "linux")(
  "RC76 a hook keeps its compiled code, only for its user, and answers the same with it, without it, and when it is damaged",
  () => {
    expect(ask("Write a function that adds two numbers")).toBe("{}\n");
    const folder = join(home, "cache", "palimpsest", "code");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const answer = ask(question);
    expect(answer).toContain("Redis");
    const kept = files(folder);
    expect(kept.length).toBeGreaterThan(0);
    for (const file of kept) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(ask(question)).toBe(answer);

    const whole = kept.map((file) => readFileSync(file));
    const damages: ((code: Buffer) => Buffer)[] = [
      (code) => code.map((byte, at) => (at === code.length >> 1 ? byte ^ 1 : byte)) as Buffer,
      (code) => code.subarray(0, 100),
      () => Buffer.alloc(0),
    ];
    for (const damage of damages) {
      for (const [at, file] of kept.entries()) writeFileSync(file, damage(whole[at]!));
      expect(ask(question)).toBe(answer);
    }
    writeFileSync(join(home, "no-folder"), "");
    expect(ask(question, "no-folder")).toBe(answer);
  },
);

it.skipIf(process.platform !== "linux" || hasCompileCache)(
  "RC76 where Node keeps none, it is kept by event, and anew when more of it was used, it was damaged or could be another's",
  () => {
    expect(ask("Write a function that adds two numbers", "own")).toBe("{}\n");
    const [file, ...others] = files(join(home, "own", "palimpsest", "code"));
    expect(others).toEqual([]);
    const poor = readFileSync(file!);
    const answer = ask(question, "own");
    const full = readFileSync(file!);
    // An answered question has used more of the code, and that is kept; nothing is written after it.
    expect(full.length).toBeGreaterThan(poor.length);
    expect(ask("Write a function that adds two numbers", "own")).toBe("{}\n");
    expect(readFileSync(file!).equals(full)).toBe(true);

    writeFileSync(file!, full.subarray(0, 4_000));
    expect(ask(question, "own")).toBe(answer);
    expect(readFileSync(file!).length).toBeGreaterThan(poor.length);
    chmodSync(file!, 0o666);
    expect(ask(question, "own")).toBe(answer);
    expect(statSync(file!).mode & 0o777).toBe(0o600);
  },
);

const prompt = JSON.stringify({ prompt: question });

it("RC178 compiled code is neither kept in nor read from the folder a host works in", () => {
  for (const more of [
    { XDG_CACHE_HOME: "relative" },
    { XDG_CACHE_HOME: "", HOME: "", PAL_HOME: join(home, "data", "palimpsest") },
  ]) {
    const { stdout, status } = pal(["hook", "UserPromptSubmit"], prompt, "", more);
    expect({ status, hasAnswer: stdout.includes("Redis") }).toEqual({ status: 0, hasAnswer: true });
  }
  expect(readdirSync(home)).not.toContain("relative");
  expect(readdirSync(home)).not.toContain(".cache");
});

it("RC76 where somebody says where such files go, the code goes there", () => {
  expect(pal(["hook", "Stop"], "{}", "unused", { PAL_CACHE: join(home, "said") }).status).toBe(0);
  expect(readdirSync(join(home, "said", "code"))).toHaveLength(1);
  expect(readdirSync(home)).not.toContain("unused");
});

it.skipIf(process.platform !== "linux")(
  "RC178 nor in a folder that others may write to, and where a disk is full nothing is left of it",
  () => {
    const open = join(home, "open", "palimpsest", "code");
    mkdirSync(open, { recursive: true });
    chmodSync(open, 0o777);
    expect(ask(question, "open")).toContain("Redis");
    expect(readdirSync(open)).toEqual([]);

    const run = `ulimit -f 200; exec "${process.execPath}" "${main}" hook UserPromptSubmit`;
    const { stdout, status } = spawnSync("sh", ["-c", run], {
      input: prompt,
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        HOME: home,
        XDG_CACHE_HOME: join(home, "full"),
        XDG_DATA_HOME: join(home, "data"),
        PAL_JUDGE: "none",
      },
    });
    expect({ status, hasAnswer: stdout.includes("Redis") }).toEqual({ status: 0, hasAnswer: true });
    // Node leaves what it could write, and knows later that it is not whole.
    if (!hasCompileCache) expect(readdirSync(join(home, "full", "palimpsest", "code"))).toEqual([]);
    expect(ask(question, "full")).toContain("Redis");
  },
);

it("RC74 not even a fault in the midst of it fails the host", () => {
  // As soon as somebody listens for it.
  const code =
    "process.on('newListener',(name)=>{if(name==='uncaughtException')setImmediate(()=>{throw Error('oops')})})";
  const fault = `data:text/javascript,${encodeURIComponent(code)}`;
  const { stdout, stderr, status } = pal(["hook", "Stop"], "{}", "cache", {
    NODE_OPTIONS: `--import=${fault}`,
  });
  expect({ stdout, status }).toEqual({ stdout: "{}\n", status: 0 });
  expect(stderr).toContain("oops");
});
