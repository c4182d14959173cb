import fc from "fast-check";
import { expect, it } from "vitest";
import { type Hash, hashBytes } from "../core/base/hash.js";
import { NodeHeap } from "./thin.js";

it("nodes kept side by side are the nodes that were set and not deleted, however often they were moved", () => {
  const hashOf = (number: number): Hash => hashBytes("note", Buffer.from(String(number)));
  const nodeOf = (number: number) => Buffer.alloc(20_000 + number * 500, number);
  const step = fc.record({ number: fc.integer({ min: 0, max: 200 }), isSet: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600 }), (steps) => {
      const [heap, model] = [new NodeHeap(), new Map<Hash, Uint8Array>()];
      for (const { number, isSet } of steps) {
        if (isSet) model.set(hashOf(number), nodeOf(number));
        else model.delete(hashOf(number));
        if (isSet) heap.set(hashOf(number), nodeOf(number));
        else heap.delete(hashOf(number));
      }
      expect(new Set(heap.keys())).toEqual(new Set(model.keys()));
      expect(heap.size).toBe(model.size);
      for (const [hash, node] of model) expect(Buffer.compare(heap.get(hash)!, node)).toBe(0);
    }),
    { numRuns: 20 },
  );
});
