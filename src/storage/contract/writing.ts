import assert from "node:assert/strict";
import type { Hash } from "../../core/base/index.js";
import type { Ref } from "../port.js";
import { all, assertStored, type Checks, hex, top } from "./check.js";
import { hashOf, object, touchRow, transaction } from "./data.js";

/** What a transaction does to objects, refs and the version. */
export const writing: Checks = [
  [
    "S1 a store that is not there reads as empty",
    async (storage) => {
      const hash = hashOf("nothing");
      assert.equal(await storage.exists(), false);
      assert.equal(await storage.get(hash), undefined);
      assert.deepEqual(await storage.getMany([hash]), new Map());
      assert.deepEqual(await storage.missing([hash, hash]), [hash]);
      assert.equal(await storage.ref("heads/main"), undefined);
      assert.deepEqual(await storage.refs(""), new Map());
      assert.deepEqual(await storage.version(), { seq: 0, epoch: 0 });
      assert.deepEqual(await storage.touchOf(hash, hash), []);
      assert.deepEqual(await storage.touchLinked(hash), []);
      assert.deepEqual(await storage.touchSince(0), { seq: 0, touch: [] });
      assert.deepEqual(await storage.touchBefore(top), { seq: 0, touch: [] });
      assert.deepEqual(await storage.opsBefore(top), { seq: 0, ops: [] });
      assert.deepEqual(await all(storage.scan()), []);
      assert.deepEqual(await all(storage.check()), []);
      assert.equal(await storage.remove([hash]), 0);
      await storage.tend();
      assert.equal(await storage.exists(), false);
    },
  ],
  [
    "S2 the first transaction creates the store, and an acknowledged transaction is read back whole",
    async (storage) => {
      const memory = object("memory", "one");
      const node = object("node", "two");
      const target = hashOf("commit");
      const meta = { persona: "default", list: [1, null, "ü"] };
      const moved = { name: "heads/main", expect: null, next: { target, meta } };
      assert.equal(await storage.transact(transaction({ put: [memory, node], refs: [moved] })), "ok");
      assert.equal(await storage.exists(), true);
      await assertStored(storage, [memory, node]);
      assert.equal(hex(await storage.get(node.hash)), hex(node.bytes));
      assert.deepEqual(await storage.ref("heads/main"), { target, meta });
      assert.deepEqual(await storage.missing([memory.hash, hashOf("x"), node.hash]), [hashOf("x")]);
    },
  ],
  [
    "S3 a ref moves only from the target that was expected; else nothing of the transaction is written",
    async (storage) => {
      const [first, second, third] = [hashOf("1"), hashOf("2"), hashOf("3")];
      const move = (expect: Hash | null, target: Hash) => ({ name: "heads/main", expect, next: { target } });
      assert.equal(await storage.transact(transaction({ refs: [move(null, first)] })), "ok");
      const before = await storage.version();
      const lost = object("memory", "lost");
      const op = object("operation", "lost");
      const stale = transaction({
        put: [lost, op],
        ops: [op.hash],
        touch: [touchRow({ id: "lost" })],
        refs: [{ name: "tags/new", expect: null, next: { target: third } }, move(second, third)],
      });
      assert.equal(await storage.transact(stale), "stale");
      assert.equal(await storage.transact({ ...stale, refs: [move(null, third)] }), "stale");
      assert.deepEqual(await storage.version(), before);
      assert.equal(await storage.get(lost.hash), undefined);
      assert.equal(await storage.ref("tags/new"), undefined);
      assert.deepEqual(await storage.ref("heads/main"), { target: first });
      assert.deepEqual((await storage.opsBefore(top)).ops, []);
      assert.deepEqual((await storage.touchSince(0)).touch, []);
      assert.equal(await storage.transact(transaction({ refs: [move(first, second)] })), "ok");
      assert.deepEqual(await storage.ref("heads/main"), { target: second });
    },
  ],
  [
    "S64 the data of a ref stays when a move does not mention it, and goes with the ref",
    async (storage) => {
      const [first, second] = [hashOf("1"), hashOf("2")];
      const move = (expect: Hash | null, next: Ref | null) =>
        storage.transact(transaction({ refs: [{ name: "heads/main", expect, next }] }));
      assert.equal(await move(null, { target: first, meta: { persona: "p" } }), "ok");
      assert.equal(await move(first, { target: second }), "ok");
      assert.deepEqual(await storage.ref("heads/main"), { target: second, meta: { persona: "p" } });
      assert.equal(await move(second, { target: second, meta: { persona: "q" } }), "ok");
      assert.deepEqual(await storage.ref("heads/main"), { target: second, meta: { persona: "q" } });
      const joined = { name: "heads/main", expect: second, next: { target: second, meta: { purpose: "s" } } };
      assert.equal(await storage.transact(transaction({ refs: [{ ...joined, join: true }] })), "ok");
      assert.deepEqual((await storage.ref("heads/main"))?.meta, { persona: "q", purpose: "s" });
      assert.equal(await move(second, null), "ok");
      assert.equal(await move(null, { target: first }), "ok");
      assert.deepEqual(await storage.ref("heads/main"), { target: first });
    },
  ],
  [
    "S4 of many writers that expect the same, one wins",
    async (storage) => {
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, n) => {
          const target = hashOf(`racer ${n}`);
          return storage.transact(
            transaction({ refs: [{ name: "heads/main", expect: null, next: { target } }] }),
          );
        }),
      );
      assert.equal(results.filter((result) => result === "ok").length, 1);
      const winner = hashOf(`racer ${results.indexOf("ok")}`);
      assert.deepEqual(await storage.ref("heads/main"), { target: winner });
    },
  ],
  [
    "S5 a ref is deleted by moving it to nothing, and only if its target is as expected",
    async (storage) => {
      const target = hashOf("1");
      const expectNothing = { name: "tags/a", expect: null, next: null };
      assert.equal(
        await storage.transact(transaction({ refs: [{ name: "tags/a", expect: null, next: { target } }] })),
        "ok",
      );
      assert.equal(await storage.transact(transaction({ refs: [expectNothing] })), "stale");
      assert.equal(
        await storage.transact(transaction({ refs: [{ ...expectNothing, expect: target }] })),
        "ok",
      );
      assert.equal(await storage.ref("tags/a"), undefined);
      assert.equal(await storage.transact(transaction({ refs: [expectNothing] })), "ok");
    },
  ],
  [
    "S6 refs are listed by prefix, ordered by name, and no character of a prefix is special",
    async (storage) => {
      const names = ["heads/b", "heads/a%b", "heads/a_b", "heads/aXb", "headsx", "tags/ü", "tags/z"];
      const target = hashOf("1");
      const refs = names.map((name) => ({ name, expect: null, next: { target } }));
      assert.equal(await storage.transact(transaction({ refs })), "ok");
      const heads = ["heads/a%b", "heads/aXb", "heads/a_b", "heads/b"];
      assert.deepEqual([...(await storage.refs("heads/")).keys()], heads);
      assert.deepEqual([...(await storage.refs("heads/a_")).keys()], ["heads/a_b"]);
      assert.deepEqual([...(await storage.refs("heads/a%")).keys()], ["heads/a%b"]);
      assert.deepEqual([...(await storage.refs("tags/")).keys()], ["tags/z", "tags/ü"]);
      assert.equal((await storage.refs("")).size, names.length);
      assert.deepEqual(await storage.refs("none"), new Map());
    },
  ],
  [
    "S7 the version grows with every transaction, also when only a ref moves",
    async (storage) => {
      let { seq } = await storage.version();
      for (let n = 0; n < 5; n++) {
        const refs = [{ name: `tags/${n}`, expect: null, next: { target: hashOf("1") } }];
        const put = n % 2 ? [object("memory", `v${n}`), object("node", `n${n}`)] : [];
        assert.equal(await storage.transact(transaction({ put, refs })), "ok");
        const next = await storage.version();
        assert.ok(next.seq > seq);
        assert.equal(next.epoch, 0);
        seq = next.seq;
      }
    },
  ],
];
