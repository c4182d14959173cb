import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Hash, hashBytes } from "../../core/base/hash.js";
import { applyChanges, setOne } from "../../core/merkle/apply.js";
import { EMPTY_ROOT } from "../../core/merkle/node.js";
import { isNeed } from "../../core/merkle/walk.js";
import { Blocks, NodeCache, NodeTable } from "./caches.js";

/** Bytes of their own, of this length at least, that begin with the number. */
const nodeOf = (n: number, size: number): Uint8Array => {
  const node = Buffer.alloc(Math.max(4, size), n % 251);
  node.writeUInt32BE(n);
  return node;
};
const hashOf = (node: Uint8Array): Hash => hashBytes("node", node);
const isSame = (found: Uint8Array | undefined, wanted: Uint8Array): boolean =>
  found !== undefined && Buffer.compare(found, wanted) === 0;

/** The nodes that one change makes, as `merkle` makes them. */
function made(n: number): ReadonlyMap<Hash, Uint8Array> {
  const key = hashOf(nodeOf(n, 4));
  const result = setOne(EMPTY_ROOT, key, key, () => undefined);
  return isNeed(result) ? new Map() : result.nodes;
}

describe("nodes in RAM", () => {
  it("lie side by side as they were given; those that are left can be read until the rest moves on, and what was read is the reader's", () => {
    const step = fc.record({
      n: fc.nat(40),
      size: fc.constantFrom(4, 521, 2050, 90_000),
      isLeft: fc.boolean(),
      isMade: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const pool = new Blocks();
        const table = new NodeTable(pool);
        const [model, left] = [new Map<Hash, Uint8Array>(), new Set<Hash>()];
        for (const { n, size, isLeft, isMade } of steps) {
          const nodes = isMade ? made(n) : new Map([[hashOf(nodeOf(n, size)), nodeOf(n, size)]]);
          for (const [hash, node] of nodes) {
            table.add(hash, node);
            model.set(hash, Uint8Array.from(node));
            if (!isLeft) continue;
            table.leave(hash);
            left.add(hash);
          }
        }
        const inHand = [...model].map(([hash, node]) => [table.get(hash), node] as const);
        for (const [found, wanted] of inHand) expect(isSame(found, wanted)).toBe(true);
        const { live } = table;
        expect(table.get(hashOf(nodeOf(99, 9)))).toBeUndefined();
        const kept = table.withoutGone();
        for (const [hash, node] of model)
          if (left.has(hash)) expect(kept.get(hash)).toBeUndefined();
          else expect(isSame(kept.get(hash), node)).toBe(true);
        expect(kept.live).toBe(live);
        // Whoever has one in hand keeps it, though its block is filled with others.
        kept.release();
        const others = new NodeTable(pool);
        for (let n = 0; n < 12; n++) others.add(hashOf(nodeOf(1000 + n, 200_000)), nodeOf(1000 + n, 200_000));
        for (const [found, wanted] of inHand) expect(isSame(found, wanted)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("one that is larger than any node can be is not kept", () => {
    const cache = new NodeCache();
    const node = nodeOf(1, 1_000_000);
    cache.set(hashOf(node), node);
    expect(cache.get(hashOf(node))).toBeUndefined();
  });

  it("what is in use stays, however many commits replace other nodes; of those the last can still be read", () => {
    const cache = new NodeCache();
    const changes = new Map(
      Array.from({ length: 2000 }, (_, n) => [hashOf(nodeOf(n, 4)), hashOf(nodeOf(n, 5))]),
    );
    const state = applyChanges(EMPTY_ROOT, changes, () => undefined);
    if (isNeed(state)) throw new Error("nothing can be missing");
    cache.add(state.nodes);
    let { root } = state;
    const roots = [root];
    const key = hashOf(nodeOf(0, 4));
    for (let n = 0; n < 30_000; n++) {
      const next = setOne(root, key, hashOf(nodeOf(n, 6)), (hash) => cache.get(hash));
      if (isNeed(next)) throw new Error(`a node was let go after ${n} commits`);
      cache.renew([next]);
      root = next.root;
      roots.push(root);
    }
    const found = (hash: Hash) => cache.get(hash) !== undefined;
    const gone = new Set(state.nodes.keys());
    for (const hash of [...state.nodes.keys()].filter(found)) gone.delete(hash);
    // Only the path to the key was ever replaced.
    expect(gone.size).toBeLessThan(6);
    expect(roots.slice(-3).every(found)).toBe(true);
    expect(found(roots[100]!)).toBe(false);
  });

  it("what has not been used for long makes room for what is", () => {
    const cache = new NodeCache();
    const hashes = new Map<number, Hash>();
    const add = (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        const node = nodeOf(n, 2000);
        hashes.set(n, hashOf(node));
        cache.set(hashOf(node), node);
      }
    };
    const found = (n: number) => cache.get(hashes.get(n)!) !== undefined;
    add(0, 20_000);
    expect(found(0)).toBe(true);
    add(20_000, 32_000);
    expect([0, 1, 31_000].map(found)).toEqual([true, false, true]);
  });
});
