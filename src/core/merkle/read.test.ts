import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Hash } from "../base/hash.js";
import { applyChanges } from "./apply.js";
import type { Changes } from "./batch.js";
import { checkTrie } from "./check-trie.js";
import { diffTries } from "./diff.js";
import { EMPTY_ROOT } from "./node.js";
import {
  childrenOf,
  countEntries,
  isNeed,
  listEntries,
  lookup,
  lookupMany,
  type Need,
  type NodeSource,
  provePath,
  reachable,
} from "./walk.js";

const sha = (text: string): Hash => createHash("sha256").update(text).digest("hex") as Hash;
const value = (n: number): Hash => sha(`value ${n}`);
/** As in apply.test.ts: scattered keys, and keys alike in their first nibbles. */
const KEYS = Array.from({ length: 160 }, (_, n): Hash => {
  const shared = [0, 1, 2, 9, 60][Math.floor(n / 32)]!;
  return ("a".repeat(shared) + sha(`key ${n}`)).slice(0, 64) as Hash;
});

type Store = Map<Hash, Uint8Array>;

function must<T extends object>(answer: T | Need): T {
  if (isNeed(answer)) throw new Error(`need ${answer.need}`);
  return answer;
}

function build(entries: Changes, store: Store): Hash {
  const { root, nodes } = must(applyChanges(EMPTY_ROOT, entries, () => undefined));
  for (const [hash, node] of nodes) store.set(hash, node);
  return root;
}

function height(store: Store, root: Hash): number {
  const node = store.get(root);
  return node === undefined ? 0 : 1 + Math.max(0, ...childrenOf(node).map((child) => height(store, child)));
}

/** Answers from a source that starts with what is warm and learns only what it was asked for. */
function learn<T extends object>(
  full: Store,
  warm: (hash: Hash) => boolean,
  ask: (source: NodeSource) => T | Need,
): { answer: T; rounds: number } {
  const known: Store = new Map([...full].filter(([hash]) => warm(hash)));
  for (let rounds = 0; ; rounds++) {
    const answer = ask((hash) => known.get(hash));
    if (!isNeed(answer)) return { answer, rounds };
    expect(new Set(answer.need).size).toBe(answer.need.length);
    expect(answer.need.length).toBeGreaterThan(0);
    for (const hash of answer.need) {
      if (known.has(hash)) throw new Error("asked for a node that was there");
      known.set(hash, full.get(hash)!);
    }
  }
}

const aKey = fc.nat(KEYS.length - 1).map((n) => KEYS[n]!);
const anEntry = fc.tuple(aKey, fc.nat(2).map(value));
const aMap = fc.array(anEntry, { maxLength: 220, size: "max" }).map((list) => new Map(list));
const changes = fc
  .array(fc.tuple(aKey, fc.option(fc.nat(2).map(value), { freq: 1 })), { maxLength: 120, size: "max" })
  .map((list) => new Map(list));

function modelDiff(a: Map<Hash, Hash>, b: Map<Hash, Hash>): object[] {
  return [...new Set([...a.keys(), ...b.keys()])]
    .sort()
    .filter((key) => a.get(key) !== b.get(key))
    .map((key) => ({
      key,
      ...(a.has(key) && { before: a.get(key) }),
      ...(b.has(key) && { after: b.get(key) }),
    }));
}

describe("the need protocol", () => {
  it("M7 rounds are at most the height of the trie, and the answer is the one a full source gives", () => {
    fc.assert(
      fc.property(
        aMap,
        aMap,
        changes,
        fc.array(aKey, { maxLength: 40, size: "max" }),
        (mapA, mapB, batch, keys) => {
          const full: Store = new Map();
          const a = build(mapA, full);
          const b = build(mapB, full);
          const half = value(batch.size);
          const both = Math.max(height(full, a), height(full, b));
          const questions: [number, (source: NodeSource) => object | Need][] = [
            [height(full, a), (source) => applyChanges(a, batch, source)],
            [height(full, a), (source) => lookup(a, keys[0] ?? KEYS[0]!, source)],
            [height(full, a), (source) => lookupMany(a, keys, source)],
            [height(full, a), (source) => provePath(a, keys[0] ?? KEYS[0]!, source)],
            [height(full, a), (source) => listEntries(a, source)],
            [height(full, a), (source) => checkTrie(a, source)],
            [1, (source) => countEntries(a, source)],
            [both, (source) => diffTries(a, b, source)],
            [both, (source) => reachable([a, b, a], source, () => true)],
          ];
          for (const [limit, ask] of questions) {
            const expected = must(ask((hash) => full.get(hash)));
            for (const warm of [() => false, (hash: Hash) => hash < half]) {
              const { answer, rounds } = learn(full, warm, ask);
              expect(answer).toEqual(expected);
              expect(rounds).toBeLessThanOrEqual(limit);
            }
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("reading", () => {
  it("M8 looking up one key or many gives what the map holds, and counting reads the root node alone", () => {
    fc.assert(
      fc.property(aMap, fc.array(aKey, { maxLength: 40, size: "max" }), (map, keys) => {
        const store: Store = new Map();
        const root = build(map, store);
        const source: NodeSource = (hash) => store.get(hash);
        for (const key of keys) expect(lookup(root, key, source)).toEqual({ value: map.get(key) });
        const { values } = must(lookupMany(root, keys, source));
        expect(values).toEqual(new Map([...map].filter(([key]) => keys.includes(key))));
        const only: NodeSource = (hash) => (hash === root ? store.get(hash) : undefined);
        expect(countEntries(root, only)).toEqual({ count: map.size });
      }),
      { numRuns: 60 },
    );
  });

  it("M9 entries are listed in ascending order of keys", () => {
    const map = new Map(KEYS.map((key, n) => [key, value(n)]));
    const store: Store = new Map();
    const { entries } = must(listEntries(build(map, store), (hash) => store.get(hash)));
    expect(entries).toEqual(KEYS.toSorted().map((key) => [key, map.get(key)]));
  });

  it("M10 a diff names exactly the keys whose values differ, and applied to the first gives the second", () => {
    fc.assert(
      fc.property(aMap, aMap, fc.boolean(), changes, (mapA, other, related, batch) => {
        const mapB = related ? new Map(mapA) : other;
        if (related) for (const [key, next] of batch) next === null ? mapB.delete(key) : mapB.set(key, next);
        const store: Store = new Map();
        const source: NodeSource = (hash) => store.get(hash);
        const a = build(mapA, store);
        const b = build(mapB, store);
        const diff = must(diffTries(a, b, source)).changes;
        expect(diff).toEqual(modelDiff(mapA, mapB));
        const forward = new Map(diff.map(({ key, after }) => [key, after ?? null]));
        expect(must(applyChanges(a, forward, source)).root).toBe(b);
      }),
      { numRuns: 150 },
    );
  });

  it("M10 equal subtrees are not read: one change among 20,000 entries reads one path of each side", () => {
    const store: Store = new Map();
    const map = new Map(Array.from({ length: 20_000 }, (_, n) => [sha(`many ${n}`), value(0)]));
    const a = build(map, store);
    const key = sha("many 77");
    const next = must(applyChanges(a, new Map([[key, value(1)]]), (hash) => store.get(hash)));
    for (const [hash, node] of next.nodes) store.set(hash, node);
    let reads = 0;
    const counting: NodeSource = (hash) => {
      reads++;
      return store.get(hash);
    };
    expect(diffTries(a, next.root, counting)).toEqual({
      changes: [{ key, before: value(0), after: value(1) }],
    });
    expect(reads).toBe(2 * next.nodes.size);
    expect(next.nodes.size).toBeLessThanOrEqual(5);
  });

  it("M11 reachable nodes are those of the given roots; what is not within is left out and never asked for", () => {
    const store: Store = new Map();
    const first = build(new Map(KEYS.slice(0, 60).map((key) => [key, value(0)])), store);
    const own = new Set(store.keys());
    const second = build(new Map(KEYS.slice(40, 160).map((key) => [key, value(0)])), store);
    const source: NodeSource = (hash) => store.get(hash);
    expect(reachable([first], source, () => true)).toEqual({ nodes: own });
    expect(reachable([first, second, EMPTY_ROOT], source, () => true)).toEqual({
      nodes: new Set(store.keys()),
    });
    expect(reachable([first, second], source, (hash) => hash !== second)).toEqual({ nodes: own });
    const children = childrenOf(store.get(first)!);
    const left = children[0]!;
    const without: NodeSource = (hash) => (hash === left ? undefined : store.get(hash));
    const { nodes } = must(reachable([first], without, (hash) => hash !== left));
    expect(nodes.has(left)).toBe(false);
    expect(nodes.size).toBeGreaterThanOrEqual(children.length);
  });
});
