import assert from "node:assert/strict";
import type { StoredVectors } from "../port.js";
import { all, type Checks } from "./check.js";
import { hashOf, object, transaction } from "./data.js";

const entry = (name: string, ...values: number[]): StoredVectors => ({
  key: hashOf(name),
  source: hashOf(`source of ${name}`),
  vectors: Int8Array.from(values),
});
const one = transaction({ put: [object("memory", "one")] });

/** Vectors: derived, kept by model and key. */
export const vectors: Checks = [
  [
    "S70 vectors come back as they were given, by model and key, and as copies",
    async (storage) => {
      await storage.transact(one);
      const before = await storage.version();
      const [a, b] = [entry("a", 1, -128, 127, 0), entry("b")];
      assert.equal(await storage.putVectors("m", [a, b], 0), "ok");
      a.vectors[0] = 99;
      const found = await storage.vectors("m", [a.key, hashOf("x"), b.key]);
      assert.deepEqual([...found.keys()].sort(), [a.key, b.key].sort());
      assert.deepEqual(found.get(a.key), Int8Array.from([1, -128, 127, 0]));
      assert.deepEqual(found.get(b.key), new Int8Array());
      found.get(a.key)![0] = 98;
      assert.equal((await storage.vectors("m", [a.key])).get(a.key)![0], 1);
      assert.deepEqual(await storage.vectors("other", [a.key]), new Map());
      assert.deepEqual(await storage.version(), before);
      assert.deepEqual(await all(storage.check()), []);
    },
  ],
  [
    "S71 under a key of a model the last one counts; another model's stay",
    async (storage) => {
      await storage.transact(one);
      await storage.putVectors("m", [entry("a", 1)], 0);
      await storage.putVectors("n", [entry("a", 2)], 0);
      await storage.putVectors("m", [entry("a", 3), entry("b", 4)], 0);
      assert.deepEqual((await storage.vectors("m", [hashOf("a")])).get(hashOf("a")), Int8Array.of(3));
      assert.deepEqual((await storage.vectors("n", [hashOf("a")])).get(hashOf("a")), Int8Array.of(2));
    },
  ],
  [
    "S72 vectors go with the text they came from, of every model, and no others",
    async (storage) => {
      await storage.transact(one);
      for (const model of ["m", "n"]) await storage.putVectors(model, [entry("a", 1), entry("b", 2)], 0);
      assert.equal(await storage.removeVectors([hashOf("source of a"), hashOf("x")]), 2);
      for (const model of ["m", "n"])
        assert.deepEqual(
          [...(await storage.vectors(model, [hashOf("a"), hashOf("b")])).keys()],
          [hashOf("b")],
        );
      assert.equal(await storage.removeVectors([hashOf("source of a")]), 0);
    },
  ],
  [
    "S73 vectors made before an erasure are not kept after it, and without a store there is nowhere to keep them",
    async (storage) => {
      assert.equal(await storage.putVectors("m", [entry("a", 1)], 0), "stale");
      assert.deepEqual(await storage.vectors("m", [hashOf("a")]), new Map());
      assert.equal(await storage.removeVectors([hashOf("a")]), 0);
      assert.equal(await storage.exists(), false);
      await storage.transact(one);
      await storage.remove([one.put[0]!.hash]);
      assert.equal(await storage.putVectors("m", [entry("a", 1)], 0), "stale");
      assert.deepEqual(await storage.vectors("m", [hashOf("a")]), new Map());
      assert.equal(await storage.putVectors("m", [entry("a", 1)], 1), "ok");
    },
  ],
  [
    "S74 closing and opening again keeps vectors, thousands of them",
    async (storage, reopen) => {
      await storage.transact(one);
      const many = Array.from({ length: 3000 }, (_, n) => entry(`${n}`, n % 100, 1, 2));
      for (let at = 0; at < many.length; at += 100)
        await storage.putVectors("m", many.slice(at, at + 100), 0);
      await storage.close();
      const again = await reopen();
      const found = await again.vectors(
        "m",
        many.map(({ key }) => key),
      );
      for (const { key, vectors: expected } of many) assert.deepEqual(found.get(key), expected);
      assert.deepEqual(await all(again.check()), []);
    },
  ],
];
