import { afterEach, describe, expect, it } from "vitest";
import { openStore } from "../session/open-store.js";
import type { Store } from "../session/store.js";
import { memoryStorage, type Storage } from "../storage/index.js";
import { Letters } from "./embed/_letters.js";

const stores: Store[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});
async function open(embedder: Letters | "none" = new Letters(), storage: Storage = memoryStorage()) {
  const store = await openStore(storage, { embedder });
  stores.push(store);
  return { store, pal: store.session({ agent: "orion" }) };
}
type Pal = Awaited<ReturnType<typeof open>>["pal"];
const ids = ({ hits }: Awaited<ReturnType<Pal["search"]>>) => hits.map(({ id }) => id);

/** By letters `ccdd` is near `dcdc` and far from the rest, with which it shares no word either. */
async function fill(pal: Pal): Promise<void> {
  await pal.remember({ id: "near", text: "dcdc" });
  await pal.remember({ id: "word", text: "aaab tree" });
  await pal.remember({ id: "other", text: "bbba house" });
}

describe("which way a search goes", () => {
  it("Y150 by default nothing is loaded for a store without vectors: words alone, and it says so", async () => {
    const letters = new Letters();
    const { pal } = await open(letters);
    await fill(pal);
    const found = await pal.search("tree");
    expect(ids(found)).toEqual(["word"]);
    expect(found).toMatchObject({ mode: "lexical", vectors: "none", reason: "Nothing is embedded yet." });
    expect(await pal.search("tree", { mode: "lexical" })).toMatchObject({ vectors: "unused" });
    expect(letters.asked).toEqual([]);
    await expect(pal.search("tree", { mode: "best" as "hybrid" })).rejects.toMatchObject({
      code: "INVALID_VALUE",
    });
  });

  it("Y151 in mode hybrid it compares meanings: memories that share no word are found, and why shows both legs", async () => {
    const { pal } = await open();
    await fill(pal);
    const found = await pal.search("ccdd tree", { mode: "hybrid", waitMs: 10_000 });
    expect(found).toMatchObject({ mode: "hybrid", vectors: "complete", model: "letters/v1" });
    expect(ids(found).sort()).toEqual(["near", "other", "word"]);
    const features = (id: string) =>
      found.hits.find((hit) => hit.id === id)!.why.map(({ feature }) => feature);
    expect(features("word")).toEqual(expect.arrayContaining(["around", "near"]));
    expect(features("near")).not.toContain("around");
    for (const { score, why, similarity } of found.hits) {
      expect(why.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(score, 9);
      expect(similarity).toEqual(expect.any(Number));
    }
    const lexical = await pal.search("ccdd tree", { mode: "lexical" });
    expect(ids(lexical)).toEqual(["word"]);
  });

  it("Y152 by meaning alone the most alike come first, whatever the words", async () => {
    const { pal } = await open();
    await fill(pal);
    const found = await pal.search("ccdd", { mode: "vector", waitMs: 10_000 });
    expect(found).toMatchObject({ mode: "vector", vectors: "complete" });
    expect(ids(found)[0]).toBe("near");
    const similar = found.hits.map(({ similarity }) => similarity!);
    expect(similar).toEqual([...similar].sort((a, b) => b - a));
    expect(similar[0]).toBeCloseTo(1, 2);
    expect(ids(await pal.search("ccdd tag:x", { mode: "vector" }))).toEqual([]);
  });

  it("Y153 where anybody embedded something, a search goes both ways by itself", async () => {
    const storage = memoryStorage();
    const first = await open(new Letters(), storage);
    await fill(first.pal);
    await (await first.store.embedding()).done();
    const { pal } = await open(new Letters(), storage);
    const found = await pal.search("ccdd");
    expect([found.mode, found.vectors, ids(found)[0]]).toEqual(["hybrid", "complete", "near"]);
  });

  it("Y154 a process that stays after a search gets its vectors by itself", async () => {
    const { pal } = await open();
    await fill(pal);
    expect((await pal.search("ccdd")).mode).toBe("lexical");
    await expect.poll(async () => (await pal.search("ccdd")).vectors, { timeout: 20_000 }).toBe("complete");
    expect(ids(await pal.search("ccdd"))[0]).toBe("near");
  });

  it("Y155 memories without a vector yet are found by words, and counted", async () => {
    const letters = new Letters();
    const { pal, store } = await open(letters);
    await fill(pal);
    const embedding = await store.embedding();
    await embedding.done();
    embedding.pause();
    await pal.remember({ id: "late", text: "a late tree" });
    const found = await pal.search("tree", { mode: "hybrid" });
    expect(found).toMatchObject({ mode: "hybrid", vectors: "partial", missing: 1 });
    expect(ids(found)).toContain("late");
  });
});

describe("when meanings cannot be compared", () => {
  it("Y156 a question that cannot be embedded is searched by words, and the answer says so", async () => {
    const letters = new Letters();
    letters.fails = (_, kind) => kind === "query";
    const { pal } = await open(letters);
    await fill(pal);
    for (const mode of ["hybrid", "vector"] as const) {
      const found = await pal.search("tree", { mode });
      expect(ids(found)).toEqual(["word"]);
      expect(found).toMatchObject({
        mode: "lexical",
        vectors: "unavailable",
        reason: "It fails as told.",
      });
    }
    const without = await open("none");
    await fill(without.pal);
    const found = await without.pal.search("tree", { mode: "hybrid" });
    expect([ids(found), found.vectors]).toEqual([["word"], "none"]);
  });

  it("Y157 by default a search does not wait long for a model that does not answer, and writes do not wait at all", async () => {
    const letters = new Letters();
    const { pal, store } = await open(letters);
    await fill(pal);
    await (await store.embedding()).done();
    letters.gate = new Promise(() => undefined);
    const found = await pal.search("tree");
    expect([ids(found), found.mode, found.vectors]).toEqual([["word"], "lexical", "unavailable"]);
    expect((await pal.remember("more")).verdict).toBe("accepted");
  });

  it("Y158 a question in a language the model does not know is answered by words, and says so", async () => {
    const { pal } = await open(new Letters({ languages: ["en"] }));
    await fill(pal);
    await pal.remember({ id: "german", text: "der Baum ist nicht im Garten" });
    const asked = await pal.search("wo ist der Baum und das Haus?", { mode: "hybrid", waitMs: 10_000 });
    expect(asked.reason).toContain("The model knows en, not de");
    expect(asked.hits[0]).toMatchObject({ id: "german" });
    expect(asked.hits[0]!.why.map(({ feature }) => feature)).not.toContain("near");
    expect(asked.hits[0]!.why.at(-1)).toMatchObject({ feature: "foreign", points: 0 });
    const english = await pal.search("where is the tree? Garten", { mode: "hybrid" });
    const german = english.hits.find(({ id }) => id === "german")!;
    expect(german.why.at(-1)).toMatchObject({ feature: "foreign", points: 0 });
    expect(german.similarity).toBeUndefined();
    expect(english.hits.find(({ id }) => id === "word")!.why.map(({ feature }) => feature)).toContain("near");
  });
});

describe("sight and time", () => {
  it("Y159 what a session does not see changes nothing of its hybrid answers", async () => {
    const answer = async (withHidden: boolean) => {
      const { store, pal } = await open();
      await fill(pal);
      const all = store.session({ agent: "op", scopes: ["*"], clearance: "confidential" });
      if (withHidden) {
        await all.remember({ id: "foreign", text: "ccdd tree", scope: "user/7" });
        await all.remember({ id: "secret", text: "ccdd tree again", sensitivity: "confidential" });
      }
      const { hits, answerable } = await pal.search("ccdd tree", { mode: "hybrid", waitMs: 10_000 });
      return {
        answerable,
        hits: hits.map(({ id, score, similarity, probability }) => [id, score, similarity, probability]),
      };
    };
    expect(await answer(true)).toEqual(await answer(false));
  });

  it("Y160 the past is searched with the vectors that what it held has now", async () => {
    const { pal } = await open();
    await fill(pal);
    const { commit } = await pal.remember({ id: "later", text: "cdcd" });
    await pal.forget("near");
    const now = await pal.search("ccdd", { mode: "hybrid", waitMs: 10_000 });
    expect(ids(now)[0]).toBe("later");
    const before = (await pal.log()).find((item) => item.commit === commit)!.parents[0]!;
    const then = await pal.search("ccdd", { mode: "hybrid", at: before });
    expect(ids(then)).not.toContain("later");
  });
});

describe("W13 how sure a search is", () => {
  it("W13 every answer says how likely it is one, and every hit how likely it is evidence, with and without vectors", async () => {
    const { pal } = await open();
    for (let n = 0; n < 30; n++) await pal.remember(`We talked about the garden, number ${n}`);
    await pal.remember({ id: "violin", text: "My sister Clara plays the violin in Vienna" });
    for (const mode of ["lexical", "hybrid"] as const) {
      const known = await pal.search("Where does Clara play the violin?", { mode, waitMs: 10_000 });
      expect(known.hits[0]!.id).toBe("violin");
      expect([mode, known.abstain]).toEqual([mode, false]);
      expect(known.answerable).toBeGreaterThan(0.6);
      const likely = known.hits.map(({ probability }) => probability);
      expect(likely).toEqual([...likely].sort((a, b) => b - a));
      expect(likely.every((value) => value > 0 && value < 1)).toBe(true);
    }
    const unknown = await pal.search("Which submarine explored the Mariana trench near the garden?");
    expect(unknown.abstain).toBe(true);
    expect(unknown.answerable).toBeLessThan(0.5);
    expect(await pal.search("zebra", { mode: "lexical" })).toMatchObject({
      hits: [],
      answerable: 0,
      abstain: true,
    });
    expect(await pal.search("type:fact", { limit: 1 })).toMatchObject({ answerable: 1, abstain: false });
  });
});
