import { describe, expect, it } from "vitest";
import { batch, hashOf, object, touchRow, transaction } from "../contract/data.js";
import type { Storage, StoredObject } from "../port.js";
import { testStore } from "./test-store.js";

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

  it("S30 what one commits the other sees at its next read: objects, refs, touch rows, the version", async () => {
    const { open } = await testStore();
    const [a, b] = [open(), open()];
    expect(await b.get(object("memory", "m 0").hash)).toBeUndefined();
    for (let n = 0; n < 20; n++) {
      const [writer, reader] = n % 2 ? [a, b] : [b, a];
      const before = await reader.version();
      expect(await commit(writer, n)).toBe("ok");
      const target = hashOf(`commit ${n}`);
      await writer.transact(transaction({ refs: [{ name: `tags/${n}`, expect: null, next: { target } }] }));
      expect((await reader.version()).seq).toBeGreaterThan(before.seq);
      expect(await reader.missing(single(n).map(({ hash }) => hash))).toEqual([]);
      expect(Buffer.from((await reader.get(single(n)[1]!.hash))!)).toEqual(Buffer.from(single(n)[1]!.bytes));
      expect(await reader.ref(`tags/${n}`)).toEqual({ target });
      const touched = await reader.touchOf(hashOf("scope"), hashOf("shared"));
      expect(touched.map(({ version }) => version)).toEqual(Array.from({ length: n + 1 }, (_, at) => at));
      expect((await reader.touchLinked(hashOf("link"))).length).toBe(n + 1);
    }
  });

  it("S31 one merges its index while the others read and write, and nobody misses anything", async () => {
    const { open } = await testStore();
    const [a, b, c] = [open(), open(), open()];
    await commit(a, 0);
    expect(await c.missing(single(0).map(({ hash }) => hash))).toEqual([]);
    for (let n = 1; n <= 1100; n++) await commit(n % 3 ? a : b, n);
    const all = Array.from({ length: 1101 }, (_, n) => single(n)).flat();
    const hashes = all.map(({ hash }) => hash);
    const tending = a.tend();
    for (let n = 1101; n < 1120; n++) {
      await commit(b, n);
      expect(await c.missing([...hashes.slice(n - 900, n), single(n)[0]!.hash])).toEqual([]);
    }
    await Promise.all([tending, b.tend()]);
    for (const storage of [a, b, c]) {
      expect(await storage.missing(hashes)).toEqual([]);
      expect((await storage.touchOf(hashOf("scope"), hashOf("shared"))).length).toBe(1120);
    }
    for await (const problem of c.check()) expect(problem).toBeUndefined();
  });

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
});
