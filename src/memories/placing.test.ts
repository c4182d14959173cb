import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openStore } from "../session/index.js";
import { memoryStorage, type Storage } from "../storage/index.js";

/** Counts how often children, or holders of topics, are looked for in storage. */
function counting(): { storage: Storage; looked: () => number } {
  const storage = memoryStorage();
  let looked = 0;
  const touchLinked = storage.touchLinked.bind(storage);
  storage.touchLinked = (...given) => {
    looked++;
    return touchLinked(...given);
  };
  return { storage, looked: () => looked };
}

describe("placing below a parent", () => {
  it("PA7 a drawer's siblings are looked for once, however many memories follow", async () => {
    const { storage, looked } = counting();
    const store = await openStore(storage);
    const pal = store.session({ agent: "orion", trust: "user" });
    await pal.remember("note 0", { type: "note", in: "log/days" });
    await pal.remember("note 1", { type: "note", in: "log/days" });
    const before = looked();
    for (let n = 2; n < 20; n++) await pal.remember(`note ${n}`, { type: "note", in: "log/days" });
    expect(looked()).toBe(before);
    const texts = (await pal.list({ in: "log/days", type: "note" })).map(({ text }) => text);
    expect(texts).toEqual(Array.from({ length: 20 }, (_, n) => `note ${n}`));
  });

  it("P4 PA7 whoever writes, moves, forgets and takes back, a new child comes after all that its writer sees", async () => {
    const step = fc.record({
      who: fc.constantFrom(0, 1, 2),
      what: fc.constantFrom("add", "add", "add", "first", "again", "forget", "away", "undo", "many"),
      which: fc.nat(1_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const storage = memoryStorage();
        const stores = [await openStore(storage), await openStore(storage)] as const;
        const open = { agent: "orion", trust: "user" } as const;
        const writers = [
          stores[0].session({ ...open, clearance: "confidential" }),
          stores[1].session({ ...open, clearance: "confidential" }),
          stores[0].session({ ...open, clearance: "normal" }),
        ] as const;
        await writers[0].remember("top", { id: "top", type: "note" });
        await writers[0].remember("other", { id: "other", type: "note" });
        let made = 0;
        const add = async (who: number, which: number) => {
          const id = `n${made++}`;
          const sensitivity = who !== 2 && which % 3 === 0 ? "confidential" : "normal";
          await writers[who]?.remember(id, { id, type: "note", parent: "top", sensitivity });
          return id;
        };
        for (const { who, what, which } of steps) {
          // What another store commits is seen from the next turn on.
          await turn();
          const pal = writers[who] as (typeof writers)[0];
          const places = async () =>
            (await pal.list({ type: "note" }))
              .filter(({ parent }) => parent === "top")
              .map(({ id, position }) => ({ id: id as string, position: position as string }));
          const children = await places();
          const chosen = children[which % Math.max(1, children.length)]?.id;
          let newest: string | undefined;
          if (what === "add") newest = await add(who, which);
          else if (what === "first")
            await pal.remember(`f${made}`, { id: `f${made++}`, type: "note", parent: "top", position: "Zz" });
          else if (what === "many") {
            newest = (await Promise.all([add(who, which), add(who, which + 1), add(who, which + 2)])).at(-1);
          } else if (what === "undo") await pal.undo().catch(() => undefined);
          else if (chosen !== undefined && what === "again")
            await pal.update(chosen, { text: `again ${which}` });
          else if (chosen !== undefined && what === "forget") await pal.forget(chosen);
          else if (chosen !== undefined && what === "away") await pal.update(chosen, { parent: "other" });
          if (newest === undefined) continue;
          const now = await places();
          const own = now.find(({ id }) => id === newest)?.position as string;
          expect(now.filter(({ id, position }) => id !== newest && position >= own)).toEqual([]);
        }
        for (const store of stores) await store.close();
      }),
      { numRuns: 30 },
    );
  }, 60_000);
});
