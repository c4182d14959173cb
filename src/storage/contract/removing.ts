import assert from "node:assert/strict";
import { all, assertStored, type Checks } from "./check.js";
import { batch, hashOf, object, touchRow, transaction } from "./data.js";

/** What removal does, and what it must not do. */
export const removing: Checks = [
  [
    "S11 removed objects are absent for every read, the others stay",
    async (storage) => {
      const gone = batch("memory", 3, "gone");
      const kept = batch("memory", 3, "kept");
      const touch = [touchRow({ id: "a" })];
      await storage.transact(transaction({ put: [...gone, ...kept], touch }));
      await storage.transact(transaction({ put: gone.slice(0, 1) }));
      const before = await storage.version();
      const hashes = [...gone.map(({ hash }) => hash), hashOf("never there"), gone[0]!.hash];
      assert.equal(await storage.remove(hashes), 3);
      assert.deepEqual(await storage.getMany(hashes), new Map());
      assert.equal(await storage.get(gone[0]!.hash), undefined);
      assert.equal((await storage.missing(hashes)).length, 4);
      assert.deepEqual(
        (await all(storage.scan())).map(({ hash }) => hash),
        kept.map(({ hash }) => hash),
      );
      await assertStored(storage, kept);
      assert.equal((await storage.touchSince(0)).touch.length, 1);
      assert.ok((await storage.version()).seq >= before.seq);
      assert.equal(await storage.remove(hashes), 0);
      await storage.transact(transaction({ put: gone, epoch: 1 }));
      await assertStored(storage, gone);
      assert.deepEqual(await all(storage.check()), []);
    },
  ],
  [
    "S12 the epoch grows when truth is removed, not when derived nodes are; a moved epoch makes a write stale",
    async (storage) => {
      const node = object("node", "n");
      const memory = object("memory", "m");
      await storage.transact(transaction({ put: [node, memory] }));
      assert.equal(await storage.remove([node.hash]), 1);
      assert.equal((await storage.version()).epoch, 0);
      assert.equal(await storage.remove([hashOf("absent")]), 0);
      assert.equal((await storage.version()).epoch, 0);
      assert.equal(await storage.remove([memory.hash]), 1);
      assert.equal((await storage.version()).epoch, 1);
      const late = object("memory", "late");
      assert.equal(await storage.transact(transaction({ put: [late] })), "stale");
      assert.equal(await storage.get(late.hash), undefined);
      assert.equal(await storage.transact(transaction({ put: [late], epoch: 1 })), "ok");
    },
  ],
  [
    "S13 the version never goes back, also when everything that was written last is removed",
    async (storage) => {
      for (let n = 0; n < 3; n++) await storage.transact(transaction({ put: [object("memory", `${n}`)] }));
      const before = await storage.version();
      await storage.remove((await all(storage.scan())).map(({ hash }) => hash));
      assert.equal((await storage.version()).seq, before.seq);
      await storage.transact(transaction({ put: [object("node", "next")], epoch: 1 }));
      assert.ok((await storage.version()).seq > before.seq);
    },
  ],
  [
    "S19 an object put again stays one object for every read",
    async (storage) => {
      const again = object("memory", "again");
      await storage.transact(transaction({ put: [again, again] }));
      await storage.transact(transaction({ put: [again, object("memory", "new")] }));
      await assertStored(storage, [again, object("memory", "new")]);
      assert.equal(await storage.remove([again.hash]), 1);
      assert.equal(await storage.get(again.hash), undefined);
      assert.deepEqual(await storage.missing([again.hash]), [again.hash]);
    },
  ],
];
