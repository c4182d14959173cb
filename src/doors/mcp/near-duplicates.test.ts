import fc from "fast-check";
import { expect, it } from "vitest";
import { nearDuplicates, wordsOf } from "./near-duplicates.js";

it("J17 finds texts of nearly the same words, whatever their case, order and punctuation", () => {
  const texts = [
    "The user likes green tea",
    "Green tea, the user likes!",
    "Deploys happen on Fridays",
    "Tea",
  ];
  expect(nearDuplicates(texts)).toEqual([{ a: 0, b: 1, similarity: 1 }]);
  expect(nearDuplicates(["", "…", "?!"])).toEqual([]);
});

it("J17 agrees with comparing all pairs while words are rare enough to tell apart", () => {
  const word = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz".split(""));
  fc.assert(
    fc.property(fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { maxLength: 12 }), (lists) => {
      const texts = lists.map((words) => words.join(" "));
      const all: string[] = [];
      for (const [a, one] of texts.entries())
        for (const [b, other] of texts.entries()) {
          const [x, y] = [wordsOf(one), wordsOf(other)];
          const both = [...x].filter((each) => y.has(each)).length;
          if (b > a && both / (x.size + y.size - both) >= 0.75) all.push(`${a}-${b}`);
        }
      expect(
        nearDuplicates(texts)
          .map(({ a, b }) => `${a}-${b}`)
          .sort(),
      ).toEqual(all.sort());
    }),
  );
});
