import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openStore } from "../session/open-store.js";
import { memoryStorage, sqliteStorage } from "../storage/index.js";
import { testStore as sqliteStore } from "../storage/sqlite/_store.js";
import type { Change } from "./watch.js";

const soon = async (isThere: () => boolean): Promise<void> => {
  for (let waited = 0; !isThere() && waited < 1000; waited++) await sleep(5);
};

describe("watching a store", () => {
  it("H10 own commits are told with branch, commit and where it was before", async () => {
    const store = await openStore(memoryStorage());
    const pal = store.session({ agent: "ann" });
    const told: Change[] = [];
    const end = store.on("change", (change) => told.push(change));
    const first = await pal.remember("One");
    await soon(() => told.length === 1);
    const second = await pal.remember("Two");
    await soon(() => told.length === 2);
    expect(told).toEqual([
      { ref: "heads/main", branch: "main", commit: first.commit },
      { ref: "heads/main", branch: "main", commit: second.commit, before: first.commit },
    ]);
    end();
    await pal.remember("Three");
    await sleep(20);
    expect(told).toHaveLength(2);
    await store.close();
  });

  it("H11 what another process commits is told, on a store that is there and on one that is not there yet", async () => {
    const { directory } = await sqliteStore();
    const [watching, writing] = [await openStore(directory), await openStore(directory)];
    const told: Change[] = [];
    watching.on("change", (change) => told.push(change));
    const pal = writing.session({ agent: "ann" });
    for (const n of [1, 2, 3]) {
      const { commit } = await pal.remember(`Fact ${n}`);
      await soon(() => told.at(-1)?.commit === commit);
      expect(told.at(-1)).toMatchObject({ ref: "heads/main", branch: "main", commit });
    }
    await writing.close();
    await watching.close();
  });

  it("H12 a ref that is deleted has no commit; one that is no branch has no branch", async () => {
    const storage = memoryStorage();
    const store = await openStore(storage);
    const { commit } = await store.session({ agent: "ann" }).remember("One");
    const told: Change[] = [];
    store.on("change", (change) => told.push(change));
    const { epoch } = await storage.version();
    const move = (expect: typeof commit | null, next: { target: NonNullable<typeof commit> } | null) =>
      storage.transact({
        put: [],
        refs: [{ name: "tags/v1", expect: expect ?? null, next }],
        touch: [],
        ops: [],
        epoch,
      });
    await sleep(5);
    await move(null, { target: commit! });
    await soon(() => told.length === 1);
    await move(commit!, null);
    await soon(() => told.length === 2);
    expect(told).toEqual([
      { ref: "tags/v1", commit },
      { ref: "tags/v1", before: commit },
    ]);
    await store.close();
  });

  it("H13 watching keeps no process alive", async () => {
    const { directory } = await sqliteStore();
    const active = () =>
      process.getActiveResourcesInfo().filter((kind) => /Timeout|FSEvent|FSReq/.test(kind));
    const store = await openStore(sqliteStorage(directory));
    await store.session({ agent: "ann" }).remember("One");
    await sleep(20);
    const before = active().length;
    store.on("change", () => {});
    await sleep(50);
    expect(active().length).toBeLessThanOrEqual(before);
    await store.close();
  });
});
