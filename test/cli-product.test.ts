import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Io } from "../src/doors/cli/io.js";
import { nearest } from "../src/doors/cli/named.js";
import { Out } from "../src/doors/cli/out.js";
import { barText, orEnded, withProgress } from "../src/doors/cli/progress.js";
import { sizeText, sparkline } from "../src/doors/cli/show.js";
import { memoryStorage } from "../src/index.js";
import { openStore } from "../src/session/index.js";
import { Shell } from "./_cli.js";

const shells: Shell[] = [];
afterEach(() => {
  for (const shell of shells.splice(0)) shell.remove();
});
function place(): Shell {
  const shell = new Shell({ env: { HOME: join("/nowhere") } });
  shells.push(shell);
  return shell;
}

describe("C200 pal alone", () => {
  it("C200 without a store it says where one would be, three ways to begin, and makes none", async () => {
    const shell = place();
    const { code, out, err } = await shell.pal();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(shell.store);
    expect(out).toMatch(/there is no store yet/);
    const { json } = await shell.pal("--json");
    expect(json).toMatchObject({ store: shell.store, exists: false, attention: [] });
    expect(json.next).toHaveLength(3);
    expect(existsSync(shell.store)).toBe(false);
  });

  it("C200 with one: branch, counts, the last commits, what needs attention first among the next steps", async () => {
    const { pal } = place();
    await pal("remember", "Prefers Python", "--topic", "language");
    await pal("create-branch", "work");
    await pal("remember", "Prefers Rust", "--topic", "language", "--branch", "work");
    await pal("remember", "Prefers Zig", "--topic", "language");
    expect((await pal("status", "--json")).json.attention).toEqual([]);
    await pal("merge", "work");
    const { out } = await pal();
    expect(out).toMatch(/^branch {2}main of 2 {2}as tester$/m);
    expect(out).toMatch(/^holds {3}1 memory$/m);
    expect(out).toMatch(/^[0-9a-f]{12} {2}just now {2}Merge work into main$/m);
    expect(out).toMatch(/^! 1 contested field left by merges {2}→ pal conflicts$/m);
    const { json } = await pal("--agent", "status", "--json");
    expect(json).toMatchObject({ agent: "status", memories: 1, branches: 2 });
    expect(json.commits).toHaveLength(4);
    expect(json.next).toHaveLength(3);
    expect(json.next[0].command).toBe("pal conflicts");
  });

  it("C200 a directory that became unwritable, or damage, is named", async () => {
    const shell = place();
    await shell.pal("remember", "Likes tea");
    mkdirSync(join(shell.home, "foreign"));
    writeFileSync(
      join(shell.home, "foreign", "palimpsest.db"),
      "not a database, but long enough to be one".repeat(50),
    );
    const ran = await shell.pal("-C", join(shell.home, "foreign"));
    expect(ran.code).toBe(3);
    expect(ran.err.split("\n").length).toBeLessThanOrEqual(3);
  });
});

describe("C201 merge --dry-run", () => {
  it("C201 says what a merge would bring and leave, exits as it would, and changes nothing", async () => {
    const { pal } = place();
    await pal("remember", "A lamp", "--id", "lamp", "--type", "note");
    await pal("create-branch", "work");
    await pal("remember", "More", "--id", "more", "--branch", "work");
    await pal("forget", "lamp", "--branch", "work");
    await pal("update", "lamp", "A bright lamp");
    const before = (await pal("branches", "--json")).json;
    const dry = await pal("merge", "work", "--dry-run", "--json");
    expect(dry.code).toBe(1);
    expect(dry.json).toMatchObject({ kind: "merged", added: 1, conflicts: [{ id: "lamp", field: "*" }] });
    expect(dry.json.commit).toBeUndefined();
    expect((await pal("merge", "work", "--dry-run")).out).toMatch(/^✓ would merge work into main: 1 added/);
    expect((await pal("branches", "--json")).json).toEqual(before);
    expect((await pal("snapshots", "--json")).json).toEqual([]);
    const done = await pal("merge", "work", "--json");
    expect(done.json.conflicts[0].terms).toEqual((await pal("conflicts", "--json")).json[0].terms);
    expect(done.json.conflicts[0].terms).toMatchObject([
      { deleted: true, author: { id: "tester" } },
      { value: "A bright lamp", commit: done.json.commit, author: { id: "tester" } },
    ]);
    await pal("checkout", "work");
    expect((await pal("merge", "main", "--dry-run")).out).toMatch(/^✓ work would move on to main/);
  });
});

describe("C202 progress", () => {
  it("C202 a bar tells part, count, rate and remaining time once they are known", () => {
    expect(barText("reading", 5, 0.5)).toBe(`reading  ${"━".repeat(12)}${"─".repeat(12)}  50%  5`);
    expect(barText("reading", 5000, 0.25, 2000)).toMatch(/ {2}25% {2}5,000 {2}2,500\/s {2}6 s left$/);
    expect(barText("reading", 10, 0.01, 60_000)).toMatch(/0\.167\/s {2}1 h 39 min left$/);
    expect(barText("reading", 10, 0.5, 90_000)).toMatch(/1 min 30 s left$/);
    expect(barText("reading", 7, undefined, 1000)).toBe("reading  7  7/s");
    expect(barText("re\u001b[2Jading", 7, undefined)).not.toContain("\u001b");
  });

  it("C203 work that is interrupted ends with exit 130 and says what was done; silence without a terminal", async () => {
    let stop = () => {};
    const written: string[] = [];
    const output = {
      isTTY: false,
      columns: undefined,
      write: async (text: string) => void written.push(text),
    };
    const io = {
      ...{ stdout: output, stderr: output, env: {}, cwd: "/", user: () => "x" },
      stdin: { isTTY: false, open: () => process.stdin },
      onInterrupt: (handler: () => void) => {
        stop = handler;
        return () => {};
      },
    } satisfies Io;
    const call = { io, out: new Out(io, { json: false, quiet: false, color: false }) };
    const work = withProgress(
      call,
      "reading",
      (done) => `${done} done`,
      async ({ step }) => {
        step(3, 0.5);
        stop();
        step(4, 0.6);
      },
    );
    await expect(work).rejects.toMatchObject({
      code: "INTERRUPTED",
      exit: 130,
      message: "Interrupted: 4 done.",
    });
    expect(written).toEqual([]);
    const failed = withProgress(
      call,
      "reading",
      () => "",
      async () => {
        throw new TypeError("of its own");
      },
    );
    await expect(failed).rejects.toThrow("of its own");
  });

  it("C203 verify, export and ingest stop at Ctrl-C", async () => {
    const shell = place();
    for (let at = 0; at < 3; at++) writeFileSync(join(shell.cwd, `${at}.md`), `# Note ${at}\n`);
    await shell.pal("ingest", ".");
    const at = (handler: () => void) => {
      handler();
      return () => {};
    };
    for (const args of [["verify"], ["export", "-o", "x.json"], ["ingest", "."]]) {
      const ran = await shell.with({ onInterrupt: at })(...args, "--json");
      expect([ran.code, ran.json.error?.code], args[0]).toEqual([130, "INTERRUPTED"]);
    }
    expect(existsSync(join(shell.cwd, "x.json"))).toBe(false);
  });
});

it("C447 help about a command that is not there says so, and which one may be meant", async () => {
  const { pal } = place();
  expect(await pal("help", "nonsense")).toMatchObject({
    code: 2,
    err: expect.stringContaining("'nonsense'"),
  });
  expect((await pal("help", "remembr")).err).toContain("Did you mean remember?");
  expect((await pal("help", "show")).err).toContain("Did you mean get?");
  for (const args of [["help"], ["help", "help"], ["help", "get"], ["--agent", "x", "help", "get"]])
    expect(await pal(...args), args.join(" ")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Usage: pal"),
    });
});

it("C448 a file that is not there has nothing to do with its format", async () => {
  const { pal } = place();
  for (const command of ["import", "ingest", "restore"])
    expect((await pal(command, "nofile")).err).toMatch(
      /it is not there\.\n +Check the path and its permissions\./,
    );
});

it("C446 pal log begins at a point, and HEAD~2 is one everywhere", async () => {
  const { pal } = place();
  for (const text of ["Likes tea", "Lives in Graz", "Plays chess"]) await pal("remember", text);
  const texts = async (...args: string[]) => ((await pal("list", ...args, "--json")).json as []).length;
  expect((await pal("log", "HEAD~1", "--json")).json).toHaveLength(2);
  expect((await pal("log", "--graph", "HEAD~2", "--json")).json).toHaveLength(1);
  expect((await pal("log", "--at", "HEAD~1", "--json")).json).toHaveLength(2);
  expect(await pal("log", "HEAD", "--at", "HEAD")).toMatchObject({ code: 2 });
  expect(await texts("--at", "HEAD~2")).toBe(1);
  expect((await pal("diff", "HEAD~1", "HEAD", "--json")).json.added).toHaveLength(1);
  expect(await pal("log", "HEAD~9")).toMatchObject({ code: 1 });
  expect((await pal("revert", "HEAD", "--json")).code).toBe(0);
  expect(await texts()).toBe(2);
});

it("C324 what is left is told from a twentieth of the work on, or after some time", () => {
  expect(barText("reading", 100, 0.01, 2_000)).not.toContain("left");
  expect(barText("reading", 100, 0.05, 2_000)).toMatch(/ {2}38 s left$/);
  expect(barText("reading", 100, 0.01, 20_000)).toMatch(/33 min 00 s left$/);
});

it("C329 work that changes nothing is not waited for when it is ended", async () => {
  const stop = new AbortController();
  const forever = new Promise<never>(() => {});
  const ended = orEnded(stop.signal, forever);
  stop.abort(new Error("ended"));
  await expect(ended).rejects.toThrow("ended");
  expect(await orEnded(new AbortController().signal, Promise.resolve(7))).toBe(7);
});

it("C204 session.onLog and -v tell of exports and imports too", async () => {
  const shell = place();
  await shell.pal("remember", "Likes tea");
  const saved = await shell.pal("export", "-o", "x.json", "-v");
  expect(saved.err).toMatch(/^· saved 1 memories as json$/m);
  const loaded = await shell.pal("import", "x.json", "-v");
  expect(loaded.err).toMatch(/^· loaded 0 memories from .*x\.json$/m);
  writeFileSync(join(shell.cwd, "bad.json"), '{"memories":[{');
  const failed = await shell.pal("import", "bad.json", "--format", "json", "-v");
  expect(failed.err).toMatch(/^· load failed: /m);
});

it("C327 merge, pick, revert and rollback always have a commit, null where nothing had to be committed", async () => {
  const { pal } = place();
  await pal("remember", "Likes tea");
  await pal("create-branch", "work");
  for (const line of [
    ["merge", "work"],
    ["rollback", "main"],
  ]) {
    const { code, json } = await pal(...line, "--json");
    expect([code, json.commit], line[0]).toEqual([0, null]);
  }
  const { json } = await pal("revert", "main", "--json");
  expect(json.commit).toMatch(/^[0-9a-f]{64}$/);
});

it("C323 stats --full tells how far it is, and can be ended", async () => {
  const store = await openStore(memoryStorage());
  const session = store.session();
  for (let at = 0; at < 300; at++) await session.remember(`Fact number ${at} of many`, { type: "note" });
  const told: number[] = [];
  const { bySource } = await session.figures({
    full: true,
    onProgress: (done, total) => void told.push(done / total),
  });
  expect(bySource).toEqual({ tool: 300 });
  await store.usage({ objects: true, onProgress: (done, total) => void told.push(done / total) });
  expect(told.length).toBeGreaterThan(1);
  for (const part of told) expect(part).toBeLessThanOrEqual(1);
  const end = () => {
    throw new Error("ended");
  };
  await expect(session.figures({ full: true, onProgress: end })).rejects.toThrow("ended");
  await expect(store.usage({ objects: true, onProgress: end })).rejects.toThrow("ended");
  await store.close();
});

it("C204 session.onLog and -v tell of snapshots, rollbacks, saves and loads, a line each", async () => {
  const store = await openStore(memoryStorage());
  const session = store.session();
  const lines: string[] = [];
  const stop = session.onLog((line) => lines.push(line));
  await session.remember("Likes tea");
  await session.snapshot("kept");
  await session.remember("Likes coffee as well", { id: "coffee" });
  await session.rollback("kept");
  await session.rollback("nowhere").catch(() => undefined);
  const shell = place();
  const file = join(shell.cwd, "x.snap");
  await store.save(file);
  writeFileSync(join(shell.cwd, "bad.snap"), ";; Palimpsest image 1\n");
  await store.load(join(shell.cwd, "bad.snap")).catch(() => undefined);
  stop();
  await session.snapshot("unheard");
  expect(lines).toEqual([
    expect.stringMatching(/^snapshot created: kept at [0-9a-f]{12}$/),
    "rolled back to kept",
    "rollback: nowhere not found",
    expect.stringMatching(/^saved 2 versions of memories \(\d+ objects\) to .*x\.snap$/),
    expect.stringMatching(/^load failed: The image is damaged/),
  ]);
  const loaded = await shell.pal("import", file, "-v");
  expect(loaded.err).toMatch(/^· loaded 2 versions of memories \(\d+ objects\) from .*x\.snap$/m);
});

describe("C205 stats", () => {
  it("C205 the vault's figures, growth, branches, sources, authors, room on the disk, index and vectors", async () => {
    const { pal } = place();
    await pal("remember", "Prefers Python", "--topic", "language");
    await pal("remember", "Prefers Rust", "--topic", "language");
    await pal("remember", "Seen twice", "--source", "document", "--type", "note", "--agent", "bob");
    await pal("create-branch", "work");
    const { json } = await pal("stats", "--full", "--json");
    expect(json).toMatchObject({
      ...{ memories: 2, versions: 3, bloat: 1.5, capacity: 100, topics: ["language"] },
      injected: { shared: { count: 1, utilisation: 1 } },
      byBranch: { main: 2, work: 2 },
      byAuthor: { bob: 1, tester: 1 },
      usage: { index: expect.stringMatching(/none|fresh|behind/), files: { store: expect.any(Number) } },
    });
    expect(Object.values(json.bySource as object).reduce((a, b) => a + b, 0)).toBe(2);
    expect(json.growth.at(-1)).toMatchObject({ memories: 2 });
    expect(json.usage.objects.memory).toMatchObject({ count: 3, bytes: expect.any(Number) });
    const { out } = await pal("stats");
    expect(out).toMatch(/^in prompts +shared 1 of 100 \(1%\)$/m);
    expect(out).toMatch(/^branches +main 2 {2}work 2$/m);
    expect(out).toMatch(/^vectors +none yet/m);
  });

  it("C205 what is embedded is read from the note", async () => {
    const storage = memoryStorage();
    const store = await openStore(storage);
    await store.session().remember("Likes tea");
    await storage.setSide("embedded", JSON.stringify({ model: "m", embedded: 1, waiting: 2 }));
    expect((await store.usage()).embedding).toEqual({ model: "m", embedded: 1, waiting: 2 });
  });

  it("C205 charts and sizes", () => {
    expect(sparkline([0, 1, 2, 4, 8])).toBe("▁▂▃▅█");
    expect(sparkline([1, 2, 3, 4, 5, 6, 7, 8], 3)).toHaveLength(3);
    expect([0, 999, 1_234_567, 5e9].map(sizeText)).toEqual(["0 bytes", "999 bytes", "1.2 MB", "5.0 GB"]);
  });
});

describe("C206 config", () => {
  it("C206 sets, gets, lists and unsets, keeps comments, and refuses what is wrong", async () => {
    const shell = place();
    const file = join(shell.store, "config.yaml");
    mkdirSync(shell.store);
    writeFileSync(file, "# mine\nmemory:\n  max_items: 20 # twenty\n");
    expect((await shell.pal("config", "set", "memory.similarity_threshold", "0.9")).code).toBe(0);
    expect((await shell.pal("config", "set", "memory.scopes", "shared, agent/tester")).code).toBe(0);
    const text = readFileSync(file, "utf8");
    expect(text).toContain("# mine");
    expect(text).toContain("# twenty");
    expect((await shell.pal("config", "get", "memory.scopes", "--json")).json).toEqual({
      ...{ key: "memory.scopes", value: ["shared", "agent/tester"], set: true },
    });
    for (const args of [
      ["set", "memory.similarity_threshold", "7"],
      ["set", "memory.enabled", "perhaps"],
      ["set", "embedder", "abacus"],
      ["set", "memory.similarity_treshold", "0.5"],
      ["get"],
      ["frob", "x"],
    ])
      expect((await shell.pal("config", ...args)).code, args.join(" ")).toBe(2);
    expect((await shell.pal("config", "get", "memory.maxitems")).err).toContain(
      "Did you mean memory.max_items?",
    );
    expect((await shell.pal("config", "unset", "memory.scopes")).code).toBe(0);
    expect((await shell.pal("config", "--json")).json.settings["memory.scopes"]).toMatchObject({
      set: false,
    });
  });

  it("C207 what is set rules the gate; a file that cannot be used stops commands and is mended as doctor says", async () => {
    const shell = place();
    await shell.pal("config", "set", "memory.limits.belief", "10");
    expect((await shell.pal("remember", "Longer than ten letters")).err).toContain("rejected by length");
    await shell.pal("config", "set", "memory.enabled", "false");
    expect((await shell.pal("remember", "Tea")).code).toBe(1);
    await shell.pal("config", "set", "memory.enabled", "true");
    expect((await shell.pal("remember", "Tea")).code).toBe(0);
    const file = join(shell.home, "other.yaml");
    writeFileSync(file, "memory: { colour: red }\n");
    const pal = shell.with({ env: { PAL_CONFIG: file, HOME: "/nowhere" } });
    const ran = await pal("list");
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("memory.colour")]);
    const sick = await pal("doctor", "--json");
    expect(sick.code).toBe(1);
    expect(sick.json.problems).toMatchObject([
      { problem: "config-invalid", fix: "pal config unset memory.colour" },
    ]);
    expect((await pal("config", "unset", "memory.colour")).code).toBe(0);
    expect((await pal("doctor", "--json")).json.problems).toEqual([]);
    writeFileSync(file, "memory: [\n");
    expect((await pal("list")).err).toMatch(/is not YAML/);
    // Names that stand for nothing, or for more than anybody can hold.
    for (const text of ["memory: *nobody\n", `a: &a [${"x,".repeat(20)}]\nb: [${"*a,".repeat(20)}]\n`]) {
      writeFileSync(file, text);
      for (const args of [["list"], ["config", "set", "memory.capacity", "7"]])
        expect(await pal(...args)).toMatchObject({ code: 2, err: expect.stringMatching(/is not YAML/) });
    }
    for (const text of ["memory: 5\n", "memory: [a]\n"]) {
      writeFileSync(file, text);
      const refused = await pal("config", "set", "memory.capacity", "7");
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("pal config unset memory\n") });
      expect((await pal("config", "unset", "memory")).code).toBe(0);
      expect((await pal("config", "set", "memory.capacity", "7")).code).toBe(0);
    }
  });
});

describe("C208 doctor", () => {
  it("C208 every finding comes with a command, and agents are told how to connect", async () => {
    const shell = place();
    await shell.pal("remember", "Likes tea");
    for (const folder of [".claude", ".cursor", ".codex"]) mkdirSync(join(shell.home, folder));
    writeFileSync(join(shell.home, ".claude.json"), '{"mcpServers":{"palimpsest":{}}}');
    writeFileSync(join(shell.home, ".cursor/mcp.json"), "{");
    const pal = shell.with({ env: { HOME: shell.home, PAL_EMBEDDER: "abacus" } });
    const { json, code } = await pal("doctor", "--json");
    expect(code).toBe(1);
    expect(json.agents).toMatchObject([
      { agent: "claude-code", state: "connected" },
      { agent: "codex", state: "not connected", fix: expect.stringMatching(/^(pal connect|codex mcp add)/) },
      { agent: "cursor", state: "unreadable", fix: expect.stringContaining(".cursor/mcp.json") },
    ]);
    expect(json.problems).toMatchObject([{ problem: "embedder-unknown", fix: "unset PAL_EMBEDDER" }]);
    expect((await pal("doctor")).out).toMatch(/^ {2}\$ unset PAL_EMBEDDER$/m);
    expect(json.node).toBe(process.version);
  });
});

describe("C266 the fixes of doctor", () => {
  it("C266 each is typed as it stands, and afterwards the finding is gone or what is whole is saved", async () => {
    const shell = place();
    const store = join(shell.home, "it's a store");
    const pal = (...args: string[]) => shell.with({ env: { PAL_HOME: store, HOME: shell.home } })(...args);
    for (const at of [1, 2, 3]) await pal("remember", `Fact ${at} of wombats`, "--type", "note");
    const fixOf = async () =>
      (await pal("doctor", "--json")).json.problems[0] as { problem: string; fix: string };
    const typed = (line: string): string[] =>
      spawnSync("sh", ["-c", `printf '%s\\0' ${line.replace(/^pal /, "")}`], { encoding: "utf8" })
        .stdout.split("\0")
        .slice(0, -1);
    writeFileSync(join(store, "config.yaml"), '"a b; exit 9": 1\n');
    const config = await fixOf();
    expect(config.problem).toBe("config-invalid");
    expect((await pal(...typed(config.fix))).code).toBe(0);
    expect((await pal("doctor")).code).toBe(0);
    const file = join(store, "palimpsest.db");
    const bytes = readFileSync(file);
    bytes.write("c", bytes.lastIndexOf("wombats"));
    writeFileSync(file, bytes);
    const damage = await fixOf();
    expect(typed(damage.fix)).toEqual(["repair", `${store}-repaired`, "--store", store]);
    expect((await pal(...typed(damage.fix))).code).toBe(1);
    expect((await pal("list", "--store", `${store}-repaired`)).code).toBe(0);
  });
});

describe("C209 completion", () => {
  it("C209 scripts for bash, zsh and fish; commands, options, choices and branches are completed", async () => {
    const { pal } = place();
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, out } = await pal("completion", shell);
      expect([code, out.includes("pal complete --") || out.includes("complete --")]).toEqual([0, true]);
    }
    expect((await pal("completion", "tcsh")).code).toBe(2);
    await pal("remember", "Likes tea");
    await pal("create-branch", "work");
    const next = async (...words: string[]) =>
      (await pal("complete", "--", ...words)).out
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t")[0]);
    expect(await next("ver")).toEqual(["verify", "verify-proof", ":4"]);
    expect(await next("merge", "")).toEqual(["main", "work", ":4"]);
    expect(await next("log", "--branch", "w")).toEqual(["work", ":4"]);
    expect(await next("log", "--onel")).toEqual(["--oneline", ":4"]);
    expect(await next("export", "--format", "js")).toEqual(["json", "jsonl", ":4"]);
    expect(await next("import", "")).toEqual([":0"]);
    expect(await next("completion", "")).toEqual(["bash", "zsh", "fish", ":4"]);
    expect((await pal("--help")).out).not.toMatch(/^ {2}(complete|docs) /m);
  });

  it("C265 what others call a command leads to ours", async () => {
    const { pal } = place();
    for (const [theirs, ours] of [
      ["add", "remember"],
      ["switch", "checkout"],
      ["grep", "search"],
      ["fsck", "verify"],
    ]) {
      const { code, err } = await pal(theirs as string, "x");
      expect([code, err]).toEqual([2, expect.stringContaining(`Did you mean ${ours}`)]);
    }
  });

  it("C5 the nearest name is found, and only if it is near", () => {
    expect(nearest("memory.max_item", ["memory.max_items", "embedder"])).toBe("memory.max_items");
    expect(nearest("frobnicate", ["memory.max_items", "embedder"])).toBeUndefined();
  });
});
