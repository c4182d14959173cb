import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../base/errors.js";
import { type Hash, hashBytes, hashToBytes } from "../base/hash.js";
import { applyChanges } from "./apply.js";
import { checkTrie } from "./check-trie.js";
import { diffTries } from "./diff.js";
import { checkNode, EMPTY_NODE, EMPTY_ROOT } from "./node.js";
import {
  childrenOf,
  countEntries,
  isNeed,
  listEntries,
  lookup,
  lookupMany,
  type NodeSource,
  provePath,
  reachable,
} from "./walk.js";

type Store = Map<Hash, Uint8Array>;
const sha = (text: string): Hash => createHash("sha256").update(text).digest("hex") as Hash;
const KEYS = Array.from({ length: 120 }, (_, n) => sha(`key ${n}`));

function build(store: Store, keys: readonly Hash[]): Hash {
  const made = applyChanges(EMPTY_ROOT, new Map(keys.map((key) => [key, key])), () => undefined);
  if (isNeed(made)) throw new Error("need");
  for (const [hash, node] of made.nodes) store.set(hash, node);
  return made.root;
}

const bucket = (...keys: string[]): Buffer =>
  Buffer.concat([Buffer.of(0, keys.length), ...keys.map((key) => Buffer.from(key.padEnd(128, "0"), "hex"))]);

function branch(count: number, children: Record<number, Hash>): Buffer {
  const head = Buffer.alloc(9);
  head[0] = 1;
  head.writeUInt16BE(
    Object.keys(children).reduce((bits, nibble) => bits | (1 << Number(nibble)), 0),
    1,
  );
  head.writeUIntBE(count, 3, 6);
  return Buffer.concat([head, ...Object.values(children).map(hashToBytes)]);
}

function put(store: Store, node: Uint8Array): Hash {
  const hash = hashBytes("node", node);
  store.set(hash, node);
  return hash;
}

describe("checking", () => {
  it("M12 checking a node names its problems", () => {
    const child = sha("child");
    const at = (depth: number, prefix: string) => ({ depth, prefix });
    expect(checkNode(EMPTY_NODE)).toEqual([]);
    expect(checkNode(bucket("a1", "a2"), at(1, "a"))).toEqual([]);
    expect(checkNode(branch(33, { 0: child }))).toEqual([]);
    const cases: [Uint8Array, ReturnType<typeof at> | undefined, string][] = [
      [Buffer.alloc(0), undefined, "no bytes"],
      [Buffer.of(2, 0), undefined, "bad tag"],
      [Buffer.of(0), undefined, "bad length"],
      [Buffer.of(1, 0), undefined, "bad length"],
      [bucket("a1").subarray(0, 65), undefined, "bad length"],
      [Buffer.concat([bucket("a1"), Buffer.of(0)]), undefined, "bad length"],
      [bucket("a2", "a1"), undefined, "unsorted keys"],
      [bucket("a1", "a1"), undefined, "duplicate key"],
      [bucket(...KEYS.slice(0, 33).sort()), undefined, "bad count: a bucket of 33"],
      [bucket("a1", "b1"), at(1, "a"), "key outside its prefix: entry 1"],
      [bucket("a1", "a2"), at(2, "a1ff"), "key outside its prefix: entry 1"],
      [EMPTY_NODE, at(1, "a"), "bad count: an empty bucket"],
      [branch(33, {}), undefined, "bitmap 0"],
      [branch(32, { 3: child }), undefined, "bad count: a branch of 32"],
      [branch(33, { 3: child }).subarray(0, 40), undefined, "bad length"],
      [branch(33, { 3: child }), at(64, KEYS[0]!), "bad depth"],
    ];
    for (const [node, context, problem] of cases)
      expect(checkNode(node, context)).toEqual([expect.stringContaining(problem)]);
  });

  it("M12 checking a node never throws, whatever the bytes", () => {
    const bytes = fc.uint8Array({ maxLength: 200, size: "max" });
    const tagged = fc
      .tuple(fc.nat(2), fc.nat(40), bytes)
      .map(([tag, n, rest]) => Uint8Array.of(tag, n, ...rest));
    const context = fc.option(fc.record({ depth: fc.nat(80), prefix: fc.string() }), { nil: undefined });
    fc.assert(
      fc.property(fc.oneof(bytes, tagged), context, (node, at) => Array.isArray(checkNode(node, at))),
    );
  });

  it("M13 checking a trie finds nodes out of place, counts that do not add up and nodes met twice", () => {
    const store: Store = new Map();
    const source: NodeSource = (hash) => store.get(hash);
    const whole = build(store, KEYS);
    expect(checkTrie(whole, source)).toEqual({ problems: [], nodes: store.size, entries: KEYS.length });
    expect(checkTrie(EMPTY_ROOT, source)).toEqual({ problems: [], nodes: 1, entries: 0 });
    const low = put(store, bucket("a1"));
    const high = put(store, bucket("b1"));
    const cases: [Uint8Array, Hash | "root", string][] = [
      [branch(40, { 10: low, 11: high }), "root", "says 40, its children hold 2"],
      [branch(33, { 3: low, 11: high }), low, "key outside its prefix"],
      [branch(33, { 10: low, 11: low }), low, "found twice"],
      [branch(33, { 10: EMPTY_ROOT }), EMPTY_ROOT, "an empty bucket below the root"],
    ];
    for (const [node, culprit, problem] of cases) {
      const root = put(store, node);
      const found = { node: culprit === "root" ? root : culprit, problem: expect.stringContaining(problem) };
      expect(checkTrie(root, source)).toMatchObject({ problems: expect.arrayContaining([found]) });
    }
  });
});

describe("damage", () => {
  const ask = (root: Hash, other: Hash, source: NodeSource): (() => unknown)[] => [
    () => applyChanges(root, new Map(KEYS.map((key, n) => [key, n % 3 ? null : other])), source),
    () => lookup(root, KEYS[0]!, source),
    () => lookupMany(root, KEYS, source),
    () => provePath(root, KEYS[0]!, source),
    () => listEntries(root, source),
    () => diffTries(root, other, source),
    () => countEntries(root, source),
    () => reachable([root, other], source, () => true),
    () => source(root) && childrenOf(source(root)!),
    () => checkTrie(root, source),
  ];
  const endsWell = (question: () => unknown): void => {
    try {
      question();
    } catch (error) {
      expect(error).toBeInstanceOf(PalimpsestError);
      expect((error as PalimpsestError).code).toBe("DAMAGED");
    }
  };

  it("M14 malformed bytes end in DAMAGED, never in another error", () => {
    const store: Store = new Map();
    const root = build(store, KEYS);
    const other = build(store, KEYS.slice(50));
    const hashes = [...store.keys()];
    const edit = fc.tuple(fc.nat(hashes.length - 1), fc.nat(2100), fc.nat(255), fc.nat(3));
    fc.assert(
      fc.property(edit, ([which, at, byte, kind]) => {
        const good = store.get(hashes[which]!)!;
        const place = kind === 3 ? at % Math.min(10, good.length) : at % good.length;
        const bad = kind === 0 ? good.subarray(0, place) : Buffer.from(good);
        if (kind > 0) bad[place] = byte;
        const source: NodeSource = (hash) => (hash === hashes[which] ? bad : store.get(hash));
        for (const question of ask(root, other, source)) endsWell(question);
      }),
      { numRuns: 300 },
    );
    expect(() => listEntries(root, (hash) => (hash === root ? Buffer.of(7) : undefined))).toThrow(/bad tag/);
  });

  it("M14 an empty bucket below the root is damage, although every reader knows its bytes", () => {
    const root = branch(33, { 10: EMPTY_ROOT });
    const hash = hashBytes("node", root);
    expect(() => listEntries(hash, () => root)).toThrow(/empty bucket/);
  });

  it("M14 counts that lie end in DAMAGED once a change depends on them", () => {
    const store: Store = new Map();
    const source: NodeSource = (hash) => store.get(hash);
    const key = "a".repeat(64) as Hash;
    const leaf = put(store, bucket(key));
    for (const count of [33, 34, 2 ** 48 - 1]) {
      const root = put(store, branch(count, { 10: leaf }));
      expect(() => applyChanges(root, new Map([[key, null]]), source)).toThrow(/count/);
    }
    const full = put(store, branch(2 ** 48 - 1, { 10: leaf }));
    expect(() => applyChanges(full, new Map([[KEYS[0]!, key]]), source)).toThrow(/count/);
  });

  it("M14 crafted sharing of nodes does not unfold", () => {
    const store: Store = new Map();
    const missing: [Hash, Hash] = [sha("x"), sha("y")];
    for (const bottom of [missing, [put(store, bucket("a1")), put(store, bucket("b1"))] as [Hash, Hash]]) {
      let [left, right] = bottom;
      for (let level = 0; level < 40; level++) {
        const next = put(store, branch(1000, { 10: left, 11: right }));
        right = put(store, branch(1000, { 10: right, 11: left }));
        left = next;
      }
      for (const question of ask(left, right, (hash) => store.get(hash))) endsWell(question);
    }
  });
});
