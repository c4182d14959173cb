import fc from "fast-check";
import { expect, it } from "vitest";
import { type Hash, hashToBytes, hashValue } from "./hash.js";
import { HashList } from "./hash-set.js";

it("a list of hashes numbers each once, through every growth, and gives it back whole", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_500), { maxLength: 3_000 }), (numbers) => {
      const list = new HashList();
      const model: Hash[] = [];
      for (const number of numbers) {
        const hash = hashValue("memory", number);
        const known = model.indexOf(hash);
        expect(list.numberOf(hash)).toBe(known < 0 ? undefined : known);
        expect(list.add(hash)).toBe(known < 0 ? model.push(hash) - 1 : known);
      }
      expect(list.size).toBe(model.length);
      for (const [at, hash] of model.entries()) {
        expect(list.at(at)).toBe(hash);
        expect(list.numberOf(hash)).toBe(at);
      }
      expect(Buffer.from(list.bytes())).toEqual(Buffer.concat(model.map(hashToBytes)));
    }),
    { numRuns: 20 },
  );
});
