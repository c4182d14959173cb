import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rulesOf } from "../gate/config.js";
import { openStore } from "../session/open-store.js";
import { memoryStorage } from "../storage/index.js";
import { diverse, saysTheSame } from "./ranking.js";

const same = (a: string, b: string) => saysTheSame({ text: a }, { text: b }, rulesOf());

describe("W16 saying the same", () => {
  it.each([
    ["The parcels are delivered before noon", "the parcels are delivered  before noon."],
    ["The parcels are delivered before noon", "The parcels were delivered before noon!"],
  ])("W16 %s = %s", (a, b) => expect(same(a, b) && same(b, a)).toBe(true));

  it.each([
    ["The cache holds 100 entries per node", "The cache holds 1000 entries per node"],
    ["Uploads are allowed on weekends", "Uploads are not allowed on weekends"],
    ["Ada lives in Lisbon", "Ada lives in Lisbon with two cats and works as a nurse"],
  ])("W16 %s is not %s", (a, b) => expect(same(a, b) || same(b, a)).toBe(false));

  it("W16 long texts that begin alike may end otherwise", () => {
    const start = "All of this is the same. ".repeat(60);
    expect(same(`${start}It was tea.`, `${start}It was rum.`)).toBe(false);
    expect(same(start, start)).toBe(true);
  });

  it("W16 what two people say is not the same", () => {
    const text = "I love the sea";
    expect(saysTheSame({ text, speaker: "Ada" }, { text, speaker: "Ben" }, rulesOf())).toBe(false);
    expect(saysTheSame({ text, speaker: "Ada" }, { text, speaker: "Ada" }, rulesOf())).toBe(true);
  });
});

const found = fc
  .array(
    fc.record({
      text: fc.constantFrom("tea", "green tea", "rum", "dark rum", "", "sea"),
      score: fc.integer(),
    }),
  )
  .map((list) => list.toSorted((a, b) => b.score - a.score));

describe("W17 diversity", () => {
  it("W17 chooses each once, the best first; at 0 in the order they had", () => {
    fc.assert(
      fc.property(found, fc.nat(8), fc.integer({ min: 0, max: 9 }), (list, limit, tenths) => {
        const chosen = diverse(list, limit, tenths / 10);
        expect(chosen).toHaveLength(Math.min(limit, list.length));
        expect(new Set(chosen).size).toBe(chosen.length);
        if (limit > 0) expect(chosen[0]).toBe(list[0]);
        expect(diverse(list, limit, 0)).toEqual(list.slice(0, limit));
      }),
    );
  });

  it("W17 something new comes before more of the same, unless that is much better", () => {
    const list = [
      { text: "Ada grows red roses in the garden", score: 10 },
      { text: "Ada grows white roses in the garden", score: 9 },
      { text: "The greenhouse was built by Ben", score: 8 },
      { text: "It rained on Monday", score: 0 },
    ];
    expect(diverse(list, 2, 0.5).map(({ score }) => score)).toEqual([10, 8]);
    expect(diverse(list, 3, 0.05).map(({ score }) => score)).toEqual([10, 9, 8]);
  });
});

describe("search and blocks", () => {
  const texts = [
    "The night ferry to Ancona leaves at ten",
    "The night ferry to Ancona leaves at ten.",
    "The night ferry to Ancona takes forty cars",
    "Cars for the ferry wait in lane seven",
  ];
  async function filled() {
    const store = await openStore(memoryStorage());
    const pal = store.session({ agent: "ada" });
    for (const [at, text] of texts.entries()) await pal.remember({ id: `n${at}`, type: "note", text });
    return { store, pal };
  }

  it("W16 what repeats a better hit comes after the others, and names it; a limit cuts it first", async () => {
    const { store, pal } = await filled();
    const { hits } = await pal.search("When does the night ferry to Ancona leave?", { mode: "lexical" });
    const last = hits.at(-1);
    expect(last?.text).toMatch(/leaves at ten/);
    expect(last?.repeats).toBe(hits[0]?.id);
    expect(hits.filter(({ repeats }) => repeats !== undefined)).toHaveLength(1);
    const { hits: three } = await pal.search("When does the night ferry to Ancona leave?", { limit: 3 });
    expect(three.map(({ repeats }) => repeats)).toEqual([undefined, undefined, undefined]);
    await store.close();
  });

  it("W17 diversity reaches search and the block for a prompt; a block says nothing twice", async () => {
    const { store, pal } = await filled();
    const question = "night ferry to Ancona, cars";
    const ids = async (diversity: number) =>
      (await pal.search(question, { mode: "lexical", diversity })).hits.map(({ id }) => id);
    expect((await ids(0.9)).indexOf("n3" as never)).toBeLessThan((await ids(0)).indexOf("n3" as never));
    const { items } = await pal.promptContext({ query: question, mode: "lexical", diversity: 0.9 });
    expect(items).toHaveLength(3);
    expect(items[1]).toBe("n3");
    await expect(pal.search(question, { diversity: 2 })).rejects.toMatchObject({ code: "INVALID_VALUE" });
    await store.close();
  });
});
