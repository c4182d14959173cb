import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Hash, hashValue } from "../base/index.js";
import { NodeCache } from "./node-cache.js";
import { NodeTable } from "./node-table.js";

const hashOf = (n: number): Hash => hashValue("id", n);
const nodeOf = (n: number, size: number): Uint8Array => new Uint8Array(size).fill(n);

describe("nodes in RAM", () => {
  it("V92 lie side by side as they were given; those that are left can be read until the rest moves on", () => {
    const steps = fc.array(
      fc.record({ n: fc.nat(40), size: fc.constantFrom(0, 2, 521, 2050, 90_000), isLeft: fc.boolean() }),
      { maxLength: 120 },
    );
    fc.assert(
      fc.property(steps, (list) => {
        const table = new NodeTable();
        const [model, left] = [new Map<number, number>(), new Set<number>()];
        for (const { n, size, isLeft } of list) {
          table.add(hashOf(n), nodeOf(n, model.get(n) ?? size));
          if (!model.has(n)) model.set(n, size);
          if (!isLeft) continue;
          table.leave(hashOf(n));
          left.add(n);
        }
        const views = [...model].map(([n, size]) => [table.get(hashOf(n)), nodeOf(n, size)] as const);
        for (const [found, wanted] of views) expect(found && Buffer.compare(found, wanted)).toBe(0);
        expect(table.get(hashOf(99))).toBeUndefined();
        const kept = table.withoutGone();
        for (const [n, size] of model) {
          const found = kept.get(hashOf(n));
          if (left.has(n)) expect(found).toBeUndefined();
          else expect(found && Buffer.compare(found, nodeOf(n, size))).toBe(0);
        }
        expect(kept.live).toBe(table.live);
        // Whoever has one in hand keeps it.
        for (const [found, wanted] of views) expect(found && Buffer.compare(found, wanted)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it("V92 one that is larger than any node can be is not kept", () => {
    const cache = new NodeCache();
    cache.set(hashOf(1), nodeOf(1, 1_000_000));
    expect(cache.get(hashOf(1))).toBeUndefined();
  });

  it("V93 what is in use stays, however many commits replace other nodes; of those the last can still be read", () => {
    const cache = new NodeCache();
    const state = Array.from({ length: 1000 }, (_, n) => n);
    cache.add(new Map(state.map((n) => [hashOf(n), nodeOf(n, 2000)])));
    const COMMITS = 40_000;
    for (let n = 1000; n < 1000 + COMMITS; n++)
      cache.renew([{ nodes: new Map([[hashOf(n), nodeOf(n, 2000)]]), gone: [hashOf(n - 1)] }]);
    const found = (n: number) => cache.get(hashOf(n)) !== undefined;
    expect(state.slice(0, -1).every(found)).toBe(true);
    expect([COMMITS + 999, COMMITS + 998, COMMITS + 997].every(found)).toBe(true);
    expect(found(1500)).toBe(false);
  });

  it("V93 what has not been used for long makes room for what is", () => {
    const cache = new NodeCache();
    const add = (from: number, to: number) => {
      for (let n = from; n < to; n++) cache.set(hashOf(n), nodeOf(n, 2000));
    };
    add(0, 20_000);
    expect(cache.get(hashOf(0))).toBeDefined();
    add(20_000, 32_000);
    expect(cache.get(hashOf(0))).toBeDefined();
    expect(cache.get(hashOf(1))).toBeUndefined();
    expect(cache.get(hashOf(31_000))).toBeDefined();
  });
});
