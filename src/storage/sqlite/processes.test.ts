import { describe, expect, it } from "vitest";
import type { Hash } from "../../core/base/hash.js";
import { batch, hashOf, object, touchRow, transaction } from "../contract/data.js";
import type { Storage, StoredObject } from "../port.js";
import { problemsOf, testStore } from "./_store.js";

/** Two storages on one directory are two connections: what holds between them holds between processes. */
describe("several users of one SQLite store", () => {
  const single = (n: number): StoredObject[] => [object("memory", `m ${n}`), object("node", `n ${n}`)];
  const commit = (storage: Storage, n: number) =>
    storage.transact(
      transaction({
        put: single(n),
        touch: [touchRow({ id: "shared", version: n, links: [hashOf("link")] })],
      }),
    );

  it("S30 what one commits the other sees at its next read, whatever it reads", async () => {
    const { open } = await testStore();
    const [a, b] = [open(), open()];
    const last = (n: number) => single(n).map(({ hash }) => hash);
    const reads: ((reader: Storage, n: number) => Promise<boolean>)[] = [
      async (reader, n) => (await reader.get(last(n)[0]!)) !== undefined,
      async (reader, n) => (await reader.get(last(n)[1]!)) !== undefined,
      async (reader, n) => (await reader.getMany([...last(0), ...last(n)])).size === 4,
      async (reader, n) => (await reader.missing(last(n))).length === 0,
      async (reader, n) => (await reader.ref("heads/main"))?.target === last(n)[0],
      async (reader, n) => (await reader.refs("heads/")).get("heads/main")?.target === last(n)[0],
      async (reader, n) => (await reader.touchOf(hashOf("scope"), hashOf("shared"))).length === n + 1,
      async (reader, n) => (await reader.touchLinked(hashOf("link"))).length === n + 1,
      async (reader, n) => (await reader.touchSince(0)).touch.length === n + 1,
      async (reader, n) => (await reader.touchBefore(1e9)).touch.length === n + 1,
      async (reader, n) => (await reader.version()).seq === n + 1,
      async (reader, n) => (await reader.transact(moved(n, n))) === "ok",
    ];
    const moved = (from: number, to: number) => {
      const next = { target: last(to)[0]! };
      return transaction({ refs: [{ name: "heads/main", expect: from < 0 ? null : last(from)[0]!, next }] });
    };
    for (let n = 0; n < reads.length; n++) {
      const [writer, reader] = n % 2 ? [a, b] : [b, a];
      const touch = [touchRow({ id: "shared", version: n, links: [hashOf("link")] })];
      expect(await writer.transact({ ...moved(n - 1, n), put: single(n), touch })).toBe("ok");
      expect([n, await reads[n]!(reader, n)]).toEqual([n, true]);
      expect(await writer.missing(last(n))).toEqual([]);
    }
  });

  it("S31 one merges its index while the others read and write, and nobody misses anything", async () => {
    const { open } = await testStore();
    const [a, b, c] = [open({ tailRows: 20 }), open({ tailRows: 20 }), open()];
    await commit(a, 0);
    expect(await c.missing(single(0).map(({ hash }) => hash))).toEqual([]);
    for (let n = 1; n <= 300; n++) await commit(n % 3 ? a : b, n);
    const hashes = Array.from({ length: 301 }, (_, n) => single(n).map(({ hash }) => hash)).flat();
    const tending = a.tend();
    for (let n = 301; n < 320; n++) {
      await commit(b, n);
      // The second time with what the first has learnt about the merge.
      for (let twice = 0; twice < 2; twice++)
        expect(await c.missing([...hashes, single(n)[0]!.hash])).toEqual([]);
      // Lets the merge do its next slice.
      await new Promise((turn) => setImmediate(turn));
    }
    await Promise.all([tending, b.tend()]);
    for (const storage of [a, b, c, open()]) {
      expect(await storage.missing(hashes)).toEqual([]);
      expect((await storage.touchOf(hashOf("scope"), hashOf("shared"))).length).toBe(320);
    }
    expect(await problemsOf(c)).toEqual([]);
  });

  it("upkeep indexes what was there when it began, and does not run after those who write meanwhile", async () => {
    const { open } = await testStore();
    const storage = open({ tailRows: 20 });
    for (let n = 0; n < 40; n++) await commit(storage, n);
    let isTending = true;
    const tending = storage.tend().finally(() => {
      isTending = false;
    });
    let written = 40;
    while (isTending && written < 140) {
      await commit(storage, written++);
      await new Promise((turn) => setImmediate(turn));
    }
    await tending;
    expect(written).toBeLessThan(60);
  });

  const removers: [string, (own: Storage, other: Storage, hashes: Hash[]) => Promise<unknown>][] = [
    ["itself", (own, _, hashes) => own.remove(hashes)],
    ["another", (_, other, hashes) => other.remove(hashes)],
    ["itself, with what it writes", (own, _, drop) => own.transact(transaction({ put: single(99), drop }))],
    ["another, with what it writes", (_, other, drop) => other.transact(transaction({ drop }))],
  ];
  it.each(removers)(
    "what was removed by %s before it was indexed does not enter the index",
    async (_, remove) => {
      const { open, sql } = await testStore();
      const [own, other] = [open({ tailRows: 20 }), open()];
      await commit(own, 0);
      // Only who has looked something up knows what waits.
      const isLoaded = await own.missing(single(0).map(({ hash }) => hash));
      expect(isLoaded).toEqual([]);
      for (let n = 1; n < 15; n++) await commit(own, n);
      await remove(
        own,
        other,
        [3, 8].flatMap((n) => single(n).map(({ hash }) => hash)),
      );
      const { epoch } = await own.version();
      for (let n = 15; n < 30; n++)
        await own.transact(transaction({ put: single(n), touch: [touchRow({ id: `${n}` })], epoch }));
      await own.tend();
      await sql((db) => {
        const indexed = db.prepare("SELECT value FROM meta WHERE key = 'indexed'").get();
        expect((indexed as { value: number }).value).toBeGreaterThan(28);
      });
      expect(await problemsOf(own)).toEqual([]);
    },
  );

  it("S32 two that create the store at once get one store, and nothing temporary is left", async () => {
    const { readdir } = await import("node:fs/promises");
    const { open, directory } = await testStore();
    const racers = Array.from({ length: 6 }, () => open());
    const results = await Promise.all(
      racers.map((storage, n) => {
        const refs = [{ name: "heads/main", expect: null, next: { target: hashOf(`${n}`) } }];
        return storage.transact(transaction({ refs, put: [object("memory", `racer ${n}`)] }));
      }),
    );
    expect(results.filter((result) => result === "ok")).toHaveLength(1);
    for (const storage of racers)
      expect((await storage.ref("heads/main"))?.target).toBe(hashOf(`${results.indexOf("ok")}`));
    expect((await readdir(directory)).filter((name) => name.includes(".tmp"))).toEqual([]);
  });

  it("S33 a writer waits for another's exclusive section without blocking, and gives up with STORE_BUSY", async () => {
    const { open } = await testStore();
    const [a, patient, hasty] = [open(), open(), open({ busyLimitMs: 60 })];
    await commit(a, 0);
    let turns = 0;
    const ticking = setInterval(() => turns++, 5);
    let waiting: Promise<unknown> | undefined;
    await a.exclusive(async (transact) => {
      waiting = commit(patient, 1);
      await expect(commit(hasty, 2)).rejects.toMatchObject({ code: "STORE_BUSY" });
      expect(await patient.get(single(0)[0]!.hash)).toBeDefined();
      expect(await transact(transaction({ put: single(3) }))).toBe("ok");
    });
    expect(await waiting).toBe("ok");
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(3);
    expect(await a.missing([...single(1), ...single(3)].map(({ hash }) => hash))).toEqual([]);
    expect(await a.get(single(2)[0]!.hash)).toBeUndefined();
  });

  it("S34 what one removes is absent for another that knew its place", async () => {
    const { open } = await testStore();
    const [a, b] = [open(), open()];
    const put = [...batch("memory", 5), ...batch("node", 5)];
    const hashes = put.map(({ hash }) => hash);
    await a.transact(transaction({ put, touch: [touchRow({ id: "a" })] }));
    expect(await b.missing(hashes)).toEqual([]);
    expect(await a.remove([hashes[1]!, hashes[6]!])).toBe(2);
    expect(await b.get(hashes[1]!)).toBeUndefined();
    expect(await b.missing(hashes)).toEqual([hashes[1], hashes[6]]);
    expect(await b.remove(hashes.slice(5))).toBe(4);
    expect(await b.version()).toMatchObject({ epoch: 1 });
    expect(await b.transact(transaction({ put, epoch: 0 }))).toBe("stale");
    expect(await a.transact(transaction({ put, epoch: 1 }))).toBe("ok");
    expect(await b.missing(hashes)).toEqual([]);
  });

  it("S35 a transaction of many nodes and little else keeps the order of versions for everybody", async () => {
    const { open } = await testStore();
    const storages = [open(), open()];
    let seq = 0;
    for (let n = 0; n < 6; n++) {
      const put = [...batch("node", 400, `nodes ${n}`), object("memory", `${n}`)];
      expect(await storages[n % 2]!.transact(transaction({ put, touch: [touchRow({ id: `${n}` })] }))).toBe(
        "ok",
      );
      const fresh = open();
      const versions = await Promise.all([...storages, fresh].map((storage) => storage.version()));
      expect(new Set(versions.map((version) => version.seq)).size).toBe(1);
      expect(versions[0]!.seq).toBeGreaterThan(seq);
      expect((await fresh.touchSince(seq)).touch).toHaveLength(1);
      expect(await fresh.missing(put.map(({ hash }) => hash))).toEqual([]);
      seq = versions[0]!.seq;
    }
  });

  it("S36 the version does not go back for a newcomer when what was written last is removed", async () => {
    const { open } = await testStore();
    const a = open();
    for (let n = 0; n < 3; n++) await a.transact(transaction({ put: [object("memory", `${n}`)] }));
    const { seq } = await a.version();
    await a.remove([object("memory", "1").hash, object("memory", "2").hash]);
    expect((await open().version()).seq).toBe(seq);
    expect(await problemsOf(a)).toEqual([]);
  });
});
