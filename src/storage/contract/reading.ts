import assert from "node:assert/strict";
import type { Hash } from "../../core/base/index.js";
import type { StoredObject } from "../port.js";
import { all, assertStored, type Checks, hex, top } from "./check.js";
import { hashOf, object, touchRow, transaction } from "./data.js";

/** Touch rows, the operation log and scans. */
export const history: Checks = [
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
      assert.deepEqual((await storage.touchOf(hashOf("scope"), hashOf("a"), 1)).at(-1), a3);
      assert.deepEqual((await storage.touchOf(hashOf("scope"), hashOf("a"), 2)).slice(-2), [a2, a3]);
      assert.deepEqual((await storage.touchLinked(other, 1)).at(-1), b);
      assert.deepEqual(await storage.touchOf(hashOf("other scope"), hashOf("a"), 1), [elsewhere]);
      await storage.tend();
      assert.deepEqual(await storage.touchOf(hashOf("other scope"), hashOf("a"), 1), [elsewhere]);
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
    "S10 a scan gives every object in the order of the transactions, by kind and from a version on, or those of a range at once",
    async (storage) => {
      const written = Array.from({ length: 4 }, (_, n) =>
        (["memory", "node", "commit"] as const).map((kind) => object(kind, `${kind} ${n}`)),
      );
      for (const put of written) await storage.transact(transaction({ put }));
      const scanned = await all(storage.scan());
      assert.deepEqual(
        new Set(scanned.map(({ hash, kind, bytes }) => `${hash} ${kind} ${hex(bytes)}`)),
        new Set(written.flat().map(({ hash, kind, bytes }) => `${hash} ${kind} ${hex(bytes)}`)),
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
      const range = { after: scanned[2]!.seq, upTo: scanned[8]!.seq };
      assert.deepEqual(
        await storage.objectsIn(range, ["commit", "note", "memory"]),
        scanned.slice(3, 9).filter(({ kind }) => kind !== "node"),
      );
      assert.deepEqual(await storage.objectsIn({ after: scanned.at(-1)!.seq, upTo: 1e9 }, ["commit"]), []);
    },
  ],
  [
    "S23 hashes that begin alike are kept apart",
    async (storage) => {
      const alike = (last: string): Hash => `${"ab12".repeat(15)}${last}` as Hash;
      const of = (last: string): StoredObject => ({ ...object("memory", last), hash: alike(last) });
      const put = ["0001", "0002", "0003"].map(of);
      const row = (last: string) => ({ ...touchRow({ id: last, links: [alike(last)] }), id: alike(last) });
      const touch = [row("0001"), row("0002"), row("0001")];
      await storage.transact(transaction({ put: put.slice(0, 2), touch: touch.slice(0, 2) }));
      await storage.transact(transaction({ put: put.slice(2), touch: touch.slice(2) }));
      await assertStored(storage, put);
      for (const { hash, bytes } of put) assert.equal(hex(await storage.get(hash)), hex(bytes));
      assert.equal(await storage.get(alike("0004")), undefined);
      assert.deepEqual(await storage.missing([alike("0002"), alike("0004")]), [alike("0004")]);
      assert.deepEqual(await storage.touchOf(hashOf("scope"), alike("0001")), [touch[0], touch[2]]);
      assert.deepEqual(await storage.touchOf(hashOf("scope"), alike("0004")), []);
      assert.deepEqual(await storage.touchLinked(alike("0002")), [touch[1]]);
      assert.equal(await storage.remove([alike("0002"), alike("0004")]), 1);
      await assertStored(storage, [put[0]!, put[2]!]);
    },
  ],
];
