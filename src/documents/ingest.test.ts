import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openStore, type Session } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";
import type { AstNode } from "./ast.js";

const SMALL = process.env.PAL_TORTURE !== "1";
const home = mkdtempSync(join(tmpdir(), "pal-ingest-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const open = async (): Promise<Session> =>
  (await openStore(memoryStorage())).session({ agent: "orion", trust: "operator" });

const headline = (title: string, rest: Partial<AstNode> & { id?: string } = {}): AstNode => {
  const { id, ...node } = rest;
  return {
    type: "HEADLINE",
    properties: { ...(id !== undefined && { ID: id }), TITLE: title },
    contents: [],
    ...node,
  };
};

let folders = 0;
function folder(files: Record<string, string>): string {
  const path = join(home, `notes-${folders++}`);
  for (const [name, text] of Object.entries(files)) write(path, name, text);
  return path;
}
function write(path: string, name: string, text: string): string {
  mkdirSync(dirname(join(path, name)), { recursive: true });
  writeFileSync(join(path, name), text);
  return join(path, name);
}

describe("D1 a syntax tree becomes memories", () => {
  it("D1 every node is one, in order, below its parent, in the scope that was named; the root's id comes back", async () => {
    const pal = await open();
    const root = await pal.ingestAst(
      headline("Root", {
        id: "root",
        "raw-content": "All of it.",
        contents: [
          { type: "PARAGRAPH", "raw-content": "A paragraph — über 記憶." },
          headline("B", { id: "b", contents: ["loose text", null] }),
          { type: "SECTION", contents: [{ type: "PROPERTY_DRAWER", properties: { FOO: "bar" } }] },
        ],
      }),
      { scope: "agent/orion" },
    );
    expect(root).toBe("root");
    const top = await pal.get("root", { scope: "agent/orion" });
    expect(top).toMatchObject({ type: "headline", text: "Root\nAll of it.", attributes: { TITLE: "Root" } });
    const children = await Promise.all((top?.children ?? []).map((id) => pal.get(id)));
    expect(children.map((child) => [child?.type, child?.text, child?.scope])).toEqual([
      ["paragraph", "A paragraph — über 記憶.", "agent/orion"],
      ["headline", "B\n", "agent/orion"],
      ["section", "", "agent/orion"],
    ]);
    expect(await pal.list()).toHaveLength(6);
  });

  it("U88 the documents' own call stores to memex: what everybody sees", async () => {
    const pal = await open();
    await pal.ingestAst(headline("Root", { id: "root" }), { scope: "memex" });
    expect(await pal.get("root")).toMatchObject({ scope: "shared" });
  });

  it("D2 ids that are not given follow from content and place, never from the clock, and never collide", async () => {
    const tree: AstNode = {
      type: "HEADLINE",
      properties: { TITLE: "Same" },
      contents: [headline("Same"), headline("Same", { contents: [headline("Same")] })],
    };
    const [one, two] = [await open(), await open()];
    expect(await one.ingestAst(tree)).toBe(await two.ingestAst(tree));
    const ids = async (pal: Session) => (await pal.list()).map(({ id }) => id).sort();
    expect(await ids(one)).toEqual(await ids(two));
    expect(await ids(one)).toHaveLength(4);
    for (const id of await ids(one))
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("D3 a tree that contains itself, or is none, is refused, and nothing is written", async () => {
    const pal = await open();
    const loop: { type: string; contents: unknown[] } = { type: "HEADLINE", contents: [] };
    loop.contents.push({ type: "SECTION", contents: [loop] });
    for (const bad of [
      loop,
      null,
      "text",
      [],
      {},
      { type: 1 },
      { type: "A", contents: {} },
      { type: "A", properties: [] },
    ])
      await expect(pal.ingestAst(bad as unknown as AstNode)).rejects.toMatchObject({ code: "INVALID_VALUE" });
    expect(await pal.list()).toEqual([]);
    const shared = headline("Twice");
    await pal.ingestAst({ type: "SECTION", contents: [shared, shared] });
    expect(await pal.list()).toHaveLength(3);
  });

  it("D4 trees may be deep and wide", async () => {
    const depth = SMALL ? 2_000 : 10_000;
    let deep = headline("bottom");
    for (let at = 0; at < depth; at++) deep = headline(`level ${at}`, { contents: [deep] });
    const pal = await open();
    await pal.ingestAst(deep);
    expect(await pal.list({ limit: 1 })).toHaveLength(1);
    const wide = await open();
    const width = SMALL ? 5_000 : 100_000;
    const root = await wide.ingestAst(
      headline("wide", { contents: Array.from({ length: width }, (_, at) => headline(`child ${at}`)) }),
    );
    const listed = await wide.list();
    expect(listed.find(({ id }) => id === root)?.children).toHaveLength(width);
  });

  it("D5 a tree hangs below the parent that is named, and stays where it was hung", async () => {
    const pal = await open();
    await pal.remember({ id: "room", type: "room", text: "A room" });
    const root = await pal.ingestAst(headline("In", { id: "in" }), { parent: "room" });
    await pal.ingestAst(headline("In, again", { id: "in" }));
    expect(await pal.get(root)).toMatchObject({ parent: "room", text: "In, again\n" });
    await expect(pal.ingestAst(headline("X", { id: "x" }), { parent: "nowhere" })).rejects.toMatchObject({
      code: "REFUSED",
    });
    await expect(pal.ingestAst(headline("In", { id: "in" }), { parent: "in" })).rejects.toMatchObject({
      code: "REFUSED",
    });
  });

  it("D6 a node that is refused takes the whole tree back", async () => {
    const pal = await open();
    await pal.ingestAst(headline("Old", { id: "r", contents: [headline("kept", { id: "k" })] }));
    const before = await pal.list();
    const bad = headline("New", {
      id: "r",
      contents: [headline("x"), { type: "NOTE", "raw-content": "y".repeat(70_000) }],
    });
    await expect(pal.ingestAst(bad)).rejects.toMatchObject({ code: "REFUSED", data: { code: "TOO_LONG" } });
    expect(await pal.list()).toEqual(before);
    await pal.remember({ id: "fact", text: "Not a document." });
    await expect(pal.ingestAst(headline("F", { id: "fact" }))).rejects.toMatchObject({ code: "INVALID_ID" });
  });

  it("D7 what is read from documents has the trust of something from outside, unless the session vouches for it", async () => {
    const pal = await open();
    await pal.ingestAst(headline("A", { id: "a" }));
    await pal.ingestAst(headline("B", { id: "b" }), { trusted: true });
    expect((await pal.get("a"))?.origin).toMatchObject({ source: "ingest", trust: "external" });
    expect((await pal.get("b"))?.origin).toMatchObject({ source: "document", trust: "operator" });
  });
});

describe("D8 the Merkle hash of a tree", () => {
  it("D8 of a large tree is what it is computed from its parts, after every kind of change", async () => {
    let now = Date.parse("2026-03-01T12:00:00Z");
    const pal = (await openStore(memoryStorage(), { clock: () => now })).session({ agent: "orion" });
    const tree = (edit: (at: number) => string | undefined): AstNode =>
      headline("top", {
        id: "top",
        contents: Array.from({ length: 15 }, (_, a) =>
          headline(`part ${a}`, {
            id: `p${a}`,
            contents: Array.from({ length: 20 }, (_, b) => edit(a * 20 + b)).flatMap((title, b) =>
              title === undefined ? [] : [headline(title, { id: `p${a}n${b}` })],
            ),
          }),
        ),
      });
    const seen = new Set<string>();
    const plain = (at: number) => `leaf ${at}`;
    const edits = [
      plain,
      (at: number) => (at === 7 ? "edited" : plain(at)),
      (at: number) => (at === 7 ? undefined : plain(at)),
      (at: number) => (at === 299 ? "another" : plain(at)),
    ];
    for (const edit of edits) {
      await pal.ingestAst(tree(edit));
      const top = await pal.get("top");
      const slow = (await pal.list()).find(({ id }) => id === "top");
      expect(top).toEqual(slow);
      seen.add(top?.merkle as string);
    }
    expect(seen.size).toBe(edits.length);
    await pal.update("p3n3", { parent: "p4" });
    const moved = await pal.get("top");
    expect(moved).toEqual((await pal.list()).find(({ id }) => id === "top"));
    await pal.remember({ id: "brief", type: "note", text: "Soon gone", parent: "p4", ttl: 40 });
    const merkle = async () => (await pal.get("top", { scope: "shared" }))?.merkle;
    expect(await merkle()).not.toBe(moved?.merkle);
    now += 60;
    expect(await merkle()).toBe(moved?.merkle);
    const past = await pal.get("top", { at: "2026-03-01T12:00:00.001Z" });
    expect(past?.children).toHaveLength(15);
  });

  it("D9 says what changed below a node between two states", async () => {
    const pal = await open();
    await pal.ingestAst(headline("Other", { id: "other", contents: [headline("out", { id: "out" })] }));
    await pal.ingestAst(
      headline("R", {
        id: "r",
        contents: [
          headline("A", { id: "a" }),
          headline("B", { id: "b", contents: [headline("C", { id: "c" })] }),
        ],
      }),
    );
    const from = (await pal.log())[0]?.commit as string;
    await pal.ingestAst(headline("Other", { id: "other", contents: [headline("changed", { id: "out" })] }));
    await pal.ingestAst(
      headline("R", {
        id: "r",
        contents: [
          headline("B", { id: "b", contents: [headline("C2", { id: "c" }), headline("D", { id: "d" })] }),
        ],
      }),
    );
    expect(await pal.changesBelow("r", { from })).toEqual({ added: ["d"], modified: ["c"], removed: ["a"] });
    expect(await pal.changesBelow("other", { from })).toEqual({ added: [], modified: ["out"], removed: [] });
    expect(await pal.changesBelow("r", { from, to: from })).toEqual({ added: [], modified: [], removed: [] });
  });
});

const ORG = `#+TITLE: Notes
Intro.
* Shopping
Milk and eggs and bread for the weekend.
* Work
** TODO Write the quarterly report about sales in Europe
Numbers come from the finance team.
** Call Ann
* Ideas
Nothing yet.
`;

describe("D20 reading again", () => {
  it("D20 an unchanged file makes no event and no commit", async () => {
    const path = write(folder({}), "a.org", ORG);
    const pal = await open();
    const first = await pal.ingest(path);
    expect(first).toMatchObject({ added: 6, modified: 0, moved: 0, unchanged: 0, removed: 0, failed: [] });
    expect(first.files[0]?.commit).toMatch(/^[0-9a-f]{64}$/);
    const again = await pal.ingest(path);
    expect(again).toMatchObject({ added: 0, modified: 0, moved: 0, unchanged: 6, removed: 0 });
    expect(again.files[0]?.commit).toBe(first.files[0]?.commit);
    expect(await pal.log()).toHaveLength(1);
  });

  it("D21 only what changed becomes a new version", async () => {
    const path = write(folder({}), "a.org", ORG);
    const pal = await open();
    await pal.ingest(path);
    const before = await pal.list();
    write(dirname(path), "a.org", ORG.replace("TODO Write", "DONE Write").replace("Nothing yet.", "A boat."));
    expect(await pal.ingest(path)).toMatchObject({
      added: 0,
      modified: 2,
      moved: 0,
      unchanged: 4,
      removed: 0,
    });
    const after = await pal.list();
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
    expect(await pal.list({ attributes: { TODO: "DONE" } })).toHaveLength(1);
    expect(after.filter(({ version }) => version === 2)).toHaveLength(2);
  });

  it("D22 a node without an id keeps the one it had: equal content elsewhere, else the most similar from 0.8 on", async () => {
    const path = write(folder({}), "a.org", ORG);
    const pal = await open();
    await pal.ingest(path);
    const idOf = async (word: string) => (await pal.list()).find(({ text }) => text.includes(word))?.id;
    const [milk, report, ann] = [await idOf("Milk"), await idOf("quarterly"), await idOf("Ann")];
    write(
      dirname(path),
      "a.org",
      "#+TITLE: Notes\nIntro.\n* Call Ann\n* Work\n** TODO Write the quarterly report about sales in Asia\nNumbers come from the finance team.\n* Ideas\nNothing yet.\n** Shopping\nMilk and eggs and bread for the weekend.\n",
    );
    expect(await pal.ingest(path)).toMatchObject({
      added: 0,
      modified: 1,
      moved: 2,
      unchanged: 3,
      removed: 0,
    });
    expect([await idOf("Milk"), await idOf("quarterly"), await idOf("Ann")]).toEqual([milk, report, ann]);
  });

  it("D23 what is gone is forgotten and still in history; something else in its place is new", async () => {
    const path = write(folder({}), "a.org", ORG);
    const pal = await open();
    await pal.ingest(path);
    const shopping = (await pal.list()).find(({ text }) => text.startsWith("Shopping"))?.id as string;
    write(
      dirname(path),
      "a.org",
      ORG.replace("* Shopping\nMilk and eggs and bread for the weekend.\n", "* Garden\nRoses.\n"),
    );
    expect(await pal.ingest(path)).toMatchObject({ added: 1, modified: 0, unchanged: 5, removed: 1 });
    expect(await pal.get(shopping)).toBeUndefined();
    expect((await pal.history(shopping)).map(({ op }) => op)).toEqual(["add", "forget"]);
  });

  it("D24 what others hung into the tree stays, and their edits stand until the file says something new", async () => {
    const path = write(folder({}), "a.org", ORG);
    const pal = await open();
    await pal.ingest(path, { trusted: true });
    const work = (await pal.list()).find(({ text }) => text.startsWith("Work"))?.id as string;
    const ideas = (await pal.list()).find(({ text }) => text.startsWith("Ideas"))?.id as string;
    await pal.remember({ id: "mine", type: "note", text: "My own note", parent: ideas });
    await pal.update(work, { text: "Work\nEdited in memory.\n" });
    expect(await pal.ingest(path, { trusted: true })).toMatchObject({
      modified: 0,
      unchanged: 6,
      removed: 0,
    });
    expect((await pal.get(work))?.text).toBe("Work\nEdited in memory.\n");
    write(
      dirname(path),
      "a.org",
      ORG.replace("* Ideas\nNothing yet.\n", "").replace("* Work\n", "* Work\nFrom the file.\n"),
    );
    expect(await pal.ingest(path, { trusted: true })).toMatchObject({ modified: 1, removed: 1 });
    expect((await pal.get(work))?.text).toBe("Work\nFrom the file.\n");
    expect((await pal.get("mine"))?.parent).toBe((await pal.list({ type: "document" }))[0]?.id);
  });

  it("D25 the order of siblings follows the file and moves as few as possible", async () => {
    const names = ["one", "two", "three", "four", "five", "six"];
    const fileOf = (list: readonly string[]) => list.map((name) => `* ${name}\n`).join("");
    const path = write(folder({}), "a.org", fileOf(names));
    const pal = await open();
    await pal.ingest(path);
    for (const order of [
      ["six", "one", "two", "three", "four", "five"],
      ["six", "two", "one", "three", "five", "four"],
      ["new", "six", "two", "one", "three", "five", "four"],
    ]) {
      write(dirname(path), "a.org", fileOf(order));
      const report = await pal.ingest(path);
      expect(report.moved).toBeLessThanOrEqual(2);
      const root = (await pal.list({ type: "document" }))[0];
      const shown = await Promise.all(
        (root?.children ?? []).map(async (id) => (await pal.get(id))?.attributes.TITLE),
      );
      expect(shown).toEqual(order);
    }
  });
});

describe("D30 folders", () => {
  it("D30 a folder is walked in order, without what is hidden or ignored; one commit per file", async () => {
    const path = folder({
      "a.org": "* A\n",
      "sub/b.md": "# B\n",
      "sub/c.txt": "no document",
      ".hidden/d.org": "* D\n",
      "build/e.org": "* E\n",
      "sub/keep.log.md": "# Keep\n",
      "sub/x.log.md": "# X\n",
      ".gitignore": "build/\n*.log.md\n!keep.log.md\n",
    });
    const pal = await open();
    const seen: string[] = [];
    const report = await pal.ingest(path, { onProgress: (done, total) => seen.push(`${done}/${total}`) });
    expect(report.files.map((file) => file.path.slice(path.length + 1))).toEqual([
      "a.org",
      "sub/b.md",
      "sub/keep.log.md",
    ]);
    expect(new Set(report.files.map(({ commit }) => commit)).size).toBe(3);
    expect(seen).toEqual(["1/3", "2/3", "3/3"]);
  });

  it("D31 a file that cannot be read is named and does not stop the others", async () => {
    const path = folder({ "a.org": "* A\n", "c.org": "* C\n" });
    writeFileSync(join(path, "b.org"), Buffer.from([0x2a, 0x20, 0xff, 0xfe]));
    const report = await (await open()).ingest(path);
    expect(report.files).toHaveLength(2);
    expect(report.failed).toMatchObject([{ code: "INVALID_TEXT" }]);
    await expect((await open()).ingest(join(path, "none.org"))).rejects.toMatchObject({
      code: "INVALID_FILE",
    });
  });

  it("D32 files that are gone are forgotten, headlines that moved to another file keep their id and history", async () => {
    const moving = "* Moving\n:PROPERTIES:\n:ID: mover\n:END:\n";
    const path = folder({ "a.org": `* A\n${moving}`, "b.org": "* B\n", "c.org": "* C\n** D\n" });
    const pal = await open();
    await pal.ingest(path);
    write(path, "a.org", "* A\n");
    write(path, "b.org", `* B\n${moving.replace("*", "**")}`);
    rmSync(join(path, "c.org"));
    expect(await pal.ingest(path)).toMatchObject({ removed: 3 });
    expect((await pal.history("mover")).map(({ op }) => op)).not.toContain("forget");
    const b = (await pal.list()).find(({ attributes }) => attributes.TITLE === "B");
    expect((await pal.get("mover"))?.parent).toBe(b?.id);
    expect((await pal.list({ type: "document" })).map(({ attributes }) => attributes.TITLE)).toEqual([
      "a.org",
      "b.org",
    ]);
  });
});

describe("D40 missing ids", () => {
  it("D40 ids are written into the file, nothing else changes, and the nodes keep theirs", async () => {
    const text =
      "#+TITLE: T\r\n* One\r\nSCHEDULED: <2026-01-01>\r\n  body\r\n* Two\r\n  :PROPERTIES:\r\n  :FOO: 1\r\n  :END:\r\n* Three\r\n:PROPERTIES:\r\n:ID: three\r\n:END:\r\n** Last";
    const path = write(folder({}), "a.org", text);
    const pal = await open();
    await pal.ingest(path);
    const before = (await pal.list({ type: "headline" })).map(({ id }) => id).sort();
    await pal.ingest(path, { writeIds: true });
    const after = readFileSync(path, "utf8");
    expect((await pal.list({ type: "headline" })).map(({ id }) => id).sort()).toEqual(before);
    expect(after.match(/:ID: /g)).toHaveLength(4);
    expect(
      after
        .replace(/:PROPERTIES:\r\n:ID: [-0-9a-f]{36}\r\n:END:\r\n/g, "")
        .replace(/ {2}:ID: [-0-9a-f]{36}\r\n/, "")
        .replace(/\r\n$/, ""),
    ).toBe(text);
    expect(await pal.ingest(path, { writeIds: true })).toMatchObject({ unchanged: 5, modified: 0 });
    expect(readFileSync(path, "utf8")).toBe(after);
    expect(readdirSync(dirname(path))).toEqual(["a.org"]);
  });
});

describe("D50 links between notes", () => {
  it("D50 are listed both ways: by id, file, heading, anchor and name", async () => {
    const path = folder({
      "index.org":
        "* Start\n[[id:goal]] [[file:sub/plan.md]] [[file:sub/plan.md::Next steps]] [[*End][the end]] [[https://example.org][out]] [[nowhere]]\n* End\n",
      "sub/plan.md": "# Plan\n[back](../index.org) [steps](#next-steps) [[Index]]\n\n## Next steps\n",
      "goals.org": "* Goal\n:PROPERTIES:\n:ID: goal\n:END:\n",
    });
    const pal = await open();
    await pal.ingest(path);
    const all = await pal.list();
    const idOf = (title: string) => all.find(({ attributes }) => attributes.TITLE === title)?.id as string;
    expect((await pal.links(idOf("Start"))).outgoing).toEqual([
      { target: "id:goal", id: "goal" },
      { target: "file:sub/plan.md", id: idOf("plan.md") },
      { target: "file:sub/plan.md::Next steps", id: idOf("Next steps") },
      { target: "*End", id: idOf("End") },
      { target: "nowhere" },
    ]);
    expect((await pal.links(idOf("Plan"))).outgoing.map(({ id }) => id)).toEqual([
      idOf("index.org"),
      idOf("Next steps"),
      idOf("index.org"),
    ]);
    expect((await pal.links("goal")).incoming).toEqual([{ id: idOf("Start"), target: "id:goal" }]);
    expect((await pal.links(idOf("Next steps"))).incoming.map(({ id }) => id).sort()).toEqual(
      [idOf("Plan"), idOf("Start")].sort(),
    );
    await expect(pal.links("nobody-here")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("D51 a headline that had no title gets it behind its keyword and before its tags", async () => {
    const path = folder({ "a.org": "* \n* TODO\n:PROPERTIES:\n:ID: todo\n:END:\n* :tag:\nbody\n" });
    const pal = await open();
    const { files } = await pal.ingest(path);
    const root = files[0]?.root as string;
    const [first, second, third] = (await pal.get(root))?.children ?? [];
    await pal.update(first as string, "One\n");
    await pal.update(second as string, "Two\n");
    await pal.update(third as string, "Three\nbody\n");
    expect(await pal.source(root)).toBe(
      "* One\n* TODO Two\n:PROPERTIES:\n:ID: todo\n:END:\n* Three :tag:\nbody\n",
    );
  });

  it("D51 a stored document gives back its file, with what was edited or hung into it since", async () => {
    const text = "#+TITLE: T\n* TODO One :x:\nbody\n* Two\n";
    const path = write(folder({}), "a.org", text);
    const pal = await open();
    const { files } = await pal.ingest(path);
    const root = files[0]?.root as string;
    expect(await pal.source(root)).toBe(text);
    const one = (await pal.list({ attributes: { TITLE: "One" } }))[0]?.id as string;
    await pal.update(one, "Uno\nbody\n");
    await pal.remember({ type: "note", text: "Added\nin memory", parent: one });
    expect(await pal.source(root)).toBe("#+TITLE: T\n* TODO Uno :x:\nbody\n** Added\nin memory\n* Two\n");
  });
});
