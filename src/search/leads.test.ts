import { expect, it } from "vitest";
import { openStore } from "../session/open-store.js";
import { memoryStorage } from "../storage/index.js";

const PEOPLE = [
  ["doctor", "Marek Novotny holds a doctorate in chemistry"],
  ["born", "Marek Novotny was born in Brno"],
  ["chess", "Ines and Jonas play chess on Sundays"],
] as const;

it("W80 a search follows what its best hits tell: to what is seen and fits the filters, less likely", async () => {
  const store = await openStore(memoryStorage(), { embedder: "none" });
  const pal = store.session({ agent: "a", scopes: ["shared", "agent/a"] });
  for (const [id, text] of PEOPLE) await pal.remember(text, { id });
  await pal.remember("Marek Novotny keeps bees in Olomouc", { id: "bees", scope: "agent/a", type: "note" });
  const search = async (from: typeof pal, options = {}) =>
    (await from.search("Who has a doctorate?", options)).hits;
  const hits = await search(pal);
  expect(hits.map(({ id }) => id).sort()).toEqual(["bees", "born", "doctor"]);
  const [best, ...kin] = hits;
  expect(best!.id).toBe("doctor");
  for (const { why, probability } of kin) {
    expect(why.map(({ feature }) => feature)).toContain("kin");
    expect(probability).toBeLessThan(best!.probability);
  }
  const other = store.session({ agent: "b", scopes: ["shared"] });
  expect((await search(other)).map(({ id }) => id)).toEqual(["doctor", "born"]);
  expect((await search(pal, { scope: "shared" })).map(({ id }) => id)).toEqual(["doctor", "born"]);
  expect((await search(pal, { limit: 1 })).map(({ id }) => id)).toEqual(["doctor"]);
  expect((await pal.search("Is there a zeppelin?")).hits).toEqual([]);
  await store.close();
});
