import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteSearch } from "./byte-search.js";
import { piecesOf } from "./receipt.js";

describe("looking for texts in raw bytes", () => {
  it("CA1 finds exactly the byte strings that are there, however the stream is cut", () => {
    const letters = fc.constantFrom(0, 1, 65, 66, 255);
    const bytes = fc
      .uint8Array({ minLength: 0, maxLength: 400 })
      .chain((start) =>
        fc.array(letters, { maxLength: 400 }).map((rest) => Buffer.from([...start, ...rest])),
      );
    fc.assert(
      fc.property(
        bytes,
        fc.array(fc.tuple(fc.nat(800), fc.integer({ min: 8, max: 60 })), { maxLength: 8 }),
        fc.array(fc.array(letters, { minLength: 8, maxLength: 20 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 50 }),
        (haystack, spans, others, step) => {
          const inside = spans
            .map(([start, length]) => haystack.subarray(start, start + length))
            .filter(({ length }) => length >= 8);
          const needles = [...inside, ...others.map((other) => Buffer.from(other))];
          const search = new ByteSearch(needles);
          for (let at = 0; at < haystack.length; at += step) search.feed(haystack.subarray(at, at + step));
          const expected = needles.flatMap((needle, at) => (haystack.includes(needle) ? [at] : []));
          expect([...search.found].sort((a, b) => a - b)).toEqual(expected);
        },
      ),
    );
  });

  it("CA2 knows a text in every spelling that a file may use", () => {
    const text = 'The "canary" of Zoë sings at\tdawn 🐤 and nobody else does that';
    const spelt = (bytes: Uint8Array) => {
      const search = new ByteSearch(piecesOf([text]).flatMap(({ spellings }) => spellings));
      search.feed(bytes);
      return search.found.size > 0;
    };
    expect(spelt(Buffer.from(text))).toBe(true);
    expect(spelt(Buffer.from(JSON.stringify({ text })))).toBe(true);
    expect(spelt(Buffer.from(text, "utf16le"))).toBe(true);
    for (const before of ["", "x", "xy", "xyz"])
      expect(spelt(Buffer.from(Buffer.from(`${before}${text} and more`).toString("base64")))).toBe(true);
    expect(spelt(Buffer.from("something else altogether, and longer than that"))).toBe(false);
  });

  it("CA3 finds a long text that a page boundary cuts", () => {
    const text = Array.from({ length: 300 }, (_, n) => `word${n}`).join(" ");
    const search = new ByteSearch(piecesOf([text]).flatMap(({ spellings }) => spellings));
    search.feed(Buffer.from(`${text.slice(0, 700)}\0\0\0\0${text.slice(700)}`));
    expect(search.found.size).toBeGreaterThan(40);
  });
});
