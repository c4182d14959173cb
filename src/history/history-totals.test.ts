import { describe, expect, it } from "vitest";
import { openStore } from "../session/open-store.js";
import type { Session } from "../session/session.js";
import { memoryStorage } from "../storage/index.js";

/** The same figures from the log, which reads every row. */
async function counted(session: Session) {
  const log = await session.log({ limit: 10_000, events: true });
  const events = log.flatMap((item) => item.events ?? []);
  return {
    commits: log.length,
    versions: events.length,
    forgotten: events.filter(({ op }) => op === "forget").length,
  };
}

describe("Q20 figures of history", () => {
  it("Q20 follow every write, whoever looks, and are what the log tells", async () => {
    const store = await openStore(memoryStorage());
    const writer = store.session({ agent: "ada", scopes: ["shared", "project/a", "project/b"] });
    const readers = [
      writer,
      store.session({ agent: "ben", scopes: ["project/a"] }),
      store.session({ agent: "eve", scopes: ["project/*"] }),
      store.session({ agent: "dan", clearance: "private" }),
    ];
    const agree = async () => {
      for (const reader of readers) expect(await reader.stats()).toMatchObject(await counted(reader));
    };
    await writer.remember("Tea is served at four", { id: "tea", type: "note" });
    await agree();
    await writer.transaction(async (pal) => {
      await pal.remember("The roof of the shed leaks", { id: "roof", type: "note", scope: "project/a" });
      await pal.remember("The boat needs paint", { id: "boat", type: "note", scope: "project/b" });
    });
    await writer.remember("The safe is behind the clock", { type: "note", sensitivity: "private" });
    await agree();
    await writer.forget("tea");
    await agree();
    await writer.createBranch("trial");
    await writer.update("roof", "The roof of the shed is mended", { scope: "project/a" });
    const trial = store.session({ agent: "ada", scopes: ["shared", "project/a"], branch: "trial" });
    await trial.remember("The garden has a new fence", { type: "note", scope: "project/a" });
    expect(await trial.stats()).toMatchObject(await counted(trial));
    await writer.merge("trial");
    await agree();
    await writer.undo();
    await agree();
    await store.close();
  });

  it("Q20 another process goes on from the note that was left, and an erasure makes it count anew", async () => {
    const storage = memoryStorage();
    let store = await openStore(storage);
    let pal = store.session({ agent: "ada" });
    for (let at = 0; at < 260; at++) await pal.remember(`Number ${at}`, { id: `n-${at}`, type: "note" });
    await pal.stats();
    const note = await storage.side("history-totals");
    expect(note).toBeDefined();
    expect(note).not.toContain("Number");
    await pal.forget("n-7");
    store = await openStore(storage);
    pal = store.session({ agent: "ada" });
    let reads = 0;
    const { touchBefore } = storage;
    storage.touchBefore = (...args) => {
      reads++;
      return touchBefore.apply(storage, args);
    };
    expect(await pal.stats()).toMatchObject({ commits: 261, versions: 261, forgotten: 1 });
    expect(reads).toBe(1);
    await pal.erase("n-9");
    expect(await pal.stats()).toMatchObject(await counted(pal));
    await store.close();
  });
});
