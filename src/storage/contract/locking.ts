import assert from "node:assert/strict";
import { assertStored, type Checks } from "./check.js";
import { hashOf, object, transaction } from "./data.js";

/** The write lock. */
export const locking: Checks = [
  [
    "S14 in an exclusive section no other writer commits, and its own transaction does",
    async (storage) => {
      const order: string[] = [];
      let other: Promise<unknown> | undefined;
      const result = await storage.exclusive(async (transact) => {
        other = storage
          .transact(transaction({ put: [object("memory", "other")] }))
          .then(() => order.push("other"));
        await new Promise((done) => setTimeout(done, 20));
        assert.equal(await storage.get(object("memory", "other").hash), undefined);
        assert.equal(await transact(transaction({ put: [object("memory", "own")] })), "ok");
        order.push("own");
        await assert.rejects(transact(transaction({})));
        return 42;
      });
      await other;
      assert.equal(result, 42);
      assert.deepEqual(order, ["own", "other"]);
      await assertStored(storage, [object("memory", "own"), object("memory", "other")]);
    },
  ],
  [
    "S15 an exclusive section that does not transact, fails or is stale leaves nothing behind and frees the lock",
    async (storage) => {
      await storage.transact(transaction({ put: [object("memory", "first")] }));
      const before = await storage.version();
      assert.equal(await storage.exclusive(async () => "idle"), "idle");
      await assert.rejects(
        storage.exclusive(async () => {
          throw new RangeError("thrown inside");
        }),
        RangeError,
      );
      const wrong = transaction({ refs: [{ name: "tags/x", expect: hashOf("no"), next: null }] });
      assert.equal(await storage.exclusive((transact) => transact(wrong)), "stale");
      let escaped: unknown;
      await storage.exclusive(async (transact) => {
        escaped = transact;
      });
      await assert.rejects((escaped as (t: unknown) => Promise<unknown>)(transaction({})));
      assert.deepEqual(await storage.version(), before);
      assert.equal(await storage.transact(transaction({ put: [object("memory", "after")] })), "ok");
    },
  ],
];
