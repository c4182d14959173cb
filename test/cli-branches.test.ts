import { parse } from "@mermaid-js/parser";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CATALOG } from "../src/doors/cli/catalog.js";
import { widthOf } from "../src/doors/cli/width.js";
import { Shell } from "./_cli.js";

let shell: Shell;
beforeEach(() => {
  shell = new Shell({ env: { PAL_AGENT: "ann" } });
});
afterEach(() => shell.remove());
const pal = (...args: string[]) => shell.pal(...args);
const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);

/** A persona that sees the sky otherwise: main and work have both changed it. */
async function fork(): Promise<void> {
  await pal("remember", "The sky is blue", "--id", "sky", "--tag", "a");
  await pal("remember", "Grass is green", "--id", "grass");
  await pal("create-branch", "work", "--persona", "engineer", "--purpose", "Look closer");
  await pal("update", "sky", "The sky is black", "--branch", "work", "--agent", "bob");
  await pal("remember", "Snow is white", "--id", "snow", "--branch", "work", "--agent", "bob");
  await pal("update", "sky", "The sky is grey");
}

describe("branches", () => {
  it("C60 create-branch and branches: name, head, persona, status, purpose, and where one is", async () => {
    await pal("remember", "Likes tea", "--id", "tea");
    const made = await pal("create-branch", "work", "--persona", "engineer", "--purpose", "Ship it");
    expect(made.code).toBe(0);
    expect(made.out).toMatch(/^✓ branch work made at [0-9a-f]{12} \(persona engineer\)\n$/);
    expect(made.err).toContain("`pal checkout work`");
    expect((await pal("create-branch", "early", "--from", "2026-01-01", "--json")).json).toMatchObject({
      name: "early",
      head: HASH,
      persona: "early",
      current: false,
    });
    const { out } = await pal("branches");
    expect(out).toMatch(
      /^ {2}early {2}[0-9a-f]{12} {15}open\n\* main {3}[0-9a-f]{12} {15}open\n {2}work {3}[0-9a-f]{12} {2}as engineer {2}open {2}Ship it\n$/,
    );
    const { json } = await pal("branches", "--json");
    expect(json).toMatchObject([
      { name: "early", current: false },
      { name: "main", head: HASH, persona: "default", current: true },
      { name: "work", persona: "engineer", purpose: "Ship it", status: "open", current: false },
    ]);
    // U90 every branch tells when it was made.
    for (const { created } of json) expect(Date.parse(created)).not.toBeNaN();
    const again = await pal("create-branch", "work", "--json");
    expect([again.code, again.json.error.code]).toEqual([1, "NAME_TAKEN"]);
    const bad = await pal("create-branch", "a/b", "--json");
    expect([bad.code, bad.json.error.code]).toEqual([2, "INVALID_NAME"]);
  });

  it("C61 checkout is remembered for each agent, and --branch and $PAL_BRANCH win over it", async () => {
    await fork();
    const { code, out } = await pal("checkout", "work");
    expect([code, out]).toEqual([0, "✓ ann is on work (persona engineer)\n"]);
    expect((await pal("list", "--json")).json).toHaveLength(3);
    expect((await pal("list", "--json", "--agent", "bob")).json).toHaveLength(2);
    expect((await pal("list", "--json", "--branch", "main")).json).toHaveLength(2);
    const fixed = shell.with({ env: { PAL_AGENT: "ann", PAL_BRANCH: "main" } });
    expect((await fixed("list", "--json")).json).toHaveLength(2);
    expect((await fixed("checkout", "work")).err).toMatch(/\$PAL_BRANCH is main and wins/);
    expect((await pal("checkout", "main", "--json")).json).toMatchObject({ name: "main", current: true });
    const lost = await pal("checkout", "nowhere");
    expect(lost).toMatchObject({ code: 1, out: "" });
    expect(lost.err).toMatch(/no branch "nowhere"\.\n.*pal branches/);
  });

  it("C62 rename-branch and delete-branch; the current one and main stay; undo brings a deleted one back", async () => {
    await fork();
    expect((await pal("rename-branch", "work", "office")).out).toBe("✓ branch work is now office\n");
    expect((await pal("rename-branch", "office", "work", "--json")).json.name).toBe("work");
    const kept = await pal("delete-branch", "main", "--json");
    expect([kept.code, kept.json.error.code]).toEqual([1, "BRANCH_IN_USE"]);
    const gone = await pal("delete-branch", "work");
    expect(gone.out).toMatch(/^✓ branch work deleted; it was at [0-9a-f]{12}\n$/);
    const [, op = ""] = /`pal undo ([0-9a-f]{12})`/.exec(gone.err) ?? [];
    expect((await pal("branches", "--json")).json).toHaveLength(1);
    expect((await pal("undo", op)).out).toBe(`✓ undone ${op}: heads/work as before\n`);
    expect((await pal("branches", "--json")).json[1]).toMatchObject({ name: "work", persona: "engineer" });
    expect((await pal("delete-branch", "work", "--json")).json).toMatchObject({ name: "work", head: HASH });
  });

  it("C253 context, trace list, links and export read the past too; a step and a folder are of the present", async () => {
    await pal("remember", "The harbour opens at six", "--id", "harbour");
    await pal("trace", "add", "Read the tide table");
    await pal("tag", "then");
    await pal("update", "harbour", "The harbour opens at eight");
    await pal("trace", "add", "Called the pilot");
    const then = async (...line: string[]) => (await pal(...line, "--at", "then")).out;
    expect(await then("context")).toContain("Read the tide table");
    expect(await then("context")).not.toContain("Called the pilot");
    expect(await then("context", "--query", "harbour")).toContain("opens at six");
    expect(await then("trace", "list")).toMatch(/^[^\n]+Read the tide table\n$/);
    expect((await pal("links", "harbour", "--at", "then", "--json")).json).toEqual({
      incoming: [],
      outgoing: [],
    });
    const file = await then("export", "--format", "jsonl", "-o", "-");
    expect(file).toContain("opens at six");
    expect(file).not.toContain("opens at eight");
    expect((await pal("trace", "add", "Late", "--at", "then")).code).toBe(2);
    expect((await pal("export", "--format", "gcc", "--at", "then")).code).toBe(2);
  });

  it("C256 whatever is read has a past: names, operations, status and wake-up; where there is none it says why", async () => {
    await pal("remember", "The harbour opens at six", "--id", "harbour");
    await pal("create-branch", "old", "--purpose", "try things");
    await pal("tag", "then");
    await pal("snapshot", "calm");
    await pal("remember", "The harbour closes at nine", "--id", "closing");
    const point = (await pal("log", "--json", "-n", "1")).json[0].commit;
    await pal("delete-branch", "old");
    await pal("tag", "then", "--delete");
    await pal("update", "harbour", "The harbour opens at eight");

    const at = async (...line: string[]) => (await pal(...line, "--at", point, "--json")).json;
    const names = async (verb: string) => (await at(verb)).map(({ name }: { name: string }) => name);
    expect(await names("branches")).toEqual(["main", "old"]);
    expect(await names("tags")).toEqual(["then"]);
    expect(await at("snapshots")).toMatchObject([{ label: "calm" }]);
    expect((await at("ops"))[0]).toMatchObject({ verb: "remember" });
    expect(await at("status")).toMatchObject({ memories: 2, branches: 2, head: point });
    expect(await at("taint", "harbour")).toEqual([]);
    expect((await pal("branches", "--at", point)).out).toMatch(/^\* main .*\n {2}old .*try things\n$/);
    expect((await pal("wake-up", "--at", point)).out).toContain("opens at six");
    expect((await pal("wake-up")).out).toContain("opens at eight");
    expect((await pal("diff", "calm", "--at", point)).out).toBe("+ closing  The harbour closes at nine\n");
    expect((await pal("diff", "calm", "main", "--at", point)).code).toBe(2);
    expect((await pal("bisect", "--query", "harbour", "--expect", "eight", "--at", point)).code).toBe(1);
    for (const [verb, why] of [
      ["verify", /every past state included/],
      ["review", /waits now[\s\S]*pal ops --at/],
      ["doctor", /pal status --at/],
    ] as const) {
      const refused = await pal(verb, "--at", point);
      expect([verb, refused.code]).toEqual([verb, 2]);
      expect(refused.err).toMatch(why);
    }
  });

  it("C63 tag, tags and tag --delete; a tag is a point for --at", async () => {
    await pal("remember", "First", "--id", "text");
    expect((await pal("tag", "v1")).out).toMatch(/^✓ tag v1 stands at [0-9a-f]{12}\n$/);
    await pal("update", "text", "Second");
    expect((await pal("get", "text", "--at", "v1", "--json")).json.text).toBe("First");
    expect((await pal("tag", "again", "v1", "--json")).json).toMatchObject({ name: "again", commit: HASH });
    expect((await pal("tags")).out).toMatch(
      /^again {2}[0-9a-f]{12} {2}(?:just now|\d+ s ago) {2}ann\nv1 {5}[0-9a-f]{12} {2}/,
    );
    expect((await pal("tags", "--json")).json).toMatchObject([{ name: "again" }, { name: "v1", by: "ann" }]);
    expect((await pal("tag", "v1")).code).toBe(1);
    expect((await pal("tag", "--delete", "v1")).out).toMatch(/^✓ tag v1 deleted; it was at [0-9a-f]{12}\n$/);
    expect((await pal("tag", "--delete", "v1", "--json")).json.error.code).toBe("NOT_FOUND");
    expect((await pal("tag", "--delete", "again", "v1")).code).toBe(2);
  });
});

describe("merge and conflicts", () => {
  it("C64 merge says what it brought and what collides, exits 1 while something does, and resolve settles it", async () => {
    await fork();
    const merged = await pal("merge", "work");
    expect(merged.code).toBe(1);
    expect(merged.out).toMatch(
      /^✓ merged work into main: 1 added, 1 changed \(commit [0-9a-f]{12}\)\n! sky {2}text\n {4}1 {2}bob \(agent\) {2}[0-9a-f]{12} {2}"The sky is black"\n {4}2 {2}ann \(agent\) {2}[0-9a-f]{12} {2}"The sky is grey"\n {2}pal resolve sky text --take 1\n$/,
    );
    expect(merged.err).toMatch(/^1 conflict left/);
    const listed = await pal("conflicts");
    expect(listed).toMatchObject({ code: 0, err: "1 conflict\n" });
    expect(listed.out).toContain("2  ann (agent)");
    expect((await pal("conflicts", "--json")).json).toMatchObject([
      {
        id: "sky",
        field: "text",
        terms: [
          { value: "The sky is black", commit: HASH, author: { id: "bob" } },
          { value: "The sky is grey" },
        ],
      },
    ]);
    expect((await pal("resolve", "sky", "text", "--take", "1", "--dry-run")).out).toMatch(
      /would be resolved/,
    );
    expect((await pal("resolve", "sky", "text", "--take", "1")).out).toMatch(
      /^✓ resolved {2}sky {2}\(shared, version 4/,
    );
    expect((await pal("get", "sky", "--json")).json.text).toBe("The sky is black");
    expect(await pal("conflicts")).toMatchObject({ code: 0, out: "", err: "nothing is contested\n" });
    expect((await pal("conflicts", "--at", "work", "--json")).json).toEqual([]);
    const settled = await pal("resolve", "sky", "text", "--take", "1", "--json");
    expect([settled.code, settled.json.error.code]).toEqual([1, "NOT_FOUND"]);
    expect((await pal("branches", "--json")).json[1].status).toBe("merged");
  });

  it("C64 merge as JSON, into another branch, by moving on, and when there is nothing to do", async () => {
    await fork();
    const { code, json } = await pal("merge", "work", "--into", "main", "--message", "Two minds", "--json");
    expect(code).toBe(1);
    expect(json).toMatchObject({
      commit: HASH,
      kind: "merged",
      added: 1,
      modified: 1,
      removed: 0,
      conflicts: [
        { id: "sky", field: "text", terms: [{ value: "The sky is black" }, { value: "The sky is grey" }] },
      ],
    });
    expect((await pal("log", "--oneline", "-n", "1")).out).toContain("Two minds");
    expect(await pal("merge", "work")).toMatchObject({
      code: 0,
      out: "= main has everything of work already\n",
    });
    const forward = await pal("merge", "main", "--into", "work");
    expect(forward.code).toBe(1);
    expect(forward.out).toMatch(/^✓ work moved on to main: 1 changed \(commit [0-9a-f]{12}\)\n! sky/);
    await pal("remember", "More", "--id", "more");
    expect((await pal("merge", "main", "--into", "work", "--no-ff", "--json")).json.kind).toBe("merged");
    expect((await pal("merge", "main", "--json")).json.error.code).toBe("INVALID_NAME");
  });

  it("C65 resolve takes texts as they are, other fields and attributes as JSON, and deletions by number", async () => {
    await pal(
      "remember",
      "Ann's desk",
      "--id",
      "desk",
      "--type",
      "note",
      "--attr",
      "floor=1",
      "--category",
      "old",
    );
    await pal("remember", "A lamp", "--id", "lamp", "--type", "note");
    await pal("create-branch", "work");
    await pal("update", "desk", "--attr", "floor=2", "--category", "[work]", "--branch", "work");
    await pal("forget", "lamp", "--branch", "work");
    await pal("update", "desk", "--attr", "floor=3", "--category", "home");
    await pal("update", "lamp", "A bright lamp");
    const { out } = await pal("merge", "work");
    expect(out).toMatch(
      /! lamp {2}forgotten on one side.*\n {4}1 .*\(forgotten\)\n {4}2 .*"A bright lamp"\n/,
    );
    expect((await pal("resolve", "desk", "attributes.floor", "--value", '["4",5]')).code).toBe(0);
    expect((await pal("resolve", "desk", "category", "--value", "[both]")).code).toBe(0);
    expect((await pal("get", "desk", "--json")).json).toMatchObject({
      attributes: { floor: ["4", 5] },
      category: "[both]",
    });
    expect((await pal("conflicts")).out).toMatch(
      /! lamp .*\n.*\n {4}2 .*"A bright lamp"\n {2}pal resolve lamp '\*' --take 1\n/,
    );
    expect((await pal("resolve", "lamp", "*", "--take", "1", "--json")).json).toMatchObject({
      verdict: "accepted",
    });
    expect((await pal("get", "lamp")).code).toBe(1);
    for (const args of [[], ["--take", "1", "--value", "x"], ["--take", "0"]])
      expect((await pal("resolve", "desk", "text", ...args)).code, args.join(" ")).toBe(2);
    const noJson = await pal("resolve", "desk", "tags", "--value", "a, b");
    expect(noJson.err).toMatch(/tags is not JSON\.\n.*'\["a","b"\]'/);
  });

  it("C66 cherry-pick and revert bring or take back one commit; a merge needs --mainline", async () => {
    await fork();
    const [snow] = (await pal("log", "--branch", "work", "--json")).json;
    const picked = await pal("cherry-pick", snow.commit.slice(0, 10));
    expect(picked.code).toBe(0);
    expect(picked.out).toMatch(/^✓ picked [0-9a-f]{10}: 1 added \(commit [0-9a-f]{12}\)\n$/);
    expect((await pal("log", "--oneline", "-n", "1")).out).toContain(`Pick ${snow.commit.slice(0, 12)}`);
    const taken = await pal("revert", "main", "--json");
    expect(taken).toMatchObject({ code: 0 });
    expect(taken.json).toMatchObject({ commit: HASH, added: 0, modified: 0, removed: 1, conflicts: [] });
    const { json: merged } = await pal("merge", "work", "--json");
    const which = await pal("revert", merged.commit);
    expect(which.code).toBe(2);
    expect(which.err).toMatch(/is a merge of 2 lines\.\n.*--mainline 1/);
    expect((await pal("revert", merged.commit, "--mainline", "1", "--message", "Not yet")).out).toMatch(
      /^✓ reverted /,
    );
    expect((await pal("log", "--oneline", "-n", "1")).out).toContain("Not yet");
    const collides = await pal(
      "cherry-pick",
      (await pal("log", "--branch", "work", "--json")).json[1].commit,
    );
    expect(collides.code).toBe(1);
    expect(collides.out).toMatch(/! sky {2}text\n/);
  });
});

describe("looking back", () => {
  it("C67 diff: - + ~, fields, and the changed words, struck and coloured or in brackets", async () => {
    await pal("remember", "The quick brown fox", "--id", "fox");
    await pal("remember", "Gone soon", "--id", "gone");
    await pal("tag", "before");
    await pal("update", "fox", "The slow brown fox", "--tag", "t");
    await pal("forget", "gone");
    await pal("remember", "New here", "--id", "new");
    const { code, out, err } = await pal("diff", "before");
    expect({ code, err }).toEqual({ code: 0, err: "1 came, 1 went, 1 changed\n" });
    expect(out).toBe(
      '- gone  Gone soon\n+ new   New here\n~ fox\n    text  The [-quick-]{+slow+} brown fox\n    tags  {+["t"]+}\n',
    );
    const coloured = await shell.with({ columns: 80, env: { PAL_AGENT: "ann" } })("diff", "before");
    expect(coloured.out).toContain("\u001b[9mquick\u001b[29m");
    expect(coloured.out).toContain("\u001b[32mslow\u001b[39m");
    const { json } = await pal("diff", "main", "before", "--json");
    expect(json).toMatchObject({
      added: [{ id: "gone", text: "Gone soon" }],
      removed: [{ id: "new" }],
      changed: [
        {
          id: "fox",
          fields: [
            { field: "text", from: "The slow brown fox", to: "The quick brown fox" },
            { field: "tags" },
          ],
        },
      ],
    });
    expect(await pal("diff", "before", "before")).toMatchObject({ code: 0, out: "" });
    expect((await pal("diff", "nothing-there", "--json")).json.error.code).toBe("NOT_FOUND");
  });

  it("C67 long stretches that stayed the same are shortened", async () => {
    const words = Array.from({ length: 60 }, (_, at) => `word${at}`);
    await pal("remember", words.join(" "), "--id", "long");
    await pal("tag", "before");
    await pal("update", "long", words.with(30, "CHANGED").join(" "));
    const { out } = await pal("diff", "before");
    expect(out).toMatch(/^~ long\n {4}text {2}….{40}\[-word30-\]\{\+CHANGED\+\}.{40}…\n$/);
  });

  it("C68 blame names commit, time, author of each field, through merges", async () => {
    await fork();
    await pal("update", "sky", "--category", "weather", "--branch", "work", "--agent", "bob");
    await pal("merge", "work");
    const { out } = await pal("blame", "sky");
    expect(out).toMatch(/^[0-9a-f]{12} {2}\d{4}-.* UTC {2}bob \(agent\) {2}category +weather$/m);
    expect(out).toMatch(/ann \(agent\) {2}text ! +The sky is grey$/m);
    const { json } = await pal("blame", "sky", "--json");
    expect(json).toContainEqual({
      field: "category",
      value: "weather",
      commit: HASH,
      time: expect.any(String),
      author: { kind: "agent", id: "bob" },
    });
    expect((await pal("blame", "sky", "--at", "work", "--json")).json).toContainEqual(
      expect.objectContaining({ field: "text", value: "The sky is black" }),
    );
    expect((await pal("blame", "nothing-here")).code).toBe(1);
  });

  it("C69 log --graph draws all branches with lanes and names; --branch and --at narrow it; JSON is the list", async () => {
    await fork();
    await pal("tag", "grey");
    await pal("merge", "work");
    const picture = (text: string) => text.split("\n").map((row) => row.replace(/ ?[0-9a-f]{12}.*/, ""));
    const { out } = await pal("log", "--graph", "--oneline");
    expect(picture(out)).toEqual(["◆─╮", "● │", "│ ●", "│ ●", "●─╯", "●  ", ""]);
    expect(out).toMatch(
      /^◆─╮ [0-9a-f]{12} \(→ main\) (?:just now|\d+ s ago), ann \(agent\) {2}Merge work into main/,
    );
    expect(out).toMatch(/^● │ [0-9a-f]{12} \(tag grey\) .*~ The sky is grey$/m);
    expect(out).toMatch(/^│ ● [0-9a-f]{12} \(work\) .*bob \(agent\) {2}\+ Snow is white$/m);
    const long = (await pal("log", "--graph", "--events")).out;
    expect(long).toMatch(/^│ │ (?:just now|\d+ s ago) · ann \(agent\) · 2 changes\n│ │ {3}[~+] /m);
    expect((await pal("log", "--graph", "--oneline", "--branch", "work")).out.split("\n")).toHaveLength(5);
    expect((await pal("log", "--graph", "--oneline", "--at", "grey")).out).toMatch(
      /^● [0-9a-f]{12} \(tag grey\)/,
    );
    const few = await pal("log", "--graph", "-n", "2");
    expect(few.err).toBe("the last 2 commits; -n shows more\n");
    const { json } = await pal("log", "--graph", "--json");
    expect(json).toHaveLength(6);
    expect(json[0]).toMatchObject({
      commit: HASH,
      parents: [HASH, HASH],
      branch: "main",
      branches: ["main"],
      links: [HASH, HASH],
    });
    const coloured = (await shell.with({ columns: 60, env: { PAL_AGENT: "ann" } })("log", "--graph")).out;
    expect(coloured).toContain("\u001b[36m◆\u001b[39m\u001b[32m─╮\u001b[39m");
  });

  it("C70 graph: Mermaid that Mermaid reads, and a timeline", async () => {
    await fork();
    await pal("create-branch", "branch");
    await pal("remember", "On a branch called branch", "--branch", "branch");
    await pal("merge", "work");
    await pal("tag", "v1");
    const { out, code } = await pal("graph");
    expect(code).toBe(0);
    expect(out).not.toMatch(/branch main|message:/);
    expect(out).toMatch(/^gitGraph\n {2}commit id: "[0-9a-f]{7} The sky is blue"\n/);
    for (const part of [
      /\n {2}branch work\n/,
      /\n {2}checkout main\n/,
      /\n {2}branch "branch"\n/,
      /\n {2}merge work id: "[0-9a-f]{7} Merge work into main.*" tag: "v1"\n/,
    ])
      expect(out).toMatch(part);
    expect((await parse("gitGraph", out)).statements.length).toBeGreaterThan(6);
    const { json } = await pal("graph", "--format", "mermaid", "--json");
    expect(json).toMatchObject({ format: "mermaid", text: out, commits: expect.any(Array) });
    const drawn = await pal("graph", "--format", "timeline");
    expect(drawn.out).toMatch(
      /^\d{4}-.* UTC to \d{4}-.* UTC\nmain +[●◆2-9].*[◆2-9] +4 commits\n(?:branch|work) .* 1 commit\n/,
    );
    expect(drawn.out).toMatch(/\n +╵\d\d:\d\d:\d\d .*\n$/);
    expect((await pal("graph", "--format", "timeline", "--json")).json.text).toBe(drawn.out);
    expect((await pal("graph", "--format", "svg")).code).toBe(2);
    expect((await pal("graph", "-n", "1")).out.split("\n")).toHaveLength(3);
  });
});

describe("the way back", () => {
  it("C257 long and many names leave every row whole: pictures and branches fit the terminal", async () => {
    await pal("remember", "北京の天気は晴れです".repeat(8), "--id", "wide");
    const long = "an-experiment-with-a-name-that-is-far-longer-than-anybody-reads";
    for (const name of [long, "one", "two", "three", "four", "five", "six", "seven"])
      await pal("create-branch", name, "--purpose", "to see what it does ".repeat(5).trim());
    await pal("remember", "Tried it", "--id", "tried", "--branch", long);
    const narrow = shell.with({ columns: 80, env: { PAL_AGENT: "ann", NO_COLOR: "1" } });
    for (const words of [
      ["log", "--graph"],
      ["log", "--graph", "--oneline"],
      ["graph", "--format", "timeline"],
      ["branches"],
    ]) {
      const { out } = await narrow(...words);
      const rows = out.trimEnd().split("\n");
      for (const row of rows) expect(widthOf(row), row).toBeLessThanOrEqual(80);
      if (words[0] === "log") expect(rows.every((row) => /^[●│◆├╰ ]/.test(row))).toBe(true);
    }
    expect((await narrow("log", "--graph")).out).toMatch(/\(→ main, .*, \+\d\)/);
  });

  it("C71 snapshot and snapshots: 0 is the newest, labels stay; each is a point for --at and diff", async () => {
    await pal("remember", "A", "--id", "text");
    const made = await pal("snapshot", "keep");
    expect(made.out).toMatch(/^✓ snapshot keep of [0-9a-f]{12}\n$/);
    expect(made.err).toContain("`pal rollback keep`");
    await pal("update", "text", "B");
    const { json } = await pal("snapshot", "--json");
    expect(json).toEqual({ snapshot: expect.stringMatching(/^snap-/), commit: HASH });
    const { out, err } = await pal("snapshots");
    expect(err).toBe("2 snapshots\n");
    expect(out).toMatch(/^ 0 {2}[0-9a-f]{8} {2}[0-9a-f]{12} {2}.* {2}ann\n 1 {2}keep {6}[0-9a-f]{12} {2}/);
    expect((await pal("snapshots", "--json")).json).toMatchObject([
      { index: 0, snapshot: json.snapshot },
      { index: 1, label: "keep" },
    ]);
    await pal("update", "text", "C");
    expect((await pal("get", "text", "--at", "keep", "--json")).json.text).toBe("A");
    expect((await pal("get", "text", "--at", json.snapshot.slice(-8), "--json")).json.text).toBe("B");
    expect((await pal("diff", "keep", json.snapshot, "--json")).json.changed).toHaveLength(1);
    expect((await pal("get", "text", "--at", "keep", "--json", "--agent", "bob")).json.text).toBe("A");
    expect(
      (await pal("get", "text", "--at", json.snapshot.slice(-12), "--json", "--agent", "bob")).code,
    ).toBe(1);
  });

  it("C72 rollback goes back in one commit; undo is the way forward; what is not there changes nothing", async () => {
    await pal("remember", "A", "--id", "text");
    await pal("snapshot");
    await pal("update", "text", "B");
    await pal("remember", "Later", "--id", "later");
    const done = await pal("rollback");
    expect(done.code).toBe(0);
    expect(done.out).toMatch(/^✓ rolled back to snapshot 0: 1 changed, 1 removed \(commit [0-9a-f]{12}\)\n$/);
    expect(done.err).toContain("`pal undo`");
    expect((await pal("log", "--oneline", "-n", "1")).out).toMatch(/Roll back to [0-9a-f]{12} \(2 changes\)/);
    expect(await pal("rollback", "0")).toMatchObject({
      code: 0,
      out: "= nothing differs from snapshot 0; nothing was changed\n",
    });
    expect((await pal("undo")).code).toBe(0);
    expect((await pal("get", "text", "--json")).json.text).toBe("B");
    const { json } = await pal("rollback", "0", "--message", "Back", "--json");
    expect(json).toMatchObject({
      commit: HASH,
      added: 0,
      modified: 1,
      removed: 1,
      authors: [{ author: { id: "ann" } }],
    });
    for (const point of ["7", "snap-none", "nothing-there"]) {
      const lost = await pal("rollback", point, "--json");
      expect([point, lost.code, lost.json.error.code]).toEqual([point, 1, "NOT_FOUND"]);
    }
    expect((await pal("rollback", "7")).err).toMatch(/no snapshot 7; nothing was changed\.\n.*only one is 0/);
  });

  it("C72 it does not take back what others did unless told to: exit 1, and who they are", async () => {
    await pal("remember", "A", "--id", "text");
    await pal("snapshot", "keep");
    await pal("remember", "By Bob", "--id", "bobs", "--agent", "bob");
    const refused = await pal("rollback", "keep");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(
      /^✗ This would take back commits of bob \(1\).*\n {2}bob \(agent\) {2}1 commit {2}[0-9a-f]{12}\n {2}Say --all-authors/,
    );
    const asJson = await pal("rollback", "keep", "--json");
    expect([asJson.code, asJson.json]).toMatchObject([
      1,
      { refused: "other-authors", authors: [{ author: { id: "bob" } }] },
    ]);
    expect((await pal("rollback", "keep", "--all-authors")).out).toMatch(/^✓ rolled back to keep: 1 removed/);
  });

  it("C73 -v lets the store's log out on stderr: snapshots taken, rollbacks, what was not found", async () => {
    await pal("remember", "A", "--id", "text");
    expect((await pal("snapshot", "keep", "-v")).err).toMatch(/^· snapshot created: keep at [0-9a-f]{12}\n/);
    await pal("update", "text", "B");
    expect((await pal("rollback", "keep", "-v", "--json")).err).toBe("· rolled back to keep\n");
    expect((await pal("rollback", "9", "-v")).err).toMatch(/^· rollback: 9 not found\npal: /);
    expect((await pal("snapshot", "--json")).err).toBe("");
  });
});

describe("all of them", () => {
  it("C74 every command has help with an example that names it", async () => {
    for (const name of Object.keys(CATALOG)) {
      const { code, out } = await pal("help", name);
      expect(code, name).toBe(0);
      expect(out).toMatch(new RegExp(`\\nExamples:\\n {2}\\$ pal ${name}\\b`));
    }
    expect((await pal("help", "get")).out).toMatch(
      /--at <point> +read as of a commit, branch, tag, snapshot or\s+time/,
    );
  });

  it("C7 without a store: NO_STORE, and only making a branch makes one", async () => {
    for (const args of [
      ["branches"],
      ["checkout", "x"],
      ["rename-branch", "a", "b"],
      ["delete-branch", "a"],
      ["tag", "x"],
      ["tags"],
      ["merge", "x"],
      ["cherry-pick", "abcdef0"],
      ["revert", "abcdef0"],
      ["diff", "x"],
      ["blame", "abcdef"],
      ["conflicts"],
      ["resolve", "abcdef", "text", "--take", "1"],
      ["snapshot"],
      ["snapshots"],
      ["rollback"],
      ["log", "--graph"],
      ["graph"],
    ]) {
      const { code, json } = await pal(...args, "--json");
      expect([args[0], code, json.error?.code]).toEqual([args[0], 1, "NO_STORE"]);
    }
    expect((await pal("create-branch", "work", "--json")).code).toBe(0);
    expect((await pal("log", "--graph", "--json")).json).toEqual([]);
    expect((await pal("graph")).out).toBe("gitGraph\n");
    expect((await pal("graph", "--format", "timeline")).out).toBe("");
  });

  it("C16 whatever memories, purposes and labels hold, a terminal shows it and does not obey it", async () => {
    const evil = "\u202e\u200b\u{e0041}\u001b[31m";
    await pal("remember", `Evil ${evil} text`.replaceAll("\u001b", ""), "--id", "evil", "--type", "note");
    await pal("create-branch", "work", "--persona", `p${evil}`, "--purpose", `q${evil}`);
    await pal("snapshot", `l${evil}`);
    await pal("update", "evil", `Worse ${evil}`, "--branch", "work", "--message", `m${evil}`);
    await pal("update", "evil", `Other ${evil}`, "--attr", `k${evil}='x'`);
    for (const args of [
      ["branches"],
      ["merge", "work", "--message", `n${evil}`],
      ["conflicts"],
      ["snapshots"],
      ["diff", `l${evil}`],
      ["blame", "evil"],
      ["log", "--graph", "--events"],
      ["graph"],
      ["graph", "--format", "timeline"],
      ["rollback", `l${evil}`],
      ["checkout", `x${evil}`],
    ]) {
      const { out, err } = await pal(...args);
      expect(`${out}${err}`, args[0]).not.toMatch(/\p{Cf}|\p{Cc}(?<!\n)/u);
      expect(`${out}${err}`, args[0]).not.toBe("");
    }
  });
});
