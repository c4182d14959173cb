import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Hash, hashValue } from "../../core/base/hash.js";
import { SortedHashes } from "./sorted-hashes.js";

const hash = (of: number): Hash => hashValue("content", of);

describe("sorted hashes", () => {
  it("answers what a sorted list would, whatever the keys", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 4 }), { maxLength: 300 }),
        fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 2 }),
        (keys, prefix) => {
          const sorted = new SortedHashes();
          for (const [at, key] of keys.entries()) sorted.add(key, hash(at));
          const expected = keys
            .map((key, at) => ({ key, at }))
            .filter(({ key }) => key.startsWith(prefix))
            .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.at - b.at))
            .map(({ at }) => hash(at));
          expect([...sorted.under(prefix)]).toEqual(expected);
          sorted.add(`${prefix}zz`, hash(-1));
          expect([...sorted.under(prefix)].at(-1)).toBe(hash(-1));
        },
      ),
    );
  });
});
