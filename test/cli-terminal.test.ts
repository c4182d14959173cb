import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CATALOG } from "../src/doors/cli/catalog.js";
import { hasScript, inTerminal, main, quoted } from "./_binary.js";
import { Shell } from "./_cli.js";

const golden = fileURLToPath(new URL("golden/cli", import.meta.url));
const isLong = process.env.PAL_TORTURE === "1";
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

let home: string;
let store: string;
const env = () => ({
  ...process.env,
  ...{
    HOME: home,
    PAL_HOME: store,
    PAL_AGENT: "ann",
    PAL_EMBEDDER: "none",
    PAL_JUDGE: "none",
    NO_COLOR: "",
    FORCE_COLOR: "",
  },
  ...{ PAL_BRANCH: "", PAL_SESSION: "", PAL_CONFIG: "", TERM: "xterm", COLUMNS: "" },
});

beforeAll(() => {
  expect(existsSync(main), "run `npm run build` first").toBe(true);
  home = mkdtempSync(join(tmpdir(), "pal-terminal-"));
  store = join(home, "store");
});
afterAll(() => {
  chmodSync(store, 0o755);
  rmSync(home, { recursive: true, force: true });
});

function pal(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    ...{ env: env(), cwd: home, encoding: "utf8", input: "" },
    maxBuffer: 1 << 26,
  });
  return { code: status, out: stdout, err: stderr };
}

/** In a pseudo-terminal of 80 columns; stdout and stderr come together, as a person sees them. */
const terminal = (...args: string[]) => inTerminal({ cwd: home, store }, args);

/** What differs from run to run by its kind. */
const settled = (text: string): string =>
  text
    .replaceAll(home, "~")
    .replace(/\b[0-9a-f]{64}\b/g, "HASH")
    .replace(/\b[0-9a-f]{12}\b/g, "HASH12")
    .replace(/\bmem-[0-9a-f-]{36}\b/g, "ID")
    .replace(/\b[0-9a-f]{8}\b/g, "ID8")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, "TIME")
    .replace(/(?:just now|\d+ (?:s|min|h) ago) */g, "AGO ")
    .replace(/[ \t]+$/gm, "");

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
const COLOUR = /\u001b\[\d+m/g;

function looksLike(name: string, text: string): void {
  const lines = settled(text.replace(COLOUR, ""));
  expect(lines.split("\n").length, name).toBeLessThanOrEqual(25);
  const file = join(golden, `${name}.txt`);
  if (process.env.PAL_GOLDEN === "new" && !existsSync(file)) writeFileSync(file, lines);
  expect(lines, name).toBe(readFileSync(file, "utf8"));
}

describe("C230 the built command", () => {
  /** Every command once, in an order in which each has something to do; what it takes and how it ends. */
  const SCENES: readonly (readonly [exit: number, ...line: string[]])[] = [
    [0, "status"],
    [0, "remember", "Prefers Python for backend work", "--topic", "language", "--message", "said at lunch"],
    [0, "remember", "The staging server is called wombat", "--id", "staging", "--tag", "ops"],
    [0, "update", "staging", "The staging server is called quokka"],
    [0, "observe", "The build is slow on Mondays"],
    [0, "get", "staging"],
    [0, "list"],
    [0, "search", "staging server"],
    [0, "view"],
    [0, "history", "staging"],
    [0, "blame", "staging"],
    [0, "log", "--events"],
    [0, "snapshot", "tidy"],
    [0, "snapshots"],
    [0, "create-branch", "work", "--persona", "worker", "--purpose", "Try Rust"],
    [0, "checkout", "work"],
    [0, "remember", "Prefers Rust for backend work", "--topic", "language"],
    [0, "commit", "--message", "Tried it", "--contribution", "Rust works"],
    [0, "trace", "add", "Wrote a server"],
    [0, "context"],
    [0, "checkout", "main"],
    [0, "remember", "Prefers Zig for backend work", "--topic", "language"],
    [0, "branches"],
    [1, "merge", "work", "--dry-run"],
    [1, "merge", "work"],
    [0, "conflicts"],
    [0, "resolve", "topic-", "text", "--take", "1"],
    [0, "diff", "tidy"],
    [0, "graph"],
    [0, "tag", "v1"],
    [0, "tags"],
    [0, "cherry-pick", "work"],
    [1, "revert", "main"],
    [0, "rename-branch", "work", "play"],
    [0, "delete-branch", "play"],
    [0, "ops"],
    [0, "undo"],
    [0, "bisect", "--query", "staging", "--expect", "quokka"],
    [0, "forget", "staging", "--reason", "renamed"],
    [0, "rollback", "tidy"],
    [0, "ingest", "notes.md"],
    [0, "links", "~/notes.md"],
    [0, "export", "-o", "all.json"],
    [0, "import", "all.json"],
    [0, "stats"],
    [0, "verify"],
    [0, "prove", "staging", "-o", "proof.json"],
    [0, "verify-proof", "proof.json"],
    [0, "doctor"],
    [0, "config"],
    [0, "completion", "bash"],
  ];

  it("C230 every command in a pipe: one JSON value, its exit code, and nothing on stderr", async () => {
    writeFileSync(join(home, "notes.md"), "# Notes\n\nSee [[Other]].\n");
    // Fifty starts of a process are for the long run; here it is the same code in this one.
    const shell = new Shell({ env: { HOME: home, PAL_AGENT: "ann" }, cwd: home });
    const run = isLong ? async (...args: string[]) => pal(...args) : shell.pal;
    const topic = async () =>
      JSON.parse((await run("list", "--topic", "language", "--json")).out)[0].id as string;
    for (const [exit, ...line] of SCENES) {
      const words = line.includes("topic-") ? line.map((word) => word.replace(/^topic-$/, "")) : line;
      const id = words === line ? "" : await topic();
      const ran = await run(...words.map((word) => word || id), "--json");
      expect([ran.code, ran.err], `pal ${line.join(" ")}: ${ran.out}`).toEqual([exit, ""]);
      expect(() => JSON.parse(ran.out), line[0]).not.toThrow();
    }
    shell.remove();
    const known = new Set(SCENES.map(([, name]) => name));
    // Shown in tests of their own: servers, the tour, what shells call.
    const elsewhere = new Set(["mcp", "tour", "complete", "docs"]);
    expect(OWN.filter((name) => !known.has(name))).toEqual([]);
    for (const name of [...OWN, ...elsewhere]) expect(Object.hasOwn(CATALOG, name), name).toBe(true);
  });

  it.skipIf(!hasScript)(
    "C231 in a terminal: coloured, aligned, at most 80 columns, no escapes but colours",
    async () => {
      store = join(home, "seen");
      const seen = async (name: string, ...args: string[]) => {
        const { out } = await terminal(...args);
        looksLike(name, out);
        for (const line of out.replace(COLOUR, "").split("\n"))
          expect([...line].length, line).toBeLessThanOrEqual(80);
        return out;
      };
      await seen("status-empty");
      expect(
        await seen("remember", "remember", "Prefers Python for backend work", "--topic", "language"),
      ).toMatch(COLOUR);
      pal("remember", "\u001b[2J\u001b]0;me\u0007 \u202e", "--id", "evil", "--type", "note");
      await seen("status");
      await seen("log", "log", "--oneline");
      const { out } = await terminal("get", "evil");
      expect(out).toContain("⟨U+001B⟩");
      expect(out.replace(COLOUR, "")).not.toContain("\u001b");
      const long = `A long note about the staging server, which is called wombat and is slow on ${"Mondays ".repeat(4)}`;
      pal("remember", long, "--id", "wombat", "--type", "note");
      await seen("list", "list");
      await seen("get", "get", "wombat");
      pal("create-branch", "work");
      pal(
        "remember",
        "Prefers Rust for backend work",
        "--topic",
        "language",
        "--branch",
        "work",
        "--operator",
      );
      pal("remember", "Prefers Zig for backend work", "--topic", "language", "--operator");
      await seen("merge", "merge", "work");
      await seen("unknown", "merg", "work");
    },
  );

  it.skipIf(!hasScript)(
    "C232 a bar is drawn in a terminal and is gone at the end; --quiet draws none",
    async () => {
      store = join(home, "bars");
      const rows = Array.from({ length: 3000 }, (_, at) => `{"text":"Fact number ${at}","type":"note"}\n`);
      writeFileSync(join(home, "rows.jsonl"), rows.join(""));
      const { out, code } = await terminal("remember", "--jsonl", "rows.jsonl");
      expect(code).toBe(0);
      expect(out).toMatch(/\rremembering {2}━+/);
      expect(out.split("\r\u001b[K").at(-1)).toMatch(/✓.* 3,000 remembered\n$/);
      expect((await terminal("verify", "--quiet")).out).not.toContain("verifying");
      expect(pal("verify").err).toBe("");
    },
  );
});

/** Commands that this file answers for; those of other parts are shown there. */
const OWN = [
  ...["status", "remember", "update", "forget", "observe", "get", "list", "search", "view", "history", "log"],
  ...["diff", "blame", "graph", "branches", "create-branch", "checkout", "rename-branch", "delete-branch"],
  ...["merge", "conflicts", "resolve", "cherry-pick", "revert", "tag", "tags", "snapshot", "snapshots"],
  ...["rollback", "commit", "trace", "context", "bisect", "ops", "undo", "doctor", "ingest", "links"],
  ...["export", "import", "stats", "verify", "prove", "verify-proof", "config", "completion"],
];

describe("C233 when something is wrong: one clear line, what to do, and the right exit code", () => {
  const clear = (ran: { code: number | null; err: string; out: string }, exit: number, said: RegExp) => {
    expect([ran.code, ran.out]).toEqual([exit, ""]);
    const lines = ran.err.trimEnd().split("\n");
    expect(lines.length, ran.err).toBeLessThanOrEqual(2);
    expect(lines[0]).toMatch(/^pal: /);
    expect(ran.err).toMatch(said);
    expect(ran.err).not.toMatch(/\n\s+at |node:internal/);
  };

  it("C233 wrong usage", () => {
    store = join(home, "wrong");
    clear(pal("frobnicate"), 2, /Unknown command/);
    clear(pal("list", "--frobnicate"), 2, /[Uu]nknown option/);
    clear(pal("get"), 2, /missing/i);
    clear(pal("list", "--limit", "many"), 2, /whole number/);
    clear(pal("get", "nothing"), 1, /There is no store/);
    expect(existsSync(store)).toBe(false);
  });

  it("C233 a full disk", () => {
    store = join(home, "full");
    pal("remember", "Was here before");
    const rows = Array.from(
      { length: 4000 },
      (_, at) => `{"text":"Fact ${at} ${"x".repeat(400)}","type":"note"}\n`,
    );
    writeFileSync(join(home, "large.jsonl"), rows.join(""));
    // A limit on the size of files fails as a full disk does.
    const command = `trap '' XFSZ; ulimit -f 1200; exec ${quoted([process.execPath, main, "remember", "--jsonl", "large.jsonl"])}`;
    const ran = spawnSync("sh", ["-c", command], { env: env(), cwd: home, encoding: "utf8" });
    expect(ran.status).toBe(3);
    expect(ran.stderr.trimEnd().split("\n").length, ran.stderr).toBeLessThanOrEqual(2);
    expect(ran.stderr).toMatch(/^pal: The disk/);
    expect(readdirSync(store).filter((name) => /\.img$/.test(name))).toEqual([]);
    expect(pal("verify").code).toBe(0);
    expect(JSON.parse(pal("get", "--json", JSON.parse(pal("list", "--json").out)[0].id).out).text).toBe(
      "Was here before",
    );
  });

  it("C321 a full disk that takes a part of a file: exit 3, and nothing of it", () => {
    store = join(home, "large-file");
    // Larger than what SQLite writes to read a store, and written in one call.
    const row = (n: number) => `{"text":"${n} ${"long ".repeat(1500)}","type":"note"}\n`;
    writeFileSync(join(home, "long.jsonl"), [1, 2, 3, 4, 5].map(row).join(""));
    pal("remember", "--jsonl", "long.jsonl");
    for (const command of [
      ["export", "--history", "--format", "jsonl", "-o", "part"],
      ["backup", "part"],
    ]) {
      expect(pal(...command).code).toBe(0);
      const { size } = statSync(join(home, "part"));
      rmSync(join(home, "part"));
      const limit = Math.floor(size / 512) - 1;
      const limited = `trap '' XFSZ; ulimit -f ${limit}; exec ${quoted([process.execPath, main, ...command])}`;
      const ran = spawnSync("sh", ["-c", limited], { env: env(), cwd: home, encoding: "utf8" });
      clear({ code: ran.status, out: ran.stdout, err: ran.stderr }, 3, /Could not write .*part/);
      expect(readdirSync(home).filter((name) => name.includes("part"))).toEqual([]);
    }
  });

  it("C321 a disk that fills up while a backup is written: exit 3, and no file", () => {
    store = join(home, "kept");
    writeFileSync(
      join(home, "some.jsonl"),
      readFileSync(join(home, "large.jsonl"), "utf8").slice(0, 200_000),
    );
    pal("remember", "--jsonl", "some.jsonl");
    const command = `trap '' XFSZ; ulimit -f 150; exec ${quoted([process.execPath, main, "backup", "x.pal"])}`;
    const { status, stderr } = spawnSync("sh", ["-c", command], { env: env(), cwd: home, encoding: "utf8" });
    expect(stderr).toMatch(/^pal: Could not write .*x\.pal: the disk is full\.\n {5}Free/);
    expect(status).toBe(3);
    expect(readdirSync(home).filter((name) => /x\.pal/.test(name))).toEqual([]);
  });

  it("C233 a store that may only be read", () => {
    store = join(home, "closed");
    pal("remember", "Was here before", "--id", "before");
    chmodSync(home, 0o755);
    chmodSync(join(store, "palimpsest.db"), 0o444);
    chmodSync(store, 0o555);
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, "remember", "More"], {
      ...{ env: env(), cwd: "/", encoding: "utf8", input: "" },
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
    clear({ code: status, out: stdout, err: stderr }, 3, /store/);
    chmodSync(store, 0o755);
  });

  it("C233 a store of a newer version, and a file of another program", () => {
    store = join(home, "newer");
    pal("remember", "Was here before");
    const database = new DatabaseSync(join(store, "palimpsest.db"));
    database.exec("PRAGMA user_version = 999");
    database.close();
    clear(pal("list"), 3, /newer|[Uu]pdate/);
    clear(pal("remember", "More"), 3, /newer|[Uu]pdate/);
    store = home;
    writeFileSync(join(home, "palimpsest.db"), "something else entirely ".repeat(100));
    clear(pal("list"), 3, /store|program/);
    rmSync(join(home, "palimpsest.db"));
    store = join(home, "store");
  });
});

describe("C234 start-up", () => {
  /** Files of ours (from `dist` on) and packages that a command line loads. */
  function loaded(...args: string[]): { own: string[]; packages: Set<string> } {
    const hooks =
      "import{writeSync}from'node:fs';export async function load(u,c,n){writeSync(2,'@@'+u+'\\n');return n(u,c)}";
    const own = JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`);
    const hook = `data:text/javascript,${encodeURIComponent(`import{register}from"node:module";register(${own})`)}`;
    const { stderr } = spawnSync(process.execPath, ["--import", hook, main, ...args], {
      ...{ env: env(), cwd: home, encoding: "utf8", input: "" },
    });
    const urls = [...stderr.matchAll(/^@@(file:.*)$/gm)].map(([, url]) => url as string);
    const packages = urls.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
    const ours = urls.flatMap((url) => (url.startsWith(dist) ? url.slice(dist.length) : []));
    return { own: ours, packages: new Set(packages) };
  }
  const dist = new URL("../dist/", import.meta.url).href;
  const bytesOf = (files: readonly string[]): number =>
    files.reduce((sum, file) => sum + statSync(new URL(file, dist)).size, 0);
  const canCount = loaded("--version").own.length > 0;

  it.skipIf(!canCount)("C234 a command loads what it uses and nothing else", () => {
    const version = loaded("--version");
    expect(version.own.length).toBeLessThanOrEqual(6);
    expect([...version.packages]).toEqual([]);
    store = join(home, "loads");
    pal("remember", "Likes tea", "--id", "tea-tea");
    const get = loaded("get", "tea-tea");
    expect(get.own).toContain("chunks/session-core.js");
    // What a reader parses is what its start costs: no gate, no views, no documents.
    expect(get.own.filter((file) => /session-(?:writing|rest)/.test(file))).toEqual([]);
    expect(get.own.length).toBeLessThanOrEqual(12);
    expect(bytesOf(get.own)).toBeLessThanOrEqual(600_000);
    expect(loaded("remember", "Likes jam").own.filter((file) => file.includes("session-rest"))).toEqual([]);
    for (const heavy of ["yaml", "zod", "mdast-util-from-markdown"])
      expect(get.packages.has(heavy), heavy).toBe(false);
  });

  it.skipIf(!canCount)(
    "C295 the help loads a table of commands, and `pal` alone nothing that only writes need",
    () => {
      const help = loaded("--help");
      expect(help.own.filter((file) => /commands|session|status/.test(file))).toEqual([]);
      expect(help.own.length).toBeLessThanOrEqual(8);
      expect(bytesOf(help.own)).toBeLessThanOrEqual(150_000);
      expect([...help.packages]).toEqual([]);
      expect(loaded("help", "search").own.length).toBeLessThanOrEqual(12);
      store = join(home, "alone");
      pal("remember", "Likes tea");
      const alone = loaded();
      expect(alone.own).toContain("chunks/session-core.js");
      expect(alone.own.filter((file) => /session-(?:writing|rest)|care-/.test(file))).toEqual([]);
    },
  );
});
