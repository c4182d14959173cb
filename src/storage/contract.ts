import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type Hash, PalimpsestError } from "../base/index.js";
import { batch, hashOf, object, touchRow, transaction } from "./contract-data.js";
import type { Storage, StoredObject } from "./port.js";

/** One store for one case. `open` may be called again after a close: it is the same store. */
export interface StorageUnderTest {
  open(): Promise<Storage>;
  cleanup(): Promise<void>;
}

/** A case for any test runner; `name` begins with the id of the rule it shows (SPEC.md, part S). */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

type Check = (storage: Storage, reopen: () => Promise<Storage>) => Promise<void>;

const bytes = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString("hex");
/** Pages downwards start above everything. */
const top = Number.MAX_SAFE_INTEGER;

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

async function assertStored(storage: Storage, objects: readonly StoredObject[]): Promise<void> {
  const found = await storage.getMany(objects.map(({ hash }) => hash));
  for (const { hash, bytes: expected } of objects) assert.equal(bytes(found.get(hash)), bytes(expected));
}

const CHECKS: readonly (readonly [string, Check])[] = [
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
      assert.equal(bytes(await storage.get(node.hash)), bytes(node.bytes));
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
    "S4 of many writers that expect the same, one wins",
    async (storage) => {
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, n) => {
          const target = hashOf(`racer ${n}`);
          return storage.transact(transaction({ refs: [{ name: "heads/main", expect: null, next: { target } }] }));
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
      assert.equal(await storage.transact(transaction({ refs: [{ ...expectNothing, expect: target }] })), "ok");
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
  [
    "S8 touch rows come back by key, by link and in order, exactly as given",
    async (storage) => {
      const link = hashOf("parent");
      const other = hashOf("topic");
      const rows = [
        touchRow({ id: "a", op: "add", links: [link, other] }),
        touchRow({ id: "a", scope: "other scope", op: "observe", author: { kind: "user", id: "zoë" } }),
        touchRow({ id: "b", op: "add", links: [other], sensitivity: "confidential", version: 70_000 }),
        touchRow({ id: "a", op: "modify", links: [link], sensitivity: "private", version: 2 }),
        touchRow({ id: "a", op: "forget", record: false, version: 3 }),
      ];
      const [a1, elsewhere, b, a2, a3] = rows;
      await storage.transact(transaction({ touch: rows.slice(0, 3) }));
      await storage.transact(transaction({ touch: rows.slice(3, 4) }));
      await storage.transact(transaction({ touch: rows.slice(4) }));
      assert.deepEqual(await storage.touchOf(hashOf("scope"), hashOf("a")), [a1, a2, a3]);
      assert.deepEqual(await storage.touchOf(hashOf("other scope"), hashOf("a")), [elsewhere]);
      assert.deepEqual(await storage.touchOf(hashOf("third scope"), hashOf("a")), []);
      assert.deepEqual(await storage.touchLinked(link), [a1, a2]);
      assert.deepEqual(await storage.touchLinked(other), [a1, b]);
      assert.deepEqual(await storage.touchLinked(hashOf("a")), []);
      assert.deepEqual((await storage.touchSince(0)).touch, rows);
    },
  ],
  [
    "S9 touch rows and operations are paged: upwards from a version, downwards to 0",
    async (storage) => {
      const ops: Hash[] = [];
      for (let n = 0; n < 9; n++) {
        const op = object("operation", `op ${n}`);
        ops.push(op.hash);
        const touch = [touchRow({ id: `${n}a` }), touchRow({ id: `${n}b` })];
        await storage.transact(transaction({ put: [op], ops: [op.hash], touch }));
      }
      const { seq: end } = await storage.version();
      const whole = await storage.touchSince(0);
      assert.equal(whole.seq, end);
      assert.equal(whole.touch.length, 18);
      assert.deepEqual(await storage.touchSince(end), { seq: end, touch: [] });

      const up: unknown[] = [];
      for (let at = 0; at < end; ) {
        const page = await storage.touchSince(at, 3);
        assert.ok(page.seq > at && page.touch.length <= 4);
        up.push(...page.touch);
        at = page.seq;
      }
      assert.deepEqual(up, whole.touch);

      const down: unknown[] = [];
      const log: Hash[] = [];
      for (let at = top; at > 0; ) {
        const page = await storage.touchBefore(at, 3);
        assert.ok(page.seq < at && page.touch.length <= 4);
        down.push(...page.touch);
        at = page.seq;
      }
      for (let at = top; at > 0; ) {
        const page = await storage.opsBefore(at, 2);
        assert.ok(page.seq < at && page.ops.length <= 2);
        log.push(...page.ops);
        at = page.seq;
      }
      assert.deepEqual(down, whole.touch.toReversed());
      assert.deepEqual(log, ops.toReversed());
    },
  ],
  [
    "S10 a scan gives every object in the order of the transactions, by kind and from a version on",
    async (storage) => {
      const written = Array.from({ length: 4 }, (_, n) =>
        (["memory", "node", "commit"] as const).map((kind) => object(kind, `${kind} ${n}`)),
      );
      for (const put of written) await storage.transact(transaction({ put }));
      const scanned = await all(storage.scan());
      assert.deepEqual(
        new Set(scanned.map(({ hash, kind, bytes: value }) => `${hash} ${kind} ${bytes(value)}`)),
        new Set(written.flat().map(({ hash, kind, bytes: value }) => `${hash} ${kind} ${bytes(value)}`)),
      );
      for (let n = 0; n < 4; n++) {
        const part = scanned.slice(n * 3, n * 3 + 3);
        assert.deepEqual(new Set(part.map(({ hash }) => hash)), new Set(written[n]!.map(({ hash }) => hash)));
      }
      assert.ok(scanned.every(({ seq }, at) => at === 0 || seq >= scanned[at - 1]!.seq));
      const commits = await all(storage.scan({ kinds: ["commit"] }));
      assert.deepEqual(
        commits.map(({ hash }) => hash),
        written.map((put) => put[2]!.hash),
      );
      assert.equal((await all(storage.scan({ kinds: ["node"] }))).length, 4);
      assert.equal((await all(storage.scan({ kinds: ["note"] }))).length, 0);
      const later = await all(storage.scan({ after: scanned[5]!.seq }));
      assert.deepEqual(later, scanned.slice(6));
    },
  ],
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
  [
    "S16 closing and opening again keeps everything",
    async (storage, reopen) => {
      const put = [...batch("memory", 40), ...batch("node", 40), object("operation", "o")];
      const target = hashOf("commit");
      const touch = Array.from({ length: 40 }, (_, n) => touchRow({ id: `${n % 7}`, links: [hashOf("l")] }));
      const refs = [{ name: "heads/main", expect: null, next: { target, meta: { persona: "p" } } }];
      const ops = [object("operation", "o").hash];
      await storage.transact(transaction({ put, touch, refs, ops }));
      await storage.remove([put[0]!.hash]);
      const before = await storage.version();
      await storage.close();
      const again = await reopen();
      assert.deepEqual(await again.version(), before);
      await assertStored(again, put.slice(1));
      assert.equal(await again.get(put[0]!.hash), undefined);
      assert.deepEqual(await again.ref("heads/main"), refs[0]!.next);
      assert.deepEqual((await again.touchSince(0)).touch, touch);
      assert.deepEqual(
        await again.touchOf(hashOf("scope"), hashOf("3")),
        touch.filter(({ id }) => id === hashOf("3")),
      );
      assert.equal((await again.touchLinked(hashOf("l"))).length, 40);
      assert.deepEqual((await again.opsBefore(top)).ops, ops);
      assert.equal((await all(again.scan())).length, put.length - 1);
      assert.deepEqual(await all(again.check()), []);
    },
  ],
  [
    "S17 one transaction may hold thousands of objects and events",
    async (storage, reopen) => {
      await storage.transact(transaction({ put: batch("memory", 10, "early") }));
      const put = [...batch("memory", 5500), ...batch("node", 700)];
      const touch = Array.from({ length: 5500 }, (_, n) => touchRow({ id: `${n}`, links: [hashOf("l")] }));
      assert.equal(await storage.transact(transaction({ put, touch })), "ok");
      await storage.transact(transaction({ put: batch("memory", 10, "late") }));
      for (const at of [storage, undefined]) {
        if (!at) await storage.close();
        const current = at ?? (await reopen());
        await assertStored(current, [...put, ...batch("memory", 10, "early"), ...batch("memory", 10, "late")]);
        assert.deepEqual(await current.missing([...put.map(({ hash }) => hash), hashOf("x")]), [hashOf("x")]);
        assert.deepEqual(await current.touchOf(hashOf("scope"), hashOf("4321")), [touch[4321]]);
        assert.equal((await current.touchLinked(hashOf("l"))).length, 5500);
        assert.equal((await current.touchSince(0)).touch.length, 5500);
        assert.equal((await all(current.scan())).length, put.length + 20);
        assert.deepEqual(await all(current.check()), []);
      }
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
  [
    "S20 bytes given and bytes returned are copies: changing them changes nothing stored",
    async (storage) => {
      const given = object("memory", "mine");
      const expected = bytes(given.bytes);
      await storage.transact(transaction({ put: [given] }));
      given.bytes.fill(0);
      (await storage.get(given.hash))!.fill(1);
      assert.equal(bytes(await storage.get(given.hash)), expected);
    },
  ],
  [
    "S21 upkeep changes nothing that can be read",
    async (storage) => {
      const written: StoredObject[] = [];
      for (let n = 0; n < 600; n++) {
        const put = [object("memory", `m ${n}`), object("node", `n ${n}`)];
        written.push(...put);
        await storage.transact(transaction({ put, touch: [touchRow({ id: `${n % 5}`, version: n })] }));
        if (n % 250 === 0) await storage.tend();
      }
      const before = [await storage.version(), await all(storage.scan()), await storage.touchSince(0)];
      await storage.tend();
      assert.deepEqual([await storage.version(), await all(storage.scan()), await storage.touchSince(0)], before);
      await assertStored(storage, written);
      assert.equal((await storage.touchOf(hashOf("scope"), hashOf("3"))).length, 120);
      assert.equal(await storage.remove([written[0]!.hash, written[801]!.hash]), 2);
      assert.equal(await storage.get(written[0]!.hash), undefined);
      assert.deepEqual(await all(storage.check()), []);
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
        () => storage.tend(),
        () => all(storage.check()),
      ];
      for (const call of calls)
        await assert.rejects(call, (error) => error instanceof PalimpsestError && error.code === "CLOSED");
      await storage.close();
    },
  ],
];

/** What every adapter must do, as cases that need no test runner. */
export function storageContract(make: () => Promise<StorageUnderTest>): ContractCase[] {
  return CHECKS.map(([name, check]) => ({
    name,
    async run() {
      const { open, cleanup } = await make();
      const opened: Storage[] = [];
      const reopen = async () => {
        const storage = await open();
        opened.push(storage);
        return storage;
      };
      try {
        await check(await reopen(), reopen);
      } finally {
        for (const storage of opened) await storage.close();
        await cleanup();
      }
    },
  }));
}
