import fc from "fast-check";
import { expect, it } from "vitest";
import { type Hash, hashBytes } from "./hash.js";
import { HashSet } from "./hash-set.js";

it("a compact set of hashes holds what was added, through every growth, and nothing else", () => {
  const hashOf = (number: number): Hash => hashBytes("note", Buffer.from(String(number)));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 3_000 }), (numbers) => {
      const [set, model] = [new HashSet(), new Set<number>()];
      for (const number of numbers) {
        expect(set.add(hashOf(number))).toBe(!model.has(number));
        model.add(number);
      }
      expect(set.size).toBe(model.size);
      for (const [at, number] of [...model].entries()) expect(set.numberOf(hashOf(number))).toBe(at);
      for (let number = 0; number < 4_000; number += 13)
        expect(set.has(hashOf(number))).toBe(model.has(number));
      const half = new HashSet();
      for (let at = 0; at < set.size; at += 2) half.addFrom(set, at);
      for (const [at, number] of [...model].entries())
        expect(half.numberOf(hashOf(number))).toBe(at % 2 === 0 ? at / 2 : undefined);
    }),
    { numRuns: 20 },
  );
});
