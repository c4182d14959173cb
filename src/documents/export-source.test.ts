import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openStore } from "../session/open-store.js";
import type { Session } from "../session/session.js";
import { memoryStorage } from "../storage/index.js";

const IDS = ["aaaaaa", "bbbbbb", "cccccc", "dddddd"] as const;
const step = fc.oneof(
  fc.record({
    do: fc.constant("write" as const),
    id: fc.constantFrom(...IDS),
    to: fc.nat(3),
    side: fc.boolean(),
  }),
  fc.record({ do: fc.constant("forget" as const), id: fc.constantFrom(...IDS), side: fc.boolean() }),
  fc.record({ do: fc.constant("merge" as const), side: fc.boolean() }),
);

const exported = async (session: Session, format: "json" | "jsonl") => {
  let text = "";
  for await (const part of (await session.export({ format })).parts) text += part;
  return text;
};

describe("C283 exports read the store as it was written", () => {
  it("C283 whatever was written, forgotten, brought back and merged, each memory that is there is told once, as list tells it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const store = await openStore(memoryStorage(), { embedder: "none" });
        const main = store.session({ agent: "ann" });
        await main.remember({ id: "zzzzzz", text: "Stands alone", type: "note" });
        await main.createBranch("side");
        const side = store.session({ agent: "bob", branch: "side" });
        for (const one of steps) {
          const at = one.side ? side : main;
          if (one.do === "merge") await at.merge(one.side ? "main" : "side");
          else if (one.do === "forget") await at.forget(one.id).catch(() => undefined);
          else
            await at.remember({
              ...{ id: one.id, text: `Says ${one.to}`, type: "note" },
              ...(one.to === 2 && { parent: "zzzzzz" }),
            });
        }
        for (const at of [main, side]) {
          const listed = (await at.list()).map(({ id, text, version, createdAt, updatedAt }) => ({
            ...{ id, text, version, created_at: createdAt, timestamp: updatedAt },
          }));
          const whole = JSON.parse(await exported(at, "json")).memories as typeof listed;
          const told = whole.map(({ id, text, version, created_at, timestamp }) => ({
            ...{ id, text, version, created_at, timestamp },
          }));
          const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
          expect(told.sort(byId)).toEqual(listed.sort(byId));
          const lines = (await exported(at, "jsonl"))
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line));
          expect(lines.map(({ id }) => id).sort()).toEqual(listed.map(({ id }) => id));
          for (const [place, { parent }] of lines.entries())
            if (parent) expect(lines.findIndex(({ id }) => id === parent)).toBeLessThan(place);
        }
        await store.close();
      }),
      { numRuns: 60 },
    );
  });

  it("C380 what another branch takes over while an export is written is exported once", async () => {
    const store = await openStore(memoryStorage(), { embedder: "none" });
    const main = store.session({ agent: "ann" });
    await main.remember({ id: "zzzzzz", text: "Stands alone", type: "note" });
    await main.createBranch("side");
    const { commit } = await main.remember({ id: "aaaaaa", text: "Goes along", type: "note" });
    for (const id of IDS.slice(1)) await main.remember({ id, text: `Says ${id}`, type: "note" });
    for (const format of ["json", "jsonl"] as const) {
      const { count, parts } = await main.export({ format });
      const side = store.session({ agent: "bob", branch: "side" });
      if (format === "json") await side.cherryPick(commit!);
      else await side.undo().then(() => side.cherryPick(commit!));
      let text = "";
      for await (const part of parts) text += part;
      expect(text.match(/Goes along/g)).toHaveLength(1);
      expect(count).toBe(5);
    }
    await store.close();
  });

  it("C283 tells only what the session sees and what has not expired; of the graph only the graph is counted", async () => {
    let now = 1e12;
    const store = await openStore(memoryStorage(), { embedder: "none", clock: () => now });
    const ann = store.session({ agent: "ann" });
    await ann.remember({ text: "Everybody may know this", type: "note" });
    await ann.remember({ text: "Only ann knows this", type: "note", scope: "agent/ann" });
    await ann.remember({ text: "For a minute", type: "note", ttl: 60_000 });
    now += 3_600_000;
    expect((await ann.export()).count).toBe(2);
    expect((await store.session({ agent: "bob" }).export()).count).toBe(1);
    expect((await ann.export({ format: "mcp-memory" })).count).toBe(0);
    expect((await ann.export({ scope: "agent/ann" })).count).toBe(1);
    await store.close();
  });
});

describe("C291 exports look up while they prepare", () => {
  it.each(["json", "jsonl", "org", "markdown"] as const)(
    "C291 the callback ends an export as %s before its first part, although nothing but the program itself asked for it",
    async (format) => {
      const store = await openStore(memoryStorage(), { embedder: "none" });
      const session = store.session({ agent: "ann", scopes: ["*"], clearance: "confidential" });
      const texts = Array.from({ length: 6_000 }, (_, at) => ({ text: `Note ${at}`, type: "note" }));
      await session.rememberMany(texts, { snapshot: false });
      let isOver = false;
      setImmediate(() => {
        isOver = true;
      });
      const onProgress = () => {
        if (isOver) throw new Error("enough");
      };
      await expect(session.export({ format, history: true, onProgress })).rejects.toThrow("enough");
    },
  );
});
