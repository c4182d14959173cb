import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { jsonItems } from "../src/documents/import/json-items.js";
import { Shell } from "./_cli.js";

const shells: Shell[] = [];
afterEach(() => {
  for (const shell of shells.splice(0)) shell.remove();
});
function place(files: Record<string, string | Uint8Array> = {}): Shell {
  const shell = new Shell({ env: { HOME: "/nowhere" } });
  shells.push(shell);
  put(shell, files);
  return shell;
}
function put(shell: Shell, files: Record<string, string | Uint8Array>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(shell.cwd, name)), { recursive: true });
    writeFileSync(join(shell.cwd, name), text);
  }
}
const jsonl = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** A store with versions, branches, a conflict, a tree and something forgotten. */
async function lived(): Promise<Shell> {
  const shell = place({ "notes.org": "* One\nbody\n** Two\n" });
  const { pal } = shell;
  await pal("remember", "Prefers Python", "--topic", "language", "--message", "said at lunch");
  await pal("ingest", "notes.org");
  await pal("create-branch", "work", "--persona", "worker");
  await pal("remember", "Prefers Rust", "--topic", "language", "--branch", "work");
  await pal("remember", "Prefers Zig", "--topic", "language");
  await pal("remember", "Gone tomorrow", "--id", "gone");
  await pal("forget", "gone");
  await pal("merge", "work");
  await pal("snapshot", "kept");
  await pal("remember", 'Ünïcode \u2028 🎉 and "quotes"', "--type", "note");
  return shell;
}

describe("C210 export and import of a whole store", () => {
  it.each(["json", "jsonl", "image"])("C210 %s with history becomes the same store again", async (format) => {
    const shell = await lived();
    const file = join(shell.cwd, `out.${format}`);
    const history = format === "image" ? [] : ["--history", "--scopes", "*", "--clearance", "confidential"];
    const done = await shell.pal("export", "--format", format, ...history, "-o", file, "--json");
    expect(done.json).toMatchObject({ file, count: expect.any(Number) });
    const other = place();
    const read = await other.pal("import", file, "--json");
    expect(read.code).toBe(0);
    const [here, there] = [
      (await shell.pal("stats", "--json")).json,
      (await other.pal("stats", "--json")).json,
    ];
    expect(there.root).toBe(here.root);
    expect(there.head).toBe(here.head);
    for (const args of [["log", "-n", "99"], ["conflicts"], ["branches"], ["tags"], ["ops"], ["list"]])
      expect((await other.pal(...args, "--json")).json, args[0]).toEqual(
        (await shell.pal(...args, "--json")).json,
      );
    expect((await other.pal("verify")).code).toBe(0);
    const again = await other.pal("import", file, "--json");
    expect((await other.pal("stats", "--json")).json.root).toBe(here.root);
    expect(again.json).toMatchObject({ accepted: 0, updated: 0, rejected: 0, quarantined: 0 });
    expect(read.json).toMatchObject({ accepted: here.memories, updated: 0, duplicate: 0, rejected: 0 });
    if (format !== "image") expect(read.json.whole).toBe(true);
  });

  it("C322 an image answers as every import does, and says when it was all there already", async () => {
    const shell = await lived();
    await shell.pal("export", "--format", "image", "-o", "x.img");
    const other = place();
    const file = join(shell.cwd, "x.img");
    const { json } = await other.pal("import", file, "--json");
    expect(json).toMatchObject({ accepted: json.live, duplicate: 0, quarantined: 0, format: "image" });
    const again = await other.pal("import", file, "--json");
    expect(again.json).toMatchObject({ accepted: 0, duplicate: json.live, unchanged: true });
    expect((await other.pal("import", file)).out).toMatch(/^= .* already; nothing was changed\n$/);
  });

  it("C211 the JSON has the documents' shape; without history it is what one sees and goes through the gate", async () => {
    const shell = await lived();
    await shell.pal("export", "--history", "--scopes", "*", "--clearance", "confidential");
    const data = JSON.parse(readFileSync(join(shell.cwd, "memories.json"), "utf8"));
    expect(Object.keys(data)).toEqual([
      "exported_at",
      "current_branch",
      "branches",
      "whole",
      "memories",
      "history",
      "store",
    ]);
    expect(data.branches.map(({ name }: { name: string }) => name)).toEqual(["main", "work"]);
    expect(data.history).toHaveLength((await shell.pal("log", "-n", "99", "--json")).json.length);
    await shell.pal("export", "-o", "plain.json");
    expect(Object.keys(JSON.parse(readFileSync(join(shell.cwd, "plain.json"), "utf8")))).toEqual([
      "exported_at",
      "current_branch",
      "branches",
      "memories",
    ]);
    const other = place();
    const dry = await other.pal("import", join(shell.cwd, "plain.json"), "--dry-run", "--json");
    expect(dry.json).toMatchObject({ accepted: data.memories.length });
    expect(existsSync(other.store)).toBe(false);
    expect((await other.pal("import", join(shell.cwd, "plain.json"), "--json")).json.whole).toBeUndefined();
  });

  it("C212 a file never holds what its reader may not see: then it is not whole, and says so", async () => {
    const shell = place();
    await shell.pal("remember", "Likes tea");
    await shell.pal("remember", "The safe is behind the wombat", "--sensitivity", "confidential");
    await shell.pal("remember", "Of Bob alone, the quokka", "--scope", "agent/bob", "--agent", "bob");
    const ran = await shell.pal("export", "--history", "-o", "mine.json");
    expect(ran.err).toMatch(/only what you see is exported/);
    const text = readFileSync(join(shell.cwd, "mine.json"), "utf8");
    expect(JSON.parse(text).store).toBeUndefined();
    expect(text).not.toMatch(/wombat|quokka/);
    const all = ["--scopes", "*", "--clearance", "confidential"];
    await shell.pal("export", "--history", "-o", "all.json", ...all);
    expect(JSON.parse(readFileSync(join(shell.cwd, "all.json"), "utf8")).store.length).toBeGreaterThan(5);
  });

  it("C213 children that come before their parents find them all the same", async () => {
    const { pal } = place({
      "a.jsonl": jsonl(
        { id: "leaf", text: "A leaf", type: "note", parent: "stem" },
        { id: "stem", text: "A stem", type: "note" },
      ),
      "b.jsonl": jsonl(
        { id: "leaf-2", text: "Another leaf", type: "note", parent: "stem-2" },
        ...Array.from({ length: 1000 }, (_, at) => ({ id: `n${at}`, text: `Note ${at}`, type: "note" })),
        { id: "stem-2", text: "Another stem", type: "note" },
      ),
    });
    expect((await pal("import", "a.jsonl", "--json")).json).toMatchObject({ accepted: 2, rejected: 0 });
    expect((await pal("import", "b.jsonl", "--json")).json).toMatchObject({ accepted: 1002, rejected: 0 });
    expect((await pal("get", "leaf-2", "--json")).json.parent).toBe("stem-2");
  });
});

describe("C214 memories of other systems", () => {
  const CLAUDE = jsonl(
    { type: "summary", summary: "Talk", leafUuid: "x" },
    {
      type: "user",
      uuid: "u1",
      sessionId: "s-1",
      timestamp: "2026-01-02T03:04:05Z",
      message: { role: "user", content: "Where is the key?" },
    },
    {
      type: "assistant",
      uuid: "u2",
      sessionId: "s-1",
      message: {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "Under the mat." },
          { type: "tool_use", name: "ls" },
        ],
      },
    },
    { type: "user", uuid: "u3", sessionId: "s-1", isMeta: true, message: { role: "user", content: "meta" } },
    {
      type: "user",
      uuid: "u4",
      sessionId: "s-1",
      message: { role: "user", content: [{ type: "tool_result", content: "x" }] },
    },
  );
  const CODEX = jsonl(
    { timestamp: "2026-01-01T00:00:00Z", type: "session_meta", payload: { id: "c-1" } },
    {
      timestamp: "2026-01-01T00:00:01Z",
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Add a test" }] },
    },
    {
      timestamp: "2026-01-01T00:00:02Z",
      type: "event_msg",
      payload: { type: "user_message", message: "Add a test" },
    },
    {
      timestamp: "2026-01-01T00:00:03Z",
      type: "response_item",
      payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: "Added." }] },
    },
  );
  const BASIC =
    "---\ntitle: Coffee\npermalink: coffee-notes\ntags: [drinks]\n---\n# Coffee\n\n- [method] Pour over tastes clean #brew (2026)\n- [tip] Grind late\n\n- pairs_with [[Chocolate]]\n";
  const MD =
    "# Project\n\nAll about it.\n\n## Style\n\n- Use tabs\n- Write tests\n  for everything\n\n```sh\n- not a point\n```\n";

  it.each([
    ["claude-code", { "p/s-1.jsonl": CLAUDE }, "p/s-1.jsonl", 2, "Under the mat."],
    [
      "claude-code",
      { "p/s-1.jsonl": CLAUDE, "p/s-2.jsonl": CLAUDE.replaceAll("s-1", "s-2") },
      "p",
      4,
      "Where is the key?",
    ],
    ["codex", { "r.jsonl": CODEX }, "r.jsonl", 2, "Added."],
    [
      "mem0",
      {
        "m.json": JSON.stringify({
          results: [{ id: "a1", memory: "Likes tea", user_id: "ann", categories: ["food"] }],
        }),
      },
      "m.json",
      1,
      "Likes tea",
    ],
    [
      "mem0",
      { "m.json": JSON.stringify([{ id: "a1", memory: "Likes tea" }], undefined, 2) },
      "m.json",
      1,
      "Likes tea",
    ],
    ["basic-memory", { "b/coffee.md": BASIC }, "b", 4, "Coffee pairs with Chocolate"],
    [
      "obsidian",
      {
        "v/.obsidian/app.json": "{}",
        "v/a/Idea.md": "An #idea about [[Other]]\n",
        "v/Other.md": "---\ntags: x\n---\nText\n",
      },
      "v",
      2,
      "An #idea about [[Other]]\n",
    ],
    ["instructions", { "CLAUDE.md": MD }, "CLAUDE.md", 4, "Write tests for everything"],
    ["instructions", { "AGENTS.md": "- Be kind\n" }, "AGENTS.md", 1, "Be kind"],
    [
      "instructions",
      { "MEMORY.md": "- Ann likes tea\n- Ann likes tea\n" },
      "MEMORY.md",
      undefined,
      "Ann likes tea",
    ],
  ] as const)(
    "C214 %s %#: recognized without a hint, through the gate, the same again changes nothing",
    async (format, files, path, count, text) => {
      const { pal } = place(files as Record<string, string>);
      const dry = await pal("import", path, "--dry-run");
      expect(dry.out).toContain(`(${format})`);
      expect(dry.err).toContain("nothing was written");
      const { json } = await pal("import", path, "--json");
      expect(json).toMatchObject({ format, rejected: 0, quarantined: 0 });
      if (count !== undefined) expect(json.accepted).toBe(count);
      const list = (await pal("list", "--json")).json as { text: string; origin: { trust: string } }[];
      expect(list.map((memory) => memory.text)).toContain(text);
      expect(new Set(list.map(({ origin }) => origin.trust))).toEqual(new Set(["external"]));
      expect((await pal("import", path, "--json")).json).toMatchObject({ accepted: 0, updated: 0 });
    },
  );

  it("C443 a folder with an empty .obsidian is a vault", async () => {
    const { pal, cwd } = place({ "v/Tea.md": "Ann likes [[Tea]]\n" });
    expect(await pal("import", "v")).toMatchObject({ code: 2 });
    mkdirSync(join(cwd, "v/.obsidian"));
    expect((await pal("import", "v", "--json")).json).toMatchObject({ format: "obsidian", accepted: 1 });
  });

  it("C444 files that the import of daily notes passes over are counted", async () => {
    const { pal } = place({ "w/memory/2026-03-01.md": "Moved\n", "w/memory/people.md": "Ann\n" });
    const { out, err } = await pal("import", "w");
    expect(out).toContain("(daily)");
    expect(err).toContain("1 other file passed over");
    expect((await pal("import", "w", "--json")).json).toMatchObject({ passedOver: 1 });
  });

  it("C214 conversations keep who spoke, when and in which order; notes keep tags, links and front matter", async () => {
    const { pal } = place({ "s-1.jsonl": CLAUDE, "b/coffee.md": BASIC });
    await pal("import", "s-1.jsonl");
    await pal("import", "b");
    const [first] = (await pal("list", "--type", "message", "--json")).json;
    expect(first).toMatchObject({
      attributes: { role: "user", time: "2026-01-02T03:04:05Z" },
      origin: { session: "s-1" },
      text: "Where is the key?",
    });
    const note = (await pal("get", "basic-memory/coffee-notes", "--json")).json;
    expect(note).toMatchObject({ type: "note", tags: ["brew", "drinks"], attributes: { TITLE: "Coffee" } });
    const [fact] = (await pal("list", "--category", "method", "--json")).json;
    expect(fact).toMatchObject({ text: "Pour over tastes clean (2026)", tags: ["brew"] });
  });

  it("C286 conversations that begin with lines of the program are known; what the program put in is left out", async () => {
    const shell = place({});
    const said = (uuid: string, content: unknown) => ({
      ...{ type: "user", sessionId: "s-1", uuid, timestamp: "2026-01-01T00:00:01.000Z" },
      message: { role: "user", content },
    });
    const claude = [
      { type: "file-history-snapshot", messageId: "m", snapshot: { trackedFileBackups: {} } },
      said("u1", "Make the page blue."),
      said("u2", "<command-name>/clear</command-name>\n<command-args></command-args>"),
      said("u3", [{ type: "text", text: "<system-reminder>Be brief</system-reminder>" }]),
    ];
    const codex = [
      { id: "old-1", timestamp: "2025-05-01T00:00:00.000Z", instructions: null },
      { record_type: "state" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Explain the build." }] },
    ];
    for (const [name, lines] of Object.entries({ claude, codex })) {
      const file = join(shell.cwd, `${name}.jsonl`);
      writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
      const { json } = await shell.pal("import", file, "--json");
      expect([json.format.startsWith(name), json.accepted, json.problems]).toEqual([true, 1, []]);
    }
    const ids = ((await shell.pal("list", "--json")).json as { id: string }[]).map(({ id }) => id);
    expect(ids[0]).toBe("claude-code/s-1/u1");
    expect(ids[1]).toMatch(/^codex\/old-1\//);
  });

  it("C287 of notes every link comes along, and nothing that a page only computes; of mem0 also the graph", async () => {
    const shell = place({});
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(shell.cwd, path)), { recursive: true });
      writeFileSync(join(shell.cwd, path), text);
    };
    write("bm/Tea.md", "---\npermalink: tea\n---\n- part_of [[Coffee Brewing]]\n");
    write("bm/Coffee.md", "---\ntitle: Coffee Brewing\npermalink: coffee\n---\n- relates_to [[Tea]]\n");
    const code = "Use `=>`, `==` and `=SUM(A1:A9)`.\n```matlab\n%% One\na = 1\n%% Two\n```\nAnd `%%`.";
    write("ob/Code.md", code);
    write("ob/.obsidian/app.json", "{}");
    write("ob/Ann.md", "Ann leads. %% hidden %%\n```dataview\nTABLE x\n```\n`= this.x` and after");
    const results = [{ metadata: { a: {} }, id: "m1", memory: "Lives in Oslo", user_id: "alex" }];
    const relations = [{ source: "alex", relationship: "lives_in", target: "oslo" }];
    write("mem0.json", JSON.stringify({ count: 1, results, relations }, null, 1));
    const notes = (await shell.pal("import", "bm", "--json")).json;
    expect([notes.accepted, notes.duplicate]).toEqual([4, 0]);
    await shell.pal("import", "ob");
    expect((await shell.pal("get", "obsidian/Ann", "--json")).json.text).toBe("Ann leads. \n and after");
    expect((await shell.pal("get", "obsidian/Code", "--json")).json.text).toBe(code);
    const { json } = await shell.pal("import", "mem0.json", "--json");
    expect([json.format, json.accepted]).toEqual(["mem0", 2]);
  });

  it("C215 an import that is interrupted keeps what it counted, and goes on when it is run again", async () => {
    const rows = Array.from({ length: 2500 }, (_, at) => ({
      id: `n${at}`,
      text: `Note ${at}`,
      type: "note",
    }));
    const shell = place({ "many.jsonl": jsonl(...rows) });
    let stop = () => {};
    const columns = 100;
    const onInterrupt = (handler: () => void) => {
      stop = handler;
      return () => {};
    };
    const running = shell.with({ onInterrupt, columns })("import", "many.jsonl", "--json");
    const written = () => existsSync(shell.store) && readdirSync(shell.store).includes("palimpsest.db");
    while (!written()) await new Promise((resolve) => setTimeout(resolve, 1));
    stop();
    const ran = await running;
    expect(ran.code).toBe(130);
    expect(ran.json.interrupted).toBe(true);
    expect((await shell.pal("stats", "--json")).json.memories).toBe(ran.json.accepted);
    const rest = (await shell.pal("import", "many.jsonl", "--json")).json;
    expect(rest.accepted + ran.json.accepted).toBe(2500);
    expect(rest.duplicate).toBe(ran.json.accepted);
  });
});

describe("C216 elements of JSON files (B10)", () => {
  it("C216 are the same whatever pieces a file comes in", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(fc.json().map((text) => JSON.parse(text) as unknown)),
          fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()))),
        ),
        fc.array(fc.nat(50), { minLength: 1 }),
        fc.constantFrom(undefined, 2),
        async (value, cuts, indent) => {
          fc.pre(!Object.hasOwn(value, "__proto__"));
          const text = JSON.stringify(value, undefined, indent);
          const got: [string | undefined, unknown][] = [];
          for await (const { key, value: item, isEmpty } of jsonItems(pieces(text, cuts))) {
            if (isEmpty) expect((value as Record<string, unknown>)[key as string]).toEqual([]);
            else got.push([key, item]);
          }
          const expected = Array.isArray(value)
            ? value.map((item) => [undefined, item])
            : Object.entries(value).flatMap(([key, item]) =>
                Array.isArray(item) ? item.map((one) => [key, one]) : [[key, item]],
              );
          expect(got).toEqual(
            JSON.parse(JSON.stringify(expected, (_, one) => (one === undefined ? null : one))).map(
              ([key, item]: [string | null, unknown]) => [key ?? undefined, item],
            ),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it("C216 anything that is not JSON ends in a typed error", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", "1", "true", " ", "\n", "x")),
        async (parts) => {
          const text = parts.join("");
          let valid = true;
          try {
            valid = typeof JSON.parse(text) === "object";
          } catch {
            valid = false;
          }
          try {
            for await (const _ of jsonItems(pieces(text, [3])));
            expect(valid).toBe(true);
          } catch (error) {
            expect(error).toMatchObject({ code: "INVALID_FILE" });
            expect(valid && JSON.parse(text) !== null).toBe(false);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

async function* pieces(text: string, cuts: readonly number[]): AsyncGenerator<string> {
  let at = 0;
  for (let index = 0; at < text.length; index++) {
    const size = 1 + (cuts[index % cuts.length] as number);
    yield text.slice(at, at + size);
    at += size;
  }
}

/** Files that somebody made to do harm: each with what it is called. */
function hostile(): [string, (shell: Shell) => void][] {
  const write = (name: string, content: string | Uint8Array) => (shell: Shell) =>
    put(shell, { [name]: content });
  const deep = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);
  const memories = (body: string) => `{"memories":[${body}]}`;
  const image = (...lines: string[]) => {
    const text = `${lines.join("\n")}\n`;
    return `${text}end ${createHash("sha256").update(text).digest("hex")}\n`;
  };
  const sparse =
    (name: string, size: number, start = "") =>
    (shell: Shell) => {
      put(shell, { [name]: start });
      truncateSync(join(shell.cwd, name), size);
    };
  return [
    ["deep.json", write("deep.json", deep("[", "]", 100_000))],
    ["deep-object.json", write("deep-object.json", deep('{"a":', "}", 100_000))],
    ["deep-memory.json", write("deep-memory.json", memories(deep("[", "]", 1_000)))],
    ["deep-open.json", write("deep-open.json", "[".repeat(5_000_000))],
    ["cut.json", write("cut.json", memories('{"text":"Likes tea"},').slice(0, -1))],
    ["cut-string.json", write("cut-string.json", `{"memories":[{"text":"${"a".repeat(1000)}`)],
    ["late.json", write("late.json", `{"memories":[${'{"text":"Likes tea"},'.repeat(1500)}oops]}`)],
    ["after.json", write("after.json", `${memories('{"text":"x"}')}{"memories":[]}`)],
    ["no-list.json", write("no-list.json", '{"hello":"world"}')],
    ["scalar.json", write("scalar.json", "42")],
    ["null.json", write("null.json", "null")],
    ["text.json", write("text.json", '"just a text"')],
    ["long-element.json", sparse("long-element.json", 200 << 20, '{"memories":["')],
    ["sparse.json", sparse("sparse.json", 4 * 2 ** 30)],
    ["sparse.jsonl", sparse("sparse.jsonl", 64 << 20)],
    ["sparse.snap", sparse("sparse.snap", 2 * 2 ** 30)],
    ["sparse.md", sparse("CLAUDE.md", 2 * 2 ** 30, "- x\n")],
    ["bytes.json", write("bytes.json", Buffer.from([0x7b, 0xff, 0xfe, 0x80]))],
    ["latin.json", write("latin.json", Buffer.from(memories('{"text":"caf\u00e9"}'), "latin1"))],
    ["utf16.json", write("utf16.json", Buffer.from(memories('{"text":"x"}'), "utf16le"))],
    ["surrogate.json", write("surrogate.json", memories('{"text":"\\ud800"}'))],
    ["proto.json", write("proto.json", memories('{"__proto__":{"polluted":true}}'))],
    ["controls.json", write("controls.json", memories('{"text":"\\u001b[2J","id":"a\\u0000b"}'))],
    ["huge-number.json", write("huge-number.json", memories('{"text":1e999}'))],
    ["zip.json", write("zip.json", Buffer.from("504b0304140000000800", "hex"))],
    ["gzip.json", write("gzip.json", Buffer.from("1f8b0800000000000003", "hex"))],
    ["elf", write("elf", Buffer.from("7f454c46020101", "hex"))],
    ["empty.json", write("empty.json", "")],
    ["sexp.snap", write("sexp.snap", "(:memory #.(delete-file x))")],
    ["deep.snap", write("deep.snap", `(:memory ${"(".repeat(200_000)}`)],
    ["image-cut.snap", write("image-cut.snap", ";; Palimpsest image 1\n;; Created: x\n")],
    [
      "image-lie.snap",
      write("image-lie.snap", image(";; Palimpsest image 1", `object memory ${"0".repeat(64)} {}`)),
    ],
    [
      "image-ref.snap",
      write(
        "image-ref.snap",
        image(";; Palimpsest image 1", `ref {"name":"heads/main","target":"${"1".repeat(64)}"}`),
      ),
    ],
    ["image-digest.snap", write("image-digest.snap", `;; Palimpsest image 1\nend ${"0".repeat(64)}\n`)],
    ["image-word.snap", write("image-word.snap", image(";; Palimpsest image 1", "rm -rf"))],
    [
      "whole-lie.json",
      write("whole-lie.json", '{"whole":true,"memories":[{"text":"x"}],"store":[";; Palimpsest image 1"]}'),
    ],
    ["whole-none.json", write("whole-none.json", '{"whole":true,"memories":[{"text":"Likes tea"}]}')],
    [
      "links",
      (shell) => {
        mkdirSync(join(shell.cwd, "links/rooms"), { recursive: true });
        symlinkSync("/etc", join(shell.cwd, "links/rooms/etc"));
        symlinkSync("/etc/passwd", join(shell.cwd, "links/identity.txt"));
      },
    ],
    [
      "loop",
      (shell) => {
        mkdirSync(join(shell.cwd, "loop"));
        symlinkSync(".", join(shell.cwd, "loop/loop"));
      },
    ],
    ["broken-link.json", (shell) => symlinkSync("nowhere", join(shell.cwd, "broken-link.json"))],
    ["device", (shell) => symlinkSync("/dev/zero", join(shell.cwd, "device"))],
    ["empty", (shell) => mkdirSync(join(shell.cwd, "empty"))],
    [
      "crowd",
      (shell) => {
        mkdirSync(join(shell.cwd, "crowd"));
        for (let at = 0; at < 20_001; at++) writeFileSync(join(shell.cwd, "crowd", `${at}.md`), "");
      },
    ],
  ];
}

describe("C216 hostile files (B22)", () => {
  const all = hostile();
  it("C216 there are at least forty", () => expect(all.length).toBeGreaterThanOrEqual(40));

  it("C216 each is refused in under two seconds and 300 MB, and the store stays as it is bit for bit", async () => {
    const shell = place();
    await shell.pal("remember", "Was here before");
    const before = (await shell.pal("stats", "--json")).json.root;
    for (const [name, make] of all) {
      make(shell);
      const path = name === "sparse.md" ? "CLAUDE.md" : name;
      const started = process.cpuUsage();
      const ran = await shell.pal("import", path, "--json");
      const { user, system } = process.cpuUsage(started);
      expect(ran.code, name).not.toBe(0);
      expect(ran.json.error?.code ?? "verdicts", name).toMatch(/^(INVALID_|DAMAGED|REFUSED|verdicts)/);
      if (!ran.json.error) expect(ran.json, name).toMatchObject({ accepted: 0, updated: 0 });
      expect((user + system) / 1000, `${name} took long`).toBeLessThan(4000);
    }
    expect((await shell.pal("stats", "--json")).json).toMatchObject({ root: before, commits: 1 });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("C216 an empty store is not even made by them, and a process stays below 300 MB", async () => {
    const shell = place();
    const main = join(import.meta.dirname, "../dist/doors/cli/main.js");
    for (const name of [
      "deep-open.json",
      "long-element.json",
      "sparse.json",
      "sparse.jsonl",
      "whole-lie.json",
    ]) {
      all.find(([own]) => own === name)?.[1](shell);
      const told =
        "data:text/javascript,process.on('exit',()=>process.stderr.write(String(process.resourceUsage().maxRSS)))";
      const { stderr } = spawnSync(
        process.execPath,
        ["--import", told, main, "-C", shell.store, "import", name],
        {
          cwd: shell.cwd,
          env: { ...process.env, NO_COLOR: "1" },
          encoding: "utf8",
        },
      );
      expect(Number(/(\d+)$/.exec(stderr)?.[1]), name).toBeLessThan(300_000);
      expect(existsSync(join(shell.store, "palimpsest.db")), name).toBe(false);
    }
  });
});

describe("our own files for people", () => {
  const filled = async () => {
    const shell = place({ "notes.org": "* One\nbody\n\n,not a headline\n** Two :tag:\n" });
    const pal = shell.with({ person: true });
    await pal("ingest", "notes.org");
    await pal("remember", "Prefers tea", "--id", "tea-tea", "--topic", "drink");
    await pal(
      "remember",
      "--subject",
      "user",
      "--predicate",
      "lives_in",
      "--object",
      "Paris",
      "User lives in Paris",
    );
    await pal("remember", "Two lines\n* of a note", "--type", "note", "--id", "two-lines");
    return { shell, pal };
  };
  const told = async (pal: ReturnType<typeof place>["pal"]) =>
    ((await pal("list", "--json")).json as { id: string; text: string; parent?: string; type: string }[])
      .map(({ id, text, parent, type }) => ({ id, text: text.trimEnd(), parent, type }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));

  it("C247 an Org export is read back with its ids, trees and texts; the same again changes nothing", async () => {
    const { shell, pal } = await filled();
    await pal("export", "--format", "org", "-o", "all.org");
    const other = place({});
    const there = other.with({ person: true });
    const { code, json } = await there("import", join(shell.cwd, "all.org"), "--json");
    expect([code, json.format, json.rejected]).toEqual([0, "org", 0]);
    expect(await told(there)).toEqual(await told(pal));
    const again = (await there("import", join(shell.cwd, "all.org"), "--json")).json;
    expect([again.accepted, again.updated]).toEqual([0, 0]);
  });

  it("C280 an Org export says what an outline cannot in a drawer: nothing changes where it came from, nothing is lost elsewhere", async () => {
    const { shell, pal } = await filled();
    const odd = [
      { id: "ends-blank", text: "Ends with a line\n\n", type: "note" },
      { id: "two  spaces", text: "Two  spaces :and: what looks like tags :no:tag:", type: "note" },
      { id: "tagged", text: "Tagged oddly", tags: ["two words", "plain"], sensitivity: "private" },
      { id: "starred", text: "A line\n* of stars\n,* and a comma", type: "note" },
    ];
    await shell.with({ person: true, stdin: odd.map((row) => JSON.stringify(row)).join("\n") })(
      ...["remember", "--jsonl", "-"],
    );
    await pal("export", "--format", "org", "-o", "all.org");
    const same = (await pal("import", "all.org", "--json")).json;
    expect([same.accepted, same.updated, same.rejected]).toEqual([0, 0, 0]);
    const there = place({}).with({ person: true });
    await there("import", join(shell.cwd, "all.org"));
    const all = async (of: typeof pal) =>
      ((await of("list", "--json")).json as Record<string, unknown>[])
        .map(({ id, text, tags, sensitivity, triple }) => ({ id, text, tags, sensitivity, triple }))
        .sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
    expect(await all(there)).toEqual(await all(pal));
  });

  it("C248 a Markdown export is read back as facts, triples among them; the same again changes nothing", async () => {
    const { shell, pal } = await filled();
    await pal("export", "--format", "markdown", "-o", "all.md", "--history");
    const there = place({}).with({ person: true });
    const { code, json } = await there("import", join(shell.cwd, "all.md"), "--json");
    expect([code, json.format]).toEqual([0, "markdown"]);
    const texts = (await told(there)).map(({ text }) => text);
    expect(texts).toEqual(
      expect.arrayContaining(["Prefers tea", "Two lines\n* of a note", "user lives in Paris"]),
    );
    const again = (await there("import", join(shell.cwd, "all.md"), "--json")).json;
    expect([again.accepted, again.updated]).toEqual([0, 0]);
  });

  it("C325 Markdown keeps what a memory says beyond its triple, and its history what commits did", async () => {
    const shell = place({});
    const pal = shell.with({ person: true });
    const triple = ["--subject", "Ann", "--predicate", "lives_in", "--object", "Graz"];
    await pal("remember", "Ann moved to Graz in spring", ...triple, "--confidence", "0.5");
    await pal("remember", ...triple, "--id", "plain", "--scope", "agent/tester");
    await pal("remember", "--subject", "Ben", "--predicate", "worksAt", "--object", "Acme");
    await pal("export", "--format", "markdown", "--history", "-o", "all.md");
    const page = readFileSync(join(shell.cwd, "all.md"), "utf8");
    expect(page).toMatch(/^- worksAt: \*\*Acme\*\*$/m);
    expect(page).toMatch(/^- lives_in: \*\*Graz\*\* — Ann moved to Graz in spring \[50%\]$/m);
    expect(page).toMatch(/^- lives_in: \*\*Graz\*\*$/m);
    expect(page).toMatch(/^- \S+ [0-9a-f]{12} add Ann moved to Graz in spring$/m);
    const there = place({}).with({ person: true });
    await there("import", join(shell.cwd, "all.md"));
    const back = (await there("list", "--json")).json as Record<string, unknown>[];
    expect(back).toContainEqual(
      expect.objectContaining({
        text: "Ann moved to Graz in spring",
        confidence: 0.5,
        triple: { subject: "Ann", predicate: "lives_in", object: "Graz" },
      }),
    );
    expect(back).toContainEqual(expect.objectContaining({ text: "Ben works at Acme" }));
  });

  it("C285 Markdown by room is read back whole: rooms, drawers, what lies in them and what does not", async () => {
    const shell = place({});
    const pal = shell.with({ person: true });
    await pal("palace", "new", "--layout", "code-review");
    await pal(
      "remember",
      "Names are nouns -- always.\n\n- and short",
      "--in",
      "conventions/style",
      "--tag",
      "naming",
    );
    await pal("remember", "Ends <!-- ^x {} --> early", "--id", "odd--id", "--in", "findings");
    await pal("remember", "A child", "--id", "child", "--parent", "odd--id", "--type", "note");
    await pal("remember", "Tea is green", "--id", "loose", "--confidence", "0.5", "--attr", "K=V");
    await pal("export", "--format", "markdown", "--by", "room", "--history", "-o", "rooms.md");
    const page = readFileSync(join(shell.cwd, "rooms.md"), "utf8");
    expect(page).toContain("### conventions <!--");
    expect(page.indexOf("Tea is green")).toBeGreaterThan(page.indexOf("### Not in a room"));
    const same = (await pal("import", "rooms.md", "--json")).json;
    expect([same.format, same.accepted, same.updated, same.rejected]).toEqual(["markdown", 0, 0, 0]);
    const there = place({}).with({ person: true });
    expect((await there("import", join(shell.cwd, "rooms.md"), "--trusted", "--json")).code).toBe(0);
    const whole = async (of: typeof pal) =>
      ((await of("list", "--json")).json as Record<string, unknown>[])
        .map(({ id, scope, type, text, tags, attributes, parent, confidence }) => [
          ...[id, scope, type, text, tags, attributes, parent, confidence],
        ])
        .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
    expect(await whole(there)).toEqual(await whole(pal));
    expect((await there("palace", "rooms")).out).toBe((await pal("palace", "rooms")).out);
  });

  const ODD = [
    "a\n   \nb",
    "a\n\n\n\nb",
    "\n\nx",
    "a\u2028b",
    "a\n\u3000\nb",
    "a\r\nb",
    "### h",
    "a\nTODO b\n",
  ];
  it.each([["org"], ["markdown", "--by", "room"]])(
    "C399 %s carries every text, blank lines, lines of white space and odd ends of lines too, also when it was carried over Windows",
    async (...format) => {
      const shell = place({});
      const rows = ODD.map((text, at) => JSON.stringify({ id: `odd-${at}`, type: "note", text }));
      await shell.with({ person: true, stdin: rows.join("\n") })("remember", "--jsonl", "-");
      await shell.pal("export", "--format", ...format, "-o", "all");
      const file = join(shell.cwd, "all");
      const page = readFileSync(file, "utf8");
      for (const text of [page, page.replaceAll("\n", "\r\n")]) {
        writeFileSync(file, text);
        const there = place({}).with({ person: true });
        expect((await there("import", file, "--json")).json).toMatchObject({
          accepted: ODD.length,
          problems: [],
        });
        const found = (await there("list", "--json")).json as { id: string; text: string }[];
        expect(found.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ text }) => text)).toEqual(ODD);
      }
    },
  );

  it("C400 in Markdown by room a new heading is a new place, and a line that ends in the middle is no memory", async () => {
    const shell = place({});
    const pal = shell.with({ person: true });
    await pal("remember", "Knives are sharp", "--in", "kitchen/drawer");
    await pal("export", "--format", "markdown", "--by", "room", "-o", "rooms.md");
    const file = join(shell.cwd, "rooms.md");
    const more =
      '\n#### shelf\n\n- Cups are blue\n\n### cellar\n\n- Wine is red\n- Old <!-- ^old {"type":"no';
    writeFileSync(file, readFileSync(file, "utf8") + more);
    expect((await pal("import", "rooms.md", "--json")).json).toMatchObject({
      accepted: 2,
      problems: [{ reason: "It ends in the middle." }],
    });
    const inside = async (where: string) =>
      ((await pal("list", "--in", where, "--type", "fact", "--json")).json as { text: string }[]).map(
        ({ text }) => text,
      );
    expect(await inside("kitchen/drawer")).toEqual(["Knives are sharp"]);
    expect(await inside("kitchen/shelf")).toEqual(["Cups are blue"]);
    expect(await inside("cellar")).toEqual(["Wine is red"]);
    expect((await pal("import", "rooms.md", "--json")).json).toMatchObject({ accepted: 0, updated: 0 });
  });

  it("C402 what belongs to a branch that cannot be made comes into no other", async () => {
    const shell = place({});
    const pal = shell.with({ person: true });
    await pal("remember", "Tea is green");
    await pal("create-branch", "idea");
    await pal("checkout", "idea");
    await pal("trace", "add", "Perhaps tea is blue", "--kind", "thought");
    await pal("export", "--format", "gcc", "-o", "out");
    const said = join(shell.cwd, "out/branches/idea/metadata.yaml");
    writeFileSync(said, readFileSync(said, "utf8").replace(/^created: .*/m, "created: someday"));
    const there = place({}).with({ person: true });
    expect((await there("import", join(shell.cwd, "out"), "--json")).json).toMatchObject({
      accepted: 0,
      rejected: 1,
      problems: [{ where: "branch idea" }, { reason: 'There is no branch "idea".' }],
    });
  });

  it("C401 a field that is none of its kind refuses its memory, not the file", async () => {
    const shell = place({});
    await shell.pal("remember", "Tea is green", "--id", "tea-tea");
    const rows = [
      { id: "tea-tea", text: "Tea is green", tags: 5 },
      { id: "coffee", text: "Coffee is black" },
    ];
    writeFileSync(join(shell.cwd, "all.json"), JSON.stringify({ memories: rows }));
    expect((await shell.pal("import", "all.json", "--json")).json).toMatchObject({
      accepted: 1,
      rejected: 1,
    });
  });

  it("C405 an export of a store without memories is read back as none", async () => {
    const shell = place({});
    const { id } = (await shell.pal("remember", "Likes tea", "--json")).json;
    await shell.pal("forget", id);
    for (const format of ["json", "jsonl", "markdown", "org"]) {
      await shell.pal("export", "--format", format, "-o", `none.${format}`);
      const { code, json } = await shell.pal("import", `none.${format}`, "--format", format, "--json");
      expect([format, code, json.accepted, json.unreadable]).toEqual([format, 0, 0, 0]);
    }
  });

  it("C414 what cannot be read is counted and makes the exit code 1; a memory without an id is named by its place", async () => {
    const { pal, cwd } = place({});
    const write = (value: unknown) => writeFileSync(join(cwd, "all.json"), JSON.stringify(value));
    write({
      exported_at: "x",
      memories: [{ text: 1 }, { text: "Foxes are red" }, { text: "Owls", tags: 5 }],
    });
    const some = await pal("import", "all.json", "--json");
    expect([some.code, some.json]).toMatchObject([1, { accepted: 1, rejected: 1, unreadable: 1 }]);
    expect(some.json.problems.map(({ where }: { where: string }) => where)).toEqual(["memory 1", "memory 3"]);
    write([{ text: "Hares are brown" }, ...Array.from({ length: 1_200 }, () => ({ text: 1 }))]);
    const many = await pal("import", "all.json", "--json");
    expect([many.code, many.json.unreadable, many.json.problems.length]).toEqual([1, 1_200, 1_000]);
    const shown = await pal("import", "all.json");
    expect(shown.out).toContain("0 imported, 1 duplicate, 1,200 unreadable");
    expect(shown.err).toContain("and 1,190 more; --json has the first 1,000");
  });

  it("C255 a .GCC folder of ours is read back: milestones and steps; the same again changes nothing", async () => {
    const shell = place({});
    const pal = shell.with({ person: true });
    await pal("commit", "--message", "Auth works", "--contribution", "Login and logout");
    await pal("trace", "add", "Tests fail on Mondays", "--kind", "observation");
    await pal("remember", "First login, then payments", "--id", "roadmap", "--type", "roadmap");
    await pal("export", "--format", "gcc", "-o", "out");
    const same = (await pal("import", "out", "--json")).json;
    expect([same.accepted, same.updated, same.rejected]).toEqual([0, 0, 0]);
    const there = place({}).with({ person: true });
    const { code, json } = await there("import", join(shell.cwd, "out"), "--json");
    expect([code, json.format]).toEqual([0, "gcc"]);
    const rows = await told(there);
    expect(rows).toEqual(await told(pal));
    expect(rows.map(({ type }) => type).sort()).toEqual(["milestone", "roadmap", "step"]);
    const again = (await there("import", join(shell.cwd, "out"), "--json")).json;
    expect([again.accepted, again.updated]).toEqual([0, 0]);
  });

  it("C284 branches of a .GCC folder come back as branches, with what is said of them, their work and its dates", async () => {
    const shell = place({});
    const pal = shell.with({ person: true });
    await pal("commit", "--message", "Skeleton");
    await pal("create-branch", "side", "--persona", "critic", "--purpose", "Try: the other way");
    await pal("create-branch", "old", "--purpose", "Nothing came of it");
    await pal("--branch", "side", "trace", "add", "Two\nlines", "--kind", "thought");
    await pal("--branch", "side", "commit", "--message", "It works", "--contribution", "The other way works");
    await pal("merge", "side");
    await pal("export", "--format", "gcc", "-o", "out");
    const other = place({});
    const there = other.with({ person: true });
    const folder = join(shell.cwd, "out");
    expect((await there("import", folder, "--dry-run")).code).toBe(0);
    const report = (await there("import", folder, "--json")).json;
    expect(report.accepted).toBeGreaterThan(2);
    await there("export", "--format", "gcc", "-o", "again");
    const read = (path: string) =>
      readFileSync(path, "utf8").replaceAll(/ [0-9a-f]{12} by |^head: .*$/gm, "");
    for (const branch of ["main", "side", "old"])
      for (const name of ["commit.md", "log.md", "metadata.yaml"])
        expect(read(join(other.cwd, "again/branches", branch, name))).toBe(
          read(join(folder, "branches", branch, name)),
        );
    const again = (await there("import", folder, "--json")).json;
    expect([again.accepted, again.updated, again.rejected]).toEqual([0, 0, 0]);
  });

  it("C249 thousands of memories under one heading, or in one tree, are all told once", async () => {
    const shell = place({});
    const rows = Array.from({ length: 2_300 }, (_, at) => ({
      ...{ id: `note-${at}`, text: `Note ${at}`, type: "note" },
      ...(at > 0 && at % 2 === 0 && { parent: `note-${at > 100 ? 2 : 0}` }),
    }));
    await shell.with({ stdin: rows.map((row) => JSON.stringify(row)).join("\n") })(
      "remember",
      "--jsonl",
      "-",
    );
    for (const format of ["markdown", "org"]) {
      const { out } = await shell.pal("export", "--format", format, "-o", "-");
      const found = [...out.matchAll(/^(?:-|\*+) Note (\d+)$/gm)].map(([, number]) => Number(number));
      expect(found.sort((a, b) => a - b)).toEqual(rows.map((_, at) => at));
    }
    const { out } = await shell.pal("export", "--format", "org", "-o", "-");
    expect(out.match(/^\*\*\* Note/gm)?.length).toBe(1_099);
  });

  it("C250 a restore beside the usual store does not bring back what was erased there", async () => {
    const shell = place({});
    const pal = shell.with({ person: true });
    await pal("remember", "The zanzibar canary sings", "--id", "secret");
    await pal("remember", "Prefers tea", "--id", "tea-tea");
    await pal("backup", "all.pal");
    await pal("erase", "secret");
    const { json } = await pal("-C", "again", "restore", "all.pal", "--json");
    expect(json.tombstones).toBe(1);
    expect((await pal("-C", "again", "get", "secret")).code).toBe(1);
    expect((await pal("-C", "again", "get", "tea-tea")).code).toBe(0);
    await pal("-C", "third", "restore", "all.pal", "--tombstones", "none");
    expect((await pal("-C", "third", "get", "secret")).code).toBe(0);
  });
});
