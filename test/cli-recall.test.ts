import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { visible } from "../src/doors/cli/safe.js";
import { HONEST, readEnvelopes, tokensOf } from "../src/index.js";
import { quote } from "../src/recall/quote.js";
import { Shell } from "./_cli.js";

let shell: Shell;
beforeEach(() => {
  shell = new Shell({ env: { PAL_AGENT: "ann" } });
});
afterEach(() => shell.remove());

const FACTS = [
  "The staging server is called wombat",
  "We decided to use Redis for the cache because of its expiry",
  "Lena plays the cello on Sundays",
];
const told = async () => {
  for (const fact of FACTS) expect((await shell.pal("remember", fact)).code).toBe(0);
};

describe("commands", () => {
  it("RC60 recall quotes with sources and exits 0; nothing known is the honest sentence and exit 1; it creates nothing", async () => {
    const none = await shell.pal("recall", "What did we decide?");
    expect(none).toMatchObject({ code: 1, out: `${HONEST}\n` });
    expect((await shell.pal("list")).err).toContain("There is no store");
    await told();
    const found = await shell.pal("recall", "What did we decide about the cache?");
    expect(found.code).toBe(0);
    expect(found.out).toContain(`[1] "${FACTS[1]}"`);
    expect(found.err).toMatch(/L1 hit/);
    const { json } = await shell.pal("recall", "What did we decide about the cache?", "--json");
    expect(json).toMatchObject({
      ...{ recall: true, answered: true, layer: "L1", text: expect.any(String) },
      citations: [{ id: expect.any(String), commit: expect.any(String), score: expect.any(Number) }],
      trace: [{ layer: "L1", status: "hit", ms: expect.any(Number), best: expect.any(Number) }],
    });
    expect((await shell.pal("recall", "Write a haiku", "--only-recall", "--json")).json.text).toBe("");
  });

  it("RC61 a repository named with --repo is L3; a forge needs its repository", async () => {
    await told();
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", shell.cwd, "-c", "user.name=Ann", "-c", "user.email=a@b.c", ...args]);
    git("init", "-q");
    writeFileSync(join(shell.cwd, "osprey.md"), "Osprey listens on port 7717.\n");
    git("add", ".");
    git("commit", "-q", "-m", "Notes");
    const { json } = await shell.pal("recall", "What is in osprey.md?", "--repo", ".", "--json");
    expect(json).toMatchObject({
      answered: true,
      layer: "L3",
      citations: [{ text: "Osprey listens on port 7717.\n" }],
    });
    const gone = await shell.pal("recall", "What is in osprey.md?", "--repo", "nowhere", "--json");
    expect(gone.json).toMatchObject({ answered: false, trace: [{}, { layer: "L3", status: "unavailable" }] });
    expect((await shell.pal("recall", "x", "--forge", "http://127.0.0.1:1")).code).toBe(2);
  });

  it("RC62 why names what a sentence rests on and the commands; nothing is exit 1", async () => {
    await told();
    const found = await shell.pal("why", "Redis is used for the cache");
    expect(found.code).toBe(0);
    expect(found.out).toMatch(
      /rests on[\s\S]*commit [0-9a-f]{12} by ann[\s\S]*to take the commit back\n {2}pal revert [0-9a-f]{12}/,
    );
    const { json } = await shell.pal("why", "Redis is used for the cache", "--json");
    expect(json.supports[0]).toMatchObject({
      text: FACTS[1],
      author: { id: "ann" },
      score: expect.any(Number),
    });
    expect(json.derived).toEqual([]);
    expect((await shell.pal("why", "Bananas grow in Iceland")).code).toBe(1);
  });

  it("RC63 wake-up and context print blocks that read back; the branch's context stays as it was", async () => {
    expect((await shell.pal("wake-up")).out).toContain("No identity is set.");
    await told();
    const { json } = await shell.pal("wake-up", "--about", "the cache", "--json");
    expect(json).toMatchObject({ tokens: expect.any(Number), loaded: expect.any(Array) });
    expect(readEnvelopes(json.text).map(({ text }) => text)).toContain(FACTS[1]);
    const block = await shell.pal("context", "--query", "cache", "--budget", "300", "--json");
    expect(block.json).toMatchObject({ tokens: expect.any(Number), items: [expect.any(String)] });
    expect((await shell.pal("context", "--briefing")).out).toBe("");
    expect((await shell.pal("context")).out).toContain("## Status");
  });

  it("RC64 nothing hidden leaves: what the envelope escapes is what the terminal would show (B15)", async () => {
    for (let code = 0; code < 0x30000; code += code < 0x3000 ? 1 : 97) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const char = String.fromCodePoint(code);
      if (char === "\n" || char === "\t") continue;
      const isHidden = visible(char) !== char;
      expect([code, new RegExp(/\\u/).test(quoted(char))]).toEqual([code, isHidden || /[<>&]/.test(char)]);
    }
  });
});

/** A text as it stands in a block. */
const quoted = (text: string): string => quote(text).replace(/\\[bfnrt"\\]/g, text < " " ? "\\u" : "");

describe("hooks", () => {
  const hook = (event: string, input: unknown, agent = "claude") =>
    shell.with({ stdin: typeof input === "string" ? input : JSON.stringify(input) })(
      "hook",
      event,
      "--agent",
      agent,
    );

  it("RC70 a session starts with a wake-up in its host's own shape, whatever it calls the event", async () => {
    await told();
    const claude = await hook("SessionStart", { session_id: "s1", source: "startup", cwd: shell.cwd });
    expect(claude.json.hookSpecificOutput).toMatchObject({ hookEventName: "SessionStart" });
    expect(readEnvelopes(claude.json.hookSpecificOutput.additionalContext)[0]?.heading).toBe("Who I am");
    expect((await hook("session-start", {}, "codex")).json.hookSpecificOutput.hookEventName).toBe(
      "SessionStart",
    );
    expect((await hook("sessionStart", {}, "cursor")).json.additional_context).toContain("Who I am");
    expect((await hook("session.start", {}, "opencode")).json.context[0]).toContain("Who I am");
    const prompt = { prompt: '"What did we decide about the cache?"' };
    const asked = (await hook("BeforeAgent", prompt, "gemini")).json.hookSpecificOutput;
    expect(asked).toMatchObject({ hookEventName: "BeforeAgent" });
    expect(readEnvelopes(asked.additionalContext)[0]?.text).toBe(FACTS[1]);
  });

  it("RC71 a recall question gets its memories, another one only what certainly answers it, any other prompt nothing", async () => {
    await told();
    const ask = async (prompt: string, agent?: string) =>
      (await hook("UserPromptSubmit", { session_id: "s1", prompt }, agent)).json;
    const found = (await ask("What did we decide about the cache?")).hookSpecificOutput;
    expect(found.hookEventName).toBe("UserPromptSubmit");
    expect(readEnvelopes(found.additionalContext)[0]?.text).toBe(FACTS[1]);
    // Where nothing answers, nothing is said.
    expect(await ask("What is my sister's name?")).toEqual({});
    expect(await ask("Write a haiku about rain")).toEqual({});
    await shell.pal("remember", "The staging database listens on port 5433");
    const plain = (await ask("Which port does the staging database use?")).hookSpecificOutput;
    expect(readEnvelopes(plain.additionalContext)[0]?.text).toMatch(/port 5433/);
    for (const other of [
      "Which port does Redis use?",
      "What is a database?",
      "Can you start the staging database?",
    ])
      expect(await ask(other)).toEqual({});
    expect(await ask("What did we decide about the cache?", "cursor")).toEqual({ continue: true });
  });

  it("RC810 a prompt gets facts before what was said, each once, never a question, in short ids and few tokens", async () => {
    await shell.pal("remember", "The staging database listens on port 6543");
    const said = (uuid: string, role: string, text: string) => ({
      ...{ type: role, uuid: `00000000-0000-4000-8000-${uuid}`, timestamp: "2026-01-01T00:00:00Z" },
      message: { role, content: [{ type: "text", text }] },
    });
    const rows = [
      said("000000000001", "user", "Which port does the staging database listen on?"),
      said("000000000002", "assistant", "The staging database listens on port 6543."),
      said("000000000003", "user", "Which port does the staging database listen on, again?"),
      said("000000000004", "assistant", "The staging database was moved to port 6543 by Mara in spring."),
      said("000000000005", "user", "<system-reminder>The staging database port is in .env</system-reminder>"),
    ];
    const path = join(shell.home, "transcript.jsonl");
    writeFileSync(path, rows.map((row) => JSON.stringify(row)).join("\n"));
    const session_id = "11111111-2222-4333-8444-555555555555";
    await hook("Stop", { session_id, transcript_path: path });
    const prompt = "Which port does the staging database listen on?";
    const ask = async (asked: string, ...more: string[]) =>
      (
        await shell.with({ stdin: JSON.stringify({ prompt: asked }) })(
          ...["hook", "UserPromptSubmit", "--agent", "claude", ...more],
        )
      ).json.hookSpecificOutput?.additionalContext as string | undefined;
    const text = (await ask(prompt)) ?? "";
    expect(readEnvelopes(text)[0]?.text).toBe("The staging database listens on port 6543");
    expect(readEnvelopes(text).filter((item) => /\?|listens on/.test(item.text))).toHaveLength(1);
    const told = (await ask("Who moved the staging database, what did I say?")) ?? "";
    expect(readEnvelopes(told).map((item) => item.text)).toContain(rows[3]?.message.content[0]?.text);
    const ids = [text, told].flatMap(readEnvelopes).map(({ about }) => about.at(-1) ?? "");
    expect(ids.every((id) => /^id [0-9a-f-]{8}$/.test(id))).toBe(true);
    expect(await ask(`<system-reminder>Be brief.</system-reminder>\n${prompt}`)).toContain("6543");
    expect(await ask(`<task-notification>${prompt}</task-notification>`)).toBeUndefined();
    await shell.pal("remember", `The staging database port 6543 is ${"well ".repeat(200)}known`);
    expect(tokensOf((await ask(prompt)) ?? "")).toBeLessThanOrEqual(300);
    const short = (await ask(prompt, "--budget", "150")) ?? "";
    expect(tokensOf(short)).toBeLessThanOrEqual(150);
    expect(readEnvelopes(short)).toHaveLength(1);
  });

  it("RC811 a start says nothing that goes without saying, and on an empty store nothing", async () => {
    expect((await hook("SessionStart", { session_id: "s1" })).json).toEqual({});
    await told();
    const { additionalContext: text } = (await hook("SessionStart", { session_id: "s1" })).json
      .hookSpecificOutput;
    expect(text).not.toMatch(/[0-9a-f]{64}|No unresolved/);
    expect(text).toMatch(/; id [0-9a-f]{8}\)/);
    expect((await shell.pal("wake-up")).out).toMatch(/No unresolved conflicts.*\nBranch main.*[0-9a-f]{64}/);
  });

  it("RC72 what a transcript holds is kept once as messages, without tools, thoughts, our own blocks or secrets", async () => {
    await told();
    const block = (await hook("SessionStart", {})).json.hookSpecificOutput.additionalContext;
    const rows = [
      { type: "summary", summary: "x", leafUuid: "u0" },
      {
        type: "user",
        uuid: "u1",
        timestamp: "2026-01-01T00:00:00Z",
        message: { role: "user", content: `Rename the crawler to spider\n${block}` },
      },
      {
        type: "assistant",
        uuid: "u2",
        message: {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm" },
            { type: "text", text: "The crawler is called spider now." },
            { type: "tool_use", id: "t", name: "Bash", input: {} },
          ],
        },
      },
      {
        type: "user",
        uuid: "u3",
        message: { role: "user", content: [{ type: "tool_result", content: "exit 0" }] },
      },
      { type: "user", uuid: "u4", isSidechain: true, message: { role: "user", content: "of a helper" } },
      {
        type: "user",
        uuid: "u5",
        message: { role: "user", content: "My key is AKIAIOSFODNN7EXAMQLE, never forget" },
      },
    ];
    const path = join(shell.home, "transcript.jsonl");
    writeFileSync(path, `${rows.map((row) => JSON.stringify(row)).join("\n")}\n{"type":"us`);
    for (const event of ["PreCompact", "Stop", "SessionEnd"])
      expect(await hook(event, { session_id: "s9", transcript_path: path, trigger: "auto" })).toMatchObject({
        code: 0,
        out: "{}\n",
        err: "",
      });
    const kept = (await shell.with({})("list", "--type", "message", "--json", "--agent", "claude")).json;
    expect(kept.map(({ text }: { text: string }) => text).slice(0, 2)).toEqual([
      "Rename the crawler to spider",
      "The crawler is called spider now.",
    ]);
    expect(kept).toHaveLength(3);
    expect(JSON.stringify(kept)).not.toContain("AKIAIOSFODNN7EXAMQLE");
    expect(kept[0]).toMatchObject({
      version: 1,
      attributes: { role: "user" },
      origin: { session: "s9", channel: "hook", trust: "agent" },
    });
    const speakers = kept.map(({ origin }: { origin: { actor: string } }) => origin.actor);
    expect(speakers).toEqual(["user", "assistant", "user"]);
    rows.push({
      type: "assistant",
      uuid: "u6",
      message: {
        role: "assistant",
        content: [{ type: "text", text: "Tests are green after the renaming." }],
      },
    });
    writeFileSync(path, rows.map((row) => JSON.stringify(row)).join("\n"));
    await hook("Stop", { session_id: "s9", transcript_path: path });
    expect((await shell.pal("list", "--type", "message", "--json")).json).toHaveLength(4);
  });

  it("RC73 a rollout of Codex is read by its messages", async () => {
    const path = join(shell.home, "rollout.jsonl");
    const said = (role: string, type: string, text: string) => ({
      type: "response_item",
      payload: { type: "message", role, content: [{ type, text }] },
    });
    const rows = [
      { type: "session_meta", payload: { id: "x" } },
      said("user", "input_text", "Where does the spider keep its cookies?"),
      { type: "event_msg", payload: { type: "agent_message", message: "In a jar" } },
      said("assistant", "output_text", "In the jar of the crawler."),
      { type: "response_item", payload: { type: "function_call", name: "shell" } },
    ];
    writeFileSync(path, rows.map((row) => JSON.stringify(row)).join("\n"));
    await hook("Stop", { session_id: "r1", transcript_path: path }, "codex");
    const kept = (await shell.pal("list", "--type", "message", "--json")).json;
    expect(kept.map(({ text }: { text: string }) => text)).toEqual([
      "Where does the spider keep its cookies?",
      "In the jar of the crawler.",
    ]);
  });

  it("RC74 a hook never fails its host: bad input, a missing transcript, an unusable store, an unknown event", async () => {
    for (const input of [
      "",
      "no json",
      "[]",
      "null",
      { transcript_path: "/nowhere/x.jsonl" },
      { cwd: "relative", prompt: 7 },
    ])
      for (const event of ["SessionStart", "UserPromptSubmit", "PreCompact"]) {
        const ran = await hook(event, input);
        expect(ran).toMatchObject({ code: 0, err: "" });
        expect(typeof ran.json).toBe("object");
      }
    expect(await hook("Unheard", {})).toMatchObject({ code: 0, out: "{}\n" });
    expect(await hook("constructor", {})).toMatchObject({ code: 0, out: "{}\n" });
    // What hosts were told to call may be misspelt, or of a newer version.
    for (const args of [["--bogus"], ["Stop", "--store"], ["Stop", "more"], ["Stop", "--at", "main"], []]) {
      const ran = await shell.pal("hook", ...args);
      expect({ args, code: ran.code, out: ran.out }).toEqual({ args, code: 0, out: "{}\n" });
      expect(ran.err).toMatch(/^pal: /);
    }
    mkdirSync(shell.store, { recursive: true });
    writeFileSync(
      join(shell.store, "palimpsest.db"),
      "something else entirely, and long enough to be looked at",
    );
    expect(await hook("SessionStart", {})).toMatchObject({ code: 0, out: "{}\n", err: "" });
  });
});
