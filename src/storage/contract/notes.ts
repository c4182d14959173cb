import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Checks } from "./check.js";
import { hashOf, object, transaction } from "./data.js";

/** Notes beside the truth, transactions that depend on one, and watching. */
export const notes: Checks = [
  [
    "S24 a note is set, compared and set, and deleted; of many that expect the same one wins",
    async (storage) => {
      await storage.transact(transaction({ put: [object("memory", "a")] }));
      const before = await storage.version();
      assert.equal(await storage.side("k"), undefined);
      assert.equal(await storage.setSide("k", "one", "other"), false);
      assert.equal(await storage.setSide("k", "one", null), true);
      assert.equal(await storage.setSide("k", "two", null), false);
      const won = await Promise.all(["a", "b", "c"].map((value) => storage.setSide("k", value, "one")));
      assert.equal(won.filter(Boolean).length, 1);
      assert.equal(await storage.side("k"), ["a", "b", "c"][won.indexOf(true)]);
      assert.equal(await storage.setSide("k", null), true);
      assert.equal(await storage.side("k"), undefined);
      assert.deepEqual(await storage.version(), before);
    },
  ],
  [
    "S25 a guarded transaction is stale, and writes nothing, unless its note says what it names",
    async (storage) => {
      const put = [object("memory", "guarded")];
      const refs = [{ name: "heads/main", expect: null, next: { target: hashOf("t") } }];
      const guarded = transaction({ put, refs, guard: { key: "lease/x", value: "mine" } });
      assert.equal(await storage.transact(guarded), "stale");
      assert.equal(await storage.exists(), false);
      await storage.transact(transaction({ put: [object("memory", "first")] }));
      await storage.setSide("lease/x", "theirs");
      assert.equal(await storage.transact(guarded), "stale");
      assert.equal(await storage.exclusive((transact) => transact(guarded)), "stale");
      assert.equal(await storage.get(put[0]!.hash), undefined);
      await storage.setSide("lease/x", "mine");
      assert.equal(await storage.transact(guarded), "ok");
      assert.equal((await storage.ref("heads/main"))?.target, hashOf("t"));
      const alone = transaction({ put: [object("memory", "alone")], guard: { key: "lease/x", value: null } });
      assert.equal(await storage.transact(alone), "stale");
      await storage.setSide("lease/x", null);
      assert.equal(await storage.transact(alone), "ok");
    },
  ],
  [
    "S26 watchers hear of every commit, soon, until they stop watching",
    async (storage) => {
      let heard = 0;
      const end = storage.watch(() => heard++);
      for (const n of [1, 2, 3]) {
        const before = heard;
        await storage.transact(transaction({ put: [object("memory", `${n}`)] }));
        for (let waited = 0; heard === before && waited < 200; waited++) await sleep(5);
        assert.ok(heard > before, `commit ${n} was announced`);
      }
      await sleep(20);
      end();
      const before = heard;
      await storage.transact(transaction({ put: [object("memory", "4")] }));
      await sleep(20);
      assert.equal(heard, before);
    },
  ],
];
