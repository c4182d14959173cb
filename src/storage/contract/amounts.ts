import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { StoredObject } from "../port.js";
import { all, assertStored, type Checks, hex } from "./check.js";
import { batch, hashOf, object, touchRow, transaction } from "./data.js";

/** Many objects, big ones, and upkeep. */
export const amounts: Checks = [
  [
    "S17 one transaction may hold thousands of objects and events",
    async (storage) => {
      await storage.transact(transaction({ put: batch("memory", 10, "early") }));
      const put = [...batch("memory", 5500), ...batch("node", 700)];
      const touch = Array.from({ length: 5500 }, (_, n) => touchRow({ id: `${n}`, links: [hashOf("l")] }));
      assert.equal(await storage.transact(transaction({ put, touch })), "ok");
      await storage.transact(transaction({ put: batch("memory", 10, "late") }));
      await assertStored(storage, [...put, ...batch("memory", 10, "early"), ...batch("memory", 10, "late")]);
      assert.deepEqual(await storage.missing([...put.map(({ hash }) => hash), hashOf("x")]), [hashOf("x")]);
      assert.deepEqual(await storage.touchOf(hashOf("scope"), hashOf("4321")), [touch[4321]]);
      assert.equal((await storage.touchLinked(hashOf("l"))).length, 5500);
      assert.equal((await storage.touchSince(0)).touch.length, 5500);
      assert.equal((await all(storage.scan())).length, put.length + 20);
      assert.deepEqual(await all(storage.check()), []);
    },
  ],
  [
    "S18 objects of any size keep their bytes: empty, and 5 MB among small ones",
    async (storage) => {
      const big: StoredObject = { hash: hashOf("big"), kind: "memory", bytes: randomBytes(5_000_000) };
      const empty: StoredObject = { hash: hashOf("empty"), kind: "note", bytes: new Uint8Array(0) };
      const put = [object("memory", "a"), big, empty, object("memory", "b")];
      await storage.transact(transaction({ put }));
      await storage.transact(transaction({ put: [{ ...empty, hash: hashOf("empty alone") }] }));
      await assertStored(storage, put);
      assert.equal((await storage.get(hashOf("empty alone")))?.length, 0);
      assert.deepEqual(await all(storage.check()), []);
    },
  ],
  [
    "S20 bytes given and bytes returned are copies: changing them changes nothing stored",
    async (storage) => {
      const given = object("memory", "mine");
      const expected = hex(given.bytes);
      await storage.transact(transaction({ put: [given] }));
      given.bytes.fill(0);
      (await storage.get(given.hash))!.fill(1);
      assert.equal(hex(await storage.get(given.hash)), expected);
    },
  ],
  [
    "S21 upkeep changes nothing that can be read",
    async (storage) => {
      const written: StoredObject[] = [];
      for (let n = 0; n < 300; n++) {
        const put = [object("memory", `m ${n}`), object("node", `n ${n}`)];
        written.push(...put);
        await storage.transact(transaction({ put, touch: [touchRow({ id: `${n % 5}`, version: n })] }));
        if (n % 125 === 0) await storage.tend();
      }
      const before = [await storage.version(), await all(storage.scan()), await storage.touchSince(0)];
      await storage.tend();
      assert.deepEqual(
        [await storage.version(), await all(storage.scan()), await storage.touchSince(0)],
        before,
      );
      await assertStored(storage, written);
      assert.equal((await storage.touchOf(hashOf("scope"), hashOf("3"))).length, 60);
      assert.equal(await storage.remove([written[0]!.hash, written[401]!.hash]), 2);
      assert.equal(await storage.get(written[0]!.hash), undefined);
      assert.deepEqual(await all(storage.check()), []);
    },
  ],
];
