import assert from "node:assert/strict";
import { PalimpsestError } from "../../core/base/index.js";
import { all, assertStored, type Checks, top } from "./check.js";
import { batch, hashOf, object, touchRow, transaction } from "./data.js";

/** Closing and opening again. */
export const lifetime: Checks = [
  [
    "S16 closing and opening again keeps everything",
    async (storage, reopen) => {
      const put = [...batch("memory", 40), ...batch("node", 40), object("operation", "o")];
      const target = hashOf("commit");
      const touch = Array.from({ length: 40 }, (_, n) => touchRow({ id: `${n % 7}`, links: [hashOf("l")] }));
      await storage.transact(transaction({ put: batch("memory", 2500, "bulk") }));
      const refs = [{ name: "heads/main", expect: null, next: { target, meta: { persona: "p" } } }];
      const ops = [object("operation", "o").hash];
      await storage.transact(transaction({ put, touch, refs, ops }));
      await storage.remove([put[0]!.hash]);
      const before = await storage.version();
      await storage.close();
      const again = await reopen();
      assert.deepEqual(await again.version(), before);
      await assertStored(again, [...put.slice(1), ...batch("memory", 2500, "bulk")]);
      assert.equal(await again.get(put[0]!.hash), undefined);
      assert.deepEqual(await again.ref("heads/main"), refs[0]!.next);
      assert.deepEqual((await again.touchSince(0)).touch, touch);
      assert.deepEqual(
        await again.touchOf(hashOf("scope"), hashOf("3")),
        touch.filter(({ id }) => id === hashOf("3")),
      );
      assert.equal((await again.touchLinked(hashOf("l"))).length, 40);
      assert.deepEqual((await again.opsBefore(top)).ops, ops);
      assert.equal((await all(again.scan())).length, put.length - 1 + 2500);
      assert.deepEqual(await all(again.check()), []);
    },
  ],
  [
    "S22 after close every call is refused with CLOSED, and closing twice is fine",
    async (storage) => {
      await storage.transact(transaction({ put: [object("memory", "a")] }));
      const begun = storage.transact(transaction({ put: [object("memory", "b")] }));
      await Promise.all([storage.close(), storage.close()]);
      assert.equal(await begun, "ok");
      const hash = hashOf("a");
      const calls: (() => Promise<unknown>)[] = [
        () => storage.exists(),
        () => storage.get(hash),
        () => storage.getMany([hash]),
        () => storage.missing([hash]),
        () => storage.ref("heads/main"),
        () => storage.refs(""),
        () => storage.transact(transaction({})),
        () => storage.exclusive(async () => 1),
        () => storage.version(),
        () => storage.touchOf(hash, hash),
        () => storage.touchLinked(hash),
        () => storage.touchSince(0),
        () => storage.touchBefore(1),
        () => storage.opsBefore(1),
        () => all(storage.scan()),
        () => storage.remove([hash]),
        () => storage.side("k"),
        () => storage.setSide("k", "v"),
        async () => storage.watch(() => {}),
        () => storage.vectors("m", [hash]),
        () => storage.putVectors("m", [], 0),
        () => storage.removeVectors([hash]),
        () => storage.tend(),
        () => storage.diagnose(),
        () => all(storage.check()),
      ];
      for (const call of calls)
        await assert.rejects(call, (error) => error instanceof PalimpsestError && error.code === "CLOSED");
      await storage.close();
    },
  ],
];
