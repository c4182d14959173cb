import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyProof } from "../src/core/merkle/proof.js";
import { Shell } from "./_cli.js";

let shell: Shell;
beforeEach(() => {
  shell = new Shell();
});
afterEach(() => shell.remove());
const pal = (...args: string[]) => shell.pal(...args);
const add = async (...args: string[]) => (await pal("remember", ...args, "--json")).json;

describe("the line", () => {
  it("C1 global options stand before or after the command", async () => {
    const store = join(shell.home, "other");
    expect((await pal("-C", store, "--json", "remember", "Likes tea", "--agent", "ann")).json.verdict).toBe(
      "accepted",
    );
    const before = await pal("--store", store, "--json", "list");
    const after = await pal("list", `--store=${store}`, "--json");
    expect(before.json).toHaveLength(1);
    expect(after).toEqual(before);
    expect(before.json[0].author).toEqual({ kind: "agent", id: "ann" });
    expect(existsSync(shell.store)).toBe(false);
  });

  it("C1 an option's value is a value, even if it looks like an option", async () => {
    await pal("remember", "Likes tea", "--message", "--json");
    const { out } = await pal("log");
    expect(out).toContain("    --json\n");
    expect((await pal("remember", "--json", "--", "-v is verbose")).json.verdict).toBe("accepted");
  });

  it("C5 wrong usage is USAGE with exit 2, on stderr or as JSON", async () => {
    const wrong: [RegExp, ...string[]][] = [
      [/unknown option '--foo'/i, "list", "--foo"],
      [/missing required argument 'id'/i, "get"],
      [/too many arguments/i, "remember", "two", "words"],
      [/argument missing/i, "list", "--type"],
      [/allowed choices are normal, private, confidential/i, "list", "--clearance", "high"],
      [/whole number/i, "log", "-n", "x"],
      [/nothing to remember/i, "remember"],
      [/not both/i, "remember", "x", "--jsonl", "f"],
      [/for one memory/i, "remember", "--jsonl", "f", "--id", "x"],
      [/nothing to change/i, "update", "abcdef"],
      [/triple needs/i, "remember", "--subject", "Ann"],
      [/not a time to live/i, "remember", "x", "--ttl", "soon"],
      [/not K=V/i, "list", "--attr", "x"],
      [/names no scope/i, "list", "--scopes", ","],
      [/--agent is empty/i, "list", "--agent", ""],
      [/--at is for reading/i, "remember", "x", "--at", "2026-01-01"],
      [/whole hash/i, "verify-proof", "x", "--root", "abcdef0"],
    ];
    for (const [message, ...args] of wrong) {
      const plain = await pal(...args);
      expect(plain, args.join(" ")).toMatchObject({ code: 2, out: "" });
      expect(plain.err).toMatch(message);
      expect(plain.err.trimEnd().split("\n")).toHaveLength(2);
      const { code, json, err } = await pal("--json", ...args);
      expect({ code, err }).toEqual({ code: 2, err: "" });
      expect(json).toEqual({
        error: { code: "USAGE", message: expect.stringMatching(message), hint: expect.any(String) },
      });
    }
    expect(existsSync(shell.store)).toBe(false);
  });

  it("C5 the nearest command or option is suggested", async () => {
    expect((await pal("remembr", "x")).err).toMatch(/Unknown command 'remembr'\.\n.*Did you mean remember\?/);
    expect((await pal("list", "--scop", "x", "--json")).json.error.hint).toMatch(/Did you mean --scope/);
    expect((await pal("remember", "- begins with a dash")).err).toMatch(/Put `--` before/);
  });

  it("C6 when asked, it helps on stdout with exit 0", async () => {
    const bare = await pal("--help");
    expect(bare).toMatchObject({ code: 0, err: "" });
    expect(bare.out).toMatch(/Usage: pal .*\n/);
    expect(await pal("help")).toEqual(bare);
    for (const name of ["remember", "update", "forget", "observe", "get", "list", "history", "log"]) {
      expect(bare.out).toMatch(new RegExp(`^ {2}${name} `, "m"));
      const help = await pal(name, "--help");
      expect(help).toMatchObject({ code: 0, err: "" });
      expect(help.out).toContain(`Usage: pal ${name} `);
      expect(help.out).toContain("--store <dir>");
      expect(await pal("help", name)).toEqual(help);
    }
    expect((await pal("--json", "--help")).json.help).toContain("Usage: pal");
  });

  it("C6 --version", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(await pal("--version")).toMatchObject({ code: 0, out: `${version}\n`, err: "" });
    expect((await pal("--json", "--version")).json).toEqual({ version });
  });

  it("C15 colours: a terminal has them; --no-color, NO_COLOR, JSON and pipes have none; FORCE_COLOR forces", async () => {
    await pal("remember", "Likes tea");
    const coloured = async (columns: number | undefined, env: Record<string, string>, ...more: string[]) => {
      const { out } = await shell.with({ ...(columns && { columns }), env })("list", ...more);
      return out.includes("\u001b[");
    };
    expect(await coloured(80, {})).toBe(true);
    expect(await coloured(80, {}, "--no-color")).toBe(false);
    expect(await coloured(80, { NO_COLOR: "1" })).toBe(false);
    expect(await coloured(80, { TERM: "dumb" })).toBe(false);
    expect(await coloured(80, { FORCE_COLOR: "0" })).toBe(false);
    expect(await coloured(80, { CLICOLOR: "0" })).toBe(false);
    expect(await coloured(80, { CLICOLOR: "0", FORCE_COLOR: "1" })).toBe(true);
    expect(await coloured(undefined, { CLICOLOR: "1" })).toBe(false);
    expect(await coloured(undefined, { CLICOLOR_FORCE: "1" })).toBe(true);
    expect(await coloured(undefined, { CLICOLOR_FORCE: "1", NO_COLOR: "1" })).toBe(false);
    expect(await coloured(undefined, {})).toBe(false);
    expect(await coloured(undefined, { FORCE_COLOR: "1" })).toBe(true);
    expect(await coloured(undefined, { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
    expect(await coloured(80, { FORCE_COLOR: "1" }, "--json")).toBe(false);
  });
});

describe("terminals", () => {
  it("C292 a dumb terminal has neither colours nor bars, whatever runs for long", async () => {
    await pal("remember", "Likes tea");
    const at = (TERM: string) => shell.with({ columns: 80, env: { TERM } });
    expect((await at("xterm")("verify")).err).toContain("\u001b[K");
    for (const args of [["verify"], ["export", "-o", "all.json"], ["import", "all.json"]]) {
      const { out, err } = await at("dumb")(...args);
      expect(`${out}${err}`).not.toContain("\u001b");
    }
  });
});

describe("stores", () => {
  it("C7 a store that is not there: NO_STORE, exit 1, and none is made", async () => {
    for (const args of [
      ["list"],
      ["search", "abcdef"],
      ["view"],
      ["get", "abcdef"],
      ["history", "abcdef"],
      ["log"],
      ["stats"],
      ["verify"],
      ["prove", "abcdef"],
      ["update", "abcdef", "x"],
      ["forget", "abcdef"],
    ]) {
      const plain = await pal(...args);
      expect(plain, args.join(" ")).toMatchObject({ code: 1, out: "" });
      expect(plain.err).toMatch(/no store in .*\n.*first write/);
      const { code, json, err } = await pal("--json", ...args);
      expect([code, json.error.code, err]).toEqual([1, "NO_STORE", ""]);
    }
    await pal("remember", "x", "--dry-run");
    expect(existsSync(shell.store)).toBe(false);
    await pal("remember", "x");
    expect(existsSync(shell.store)).toBe(true);
  });

  it("C8 another program's file is left alone: NOT_A_STORE, exit 3", async () => {
    mkdirSync(shell.store);
    const file = join(shell.store, "palimpsest.db");
    const theirs = new DatabaseSync(file);
    theirs.exec("CREATE TABLE diary (day TEXT); INSERT INTO diary VALUES ('monday')");
    theirs.close();
    const before = readFileSync(file);
    for (const args of [["list"], ["remember", "x"], ["verify"]]) {
      const { code, json, err } = await pal(...args, "--json");
      expect([args[0], code, json.error?.code, err]).toEqual([args[0], 3, "NOT_A_STORE", ""]);
      const plain = await pal(...args);
      expect(plain).toMatchObject({ code: 3, out: "" });
      expect(plain.err.trimEnd().split("\n")).toHaveLength(2);
      expect(plain.err).not.toMatch(/\n\s+at /);
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("C4 -v tells the causes, and never a stack trace", async () => {
    mkdirSync(shell.store);
    writeFileSync(join(shell.store, "palimpsest.db"), "no database".repeat(1000));
    const { err } = await pal("list", "-v");
    expect(err).toMatch(/^pal: /);
    expect(err).not.toMatch(/\n\s+at .*:\d+/);
  });

  it("C7 $PAL_HOME is the store, relative paths are relative to where you are", async () => {
    await pal("-C", "here", "remember", "Likes tea");
    expect(existsSync(join(shell.cwd, "here"))).toBe(true);
    expect((await shell.with({ env: { PAL_HOME: "here" } })("list")).out).toMatch(/Likes tea/);
  });
});

describe("who is at the door", () => {
  const origin = async (run: (...args: string[]) => ReturnType<typeof pal>, ...more: string[]) => {
    const { json } = await run("remember", `I am ${Math.random()}`, "--json", ...more);
    const memory = (await shell.with({ person: true })("--scopes", "*", "get", json.id, "--json")).json;
    return { ...memory.origin, author: memory.author };
  };

  it("C9 the agent is --agent, else $PAL_AGENT, else the user, made a name", async () => {
    expect((await origin(shell.with({ user: "DOMAIN\\Jo Doe" }))).author.id).toBe("DOMAIN-Jo-Doe");
    expect((await origin(shell.with({ env: { PAL_AGENT: "orion" } }))).author.id).toBe("orion");
    expect((await origin(shell.with({ env: { PAL_AGENT: "orion" } }), "--agent", "ann")).author.id).toBe(
      "ann",
    );
  });

  it("C10 a person at a terminal is trusted as user, a pipe as agent, --operator as operator", async () => {
    expect(await origin(shell.with({ person: true }))).toMatchObject({
      trust: "user",
      channel: "terminal",
      author: { kind: "user" },
    });
    expect(await origin(pal)).toMatchObject({ trust: "agent", channel: "pipe", author: { kind: "agent" } });
    expect(await origin(pal, "--operator")).toMatchObject({
      trust: "operator",
      channel: "pipe",
      author: { kind: "operator" },
    });
  });

  it("C11 clearance: confidential for a person, private for a pipe, or as said", async () => {
    const person = shell.with({ person: true });
    for (const level of ["normal", "private", "confidential"])
      await person("remember", `This is ${level}`, "--sensitivity", level);
    const seen = async (run: typeof pal, ...more: string[]) =>
      (await run("list", "--json", ...more)).json.length;
    expect(await seen(person)).toBe(3);
    expect(await seen(pal)).toBe(2);
    expect(await seen(pal, "--clearance", "confidential")).toBe(3);
    expect(await seen(person, "--clearance", "normal")).toBe(1);
  });

  it("C12 inside a repository its project is seen; new memories still go to shared", async () => {
    const repo = join(shell.home, "repo");
    mkdirSync(join(repo, ".git"), { recursive: true });
    writeFileSync(join(repo, ".git/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(repo, ".git/config"), '[remote "origin"]\n\turl = https://host/acme/my site.git\n');
    const inside = shell.with({ cwd: repo });
    expect(
      (await inside("remember", "Uses pnpm", "--scope", "project/acme-my-site", "--json")).json.verdict,
    ).toBe("accepted");
    expect((await inside("remember", "Likes tea", "--json")).json.scope).toBe("shared");
    expect((await inside("list")).out).toMatch(/\[project\/acme-my-site\] Uses pnpm/);
    expect((await pal("list")).out).not.toMatch(/pnpm/);
    const outside = await pal("remember", "Uses npm", "--scope", "project/acme-my-site", "--json");
    expect([outside.code, outside.json.code]).toEqual([1, "SCOPE_NOT_VISIBLE"]);
  });

  it("C13 --scopes says what is seen; '*' sees all", async () => {
    await pal("remember", "Mine", "--scope", "agent/tester");
    await pal("remember", "Ours");
    const texts = async (...more: string[]) =>
      (await pal("list", "--json", ...more)).json.map(({ text }: { text: string }) => text).sort();
    expect(await texts()).toEqual(["Mine", "Ours"]);
    expect(await texts("--agent", "other")).toEqual(["Ours"]);
    expect(await texts("--agent", "other", "--scopes", "agent/tester")).toEqual(["Mine"]);
    expect(await texts("--agent", "other", "--scopes", "shared, agent/tester")).toEqual(["Mine", "Ours"]);
    expect(await texts("--agent", "other", "--scopes", "*")).toEqual(["Mine", "Ours"]);
  });

  it("C48 the branch is --branch, else $PAL_BRANCH, else main", async () => {
    await pal("remember", "Likes tea");
    const elsewhere = shell.with({ env: { PAL_BRANCH: "nowhere" } });
    for (const { code, json } of [
      await elsewhere("list", "--json"),
      await pal("list", "--branch", "nowhere", "--json"),
    ])
      expect([code, json.error.code]).toEqual([1, "NO_BRANCH"]);
    expect((await elsewhere("list", "--branch", "main", "--json")).json).toHaveLength(1);
  });

  it("C46 lifetime session needs --session or $PAL_SESSION, and outlives the process", async () => {
    const without = await pal("remember", "For now", "--lifetime", "session", "--json");
    expect([without.code, without.json.error.code]).toEqual([2, "SESSION_REQUIRED"]);
    await pal("remember", "For now", "--lifetime", "session", "--session", "s1");
    await shell.with({ env: { PAL_SESSION: "s2" } })("remember", "For then", "--lifetime", "session");
    expect((await pal("list", "--json")).json.map(({ session }: { session: string }) => session)).toEqual([
      "s1",
      "s2",
    ]);
  });
});

describe("writing", () => {
  it("C19 remember answers with what it did", async () => {
    const { code, out, err } = await pal("remember", "Likes tea");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^✓ remembered {2}[0-9a-f]{8} {2}\(shared, version 1, commit [0-9a-f]{12}\)\n$/);
    const { json } = await pal("remember", "Likes coffee", "--json");
    expect(json).toMatchObject({
      verdict: "accepted",
      id: expect.stringMatching(/^mem-/),
      scope: "shared",
      version: 1,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      commit: expect.stringMatching(/^[0-9a-f]{64}$/),
      branch: "main",
    });
  });

  it("C19 a topic is renewed, the same again is known already", async () => {
    await pal("remember", "Prefers Python", "--topic", "language");
    expect((await pal("remember", "Prefers Rust", "--topic", "language")).out).toMatch(
      /^✓ updated .*version 2/,
    );
    const again = await pal("remember", "Prefers Rust", "--topic", "language");
    expect(again.code).toBe(0);
    expect(again.out).toMatch(/^= already known/);
    const { code, json } = await pal("remember", "Prefers Rust", "--topic", "language", "--json");
    expect([code, json.verdict, json.commit]).toEqual([0, "duplicate", undefined]);
    expect(json.of).toBe(json.id);
  });

  it("C20 every field of a memory can be said", async () => {
    const parent = await add("A chapter", "--type", "note");
    const words =
      "--scope agent/tester --id ann-job --type fact --tier register --category work/technical --tag a,b --tag c " +
      "--confidence 0.9 --sensitivity private --source agent --subject Ann --predicate works_at --object Initech " +
      "--attr floor=3 --attr city=Porto --ttl 2h";
    const { id } = await add("Ann works at Initech", ...words.split(" "), "--evidence", "she said so");
    expect((await pal("get", id, "--json")).json).toMatchObject({
      id: "ann-job",
      scope: "agent/tester",
      type: "fact",
      text: "Ann works at Initech",
      triple: { subject: "Ann", predicate: "works_at", object: "Initech" },
      attributes: { floor: 3, city: "Porto" },
      category: "work/technical",
      tags: ["a", "b", "c"],
      confidence: 0.9,
      sensitivity: "private",
      lifetime: "temporary",
      origin: { source: "agent", evidence: "she said so" },
    });
    const child = await add("A page", "--type", "note", "--parent", parent.id.slice(-8));
    expect((await pal("get", child.id, "--json")).json.parent).toBe(parent.id);
    expect((await pal("get", parent.id, "--json")).json.children).toEqual([child.id]);
    const wrong = await pal("remember", "x", "--confidence", "high", "--json");
    expect([wrong.code, wrong.json.error.code]).toEqual([2, "INVALID_FIELD"]);
  });

  it("C21 - reads the text from stdin, without the last line feed, and only UTF-8", async () => {
    const piped = async (stdin: string | Uint8Array) => shell.with({ stdin })("remember", "-", "--json");
    const { json } = await piped("two\nlines\n");
    expect((await pal("get", json.id, "--json")).json.text).toBe("two\nlines");
    expect((await shell.with({ stdin: "new\r\n" })("update", json.id, "-", "--json")).json.verdict).toBe(
      "updated",
    );
    expect((await pal("get", json.id, "--json")).json.text).toBe("new");
    const broken = await piped(Uint8Array.of(0x61, 0xff));
    expect([broken.code, broken.json.error.code]).toEqual([2, "INVALID_TEXT"]);
    expect((await piped("\n")).json.error.code).toBe("INVALID_TEXT");
  });

  it("C22 a triple needs no text", async () => {
    const { id } = await add("--subject", "Ann", "--predicate", "works_at", "--object", "Initech");
    expect((await pal("get", id)).out).toMatch(/^Ann works at Initech\n/);
  });

  it("C23 a refusal explains itself and exits 1", async () => {
    const long = "x".repeat(1201);
    const { code, out, err } = await pal("remember", long);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^✗ rejected by length: .*1200\.\n {2}Say it shorter/);
    const asJson = await pal("remember", long, "--json");
    expect(asJson).toMatchObject({ code: 1, err: "" });
    expect(asJson.json).toMatchObject({
      verdict: "rejected",
      check: "length",
      code: "TOO_LONG",
      hint: expect.any(String),
    });
  });

  it("C24 --dry-run gives the verdict and writes nothing", async () => {
    const { id } = await add("Likes tea");
    const before = { ...(await pal("stats", "--json")).json, usage: expect.anything() };
    expect((await pal("remember", "Likes coffee", "--dry-run")).out).toMatch(
      /^✓ would be remembered .*nothing written/,
    );
    expect((await pal("update", id, "Hates tea", "--dry-run", "--json")).json).toMatchObject({
      verdict: "updated",
      version: 2,
    });
    expect((await pal("forget", id, "--dry-run")).out).toMatch(/would be forgotten/);
    expect((await pal("stats", "--json")).json).toEqual(before);
  });

  it("C45 --quiet: a write answers with its id, talk is gone, refusals stay", async () => {
    const { out, err } = await pal("remember", "Likes tea", "--quiet");
    expect(out).toMatch(/^mem-[0-9a-f-]{36}\n$/);
    expect(err).toBe("");
    expect((await pal("list")).err).toBe("1 memory\n");
    expect((await pal("list", "--quiet")).err).toBe("");
    expect((await pal("remember", "x".repeat(1201), "--quiet")).err).toMatch(/rejected/);
  });

  it("C26 update changes what is named, --unset removes", async () => {
    const { id } = await add(
      "Likes tea",
      "--category",
      "food",
      "--tag",
      "a",
      "--attr",
      "n=1",
      "--attr",
      "m=2",
    );
    expect((await pal("update", id.slice(-8), "Likes green tea")).out).toMatch(
      /^✓ updated {2}[0-9a-f]{8} {2}\(shared, version 2/,
    );
    const { code, json } = await pal(
      ...[
        "update",
        id,
        "--unset",
        "category",
        "--unset",
        "tag",
        "--unset",
        "attr.n",
        "--attr",
        "k=3",
        "--json",
      ],
    );
    expect([code, json.verdict, json.version]).toEqual([0, "updated", 3]);
    const memory = (await pal("get", id, "--json")).json;
    expect(memory).toMatchObject({ text: "Likes green tea", tags: [], attributes: { m: 2, k: 3 } });
    expect(memory).not.toHaveProperty("category");
    const fixed = await pal("update", id, "--unset", "topic", "--json");
    expect([fixed.code, fixed.json.error.code]).toEqual([2, "INVALID_FIELD"]);
    const missing = await pal("update", "no-such-memory", "x", "--json");
    expect([missing.code, missing.json.error.code]).toEqual([1, "NOT_FOUND"]);
  });

  it("C26 --if-hash, by its beginning, keeps both sides of a conflict", async () => {
    const { id, hash } = await add("Likes tea");
    await pal("update", id, "Likes coffee");
    const { code, out } = await pal("update", id, "Likes cocoa", "--if-hash", hash.slice(0, 10));
    expect(code).toBe(0);
    expect(out).toMatch(/! contested: text/);
    expect((await pal("get", id)).out).toMatch(/! contested text:\n {2}"Likes/);
    const unknown = await pal("update", id, "x", "--if-hash", "0".repeat(64), "--json");
    expect([unknown.code, unknown.json.code]).toEqual([1, "UNKNOWN_VERSION"]);
  });

  it("C431 move takes a memory to another scope; its history says where it came from", async () => {
    const { id } = await add("Likes tea", "--scope", "agent/tester");
    expect((await pal("move", id, "shared", "--dry-run")).out).toMatch(/would be moved/);
    expect((await pal("move", id.slice(-8), "shared")).out).toMatch(
      /^✓ moved {2}[0-9a-f]{8} {2}\(shared, version 1, commit /,
    );
    expect((await pal("history", id)).out).toMatch(/moved here from agent\/tester/);
    expect((await pal("history", id, "--json")).json).toMatchObject([{ movedFrom: "agent/tester" }]);
    expect((await pal("history", id, "--scope", "agent/tester")).out).toMatch(/forgotten/);
    await add("Likes coffee", "--id", id, "--scope", "agent/tester");
    const taken = await pal("move", id, "shared", "--from", "agent/tester", "--json");
    expect([taken.code, taken.json.code]).toEqual([1, "NAME_TAKEN"]);
    expect((await pal("move", id, "agent/other")).err).toMatch(/does not see the scope agent\/other/);
    expect((await pal("mv", id, "shared")).err).toMatch(/Did you mean move\?/);
  });

  it("C434 remember and commit take what is said with the commit (--meta), and log shows it", async () => {
    await add("Likes tea", "--meta", "conversation_id=c-77", "--meta", "turn=4");
    const [first] = (await pal("log", "--json")).json;
    expect(first.meta).toEqual({ conversation_id: "c-77", turn: 4 });
    expect((await pal("log")).out).toMatch(/^ {4}conversation_id: c-77\n {4}turn: 4$/m);
    await pal("commit", "--message", "Parser works", "--meta", "conversation_id=c-78");
    expect((await pal("log", "-n", "1")).out).toMatch(/Parser works\n {4}conversation_id: c-78/);
    const wrong = await pal("remember", "Likes jam", "--meta", "oops");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--meta "oops" is not K=V')]);
    await pal("undo");
    expect((await pal("log", "-n", "1")).out).not.toMatch(/undoes/);
    expect((await pal("log", "-n", "1", "--json")).json[0].meta).toHaveProperty("undoes");
  });

  it("C27 forget: gone from now on, still in history, with its reason", async () => {
    const { id } = await add("Likes tea");
    const child = await add("In the morning", "--type", "note");
    expect((await pal("forget", id, "--reason", "It was a joke")).out).toMatch(
      /^✓ forgotten {2}[0-9a-f]{8} /,
    );
    expect((await pal("get", id)).code).toBe(1);
    expect((await pal("history", id, "--json")).json.map(({ op }: { op: string }) => op)).toEqual([
      "add",
      "forget",
    ]);
    expect((await pal("log")).out).toMatch(/because It was a joke/);
    expect((await pal("forget", child.id, "--tree", "--json")).json).toMatchObject({
      verdict: "accepted",
      version: 2,
    });
    const again = await pal("forget", id, "--json");
    expect([again.code, again.json.error.code]).toEqual([1, "NOT_FOUND"]);
  });

  it("C28 observe notes a text once, then makes it more certain, once for each session", async () => {
    const first = await pal("observe", "Comes late on Mondays");
    expect(first.out).toMatch(/^✓ observed {2}obs-[0-9a-f]{8} {2}\(shared, version 1/);
    const { json } = await pal("observe", "Comes late on Mondays", "--evidence", "seen again", "--json");
    expect(json).toMatchObject({ verdict: "updated", version: 2 });
    expect((await pal("get", json.id, "--json")).json.confidence).toBe(0.65);
    const again = await pal("observe", json.id, "--confidence", "0.9", "--json");
    expect([again.code, again.json.verdict]).toEqual([0, "duplicate"]);
    await pal("observe", json.id, "--session", "s2");
    expect((await pal("get", json.id, "--json")).json.confidence).toBe(0.755);
    expect((await pal("observe", "nothing-like-it", "--json")).json.error.code).toBe("NOT_FOUND");
  });
});

describe("reading", () => {
  let first: { id: string; commit: string; hash: string };
  beforeEach(async () => {
    first = await add("Prefers Python", "--topic", "language", "--message", "at lunch", "--tag", "code");
    await add("Prefers Rust", "--topic", "language", "--message", "at dinner");
    await add("The server is called wombat", "--attr", "rack=4", "--type", "note");
  });

  it("C29 get shows the text first, then its fields", async () => {
    const { code, out, err } = await pal("get", first.id);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(
      /^Prefers Rust\n\nid {7}topic-[0-9a-f]{32}\nscope {4}shared\ntype {5}fact, register\n/,
    );
    expect(out).toMatch(/\nversion {2}2, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, by tester \(agent\)\n/);
    const { json } = await pal("get", first.id, "--json");
    for (const key of [
      "hash",
      "content",
      "merkle",
      "version",
      "createdAt",
      "updatedAt",
      "lastSync",
      "commit",
      "author",
      "children",
    ])
      expect(json).toHaveProperty(key);
  });

  it("C29 get of nothing: NOT_FOUND, exit 1", async () => {
    const { code, out, err } = await pal("get", "nothing-here");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^pal: There is no memory "nothing-here"\.\n {5}Look it up/);
    expect((await pal("get", "nothing-here", "--json")).json).toEqual({
      error: { code: "NOT_FOUND", message: expect.any(String), hint: expect.any(String) },
    });
  });

  it("C30 list: one line each; filters; JSON is a list of records", async () => {
    const { out, err } = await pal("list");
    expect(out).toMatch(
      /^topic-[0-9a-f]{8} {2}fact {2}Prefers Rust\n[0-9a-f]{8} {8}note {2}The server is called wombat\n$/,
    );
    expect(err).toBe("2 memories\n");
    const texts = async (...args: string[]) =>
      (await pal("list", "--json", ...args)).json.map(({ text }: { text: string }) => text);
    expect(await texts("--type", "note")).toEqual(["The server is called wombat"]);
    expect(await texts("--tier", "register", "--topic", "language")).toEqual(["Prefers Rust"]);
    expect(await texts("--tag", "code")).toEqual(["Prefers Rust"]);
    expect(await texts("--attr", "rack=4")).toEqual(["The server is called wombat"]);
    expect(await texts("--attr", 'rack="4"')).toEqual([]);
    expect(await texts("--scope", "agent/tester")).toEqual([]);
    expect(await texts("--limit", "1")).toEqual(["Prefers Rust"]);
    expect((await pal("list", "--limit", "1")).err, "C282").toBe("1 memory; there are more, see --limit\n");
    expect((await pal("list", "--limit", "2")).err, "C282").toBe("2 memories\n");
    const parent = (await pal("list", "--type", "note", "--json")).json[0].id;
    await add("A part", "--type", "note", "--parent", parent);
    expect(await texts("--parent", parent.slice(-8))).toEqual(["A part"]);
  });

  it("C18 lists are cut to the terminal, wide characters and all, but not for pipes", async () => {
    await add("漢字".repeat(60));
    await add("two\nlines and a \u001b[31mred one", "--type", "note");
    const { out } = await shell.with({ columns: 60, env: { NO_COLOR: "1" } })("list");
    const wide = out.split("\n")[2] as string;
    expect(wide.endsWith("…")).toBe(true);
    expect([...wide].reduce((sum, char) => sum + (char > "\u3000" ? 2 : 1), 0)).toBeLessThanOrEqual(60);
    expect(out.split("\n")[3]).toMatch(/two lines and a ⟨U\+001B⟩/);
    expect((await pal("list")).out).toContain("漢字".repeat(60));
  });

  it("C31 history: every version, newest last", async () => {
    const { out } = await pal("history", first.id);
    expect(out).toMatch(
      /^v1 {3}added .* UTC {2}tester \(agent\) {2}commit [0-9a-f]{12}\n {5}Prefers Python\nv2 {3}changed .*\n {5}Prefers Rust\n$/,
    );
    const { json } = await pal("history", first.id, "--json");
    expect(json).toHaveLength(2);
    expect(json[0]).toMatchObject({
      version: 1,
      op: "add",
      hash: first.hash,
      commit: first.commit,
      text: "Prefers Python",
    });
    expect((await pal("history", "nothing-here")).code).toBe(1);
  });

  it("C32 log: like git, newest first, with --oneline, --events and -n", async () => {
    const { out } = await pal("log");
    expect(out).toMatch(
      /^commit [0-9a-f]{64}\nAuthor: tester \(agent\)\nDate: {3}\d{4}.* UTC\n\n {4}\+ The server is called wombat\n\ncommit /,
    );
    expect(out).toContain("\n    at lunch\n");
    const short = (await pal("log", "--oneline", "-n", "2")).out;
    expect(short).toMatch(/^[0-9a-f]{12} .* {2}[+~] .*\n[0-9a-f]{12} .* {2}at dinner\n$/);
    await pal("forget", first.id);
    await pal("observe", "Seen once at night");
    const events = (await pal("log", "--oneline", "--events")).out.match(/^ {2}[+~?-] .*$/gm) ?? [];
    expect(events.map((row) => row.trim()[0])).toEqual(["?", "-", "+", "~", "+"]);
    expect(events[4]).toMatch(/^ {2}\+ topic-[0-9a-f]{8} {2}Prefers Python$/);
    const { json } = await pal("log", "--json", "--events", "-n", "1");
    expect(json).toEqual([
      expect.objectContaining({
        commit: expect.any(String),
        parents: [expect.any(String)],
        branch: "main",
        events: [expect.objectContaining({ op: "observe" })],
      }),
    ]);
    expect((await pal("log", "--json")).json[0]).not.toHaveProperty("events");
  });

  it("C33 stats: a small table", async () => {
    const { out } = await pal("stats");
    expect(out).toMatch(/^memories +2\nversions +3 \(1\.5 for each memory\)\ncommits +3\n/);
    expect(out).toMatch(/\ntypes +fact 1 {2}note 1\n/);
    expect((await pal("stats", "--json")).json).toMatchObject({
      memories: 2,
      versions: 3,
      commits: 3,
      branch: "main",
    });
  });

  it("C14 --at reads the state as it was then", async () => {
    const at = first.commit.slice(0, 8);
    expect((await pal("get", first.id, "--at", at, "--json")).json.text).toBe("Prefers Python");
    expect((await pal("list", "--at", at)).out).toMatch(/Prefers Python\n$/);
    expect((await pal("history", first.id, "--at", at, "--json")).json).toHaveLength(1);
    expect((await pal("log", "--at", at, "--json")).json).toHaveLength(1);
    expect((await pal("stats", "--at", at, "--json")).json.memories).toBe(1);
    expect((await pal("prove", first.id, "--at", at, "--json")).json.record).toBe(first.hash);
    const lost = await pal("list", "--at", "abcdef0123456789", "--json");
    expect([lost.code, lost.json.error.code]).toEqual([1, "NOT_FOUND"]);
    const unknown = await pal("list", "--at", "yesterday", "--json");
    expect([unknown.code, unknown.json.error.code]).toEqual([1, "NOT_FOUND"]);
    const wrong = await pal("list", "--at", "2026-13-01", "--json");
    expect([wrong.code, wrong.json.error.code]).toEqual([2, "INVALID_TIME"]);
  });

  it("C36 ids by prefix or suffix; an ambiguous one lists what the caller may see", async () => {
    await add("One", "--id", "common-one");
    await add("Two", "--id", "common-two");
    await add("Secret", "--id", "common-three", "--scope", "agent/tester");
    expect((await pal("get", "on-one", "--json")).json.text).toBe("One");
    expect((await pal("get", "common-t", "--agent", "other", "--json")).json.text).toBe("Two");
    const { code, out, err } = await pal("get", "common", "--agent", "other");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/fits 2 candidates\.\n.*\n {2}common-one\n {2}common-two\n$/);
    expect((await pal("get", "common", "--json")).json.error).toMatchObject({
      code: "AMBIGUOUS",
      data: { candidates: ["common-one", "common-three", "common-two"] },
    });
  });

  it("C16 whatever a memory holds, a terminal shows it and does not obey it", async () => {
    const evil = "\u202e\u200b\u{e0041}\ufe0f";
    const { id } = await add(
      `Evil ${evil} text`,
      "--id",
      `evil-${evil}`,
      "--tag",
      `${evil}tag`,
      "--category",
      `c${evil}`,
      "--topic",
      `t${evil}`,
      "--attr",
      `k${evil}=v${evil}`,
      "--evidence",
      `e${evil}`,
      "--message",
      `m${evil}`,
    );
    for (const args of [
      ["list"],
      ["get", id],
      ["history", id],
      ["log", "--events"],
      ["log", "--oneline"],
      ["stats"],
      ["prove", id],
      ["get", `nope-${evil}`],
    ]) {
      const { out, err } = await pal(...args);
      expect(`${out}${err}`, args.join(" ")).not.toMatch(/\p{Cf}|\ufe0f/u);
      const asJson = await pal(...args, "--json");
      expect(asJson.out, args.join(" ")).not.toMatch(/\p{Cf}|\ufe0f/u);
      expect(asJson.json).toBeDefined();
    }
    expect((await pal("get", id, "--json")).json).toMatchObject({
      text: `Evil ${evil} text`,
      category: `c${evil}`,
    });
  });
});

describe("proofs and verify", () => {
  it("C34 a proof is made, written, and checked without the store", async () => {
    const { id } = await add("Likes tea");
    const human = await pal("prove", id);
    expect(human.out).toMatch(/^✓ proof that [0-9a-f]{8} is in shared\n/);
    expect(human.out).toMatch(/-o proof\.json/);
    const { json: proof } = await pal("prove", id.slice(-8), "--json");
    expect(proof).toMatchObject({ scope: "shared", id, present: true, path: expect.any(Array) });
    expect(verifyProof(proof)).toMatchObject({ ok: true });
    expect((await pal("prove", id, "-o", "p.json")).out).toMatch(/Written to p\.json/);
    expect(JSON.parse(readFileSync(join(shell.cwd, "p.json"), "utf8"))).toEqual(proof);

    const elsewhere = shell.with({ env: { PAL_HOME: "/nonexistent" } });
    const checked = await elsewhere("verify-proof", "p.json");
    expect(checked).toMatchObject({ code: 0, err: "" });
    expect(checked.out).toMatch(/^✓ [0-9a-f]{8} is in shared, under the root\n/);
    expect((await elsewhere("verify-proof", "p.json", "--root", proof.root, "--json")).json).toMatchObject({
      ok: true,
      present: true,
      root: proof.root,
      id,
    });
    const other = await elsewhere("verify-proof", "p.json", "--root", "0".repeat(64));
    expect([other.code, other.out]).toEqual([1, ""]);
    expect(other.err).toMatch(/^✗ not proven: the proof is about another root/);
    const piped = shell.with({ stdin: JSON.stringify({ ...proof, id: "another" }) });
    const forged = await piped("verify-proof", "-", "--json");
    expect([forged.code, forged.json.ok]).toEqual([1, false]);
    expect((await shell.with({ stdin: "not json" })("verify-proof", "-", "--json")).json).toMatchObject({
      ok: false,
    });
    const missing = await pal("verify-proof", "gone.json", "--json");
    expect([missing.code, missing.json.error.code]).toEqual([2, "FILE_UNUSABLE"]);
  });

  it("C34 absence can be proven; an operator's proof reaches the root of the commit", async () => {
    const { id } = await add("Likes tea");
    const absent = await pal("prove", "never-there", "-o", "a.json");
    expect(absent.out).toMatch(/never-there is not in shared/);
    const { json } = await pal("prove", "never-there", "--json");
    expect(json.present).toBe(false);
    expect((await pal("verify-proof", "a.json", "--root", json.root, "--json")).json.ok).toBe(false);
    expect(
      (await pal("verify-proof", "a.json", "--root", json.root, "--kind", "scope", "--json")).json,
    ).toMatchObject({ ok: true, present: false });
    const { root } = (await pal("stats", "--json")).json;
    await pal("prove", id, "--scopes", "*", "-o", "op.json");
    expect((await pal("verify-proof", "op.json", "--root", root, "--json")).json).toMatchObject({
      ok: true,
      state: root,
    });
    const unwritable = await pal("prove", id, "-o", "no/such/dir.json", "--json");
    expect([unwritable.code, unwritable.json.error.code]).toEqual([2, "INVALID_FILE"]);
  });

  it("C411 absence is shown with the whole id, and an id that never was is told", async () => {
    const { id, commit: first } = await add("Likes tea");
    const short = await pal("prove", id.slice(-5));
    expect([short.code, short.err]).toEqual([
      0,
      expect.stringMatching(/no memory with the id .* was ever seen here; a part of an id is 6 or more/),
    ]);
    expect((await pal("prove", "mistyped", "--json")).err).toContain('"mistyped" was ever seen here');
    const later = await add("Likes coffee as well");
    const early = (name: string) => pal("prove", name, "--at", first);
    expect((await early(later.id)).err).toBe("");
    expect((await early(later.id.slice(-8))).err).toContain("was ever seen here");
    await pal("forget", id);
    const gone = await pal("prove", id.slice(-8), "-o", "gone.json");
    expect(gone).toMatchObject({ code: 0, err: "" });
    expect(gone.out).toContain(`proof that ${id} is not in shared`);
    const named = await pal("verify-proof", "gone.json", "--scope", "shared");
    expect([named.code, named.out]).toEqual([0, expect.stringContaining(`${id} is not under the root\n`)]);
  });

  it("C412 -o - is stdout, and refused where that cannot be", async () => {
    const { id } = await add("Likes tea");
    const { json: proof } = await pal("prove", id, "--json");
    for (const more of [[], ["--json"]])
      expect((await pal("prove", id, "-o", "-", ...more)).json).toEqual(proof);
    expect((await pal("export", "-o", "-")).json.memories).toHaveLength(1);
    for (const format of ["image", "gcc"])
      expect((await pal("export", "--format", format, "-o", "-")).code).toBe(2);
    expect(existsSync(join(shell.cwd, "-"))).toBe(false);
  });

  it("C450 a root that does not fit: which root the proof is about, and how one up to the kept root is made", async () => {
    const { id } = await add("Likes tea");
    const { root } = (await pal("verify", "--json")).json;
    const made = await pal("prove", id, "-o", "p.json");
    expect(made.out).toContain("--scopes '*' --clearance confidential");
    const { err, code } = await pal("verify-proof", "p.json", "--root", root);
    expect(code).toBe(1);
    expect(err).toContain("✗ not proven: the proof is about another root than the expected one\n");
    expect(err).toContain("  It is about the root of the scope shared: ");
    const head = (await pal("verify", "--json")).json.head;
    const [, line = ""] = /`pal (--scopes '\*' --clearance confidential prove [^`]+)`/.exec(err) ?? [];
    const words = line.replaceAll("'", "").split(" ");
    expect((await pal(...words, "-o", "whole.json")).out).not.toContain("--scopes");
    const whole = await pal("verify-proof", "whole.json", "--root", root, "--kind", "state", "--json");
    expect(whole.json).toMatchObject({ ok: true, state: root });
    expect(whole.json).not.toHaveProperty("commit");
    const kept = await pal("verify-proof", "whole.json", "--root", head, "--json");
    expect(kept.json).toMatchObject({
      ok: true,
      anchor: "commit",
      commit: head,
      state: root,
      scope: "shared",
    });

    await add("Likes coffee");
    const later = (await pal("verify", "--json")).json.root;
    const old = await pal("verify-proof", "whole.json", "--root", later, "--json");
    expect(old.json).toEqual({
      ok: false,
      reason: "the proof is about another root than the expected one",
      hint: expect.stringContaining(`the state ${root}`),
    });
    expect(old.json.hint).toContain("--at <commit>");
    const absent = await pal("prove", "never-there", "-o", "a.json");
    expect(absent.code).toBe(0);
    expect((await pal("verify-proof", "a.json", "--root", root)).err).not.toContain("It is about");
  });

  it("C35 verify: everything whole, a root to keep, and --since", async () => {
    await add("Likes tea");
    const { code, out, err } = await pal("verify", "--deep");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(
      /^✓ \d+ objects read and hashed\n✓ 2 commits followed\n✓ 1 memory of main in place\nEverything is whole\. .*: [0-9a-f]{64}\n$/,
    );
    const { json } = await pal("verify", "--json");
    expect(json).toMatchObject({
      ok: true,
      commits: 2,
      memories: 1,
      problems: [],
      objects: expect.any(Number),
    });
    await add("Likes coffee");
    expect((await pal("verify", "--since", json.head)).out).toContain(
      `✓ ${json.head}\n  This commit is in the history of main: nothing before it was changed.\n`,
    );
    const other = await pal("verify", "--since", "0".repeat(64), "--json");
    expect([other.code, other.json.ok]).toEqual([1, false]);
  });

  it("C35 verify names damage and exits 1", async () => {
    await add("The server is called wombat");
    const file = join(shell.store, "palimpsest.db");
    const bytes = readFileSync(file);
    bytes.write("c", bytes.lastIndexOf("wombat"));
    writeFileSync(file, bytes);
    const { code, out } = await pal("verify");
    expect(code).toBe(1);
    expect(out).toMatch(/\n✗ object-damaged {2}[0-9a-f]{64}\n/);
    expect(out).toMatch(/\nDamage found: \d+ errors\./);
    const { json } = await pal("verify", "--json");
    expect(json.problems).toContainEqual(
      expect.objectContaining({ problem: "object-damaged", severity: "error" }),
    );
    const damaged = await pal("list");
    expect(damaged.out + damaged.err).toMatch(/damaged/);
  });
});

describe("the tour", () => {
  const leftovers = () => readdirSync(join(shell.home, "..")).filter((name) => name.startsWith("pal-tour-"));
  let before: string[];
  beforeEach(() => {
    before = leftovers();
  });

  it("C44 shows the product with real commands and leaves nothing behind", async () => {
    const { code, out, err } = await pal("tour");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const name of [
      ...["remember", "list", "history", "log", "prove", "verify-proof", "verify", "erase"],
      ...["create-branch", "checkout", "merge", "resolve", "snapshot", "diff", "rollback", "recall", "why"],
    ])
      expect(out).toMatch(new RegExp(`^ {2}\\$ pal ${name}\\b`, "m"));
    for (const seen of [
      /✓ updated/,
      /✗ rejected by secrets/,
      /I don't have this in my memory palace/,
      /--at [0-9a-f]{12}\n.*Python/,
      /✓ merged skeptic into main: 1 added, 1 changed/,
      /◆─╮ [0-9a-f]{12} \(→ main\)/,
      /says \[-Rust-\]\{\+Go\+\} and/,
      /✓ rolled back to tidy: 1 changed/,
      /Everything is whole/,
      /Damage found/,
      /pal connect claude/,
    ])
      expect(out).toMatch(seen);
    expect(out.split("\n").length).toBeLessThan(145);
    expect(out).not.toContain("\u001b");
    expect(leftovers()).toEqual(before);
    expect(existsSync(shell.store)).toBe(false);
  });

  it("C44 in colour, as JSON, and interrupted", async () => {
    expect((await shell.with({ columns: 100 })("tour")).out).toContain("\u001b[");
    const { json } = await pal("tour", "--json");
    expect(json.steps.length).toBeGreaterThan(9);
    expect(json.steps[0]).toMatchObject({
      command: expect.stringMatching(/^pal remember/),
      exit: 0,
      output: expect.any(String),
    });
    const onInterrupt = (handler: () => void) => {
      handler();
      return () => {};
    };
    expect((await shell.with({ onInterrupt })("tour")).code).toBe(130);
    expect(leftovers()).toEqual(before);
  });
});

describe("taking back", () => {
  it("C49 undo takes back one's own last operation, or any by its id, and ops lists them", async () => {
    const { id } = await add("Likes tea", "--agent", "ann");
    await pal("update", id, "Likes coffee", "--agent", "ann");
    await pal("remember", "Bob was here", "--agent", "bob");
    const undone = await pal("undo", "--agent", "ann");
    expect(undone).toMatchObject({ code: 0 });
    expect(undone.out).toMatch(/^✓ undone [0-9a-f]{12}: 1 changed back \(commit [0-9a-f]{12}\)\n$/);
    expect((await pal("get", id, "--json")).json.text).toBe("Likes tea");
    const { json } = await pal("ops", "--json");
    expect(json.map(({ verb }: { verb: string }) => verb)).toEqual([
      "undo",
      "remember",
      "update",
      "remember",
    ]);
    expect((await pal("ops", "-n", "1")).out).toMatch(
      /^[0-9a-f]{12} {2}undo .* main [0-9a-f]{12} → [0-9a-f]{12}\n$/,
    );
    const again = await pal("undo", json[1].op.slice(0, 9), "--json");
    expect(again.json).toMatchObject({ undone: json[1].op, removed: 1, conflicts: [], refs: ["heads/main"] });
  });

  it("C50 undo exits 1 when later work collides, keeping both, and when there is nothing to undo", async () => {
    const { id } = await add("Monday", "--agent", "ann");
    await pal("update", id, "Tuesday", "--agent", "ann");
    await pal("update", id, "Friday", "--agent", "bob");
    const undone = await pal("undo", "--agent", "ann");
    expect(undone.code).toBe(1);
    expect(undone.out).toMatch(/1 field contested: .*\n! [0-9a-f]{8} {2}text\n {4}1 {2}/);
    expect(await pal("undo", "--agent", "carol")).toMatchObject({ code: 1, out: "" });
    expect((await pal("undo", "--agent", "carol", "--json")).json.error.code).toBe("NOT_FOUND");
  });

  it("O56 undo says which operations elsewhere it passed over, and how each is taken back", async () => {
    await add("Likes tea");
    await pal("create-branch", "work");
    await pal("snapshot", "lab");
    const undone = await pal("undo");
    expect(undone.code).toBe(0);
    const [first, snapshot, branch, end] = undone.out.split("\n");
    expect([first?.slice(0, 8), end]).toEqual(["✓ undone", ""]);
    expect(snapshot).toMatch(
      /^· passed over: snapshot main\/[0-9a-f]{8}; `pal undo [0-9a-f]{12}` takes that back$/,
    );
    expect(branch).toMatch(/^· passed over: create-branch work; `pal undo [0-9a-f]{12}` takes that back$/);
    const [, op = ""] = /undo ([0-9a-f]{12})/.exec(branch ?? "") ?? [];
    await pal("undo", op);
    expect((await pal("branches", "--json")).json).toMatchObject([{ name: "main" }]);
    await add("Likes coffee");
    await pal("tag", "v1");
    expect((await pal("undo", "--json")).json.passedOver).toMatchObject([{ verb: "tag", refs: ["tags/v1"] }]);
  });
});

describe("what is typed", () => {
  it("C415 a pattern of scopes that is none is refused as it was given", async () => {
    await add("Likes tea");
    for (const pattern of ["**", "*x", "nothing*"]) {
      const { code, json } = await pal("--scopes", pattern, "list", "--json");
      expect([code, json.error.code]).toEqual([2, "INVALID_SCOPE"]);
      expect(json.error.message).toContain(JSON.stringify(pattern));
      expect(json.error.hint).toContain("project/*");
    }
    expect((await pal("--scopes", "*,project/*", "list", "--json")).json).toHaveLength(1);
  });

  it("C416 remember without a text tells that - reads stdin", async () => {
    const { code, err } = await shell.with({ stdin: "Likes tea" })("remember");
    expect([code, err]).toEqual([2, expect.stringContaining("pal remember - reads it from stdin")]);
  });

  it("C417 a text on the line that is not UTF-8 is refused; stdin may hold U+FFFD", async () => {
    const lost = "Likes caf\uFFFD";
    const { id } = await add("Likes tea");
    for (const args of [
      ["remember", lost],
      ["update", id, lost],
      ["remember", "--subject", "Ann", "--predicate", "likes", "--object", lost],
    ]) {
      const { code, json } = await pal(...args, "--json");
      expect([code, json.error.code]).toEqual([2, "INVALID_TEXT"]);
      expect(json.error.hint).toContain("stdin");
    }
    expect((await pal("list", "--json")).json).toMatchObject([{ text: "Likes tea" }]);
    expect((await shell.with({ stdin: lost })("remember", "-", "--json")).json.verdict).toBe("accepted");
  });

  it("C418 one memory is called one", async () => {
    await add("Likes tea");
    for (const args of [[], ["--format", "image", "-o", "all.img"]])
      expect((await pal("export", ...args)).out).toContain("Exported 1 memory to");
    const other = shell.with({ env: { PAL_HOME: join(shell.home, "other") } });
    expect((await other("import", "all.img")).out).toContain("Loaded 1 memory (");
  });

  it("F31 a name that is not found is quoted shortly", async () => {
    await add("Likes tea");
    const long = "a".repeat(10_000);
    const all = [
      ...["get", "history", "forget", "blame", "links", "export", "erase", "undo", "rollback"].map((verb) => [
        verb,
        long,
      ]),
      ...[
        ["get", "b".repeat(500)],
        ["history", "b".repeat(500)],
        ["review", "show", long],
        ["palace", "show", long],
      ],
      ["list", "--at", long],
    ];
    for (const args of all) {
      const { code, err } = await pal(...args);
      expect([args[0], code === 1 || code === 2, err.length < 400]).toEqual([args[0], true, true]);
    }
  });
});
