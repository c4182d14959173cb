import { beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../session/open-store.js";
import type { Session } from "../session/session.js";
import type { Store } from "../session/store.js";
import { memoryStorage } from "../storage/index.js";

let store: Store;
let ada: Session;

beforeEach(async () => {
  let now = Date.UTC(2026, 0, 1);
  store = await openStore(memoryStorage(), { clock: () => (now += 1000) });
  ada = store.session({ agent: "ada" });
});

describe("long work on a branch", () => {
  it("B50 a milestone holds the purpose of its branch, the progress so far and what it adds, and may renew the roadmap", async () => {
    await ada.commit("Started", { roadmap: "1. Parse\n2. Ship" });
    await ada.createBranch("parser", { purpose: "Try a hand-written parser" });
    const work = store.session({ agent: "bob", branch: "parser" });
    await work.commit("Tokens", { contribution: "The tokenizer works." });
    const second = await work.commit("Trees", { contribution: "Trees come out.", decision: "No generator." });
    expect(second).toMatchObject({ verdict: "accepted", version: 1 });
    expect(await work.get(second.id as string)).toMatchObject({
      type: "milestone",
      text: "Trees come out.",
      attributes: {
        branch: "parser",
        message: "Trees",
        purpose: "Try a hand-written parser",
        progress: "- The tokenizer works.",
        decision: "No generator.",
      },
    });
    expect((await work.log({ limit: 1 }))[0]).toMatchObject({ message: "Trees" });
    await expect(work.commit(" ")).rejects.toMatchObject({ code: "INVALID_TEXT" });
  });

  it("B51 a branch begins with an empty trace; after a merge the steps of the other are there, marked", async () => {
    await ada.addStep("observation", "It is slow");
    await ada.createBranch("fast", { purpose: "Make it fast" });
    const fast = store.session({ agent: "bob", branch: "fast" });
    expect(await fast.trace()).toEqual([]);
    await fast.addStep("thought", "Cache it");
    await fast.addStep("action", "Added a cache");
    expect((await fast.trace()).map(({ kind, text }) => [kind, text])).toEqual([
      ["thought", "Cache it"],
      ["action", "Added a cache"],
    ]);
    await ada.addStep("observation", "Still slow");
    await ada.merge("fast");
    expect((await ada.trace()).map(({ text, from }) => [text, from])).toEqual([
      ["It is slow", undefined],
      ["Cache it", "fast"],
      ["Added a cache", "fast"],
      ["Still slow", undefined],
    ]);
    await expect(ada.addStep("dream" as never, "x")).rejects.toMatchObject({ code: "INVALID_VALUE" });
  });

  it("B52 the context of a branch goes from roadmap to status within its budget; decisions alone on request", async () => {
    await ada.commit("Plan", { roadmap: "Ship in May", decision: "Use SQLite" });
    await ada.commit("Next", { contribution: "Schema done" });
    for (let n = 0; n < 200; n++) await ada.addStep("action", `Step number ${n}`);
    const full = await ada.branchContext({ k: 1, budget: 300 });
    expect(full.tokens).toBeLessThanOrEqual(300);
    expect(full.text.indexOf("Ship in May")).toBeLessThan(full.text.indexOf("Schema done"));
    expect(full.text).toContain("Step number 199");
    expect(full.text).not.toContain("Step number 0\n");
    expect(full.text).toContain("open, persona default");
    const headings = [...full.text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(["Roadmap", "Milestones", "Steps", "Status"]);
    const decided = await ada.branchContext({ view: "decisions" });
    expect(decided.text).toMatch(/^## Decisions\n- Use SQLite \([0-9a-f]{12}\)$/);
    await expect(ada.branchContext({ branch: "none" })).rejects.toMatchObject({ code: "NO_BRANCH" });
  });

  it("B105 after a merge the context lists the milestones that came with it, marked; a branch does not list those it was made of", async () => {
    await ada.commit("Plan", { contribution: "Skeleton builds" });
    await ada.createBranch("side", { purpose: "Another way" });
    const side = store.session({ agent: "ada", branch: "side" });
    await side.commit("Done", { contribution: "It works" });
    expect((await side.branchContext({ k: 9 })).text).not.toContain("Skeleton builds");
    await ada.remember("Meanwhile", { id: "meanwhile" });
    await ada.merge("side");
    const { text } = await ada.branchContext({ k: 9 });
    expect(text).toContain("- Skeleton builds\n- (side) It works");
    expect(text).toContain("2 milestones");
  });

  it("B53 the files of .GCC tell the work of all branches", async () => {
    await ada.commit("Plan", { roadmap: "Ship in May" });
    await ada.createBranch("side", { purpose: "A side: way" });
    const side = store.session({ agent: "bob", branch: "side" });
    await side.addStep("thought", "Two\nlines");
    await side.commit("Done", { contribution: "It works" });
    const files = await ada.gccFiles();
    expect([...files.keys()]).toEqual([
      "main.md",
      "branches/main/commit.md",
      "branches/main/log.md",
      "branches/main/metadata.yaml",
      "branches/side/commit.md",
      "branches/side/log.md",
      "branches/side/metadata.yaml",
    ]);
    expect(files.get("main.md")).toContain("Ship in May");
    expect(files.get("branches/side/log.md")).toContain("thought: Two\n  lines");
    expect(files.get("branches/side/commit.md")).toContain("### This contribution\n\nIt works");
    expect(files.get("branches/side/metadata.yaml")).toContain('purpose: "A side: way"');
  });
});

describe("guarded", () => {
  it("B66 what a failing function committed is taken back, and nothing else", async () => {
    await ada.remember("before", { id: "x" });
    const bob = store.session({ agent: "bob" });
    const failing = ada.guarded(async (session) => {
      await session.update("x", "half");
      await session.remember("more", { id: "more" });
      await session.transaction((tx) => tx.remember("in a transaction", { id: "tx" }));
      await bob.remember("by bob", { id: "bobs" });
      throw new Error("half-way");
    });
    await expect(failing).rejects.toThrow("half-way");
    expect((await ada.get("x"))?.text).toBe("before");
    expect(await ada.get("more")).toBeUndefined();
    expect(await ada.get("tx")).toBeUndefined();
    expect(await ada.get("bobs")).toBeDefined();
    expect(await ada.guarded(async (session) => (await session.remember("kept", { id: "kept" })).id)).toBe(
      "kept",
    );
    expect(await ada.get("kept")).toBeDefined();
  });

  it("B67 many writes take a snapshot by themselves, one for the whole", async () => {
    await ada.remember("before", { id: "x" });
    await ada.rememberMany(Array.from({ length: 1500 }, (_, n) => `fact ${n}`));
    expect(await ada.snapshots()).toMatchObject([{ before: "remember many" }]);
    await ada.rollback();
    expect(await ada.list()).toHaveLength(1);
  });
});
