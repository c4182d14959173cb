import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Hash, hashBytes } from "../base/hash.js";
import { applyChanges, setOne } from "./apply.js";
import type { Made } from "./build.js";
import { checkTrie } from "./check-trie.js";
import { EMPTY_NODE, EMPTY_ROOT } from "./node.js";
import { isNeed, listEntries, reachable } from "./walk.js";

const golden = JSON.parse(
  readFileSync(new URL("../../../test/golden/merkle-v1.json", import.meta.url), "utf8"),
) as { tries: { name: string; entries: [Hash, Hash][]; root: Hash; nodes: Record<string, string> }[] };

const sha = (text: string): Hash => createHash("sha256").update(text).digest("hex") as Hash;
const value = (n: number): Hash => sha(`value ${n}`);
/** Scattered keys, and keys that are alike in their first 1, 2, 9 and 60 nibbles. */
const KEYS = Array.from({ length: 160 }, (_, n): Hash => {
  const shared = [0, 1, 2, 9, 60][Math.floor(n / 32)]!;
  return ("a".repeat(shared) + sha(`key ${n}`)).slice(0, 64) as Hash;
});

type Store = Map<Hash, Uint8Array>;
type Change = readonly [key: Hash, value: Hash | null];

function apply(store: Store, root: Hash, changes: Iterable<Change>): Made & { root: Hash } {
  const result = applyChanges(root, new Map(changes), (hash) => store.get(hash));
  if (isNeed(result)) throw new Error(`need ${result.need}`);
  for (const [hash, node] of result.nodes) store.set(hash, node);
  return result;
}

const build = (entries: Iterable<Change>, store: Store = new Map()): Hash =>
  apply(store, EMPTY_ROOT, entries).root;

function entriesOf(store: Store, root: Hash): [Hash, Hash][] {
  const result = listEntries(root, (hash) => store.get(hash));
  if (isNeed(result)) throw new Error(`need ${result.need}`);
  return result.entries;
}

function nodesOf(store: Store, root: Hash): Set<Hash> {
  const result = reachable(
    [root],
    (hash) => store.get(hash),
    () => true,
  );
  if (isNeed(result)) throw new Error(`need ${result.need}`);
  return result.nodes;
}

function change(map: Map<Hash, Hash>, batch: readonly Change[]): void {
  for (const [key, next] of batch) next === null ? map.delete(key) : map.set(key, next);
}

const sorted = (map: Map<Hash, Hash>): [Hash, Hash][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

const aKey = fc.nat(KEYS.length - 1).map((n) => KEYS[n]!);
const aChange = fc.tuple(aKey, fc.option(fc.nat(3).map(value), { freq: 2 }));
const aBatch = fc.array(aChange, { maxLength: 90, size: "max" });
const aMap = fc
  .array(fc.tuple(aKey, fc.nat(3).map(value)), { maxLength: 160, size: "max" })
  .map((list) => new Map(list));

describe("the format", () => {
  it.each(golden.tries)("M1 a node is its bytes, and M2 its shape is fixed: $name", (vector) => {
    const store: Store = new Map([[EMPTY_ROOT, EMPTY_NODE]]);
    expect(build(vector.entries, store)).toBe(vector.root);
    const nodes = [...store].filter(([hash]) => hash !== EMPTY_ROOT || vector.root === EMPTY_ROOT);
    expect(
      Object.fromEntries(nodes.map(([hash, node]) => [hash, Buffer.from(node).toString("hex")])),
    ).toEqual(vector.nodes);
    for (const [hash, node] of store) expect(hashBytes("node", node)).toBe(hash);
  });

  it("M2 a subtree of at most 32 entries is one bucket, a larger one a branch", () => {
    const store: Store = new Map();
    let root = EMPTY_ROOT;
    const shapes: number[] = [];
    for (const key of KEYS.slice(0, 34)) {
      root = apply(store, root, [[key, value(1)]]).root;
      shapes.push(store.get(root)![0]!);
    }
    expect(shapes).toEqual([...Array(32).fill(0), 1, 1]);
    for (const key of KEYS.slice(0, 34)) {
      root = apply(store, root, [[key, null]]).root;
      shapes.push((store.get(root) ?? EMPTY_NODE)[0]!);
    }
    expect(shapes.slice(34)).toEqual([1, ...Array(33).fill(0)]);
    expect(root).toBe(EMPTY_ROOT);
  });
});

describe("applying changes", () => {
  it("M3 one map has one root: neither order, batching nor earlier additions and removals leave a trace", () => {
    fc.assert(
      fc.property(
        aMap,
        fc.array(aBatch, { maxLength: 4, size: "max" }),
        fc.nat(40),
        (target, history, size) => {
          const store: Store = new Map();
          const model = new Map<Hash, Hash>();
          let root = EMPTY_ROOT;
          for (const batch of history) {
            change(model, batch);
            root = apply(store, root, batch).root;
          }
          const gone = [...model.keys()].filter((key) => !target.has(key)).map((key): Change => [key, null]);
          const rest: Change[] = [...target, ...gone];
          for (let at = 0; at < rest.length; at += size + 1)
            root = apply(store, root, rest.slice(at, at + size + 1)).root;
          expect(root).toBe(build(target));
          expect(root).toBe(build([...target].reverse()));
        },
      ),
      { numRuns: 100 },
    );
  });

  it("M3 it holds through removals one by one down to and through the boundary of 32 entries", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(KEYS, { minLength: 40, maxLength: 70 }), (keys) => {
        const store: Store = new Map();
        let root = build(
          keys.map((key): Change => [key, value(1)]),
          store,
        );
        for (let left = keys.length - 1; left >= 0; left--) {
          root = apply(store, root, [[keys[left]!, null]]).root;
          expect(root).toBe(build(keys.slice(0, left).map((key): Change => [key, value(1)])));
        }
      }),
      { numRuns: 12 },
    );
  });

  it("M4 a batch gives the map that its changes give one by one, and hands out the nodes that are new", () => {
    fc.assert(
      fc.property(aMap, aBatch, (map, batch) => {
        const store: Store = new Map();
        const before = build(map, store);
        const { root, nodes, gone } = apply(store, before, batch);
        change(map, [...new Map(batch)]);
        expect(entriesOf(store, root)).toEqual(sorted(map));
        const problems = checkTrie(root, (hash) => store.get(hash));
        expect(problems).toMatchObject({ problems: [], entries: map.size });
        const old = nodesOf(store, before);
        const all = nodesOf(store, root);
        // One that only moved is made again where it is now.
        for (const hash of gone) expect([old.has(hash), all.has(hash)]).toEqual([true, nodes.has(hash)]);
        for (const hash of old) expect(all.has(hash) || gone.includes(hash)).toBe(true);
        for (const hash of nodes.keys()) expect(all).toContain(hash);
        for (const hash of all) if (!old.has(hash)) expect(nodes.has(hash)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it("M4 a collapse keeps the children that the batch names but does not change", () => {
    const store: Store = new Map();
    const entries = KEYS.slice(0, 33).map((key): Change => [key, value(1)]);
    const root = build(entries, store);
    const removed = KEYS[0]!;
    const batch = entries.map(([key, same]): Change => [key, key === removed ? null : same]);
    expect(apply(store, root, batch).root).toBe(build(entries.slice(1)));
  });

  it("M5 removing an absent key or setting the value that is there is no change: same root, no nodes", () => {
    fc.assert(
      fc.property(aMap, aBatch, (map, batch) => {
        const store: Store = new Map();
        const before = build(map, store);
        const idle = batch.flatMap(([key]): Change[] => [[key, map.get(key) ?? null]]);
        const { root, nodes, gone } = apply(store, before, idle);
        expect(root).toBe(before);
        expect(nodes.size).toBe(0);
        expect(gone).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("setting one key is a batch of one: the same root, the same nodes made and gone", () => {
    fc.assert(
      fc.property(aMap, fc.array(fc.tuple(aKey, fc.nat(3).map(value)), { maxLength: 40 }), (map, changes) => {
        const store: Store = new Map();
        let root = build(map, store);
        for (const [key, next] of changes) {
          const one = setOne(root, key, next, (hash) => store.get(hash));
          if (isNeed(one)) throw new Error(`need ${one.need}`);
          const batch = apply(store, root, [[key, next]]);
          expect([one.root, one.nodes, [...one.gone].sort()]).toEqual([
            batch.root,
            batch.nodes,
            [...batch.gone].sort(),
          ]);
          root = one.root;
        }
      }),
      { numRuns: 60 },
    );
  });

  it("M6 the empty map is the empty bucket; it is neither asked for nor handed out", () => {
    expect(hashBytes("node", EMPTY_NODE)).toBe(EMPTY_ROOT);
    const store: Store = new Map();
    const root = build([[KEYS[0]!, value(1)]], store);
    const emptied = apply(store, root, [[KEYS[0]!, null]]);
    expect(emptied).toEqual({ root: EMPTY_ROOT, nodes: new Map(), gone: [root] });
    expect(nodesOf(new Map(), EMPTY_ROOT).size).toBe(0);
    expect(entriesOf(new Map(), EMPTY_ROOT)).toEqual([]);
  });
});
