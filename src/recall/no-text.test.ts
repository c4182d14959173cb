import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { AstNode } from "../documents/ast.js";
import { Letters } from "../search/embed/_letters.js";
import { type Memory, openStore, type Session, type Store } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

const home = mkdtempSync(join(tmpdir(), "pal-no-text-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const made = (): Promise<Store> => openStore(memoryStorage());
const open = async (): Promise<Session> => (await made()).session({ agent: "orion", trust: "operator" });

/** A memory and everything below it, in order. */
async function below(pal: Session, id: string): Promise<Memory[]> {
  const memory = (await pal.get(id)) as Memory;
  const children: Memory[] = [];
  for (const child of memory.children) children.push(...(await below(pal, child)));
  return [memory, ...children];
}

async function joined(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

const DRAWER: AstNode = { type: "PROPERTY_DRAWER", properties: { CREATED: "2026" } };

describe("D14 what a node does not say stays unsaid", () => {
  it("D14 without content it has no text, with blanks it has these, and null among the contents is nothing", async () => {
    const pal = await open();
    await pal.ingestAst({
      type: "HEADLINE",
      properties: { ID: "top", TITLE: null },
      contents: [
        { type: "PARAGRAPH" },
        { type: "PARAGRAPH", "raw-content": null },
        { type: "PARAGRAPH", "raw-content": "" },
        { type: "PARAGRAPH", "raw-content": " \n\t" },
        null,
        undefined,
        "",
        " ",
        { type: "HEADLINE", properties: { TITLE: "" } },
        { type: "HEADLINE", properties: { TITLE: "Titled" } },
        DRAWER,
      ],
    });
    const [top, ...nodes] = await below(pal, "top");
    expect(top).toMatchObject({ type: "headline", text: "", attributes: { ID: "top" } });
    expect(nodes.map(({ type, text }) => [type, text])).toEqual([
      ["paragraph", ""],
      ["paragraph", ""],
      ["paragraph", ""],
      ["paragraph", " \n\t"],
      ["text", " "],
      ["headline", "\n"],
      ["headline", "Titled\n"],
      ["property_drawer", ""],
    ]);
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
    expect(await pal.list({ type: "paragraph" })).toHaveLength(4);
  });

  it("D14 read again it changes nothing; a text that comes or goes is a change, up to the root", async () => {
    const store = await made();
    const pal = store.session({ agent: "orion" });
    const tree = (said?: string): AstNode => ({
      type: "HEADLINE",
      properties: { ID: "top", TITLE: "Top" },
      contents: [{ type: "SECTION", contents: [{ type: "PARAGRAPH", "raw-content": said ?? null }, DRAWER] }],
    });
    await pal.ingestAst(tree());
    const log = await pal.log();
    const before = await below(pal, "top");
    await pal.ingestAst(tree());
    await pal.ingestAst(tree(""));
    expect(await pal.log()).toEqual(log);
    await pal.ingestAst(tree("   "));
    const blank = await below(pal, "top");
    expect(blank.map(({ text }) => text)).toEqual(["Top\n", "", "   ", ""]);
    expect(blank[0]?.merkle).not.toBe(before[0]?.merkle);
    await pal.ingestAst(tree());
    const after = await below(pal, "top");
    expect(after[0]?.merkle).toBe(before[0]?.merkle);
    expect((await store.verify()).problems).toEqual([]);
  });

  it("D15 nodes without text are told apart by their attributes, so that the right one goes", async () => {
    const pal = await open();
    const drawers = (...years: string[]): AstNode => ({
      type: "HEADLINE",
      properties: { ID: "top", TITLE: "Top" },
      contents: years.map((CREATED) => ({ type: "PROPERTY_DRAWER", properties: { CREATED } })),
    });
    await pal.ingestAst(drawers("2024", "2025", "2026"));
    const [, , second, third] = await below(pal, "top");
    await pal.ingestAst(drawers("2025", "2026"));
    const left = (await below(pal, "top")).slice(1);
    expect(left.map(({ id, version }) => [id, version])).toEqual([
      [second?.id, 1],
      [third?.id, 1],
    ]);
  });

  it("D16 two trees whose roots say nothing are two, and the same tree is one", async () => {
    const pal = await open();
    const paragraph = (text: string): AstNode => ({ type: "PARAGRAPH", "raw-content": text });
    const page = (text: string): AstNode => ({ type: "ORG-DATA", contents: [paragraph(text)] });
    const one = await pal.ingestAst(page("one"));
    const two = await pal.ingestAst(page("two"));
    expect(two).not.toBe(one);
    expect(await pal.ingestAst(page("one"))).toBe(one);
    expect((await pal.list({ type: "paragraph" })).map(({ text }) => text).sort()).toEqual(["one", "two"]);
    // What it says of itself is what it is known by, whatever becomes of the rest.
    const named = (text: string): AstNode => ({ ...page(text), properties: { path: "a.org" } });
    expect(await pal.ingestAst(named("three"))).toBe(await pal.ingestAst(named("four")));
    expect((await pal.list({ type: "paragraph" })).map(({ text }) => text)).not.toContain("three");
  });

  it("D3 a key that no node has, or a property that no memory can hold, is refused instead of being lost", async () => {
    const pal = await open();
    for (const bad of [
      { type: "HEADLINE", attributes: { TITLE: "Root" } },
      { type: "HEADLINE", children: [] },
      { type: "HEADLINE", properties: JSON.parse('{"TITLE":"ok","__proto__":{"x":1}}') },
    ])
      await expect(pal.ingestAst(bad as AstNode)).rejects.toMatchObject({ code: "INVALID_VALUE" });
    expect(await pal.list()).toEqual([]);
  });

  it("D23 a node that moves to another tree leaves behind what that tree does not have", async () => {
    const pal = await open();
    const node = (id: string, ...contents: AstNode[]): AstNode => ({
      type: "HEADLINE",
      properties: { ID: id, TITLE: id },
      contents,
    });
    const loose: AstNode = { type: "PARAGRAPH", "raw-content": "It comes along." };
    await pal.ingestAst(node("r", node("a", node("x"), loose)));
    await pal.remember({ id: "hung", type: "note", text: "Hung here by somebody", parent: "a" });
    const kept = (await below(pal, "a")).find(({ type }) => type === "paragraph")?.id as string;
    await pal.ingestAst(node("e", node("a", loose)));
    expect((await below(pal, "e")).map(({ id }) => id).sort()).toEqual(["a", "e", "hung", kept].sort());
    expect(await pal.get("x")).toBeUndefined();
    expect((await pal.history("x")).map(({ op }) => op)).toEqual(["add", "forget"]);
    expect((await pal.get(kept))?.version).toBe(1);
  });

  it("D6 a malformed node is named, and nothing of its tree is written", async () => {
    const pal = await open();
    const bad: AstNode = { type: "HEADLINE", properties: { TITLE: "Top" }, contents: [{ type: "FACT" }] };
    await expect(pal.ingestAst(bad)).rejects.toMatchObject({
      code: "INVALID_TEXT",
      message: expect.stringMatching(/^The node ".+": The field "text" is empty or blank\.$/),
    });
    expect(await pal.list()).toEqual([]);
  });
});

describe("R16 only documents that are read may be without text", () => {
  it("A3 whoever tells a memory has to say something", async () => {
    const pal = await open();
    await pal.ingestAst({ type: "SECTION", properties: { ID: "empty" } });
    for (const text of ["", " \u200b\n"]) {
      await expect(pal.remember({ type: "note", text })).rejects.toMatchObject({ code: "INVALID_TEXT" });
      await expect(pal.remember({ id: "empty", type: "section", text })).rejects.toMatchObject({
        code: "INVALID_TEXT",
      });
      await expect(pal.update("empty", { text })).rejects.toMatchObject({ code: "INVALID_TEXT" });
    }
    expect(await pal.get("empty")).toMatchObject({ text: "", version: 1 });
  });

  it("R16 it is changed, moved, forgotten, brought back, proven and erased like any other", async () => {
    const store = await made();
    const pal = store.session({ agent: "orion", trust: "operator", scopes: ["shared", "agent/orion"] });
    await pal.ingestAst({ type: "SECTION", properties: { ID: "empty", TODO: "OPEN" } });
    expect(await pal.update("empty", { attributes: { TODO: "APPROVED" } })).toMatchObject({
      verdict: "updated",
      version: 2,
    });
    expect(await pal.list({ attributes: { TODO: "APPROVED" } })).toMatchObject([{ id: "empty", text: "" }]);
    await pal.forget("empty");
    expect(await pal.get("empty")).toBeUndefined();
    await pal.undo();
    expect(await pal.get("empty")).toMatchObject({ text: "" });
    expect(await pal.history("empty")).toHaveLength(4);
    await pal.move("empty", "agent/orion");
    expect(await pal.get("empty")).toMatchObject({ text: "", scope: "agent/orion" });
    expect((await pal.prove("empty")).memory).toContain('"text":"",');
    await pal.update("empty", "Now it says something");
    expect(await pal.get("empty")).toMatchObject({ text: "Now it says something" });
    await pal.erase("empty");
    expect(await pal.get("empty")).toBeUndefined();
    expect((await store.verify()).problems).toEqual([]);
  });

  it("CA12 to say nothing is not to say what was erased: the tree can be read again, the erased attributes cannot", async () => {
    const store = await made();
    const pal = store.session({ agent: "orion", trust: "operator", sessionId: "s1" });
    await pal.addScratch({ key: "table", value: `a${" ".repeat(60)}b` });
    const node = (name: string): AstNode => ({
      type: "SECTION",
      properties: { ID: "s", NAME: name },
      "raw-content": " ".repeat(50),
    });
    await pal.ingestAst(node("Jane Doe"));
    await pal.remember({ id: "other", type: "note", text: `Indented${" ".repeat(60)}by much` });
    expect(await pal.erase("s")).toMatchObject({ receipt: { clean: true, elsewhere: [] } });
    expect(await pal.scratch()).toMatchObject([{ key: "table" }]);
    await expect(pal.ingestAst(node("Jane Doe"))).rejects.toMatchObject({ data: { code: "ERASED" } });
    await pal.ingestAst(node("[gone]"));
    expect(await pal.get("s")).toMatchObject({ attributes: { NAME: "[gone]" } });
    expect((await store.verify()).problems).toEqual([]);
  });

  it("R16 no text against a text is a conflict like any other, and either can be taken", async () => {
    for (const wanted of ["", "said"]) {
      const store = await made();
      const main = store.session({ agent: "orion", trust: "operator" });
      const node = (said: string): AstNode => ({
        type: "SECTION",
        properties: { ID: "s" },
        "raw-content": said,
      });
      await main.ingestAst(node("begun"));
      await main.createBranch("other");
      const other = store.session({ agent: "orion", trust: "operator", branch: "other" });
      await main.ingestAst(node(""));
      await other.ingestAst(node("said"));
      await main.merge("other");
      const terms = (await main.get("s"))?.contested?.text?.terms ?? [];
      expect(terms.map(({ value }) => value)).toEqual(["", "said"]);
      const verdict = await main.resolve("s", "text", {
        take: 1 + terms.findIndex((t) => t.value === wanted),
      });
      expect(verdict.verdict).not.toBe("rejected");
      const settled = await main.get("s");
      expect(settled).toMatchObject({ text: wanted });
      expect(settled?.contested).toBeUndefined();
    }
  });
});

describe("R16 no other way in", () => {
  it("A4 what is edited while it is accepted passes the checks of any change", async () => {
    const store = await made();
    const pal = store.session({ agent: "anna", trust: "user" });
    const { id } = await pal.propose("facts", (tx) =>
      tx.remember({ id: "tea", text: "Prefers green tea from Japan" }),
    );
    for (const [edit, code] of [
      [{ text: "" }, "INVALID_TEXT"],
      [{ text: "a\u0001b" }, "INVALID_TEXT"],
      [{ confidence: 7 }, "INVALID_FIELD"],
      [{ sensitivity: "zzz" }, "INVALID_FIELD"],
      [{ nope: 1 }, "INVALID_FIELD"],
    ] as const)
      await expect(pal.acceptReview(id as string, { edit: { tea: edit as object } })).rejects.toMatchObject({
        code,
      });
    const other = await pal.acceptReview(id as string, { edit: { tea: { type: "note" } } });
    expect(other).toMatchObject({ accepted: false, verdicts: [{ code: "LANE_FIXED" }] });
    expect(await pal.get("tea")).toBeUndefined();
    const done = await pal.acceptReview(id as string, {
      edit: { tea: { text: "Prefers black tea from Assam" } },
    });
    expect(done).toMatchObject({ accepted: true });
    expect((await store.verify()).ok).toBe(true);
  });

  it("A3 a place is called by something that can be seen, and described so or not at all", async () => {
    const pal = await open();
    await expect(pal.createPlace("\u200b")).rejects.toMatchObject({ code: "INVALID_NAME" });
    await pal.createPlace("hall", { description: " \u2800" });
    await pal.describePlace("hall", "\u200b");
    expect(await pal.rooms()).toMatchObject([{ name: "hall", description: "" }]);
    await expect(pal.describePlace("hall", 5 as never)).rejects.toMatchObject({ code: "INVALID_TEXT" });
    await expect(pal.renamePlace("hall", "\u200b")).rejects.toMatchObject({ code: "INVALID_NAME" });
  });

  it("U18 whoever freezes what a transaction answers does not lose the answer of the commit", async () => {
    const pal = await open();
    const { verdicts } = await pal.transaction(async (tx) =>
      Object.freeze(await tx.remember({ id: "a", text: "Alpha is here" })),
    );
    expect(verdicts).toMatchObject([{ verdict: "accepted", commit: expect.any(String) }]);
  });
});

describe("D17 what says nothing is in no answer and no prompt, and in every export", () => {
  it("D17 recall, search for words, blocks and the wake-up pass it by", async () => {
    const pal = await open();
    await pal.ingestAst({ type: "SECTION", properties: { ID: "s", TITLE: null, TAGS: ["deploy"] } });
    const answer = await pal.recall("What did we decide about the deploy?");
    expect(answer.citations).toEqual([]);
    expect((await pal.promptContext({ query: "deploy" })).items).toEqual([]);
    expect((await pal.wakeUp()).loaded.map(({ id }) => id)).not.toContain("s");
    expect((await pal.search("section")).hits).toEqual([]);
    expect((await pal.search("", { type: "section" })).hits).toMatchObject([{ id: "s", text: "" }]);
  });

  it("D17 what is found only because something that says nothing was is no answer", async () => {
    const store = await openStore(memoryStorage(), { embedder: new Letters() });
    const pal = store.session({ agent: "orion" });
    const section = (id: string, TITLE: string | null, text: string): AstNode => ({
      type: "SECTION",
      properties: { ID: id, TITLE },
      "raw-content": text,
    });
    await pal.ingestAst(section("s", "Deploy plan", ""));
    await pal.ingestAst(section("real", null, "Bananas are yellow"));
    await (await store.embedding()).done();
    for (const mode of ["lexical", "hybrid"] as const) {
      expect(await pal.recall("What is the deploy plan?", { mode })).toMatchObject({ answered: false });
      expect((await pal.promptContext({ query: "Deploy plan", mode })).items).toEqual([]);
    }
    await store.close();
  });

  it("D17 it has no vector, and nothing waits for one", async () => {
    const store = await openStore(memoryStorage(), { embedder: new Letters() });
    const pal = store.session({ agent: "orion" });
    const blank = { type: "SECTION", properties: { TITLE: "Titled" }, "raw-content": "\u200b" };
    await pal.ingestAst({ type: "SECTION", properties: { EMBED: "t" }, contents: [" ", blank, "said"] });
    const embedding = await store.embedding();
    expect(await embedding.done()).toBe(true);
    expect(embedding.state()).toMatchObject({ embedded: 1, waiting: 0 });
    await store.close();
  });

  it("D17 in a drawer it is no line of the mirror, and stays", async () => {
    const store = await made();
    const pal = store.session({ agent: "orion", trust: "operator" });
    await pal.ingestAst({ type: "SECTION", properties: { ID: "s" } });
    await pal.update("s", { in: "hall/desk" });
    const folder = join(home, "mirror");
    await pal.syncPalace(folder);
    const before = await pal.log();
    expect(await pal.syncPalace(folder)).toMatchObject({ problems: [] });
    expect(await pal.log()).toEqual(before);
    expect(await pal.get("s")).toMatchObject({ text: "", version: 2 });
  });

  it("PA178 a line of the mirror that nobody can see is told with its file, and what stands beside it is taken", async () => {
    const pal = await open();
    await pal.remember("The gate opens at nine", { in: "hall/desk" });
    const folder = join(home, "unseen");
    await pal.syncPalace(folder);
    const file = join(folder, "rooms", "hall", "desk.md");
    writeFileSync(file, `${readFileSync(file, "utf8").replace("nine", "ten")}- \u200b\n`);
    const report = await pal.syncPalace(folder);
    expect(report.problems).toMatchObject([{ path: expect.stringContaining("desk.md") }]);
    expect((await pal.list({ type: "fact" })).map(({ text }) => text)).toEqual(["The gate opens at ten"]);
    expect(readFileSync(file, "utf8")).toContain("\u200b");
  });

  it.each(["json", "jsonl", "org", "markdown"] as const)(
    "D17 %s: a tree with nodes that say nothing is the same in another store",
    async (format) => {
      const text = fc.constantFrom(null, "", " ", "\n", " \n \n", "\u200b", "said", "two\n\nlines\n", "- x");
      const { node } = fc.letrec<{ node: AstNode }>((tie) => ({
        node: fc.record({
          type: fc.constantFrom("HEADLINE", "PARAGRAPH", "SECTION"),
          properties: fc.record({ TITLE: text, TODO: fc.constantFrom("OPEN", "DONE") }, { requiredKeys: [] }),
          "raw-content": text,
          contents: fc.oneof(
            { depthSize: "small" },
            fc.constant([]),
            fc.array(tie("node"), { maxLength: 3 }),
          ),
        }),
      }));
      await fc.assert(
        fc.asyncProperty(node, async (tree) => {
          const pal = await open();
          // The rooms of a palace are what a page by room is made of.
          const parent = format === "markdown" ? (await pal.createPlace("hall")).id : undefined;
          const root = await pal.ingestAst(tree, parent === undefined ? {} : { parent });
          const { parts } = await pal.export(format === "markdown" ? { format, by: "room" } : { format });
          const path = join(
            home,
            `tree.${{ json: "json", jsonl: "jsonl", org: "org", markdown: "md" }[format]}`,
          );
          writeFileSync(path, await joined(parts));
          const other = await open();
          expect(await other.import(path, { trusted: true })).toMatchObject({ rejected: 0, unreadable: 0 });
          const plain = async (session: Session) =>
            (await below(session, root)).map(({ id, content, text }) => ({ id, content, text }));
          expect(await plain(other)).toEqual(await plain(pal));
        }),
        { numRuns: 60 },
      );
    },
  );
});

describe("D18 files and entities of others may say nothing", () => {
  it("D18 an empty file is empty, also after it was written and emptied again", async () => {
    const pal = await open();
    const files = await pal.fileTree();
    const write = (text: string) => files.change("write", ({ write }) => write("notes/a.txt", text));
    for (const text of ["", "said", " \n", "said"]) {
      await write(text);
      expect(await files.look((at) => at("notes/a.txt"))).toEqual({ kind: "file", text });
      expect((await pal.list({ type: "memory-file" })).map((file) => file.text)).toEqual([text]);
    }
  });

  it("D18 an entity without a name has none", async () => {
    const pal = await open();
    const graph = await pal.knowledgeGraph();
    const entity = { name: "", entityType: "thing", observations: ["", " "] };
    expect(await graph.createEntities([entity])).toEqual([entity]);
    expect(await graph.createEntities([entity])).toEqual([]);
    expect((await graph.read()).entities).toEqual([entity]);
    expect((await pal.list()).map(({ text }) => text).sort()).toEqual(["", "", " "]);
  });
});
