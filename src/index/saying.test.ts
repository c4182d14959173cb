import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chainsOf, NO_SAYING, sayingOf, whoSays } from "./saying.js";

describe("A33 what is said word for word", () => {
  it("A33 is one number whatever the case, the accents and the signs", () => {
    expect(sayingOf("Tea, please!")).toBe(sayingOf("  tea PLEASE"));
    expect(sayingOf("Crème brûlée")).toBe(sayingOf("creme - brulee."));
    expect(sayingOf("tea please")).not.toBe(sayingOf("teaplease"));
    expect(sayingOf("👍🎉")).not.toBe(sayingOf("🎉👍"));
    expect(sayingOf("!!!")).not.toBe(NO_SAYING);
  });

  it("A33 of an ASCII text is the one it has as any other", () => {
    const words = fc.array(fc.stringMatching(/^[a-zA-Z0-9]{1,6}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(words, (list) => {
        // A mark beyond ASCII between words is read by the slower way.
        expect(sayingOf(list.join(" … "))).toBe(sayingOf(list.join(", ")));
      }),
    );
  });

  it("A33 finds everybody who says it, and nobody else", () => {
    const number = fc.integer({ min: 0, max: 6 }).map((at) => (at === 0 ? NO_SAYING : at * 0x1000_0000));
    fc.assert(
      fc.property(fc.array(number, { maxLength: 40 }), (numbers) => {
        const saying = Uint32Array.from(numbers);
        const chains = { saying, ...chainsOf(saying) };
        for (const wanted of new Set(numbers))
          expect([...whoSays(chains, wanted)]).toEqual(
            [...saying.keys()].filter((doc) => wanted !== NO_SAYING && saying[doc] === wanted),
          );
      }),
    );
  });
});
