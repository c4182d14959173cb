import fc from "fast-check";
import { expect, it } from "vitest";
import { tokensOf } from "../../session/index.js";
import { cut, fitting, quoted, shown } from "./telling.js";

const anyText = fc.string({ unit: "binary", maxLength: 300 });

it("J12 what fits is within the budget, in order, and nothing is uncounted", () => {
  fc.assert(
    fc.property(
      fc.array(anyText, { maxLength: 20 }),
      fc.integer({ min: 100, max: 2_000 }),
      (texts, budget) => {
        const items = texts.map((text, at) => ({ id: `m${at}`, text }));
        const { items: taken, left } = fitting(items, budget);
        expect(taken.length + left).toBe(items.length);
        expect(taken.map(({ id }) => id)).toEqual(items.slice(0, taken.length).map(({ id }) => id));
        const cost = taken.reduce((sum, item) => sum + tokensOf(JSON.stringify(shown(item))), 0);
        if (taken.length > 1) expect(cost).toBeLessThanOrEqual(budget);
        expect(taken.length > 0).toBe(items.length > 0);
      },
    ),
  );
});

it("J12 one item that is too long for the budget is cut to it", () => {
  for (const text of [
    "word ".repeat(20_000),
    "漢".repeat(20_000),
    "\u200b".repeat(5_000),
    "😀".repeat(9_000),
  ]) {
    const { items } = fitting([{ id: "one", text }], 300);
    expect(tokensOf(JSON.stringify(shown(items[0])))).toBeLessThanOrEqual(330);
    expect(items[0]?.text.isWellFormed()).toBe(true);
  }
});

it("J14 a quotation is one line that reads back, and holds nothing hidden", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const said = quoted(text);
      expect(said).not.toMatch(/[\n\r\u2028\u2029\p{Cc}\p{Cf}]/u);
      expect(typeof JSON.parse(said)).toBe("string");
    }),
  );
});

it("J14 a cut text is never longer than asked and never ends in half a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 50 }), (text, most) => {
      const short = cut(text, most);
      expect(short.length).toBeLessThanOrEqual(Math.max(most, 1));
      expect(short.isWellFormed()).toBe(true);
    }),
  );
});
