import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SHARED, scopeKey } from "../core/base/names.js";
import { openStore, type Session, type Store } from "../session/index.js";
import { memoryStorage, type Storage, sqliteStorage } from "../storage/index.js";

let directory: string;
const stores: Store[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pal-erased-"));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const CANARY = "The zanzibar canary sings at quarter past nine";
const place = () => join(directory, "store");
async function open(storage: Storage = sqliteStorage(place())): Promise<{ store: Store; pal: Session }> {
  const store = await openStore(storage);
  stores.push(store);
  return { store, pal: store.session({ agent: "ada", trust: "user" }) };
}
const turn = () => new Promise((resume) => setImmediate(resume));
const everything = (): string =>
  readdirSync(place())
    .map((name) => readFileSync(join(place(), name)).toString("latin1"))
    .join("\n");

describe("erase, wherever a text came to lie (B21)", () => {
  it("CA70 what waits goes when it changes, names or quotes the memory, on any branch; what only rests on it goes on waiting", async () => {
    const { store, pal } = await open();
    await pal.remember(CANARY, { id: "secret", type: "note" });
    await pal.remember("The weather is fine", { id: "other", type: "note" });
    await pal.createBranch("side");
    const side = store.session({ agent: "ada", trust: "user", branch: "side" });
    await pal.propose("change", (tx) => tx.update("secret", `${CANARY}, or later`), {
      reason: "zanzibar news",
    });
    await side.propose("drop", (tx) => tx.forget("secret"));
    await pal.propose("ask", undefined, { data: { hint: "about the zanzibar bird" }, about: ["secret"] });
    await pal.propose("quote", undefined, { data: { said: [`He wrote: ${CANARY}`] } });
    const { id: apart } = await pal.propose("apart", (tx) => tx.update("other", "The weather is bad"));
    const { id: rejected } = await pal.propose("no", (tx) => tx.update("secret", "The zanzibar owl"));
    await pal.rejectReview(rejected!, { reason: "Not the zanzibar owl" });
    expect((await pal.erase("secret")).receipt).toMatchObject({ clean: true, elsewhere: [] });
    expect((await pal.review()).map(({ id }) => id)).toEqual([apart]);
    expect(await side.review()).toEqual([]);
    expect(await pal.acceptReview(apart!)).toMatchObject({ accepted: true });
    expect((await pal.list()).map(({ text }) => text)).toEqual(["The weather is bad"]);
    expect((await store.verify()).problems.map(({ problem }) => problem)).toEqual(["unreachable-objects"]);
    await store.close();
    expect(everything()).not.toContain("zanzibar");
  });

  it("CA71 scratchpads, counts of uses and what a graph or a file tree has in RAM go with it, here and in another process", async () => {
    const { pal, store } = await open();
    const other = await open();
    const [graphs, trees] = [await pal.knowledgeGraph(), await pal.fileTree()];
    await graphs.createEntities([
      { name: "Zanzibar canary", entityType: "bird", observations: [CANARY] },
      { name: "Owl", entityType: "bird", observations: ["Sleeps by day"] },
    ]);
    const [graph, tree] = [await other.pal.knowledgeGraph(), await other.pal.fileTree()];
    for (const one of [graphs, graph]) expect(JSON.stringify(await one.read())).toContain("zanzibar");
    await trees.change("birds", (files) => files.write("birds/canary.txt", `${CANARY}\n`));
    await turn();
    const folder = (one: typeof tree) => one.look((at) => at("birds"));
    for (const one of [trees, tree]) expect(await folder(one)).toMatchObject({ names: ["canary.txt"] });
    const bob = store.session({ agent: "bob", sessionId: "talk" });
    await bob.addScratch({ key: "heard", value: `Heard: ${CANARY}` });
    const { id } = await pal.remember({ text: `Fact: ${CANARY}`, type: "note" });
    await bob.confirm(id!);
    const storage = sqliteStorage(place());
    const uses = () => storage.sides("mind/use/");
    expect((await uses()).size).toBe(1);
    expect((await other.pal.search("zanzibar")).hits.length).toBeGreaterThan(0);
    await pal.erase({ containing: "anzibar" });
    await turn();
    for (const one of [graphs, graph]) {
      expect(JSON.stringify(await one.read())).not.toMatch(/zanzibar/i);
      expect(JSON.stringify(await one.read())).toContain("Owl");
    }
    for (const one of [trees, tree]) expect(await folder(one)).toEqual({ kind: "folder", names: [] });
    expect(await bob.scratch()).toEqual([]);
    expect((await uses()).size).toBe(0);
    await storage.close();
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
    for (const one of stores.splice(0)) await one.close();
    expect(everything()).not.toMatch(/zanzibar/i);
  });

  it("CA72 a proposal that was judged before an erasure and comes after it is refused", async () => {
    const { pal, store } = await open(memoryStorage());
    await pal.remember(CANARY, { id: "secret", type: "note" });
    const late = pal.propose("change", async (tx) => {
      await tx.update("secret", `${CANARY}, or later`);
      await pal.erase("secret");
    });
    expect(await late.catch(({ code }) => code)).toBe("ERASED");
    expect(await pal.review()).toEqual([]);
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("CA73 the next sync takes it out of the folder of a palace, and out of what that remembers of the last one", async () => {
    const { pal } = await open(memoryStorage());
    await pal.createPlace("birds/small");
    await pal.remember({ id: "secret", text: CANARY, type: "note", in: "birds/small" });
    await pal.remember({ id: "other", text: "Owls sleep by day", type: "note", in: "birds/small" });
    await pal.setIdentity("A friend of the zanzibar birds");
    const folder = join(directory, "palace");
    const said = () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
        .join("\n");
    await pal.syncPalace(folder);
    expect(said()).toContain(CANARY);
    await pal.erase({ containing: "zanzibar" });
    await pal.syncPalace(folder);
    expect(said()).not.toContain("zanzibar");
    expect(said()).toContain("Owls sleep by day");
    expect(JSON.stringify(await pal.list())).not.toContain("zanzibar");
  });

  it("CA74 an agent's erasure waits in review and names no text; a user who accepts it carries it out, then it is gone", async () => {
    const { store, pal } = await open();
    const agent = store.session({ agent: "eve" });
    await pal.remember(CANARY, { id: "secret", type: "note" });
    await pal.remember(`${CANARY}, again`, { id: "second", type: "note" });
    await pal.remember("The zanzibar owl", { id: "old", type: "note" });
    await pal.forget("old");
    expect((await agent.erase("secret", { dryRun: true })).staged).toBeUndefined();
    const { staged, records, receipt } = await agent.erase({ containing: "zanzibar" });
    expect([records, receipt]).toEqual([3, undefined]);
    expect((await agent.erase({ containing: "zanzibar" })).staged).toBe(staged);
    const [item, ...more] = await pal.review();
    expect(more).toEqual([]);
    expect(item).toMatchObject({ id: staged, kind: "erase", by: { id: "eve" }, changes: [] });
    expect(JSON.stringify(item)).not.toContain("zanzibar");
    expect((await pal.get("secret"))?.text).toBe(CANARY);
    expect(await agent.acceptReview(staged!).catch(({ code }) => code)).toBe("REFUSED");
    const { accepted, erased } = await pal.acceptReview(staged!);
    expect([accepted, erased]).toMatchObject([true, { records: 3, receipt: { clean: true, elsewhere: [] } }]);
    expect(await pal.review()).toEqual([]);
    const again = (await agent.erase("secret").catch(({ code }) => code)) as unknown;
    expect(again).toBe("NOT_FOUND");
    expect((await store.verify()).problems.filter(({ severity }) => severity === "error")).toEqual([]);
    await store.close();
    expect(everything()).not.toContain("zanzibar");
  });

  it("CA75 a request goes on waiting until the last of its memories is gone, whoever erased them", async () => {
    const { store, pal } = await open(memoryStorage());
    for (const id of ["one", "two"]) await pal.remember(`The zanzibar owl ${id}`, { id, type: "note" });
    await pal.forget("two");
    const { staged } = await store.session({ agent: "eve" }).erase({ containing: "zanzibar" });
    await pal.erase("one");
    expect((await pal.review()).map(({ id }) => id)).toEqual([staged]);
    await pal.erase("two");
    expect(await pal.review()).toEqual([]);
  });

  it("CA76 versions that the touch rows have lost go too, because the bytes tell of them", async () => {
    const storage = memoryStorage();
    const { store, pal } = await open(storage);
    await pal.remember("The zanzibar canary sings", { id: "secret", type: "note" });
    await pal.update("secret", "The zanzibar canary is silent");
    await pal.remember("Of another scope", { id: "secret", scope: "agent/ada", type: "note" });
    const { seq } = await storage.version();
    const rows: { seq: number; touch: Awaited<ReturnType<Storage["touchSince"]>>["touch"] }[] = [];
    for (let after = 0; after < seq; ) {
      const page = await storage.touchSince(after, 1);
      rows.push({
        seq: page.seq,
        touch: page.touch.filter(({ op, scope }) => op !== "add" || scope !== scopeKey(SHARED)),
      });
      after = page.seq;
    }
    await storage.rebuild(
      (async function* () {
        yield* rows;
      })(),
      seq,
    );
    const report = await pal.erase("secret", { scope: "shared" });
    expect(report.memories).toEqual([{ scope: "shared", id: "secret", versions: 2, by: "id" }]);
    expect(report.receipt).toMatchObject({ clean: true, elsewhere: [] });
    expect(await pal.list()).toMatchObject([{ id: "secret", scope: "agent/ada" }]);
    await store.rebuild();
    expect(await store.verify()).toMatchObject({ ok: true, problems: [], erased: 2 });
  });
});
