import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Letters } from "../search/embed/_letters.js";
import { openStore, type Session, type Store } from "../session/index.js";
import { memoryStorage, sqliteStorage } from "../storage/index.js";

let directory: string;
const stores: Store[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pal-erase-"));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const CANARY = "The zanzibar canary sings at quarter past nine";
const place = () => join(directory, "store");
async function open(where: string | "memory" = place()): Promise<{ store: Store; pal: Session }> {
  const store = await openStore(where === "memory" ? memoryStorage() : sqliteStorage(where));
  stores.push(store);
  return { store, pal: store.session({ agent: "ada", trust: "user" }) };
}
const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error) => error.code);
/** The head is looked at once per turn of the event loop. */
const turn = () => new Promise((resume) => setImmediate(resume));
const everything = (at = place()): string =>
  readdirSync(at)
    .map((name) => readFileSync(join(at, name)).toString("latin1"))
    .join("\n");

describe("erase (B21)", () => {
  it("CA10 what was erased is nowhere: not in lists, searches, history, old states; the chain verifies and counts it", async () => {
    const { store, pal } = await open();
    const { commit: old } = await pal.remember(CANARY, { id: "secret" });
    await pal.update("secret", `${CANARY}, then at ten`);
    await pal.remember("The weather is fine", { id: "other" });
    const report = await pal.erase("secret");
    expect(report).toMatchObject({
      memories: [{ scope: "shared", id: "secret", versions: 2 }],
      records: 2,
      guessable: 2,
      receipt: { clean: true, left: [], elsewhere: [] },
    });
    expect(report.receipt!.pieces).toBeGreaterThan(1);
    expect(await pal.get("secret")).toBeUndefined();
    expect(await pal.get("secret", { at: old! })).toBeUndefined();
    expect((await pal.list()).map(({ id }) => id)).toEqual(["other"]);
    expect(await pal.list({ at: old! })).toEqual([]);
    expect((await pal.search("zanzibar canary")).hits).toEqual([]);
    expect((await pal.search("zanzibar", { at: old! })).hits).toEqual([]);
    const history = await pal.history("secret");
    expect(history.map(({ op, erased, text }) => [op, erased, text])).toEqual([
      ["add", true, undefined],
      ["modify", true, undefined],
      ["forget", undefined, undefined],
    ]);
    expect(JSON.stringify(await pal.log())).not.toContain("zanzibar");
    expect(await store.verify()).toMatchObject({ ok: true, erased: 2, problems: [] });
    expect(store.damaged).toEqual([]);
    await store.close();
    expect(everything()).not.toContain("zanzibar");
    expect(everything()).toContain("The weather is fine");
  });

  it("U50 a memory is found by its whole id, then its topic, then a part of its id, and told by its first words", async () => {
    const { pal } = await open("memory");
    await pal.remember("Drinks only tea these days", { topic: "coffee" });
    await pal.remember("The coffee machine is on the third floor", { id: "machine-coffee" });
    const found = async (target: string, options = {}) =>
      (await pal.erase(target, { ...options, dryRun: true })).memories.map(({ begins }) => begins);
    expect(await found("coffee")).toEqual(["Drinks only tea these days"]);
    expect(await found("coffee", { scope: "shared" })).toEqual(["Drinks only tea these days"]);
    expect(await found("machine-co")).toEqual(["The coffee machine is on the third floor"]);
    await pal.forget("coffee");
    expect(await found("coffee")).toEqual(["Drinks only tea these days"]);
    await pal.remember(`A cup holds ${"very ".repeat(40)}much`, { id: "coffee" });
    expect(await found("coffee")).toEqual([expect.stringMatching(/^A cup holds very.{63}…$/)]);
    const { memories } = await pal.erase("coffee");
    expect(memories).toEqual([{ scope: "shared", id: "coffee", versions: 1, by: "id" }]);
    expect(await failure(pal.erase("nothing"))).toBe("NOT_FOUND");
  });

  it("U50 a memory with an id of its own is found by its topic, forgotten or not; two that had it are asked about", async () => {
    const { pal } = await open("memory");
    await pal.remember("Uses vim", { id: "cust-id-1", topic: "editor" });
    await pal.forget("cust-id-1");
    const found = await pal.erase("editor", { dryRun: true });
    expect(found.memories).toMatchObject([{ id: "cust-id-1", by: "topic", begins: "Uses vim" }]);
    await pal.remember("Uses emacs", { id: "cust-id-2", topic: "editor" });
    expect((await pal.erase("editor", { dryRun: true })).memories).toMatchObject([{ id: "cust-id-2" }]);
    await pal.forget("cust-id-2");
    expect(await failure(pal.erase("editor"))).toBe("AMBIGUOUS");
    await pal.erase("cust-id-2");
    expect((await pal.erase("editor")).memories).toMatchObject([{ id: "cust-id-1" }]);
  });

  it("CA11 it goes from every branch, and from states that tags and snapshots keep; another text under the id is free there", async () => {
    const { store, pal } = await open("memory");
    await pal.remember(CANARY, { id: "secret" });
    await pal.tag("before");
    await pal.createBranch("work");
    await pal.snapshot("kept");
    await pal.forget("secret");
    const report = await pal.erase("secret");
    expect(Object.keys(report.commits)).toEqual(["work"]);
    await pal.createBranch("again", { from: "before" });
    const again = store.session({ agent: "ada", trust: "user", branch: "again" });
    expect(await again.list()).toEqual([]);
    expect(await failure(again.update("secret", "A new text"))).toBe("NOT_FOUND");
    expect(await again.remember("A new text", { id: "secret" })).toMatchObject({ verdict: "accepted" });
    expect((await again.get("secret"))?.text).toBe("A new text");
    expect((await again.search("new text")).hits.map(({ id }) => id)).toEqual(["secret"]);
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("CA12 a write that brings the erased text back under its id is refused with ERASED, by every way in", async () => {
    const { store, pal } = await open("memory");
    const file = join(directory, "notes.org");
    writeFileSync(file, `* A heading\n:PROPERTIES:\n:ID: secret-node\n:END:\n${CANARY}\n`);
    await pal.ingest([file]);
    await pal.remember({ id: "secret", text: CANARY, type: "note" });
    const exported = join(directory, "export.jsonl");
    for await (const part of (await pal.export({ format: "jsonl" })).parts) appendFileSync(exported, part);
    await pal.erase({ containing: CANARY });
    const refusal = { verdict: "rejected", code: "ERASED", check: "erased" };
    expect(await pal.remember({ id: "secret", text: CANARY, type: "note" })).toMatchObject(refusal);
    expect(await pal.remember({ id: "secret", text: CANARY, type: "note", tags: ["x"] })).toMatchObject(
      refusal,
    );
    expect((await pal.ingest([file])).failed[0]?.reason).toMatch(/erased/);
    await pal.import(exported);
    expect(JSON.stringify(await pal.list())).not.toContain("zanzibar");
    expect(await pal.remember({ id: "secret", text: "Something else", type: "note" })).toMatchObject({
      verdict: "accepted",
    });
    expect(await pal.update("secret", CANARY)).toMatchObject(refusal);
    expect(await store.verify()).toMatchObject({ ok: true });
  });

  it("CA13 merge, pick, revert, rollback and undo do not bring it back but count it, and an erasure cannot be undone", async () => {
    const { store, pal } = await open("memory");
    await pal.remember("A", { id: "a", type: "note" });
    const { commit: start } = await pal.remember("B", { id: "b", type: "note" });
    await pal.createBranch("side");
    const side = store.session({ agent: "ada", trust: "user", branch: "side" });
    const { commit: added } = await side.remember(CANARY, { id: "secret" });
    await side.remember("Side", { id: "side", type: "note" });
    await pal.remember(CANARY, { id: "secret" });
    const { commit: gone } = await pal.forget("secret");
    const [last] = await pal.ops();
    await pal.erase("secret");
    for (const { op, verb } of await pal.ops())
      if (verb === "erase") expect(await failure(pal.undo(op))).toBe("ERASED");
    expect(await pal.diff(added!)).toMatchObject({ erased: 1 });
    expect(await pal.cherryPick(added!)).toMatchObject({ added: 0, erased: 1 });
    expect(await pal.revert(gone!)).toMatchObject({ added: 0, erased: 1 });
    await pal.undo(last!.op);
    await pal.merge("side");
    await pal.createBranch("again", { from: added! });
    const again = store.session({ agent: "ada", trust: "user", branch: "again" });
    await again.remember("More", { id: "more", type: "note" });
    expect(await pal.merge("again")).toMatchObject({ added: 1, erased: 1 });
    expect(await pal.rollback(added!, { allAuthors: true })).toMatchObject({ added: 0, erased: 1 });
    expect(await pal.get("secret")).toBeUndefined();
    await pal.rollback(start!, { allAuthors: true });
    expect((await pal.list()).map(({ id }) => id).sort()).toEqual(["a", "b"]);
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("CA13 what a session could not see is not counted for it", async () => {
    const { store } = await open("memory");
    const owner = store.session({ agent: "ada", trust: "operator", clearance: "confidential" });
    const { commit } = await owner.remember("Open", { id: "open", type: "note" });
    await owner.remember(CANARY, { id: "secret", sensitivity: "confidential" });
    await owner.tag("before");
    await owner.erase("secret");
    expect(await owner.diff("before")).toMatchObject({ removed: [], erased: 1 });
    const other = store.session({ agent: "bob" });
    expect(await other.diff("before")).not.toHaveProperty("erased");
    expect(await owner.diff(commit!)).not.toHaveProperty("erased");
  });

  it("CA14 others with warm views and writes under way see it go, and cannot bring it back", async () => {
    const { pal } = await open();
    await pal.rememberMany(
      Array.from({ length: 300 }, (_, n) => ({ id: `m-${n}`, text: `Memory ${n} of tea`, type: "note" })),
    );
    await pal.remember(CANARY, { id: "secret" });
    const other = await open();
    expect((await other.pal.search("zanzibar")).hits).toHaveLength(1);
    expect((await other.pal.get("secret"))?.text).toBe(CANARY);
    const gate = () => {
      let open = () => {};
      return { opened: new Promise<void>((resume) => (open = resume)), open: () => open() };
    };
    const [begun, erased] = [gate(), gate()];
    const late = other.pal
      .transaction(async (tx) => {
        await tx.forget("secret");
        await tx.remember({ id: "secret", text: CANARY });
        begun.open();
        await erased.opened;
      })
      .then(
        ({ verdicts }) => verdicts.map(({ code }) => code),
        (error) => [error.code],
      );
    await begun.opened;
    await pal.forget("secret");
    await pal.erase("secret");
    erased.open();
    const result = await late;
    expect(result.some((code) => code === "ERASED" || code === "NOT_FOUND")).toBe(true);
    await turn();
    expect((await other.pal.search("zanzibar")).hits).toEqual([]);
    expect(await other.pal.get("secret")).toBeUndefined();
    expect(await other.pal.remember(CANARY, { id: "secret" })).toMatchObject({ code: "ERASED" });
    expect(await other.store.verify()).toMatchObject({ ok: true, problems: [] });
    for (const store of stores.splice(0)) await store.close();
    expect(everything()).not.toContain("zanzibar");
  });

  it("CA15 only a user or an operator erases, and only what the session sees whole", async () => {
    const { store, pal } = await open("memory");
    await pal.remember(CANARY, { id: "secret", sensitivity: "confidential" });
    await pal.remember("Of orion", { id: "own", scope: "agent/ada" });
    const agent = store.session({ agent: "ada" });
    expect(await agent.erase("own")).toMatchObject({ records: 1, staged: expect.any(String) });
    expect((await agent.get("own"))?.text).toBe("Of orion");
    expect(await failure(pal.erase("secret"))).toBe("NOT_FOUND");
    expect((await pal.erase({ containing: CANARY.slice(0, 9), dryRun: true })).memories).toEqual([]);
    const other = store.session({ agent: "bob", trust: "operator", clearance: "confidential" });
    expect(await failure(other.erase("own"))).toBe("NOT_FOUND");
    expect(await other.erase("secret")).toMatchObject({ records: 1, guessable: 0 });
    expect(await failure(pal.erase("nobody"))).toBe("NOT_FOUND");
    expect((await pal.list()).map(({ id }) => id)).toEqual(["own"]);
  });

  it("CA16 by what they contain, with what was made from them; a dry run says what would go", async () => {
    const { store, pal } = await open("memory");
    await pal.remember({ id: "one", text: `${CANARY} one`, type: "note" });
    await pal.remember({ id: "one", text: "No longer", type: "note" });
    const { hash } = await pal.remember({ id: "two", text: `Two: ${CANARY}`, type: "note" });
    await pal.remember({ id: "made", text: "A summary of two", type: "note", derivedFrom: [hash!] } as never);
    await pal.remember({ id: "apart", text: "The zanzibar", type: "note" });
    const planned = await pal.erase({ containing: CANARY, dryRun: true });
    expect(planned.memories.map(({ id }) => id).sort()).toEqual(["one", "two"]);
    expect(planned.receipt).toBeUndefined();
    expect((await pal.list()).length).toBe(4);
    const derived = await pal.erase({ containing: CANARY, derived: true });
    expect(derived.memories.map(({ id }) => id).sort()).toEqual(["made", "one", "two"]);
    expect(derived.receipt).toMatchObject({ clean: true });
    expect((await pal.list()).map(({ id }) => id)).toEqual(["apart"]);
    expect((await pal.erase({ containing: "nowhere" })).records).toBe(0);
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it.each(["sqlite", "memory"])(
    "CA79 a text is found whatever characters it has; versions that do not say it go too, and what was made of those (%s)",
    async (kind) => {
      const { store, pal } = await open(kind === "memory" ? "memory" : place());
      const text = 'He said "naïve \\ zanzibar"\n\tand 🎉 went';
      const { hash: first } = await pal.remember({ id: "one", text: "Nothing of it yet", type: "note" });
      await pal.update("one", text);
      const { hash: middle } = await pal.remember({
        id: "made",
        text: "Of the first",
        type: "note",
        derivedFrom: [first!],
      } as never);
      await pal.update("made", "Of the first, again");
      await pal.remember({
        id: "last",
        text: "Of what was made",
        type: "note",
        derivedFrom: [middle!],
      } as never);
      await pal.remember({ id: "apart", text: "zanzibar", type: "note" });
      const target = { containing: 'naïve \\ zanzibar"\n\tand 🎉' };
      expect((await pal.erase({ ...target, dryRun: true })).memories).toMatchObject([
        { id: "one", versions: 2 },
      ]);
      const { memories, receipt } = await pal.erase({ ...target, derived: true });
      expect(memories.map(({ id, versions }) => [id, versions])).toEqual([
        ["one", 2],
        ["made", 2],
        ["last", 1],
      ]);
      expect(receipt).toMatchObject({ clean: true });
      expect((await pal.list()).map(({ id }) => id)).toEqual(["apart"]);
      expect(await store.verify()).toMatchObject({ ok: true, problems: [], erased: 5 });
    },
  );

  it("CA17 what was said of its commits goes too, unless another commit says the same; notes beside the truth go", async () => {
    const storage = memoryStorage();
    const store = await openStore(storage);
    stores.push(store);
    const pal = store.session({ agent: "ada", trust: "user" });
    await pal.remember(CANARY, { id: "secret", message: `Because ${CANARY}` });
    await pal.update("secret", "The zanzibar owl", { message: "routine" });
    await pal.remember("Other", { id: "other", message: "routine" });
    await storage.setSide("pad/ada", JSON.stringify({ items: [CANARY] }));
    await storage.setSide("pad/bob", "kept");
    const { notes, receipt } = await pal.erase("secret");
    expect(notes).toBe(1);
    expect(receipt).toMatchObject({ clean: true });
    expect((await storage.sides("pad/")).size).toBe(1);
    expect((await pal.log()).map(({ message }) => message)).toContain("routine");
    expect(await store.verify()).toMatchObject({ ok: true, erased: 3, problems: [] });
  });

  it("N801 a commit out of sight that says the very same message keeps none, and changes no count", async () => {
    const storage = memoryStorage();
    const store = await openStore(storage);
    stores.push(store);
    const low = store.session({ agent: "ada", trust: "user", clearance: "normal" });
    const high = store.session({ agent: "eve", trust: "user", clearance: "confidential" });
    await low.remember(CANARY, { id: "secret", message: "routine" });
    await high.remember("Out of sight", { id: "hidden", sensitivity: "confidential", message: "routine" });
    const dry = await low.erase("secret", { dryRun: true });
    const { notes, receipt } = await low.erase("secret");
    expect([dry.notes, notes]).toEqual([1, 1]);
    expect(receipt).toMatchObject({ clean: true });
    expect((await high.log()).map(({ message }) => message)).not.toContain("routine");
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("CA18 its vectors and the images of views go with it", async () => {
    const storage = sqliteStorage(place());
    const store = await openStore(storage, { embedder: new Letters() });
    stores.push(store);
    const pal = store.session({ agent: "ada", trust: "user" });
    await pal.rememberMany(
      Array.from({ length: 400 }, (_, n) => ({ id: `m-${n}`, text: `abba ${n}`, type: "note" })),
    );
    await pal.remember({ id: "secret", text: "zanzibar zanzibar" });
    await (await store.embedding()).done();
    await pal.search("abba");
    await store.close();
    expect(readdirSync(place()).filter((name) => name.endsWith(".img"))).toHaveLength(1);
    expect(everything()).toContain("zanzibar");
    const again = await open();
    await again.pal.erase("secret");
    expect(readdirSync(place()).filter((name) => name.endsWith(".img"))).toEqual([]);
    await again.store.close();
    expect(everything()).not.toContain("zanzibar");
    const { pal: fresh } = await open();
    expect((await fresh.search("abba")).hits.length).toBeGreaterThan(0);
  });

  it("CA19 the receipt comes from the bytes: a copy that lies beside the store is found and named, and so is who says the same", async () => {
    const { pal } = await open();
    await pal.remember(CANARY, { id: "secret" });
    await pal.remember({ id: "quote", text: `Somebody said: ${CANARY}`, type: "note" });
    writeFileSync(
      join(place(), "stray.txt"),
      `left by another program: ${Buffer.from("The other owl sings at quarter past ten").toString("base64")}`,
    );
    expect((await pal.erase("secret")).receipt).toMatchObject({
      clean: true,
      elsewhere: [expect.any(String)],
    });
    await pal.remember("The other owl sings at quarter past ten", { id: "owl" });
    const { receipt } = await pal.erase("owl");
    expect(receipt).toMatchObject({ clean: false, left: ["stray.txt"] });
  });
});
