import assert from "node:assert/strict";
import type { Storage, TouchedBy } from "../port.js";
import { all, assertStored, type Checks, hex } from "./check.js";
import { batch, hashOf, object, touchRow, transaction } from "./data.js";

const none = { objects: [], texts: [], notes: [] };
const vector = (name: string, ...values: number[]) => ({
  key: hashOf(name),
  source: hashOf(`text of ${name}`),
  vectors: Int8Array.from(values),
});
async function* rowsOf(rows: readonly TouchedBy[]): AsyncGenerator<TouchedBy> {
  yield* rows;
}
async function rawText(storage: Storage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of storage.raw()) parts.push(bytes);
  return Buffer.concat(parts).toString("latin1");
}

/** Erasing, dropping, giving space back, making what is derived again. */
export const caring: Checks = [
  [
    "S80 an erasure is one with its transaction: objects, vectors and notes go, refs move, the epoch grows by one",
    async (storage) => {
      const [gone, kept] = [batch("memory", 3, "gone"), batch("memory", 3, "kept")];
      await storage.transact(transaction({ put: [...gone, ...kept], touch: [touchRow({ id: "a" })] }));
      await storage.transact(transaction({ put: gone.slice(0, 1) }));
      await storage.putVectors("m", [vector("a", 1, 2), vector("b", 3)], 0);
      await storage.setSide("pad", "secret");
      await storage.setSide("other", "kept");
      const tombstone = object("tombstone", "t");
      const before = await storage.version();
      const erased = transaction({
        put: [tombstone],
        refs: [{ name: "erased/1", expect: null, next: { target: tombstone.hash } }],
        erase: {
          objects: [...gone.map(({ hash }) => hash), hashOf("never there")],
          texts: [hashOf("text of a")],
          notes: ["pad", "never there"],
        },
      });
      assert.equal(await storage.transact(erased), "ok");
      const after = await storage.version();
      assert.equal(after.epoch, before.epoch + 1);
      assert.ok(after.seq > before.seq);
      assert.deepEqual(await storage.getMany(gone.map(({ hash }) => hash)), new Map());
      await assertStored(storage, [...kept, tombstone]);
      assert.deepEqual(await storage.ref("erased/1"), { target: tombstone.hash });
      assert.deepEqual([...(await storage.vectors("m", [hashOf("a"), hashOf("b")])).keys()], [hashOf("b")]);
      assert.equal(await storage.side("pad"), undefined);
      assert.equal(await storage.side("other"), "kept");
      assert.equal((await storage.touchSince(0)).touch.length, 1);
      assert.equal(await storage.transact(transaction({ put: gone })), "stale");
      assert.deepEqual(await all(storage.check()), []);
      assert.equal(await storage.transact(transaction({ erase: none, epoch: 1 })), "ok");
      assert.equal((await storage.version()).epoch, 2);
    },
  ],
  [
    "S81 a stale erasure takes nothing",
    async (storage) => {
      const memory = object("memory", "m");
      await storage.transact(transaction({ put: [memory] }));
      await storage.setSide("pad", "kept");
      await storage.putVectors("m", [vector("a", 1)], 0);
      const refs = [{ name: "heads/main", expect: hashOf("other"), next: null }];
      const erase = { objects: [memory.hash], texts: [hashOf("text of a")], notes: ["pad"] };
      assert.equal(await storage.transact(transaction({ refs, erase })), "stale");
      await assertStored(storage, [memory]);
      assert.equal(await storage.side("pad"), "kept");
      assert.equal((await storage.vectors("m", [hashOf("a")])).size, 1);
      assert.equal((await storage.version()).epoch, 0);
    },
  ],
  [
    "S82 after an erasure and a scrub the raw bytes hold nothing of it, and still all of the rest",
    async (storage) => {
      const put = Array.from({ length: 60 }, (_, n) => object("memory", `memory CANARY-${n}-END`));
      for (let at = 0; at < put.length; at += 20)
        await storage.transact(transaction({ put: put.slice(at, at + 20) }));
      await storage.setSide("pad", "CANARY-pad-END");
      assert.match(await rawText(storage), /CANARY-7-END/);
      const gone = put.filter((_, n) => n % 3 === 1);
      const objects = gone.map(({ hash }) => hash);
      await storage.transact(transaction({ erase: { objects, texts: [], notes: ["pad"] } }));
      assert.equal(await storage.scrub(), true);
      const found = await rawText(storage);
      for (let n = 0; n < put.length; n++)
        assert.equal(found.includes(`CANARY-${n}-END`), n % 3 !== 1, `CANARY-${n}`);
      assert.ok(!found.includes("CANARY-pad-END"));
    },
  ],
  [
    "S83 dropped objects are absent, the rest stays, and the epoch does not move",
    async (storage) => {
      const [gone, kept] = [batch("commit", 5, "gone"), batch("commit", 5, "kept")];
      await storage.transact(transaction({ put: [...gone, ...kept, object("node", "n")] }));
      const drop = [...gone.map(({ hash }) => hash), object("node", "n").hash, hashOf("never there")];
      const result = await storage.exclusive((transact) => transact(transaction({ drop })));
      assert.equal(result, "ok");
      assert.equal((await storage.version()).epoch, 0);
      assert.equal((await storage.missing(drop)).length, drop.length);
      await assertStored(storage, kept);
      assert.equal((await all(storage.scan())).length, kept.length);
      assert.equal(await storage.transact(transaction({ put: gone })), "ok");
      await assertStored(storage, gone);
      assert.deepEqual(await all(storage.check()), []);
    },
  ],
  [
    "S84 compacting changes nothing that can be read, and takes no more room than before",
    async (storage) => {
      const put = batch("memory", 800);
      for (let at = 0; at < 800; at += 40)
        await storage.transact(
          transaction({
            put: put.slice(at, at + 40),
            touch: [touchRow({ id: `${at}`, links: [hashOf("l")] })],
            refs: [{ name: `tags/${at}`, expect: null, next: { target: hashOf(`${at}`) } }],
          }),
        );
      await storage.putVectors("m", [vector("a", 1)], 0);
      await storage.setSide("note", "kept");
      const gone = put.filter((_, n) => n % 8 !== 0).map(({ hash }) => hash);
      await storage.exclusive((transact) => transact(transaction({ drop: gone })));
      await storage.tend();
      const look = async (of: Storage) => [
        await of.version(),
        (await all(of.scan())).map(({ hash, bytes }) => [hash, hex(bytes)]),
        await of.touchSince(0),
        await of.touchLinked(hashOf("l")),
        await of.refs(""),
        await of.vectors("m", [hashOf("a")]),
        await of.side("note"),
      ];
      const before = await look(storage);
      const size = await storage.size();
      await storage.compact({ goOn: () => false });
      assert.deepEqual(await look(storage), before);
      await storage.compact();
      assert.deepEqual(await look(storage), before);
      const small = await storage.size();
      assert.ok(small.bytes <= size.bytes, `${small.bytes} of ${size.bytes}`);
      assert.ok(small.free <= size.free);
      assert.deepEqual(await all(storage.check()), []);
    },
  ],
  [
    "S85 rebuilding takes the given touch rows for those up to a version, keeps the rest, and moves the epoch",
    async (storage) => {
      const [right, wrong, late] = [
        touchRow({ id: "a", links: [hashOf("l")] }),
        touchRow({ id: "w" }),
        touchRow({ id: "z" }),
      ];
      await storage.transact(transaction({ put: [object("commit", "1")], touch: [wrong] }));
      await storage.transact(transaction({ put: [object("commit", "2")] }));
      await storage.transact(transaction({ put: [object("commit", "3")], touch: [wrong] }));
      const seqs = (await all(storage.scan())).map(({ seq }) => seq);
      const { seq: upTo } = await storage.version();
      await storage.transact(transaction({ touch: [late] }));
      const before = await storage.version();
      await storage.rebuild(rowsOf([{ seq: seqs[1]!, touch: [right] }]), upTo);
      assert.deepEqual((await storage.touchSince(0)).touch, [right, late]);
      assert.deepEqual(await storage.touchOf(hashOf("scope"), hashOf("w")), []);
      assert.deepEqual(await storage.touchOf(hashOf("scope"), hashOf("a")), [right]);
      assert.deepEqual(await storage.touchLinked(hashOf("l")), [right]);
      assert.deepEqual(await storage.touchOf(hashOf("scope"), hashOf("z")), [late]);
      assert.equal((await storage.version()).seq, before.seq);
      assert.equal((await storage.version()).epoch, before.epoch + 1);
      await assertStored(storage, [object("commit", "1"), object("commit", "3")]);
      assert.deepEqual(await all(storage.check()), []);
    },
  ],
  [
    "S86 without a store there is nothing to scrub, measure, compact or rebuild, and none is made",
    async (storage) => {
      assert.equal(await storage.scrub(), true);
      await storage.compact();
      await storage.rebuild(rowsOf([]), 0);
      assert.equal(await storage.exists(), false);
    },
  ],
  [
    "S87 notes are listed by prefix, and no character of a prefix is special",
    async (storage) => {
      await storage.transact(transaction({ put: [object("memory", "m")] }));
      for (const key of ["pad/a%b", "pad/aXb", "pad", "padx"]) await storage.setSide(key, `note ${key}`);
      assert.deepEqual(
        await storage.sides("pad/"),
        new Map(["pad/aXb", "pad/a%b"].sort().map((key) => [key, `note ${key}`])),
      );
      assert.deepEqual([...(await storage.sides("pad/a%")).keys()], ["pad/a%b"]);
      assert.equal((await storage.sides("")).size, 4);
    },
  ],
];
