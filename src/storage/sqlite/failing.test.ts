import { open as openFile, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { hashBytes } from "../../core/base/hash.js";
import type { JsonObject } from "../../core/base/json.js";
import { batch, hashOf, object, touchRow, transaction } from "../contract/data.js";
import type { Storage, StoredObject } from "../port.js";
import { codeOf, problemsOf, testStore } from "./_store.js";

describe("a SQLite store on a failing medium", () => {
  it("S50 on a full disk nothing is acknowledged, nothing half written, and the store goes on working", async () => {
    const { open } = await testStore();
    const roomy = open();
    const first = object("memory", "first");
    await roomy.transact(transaction({ put: [first] }));
    await roomy.close();
    const storage = open({ maxPages: 60 });
    const acknowledged: StoredObject[] = [first];
    let refused = 0;
    for (let n = 0; n < 120; n++) {
      const put = [
        object("memory", `fill ${n} ${"x".repeat(200)}`),
        object("node", `${n} ${"y".repeat(200)}`),
      ];
      const result = await codeOf(storage.transact(transaction({ put })));
      if (result === "no error") acknowledged.push(...put);
      else {
        expect(result).toBe("STORE_FULL");
        expect(await storage.missing(put.map(({ hash }) => hash))).toHaveLength(2);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(10);
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(await storage.missing(acknowledged.map(({ hash }) => hash))).toEqual([]);
    expect(await problemsOf(storage)).toEqual([]);
    await storage.close();
    const again = open();
    expect(await again.missing(acknowledged.map(({ hash }) => hash))).toEqual([]);
    expect(await again.transact(transaction({ put: [object("memory", "room again")] }))).toBe("ok");
  });

  it("S51 an exclusive section whose commit fails frees the lock and leaves nothing", async () => {
    const { open } = await testStore();
    const other = open();
    await other.transact(transaction({ put: [object("memory", "first")] }));
    const storage = open({ maxPages: 12 });
    const put = batch("memory", 500);
    const failed = storage.exclusive((transact) => transact(transaction({ put })));
    await expect(failed).rejects.toMatchObject({ code: "STORE_FULL", cause: { errcode: 13 } });
    expect(await storage.missing(put.map(({ hash }) => hash))).toHaveLength(500);
    expect(await other.transact(transaction({ put }))).toBe("ok");
    expect(await storage.missing(put.map(({ hash }) => hash))).toEqual([]);
  });

  /** Everything a store of some size holds, and one read of all of it that trusts nothing. */
  async function filled(storage: Storage): Promise<StoredObject[]> {
    const put = [...batch("memory", 60, "some longer text to fill a page"), ...batch("node", 60)];
    for (let at = 0; at < put.length; at += 6) {
      const op = object("operation", `op ${at}`);
      const touch = [touchRow({ id: `${at}`, version: at + 1, links: [hashOf("l")] })];
      await storage.transact(transaction({ put: [...put.slice(at, at + 6), op], touch, ops: [op.hash] }));
      put.push(...(at === 54 ? [op] : []));
    }
    const refs = [
      { name: "heads/main", expect: null, next: { target: hashOf("t"), meta: { persona: "p" } } },
    ];
    await storage.transact(transaction({ put: batch("memory", 2100, "bulk"), refs }));
    return put;
  }

  async function everything(storage: Storage, put: readonly StoredObject[]): Promise<string> {
    const parts: unknown[] = [];
    for (const { hash, kind } of put) {
      const bytes = await storage.get(hash);
      if (bytes && hashBytes(kind, bytes) === hash) parts.push(hash);
      else parts.push("absent or refused");
    }
    parts.push(await storage.ref("heads/main"), [...(await storage.refs(""))], await storage.version());
    parts.push(
      await storage.touchSince(0),
      await storage.opsBefore(1e9),
      await storage.touchLinked(hashOf("l")),
    );
    let scanned = 0;
    for await (const { hash, kind, bytes } of storage.scan()) if (hashBytes(kind, bytes) === hash) scanned++;
    return JSON.stringify([...parts, scanned]);
  }

  it("S52 a flipped bit in the file changes no answer, or a check reports it", async () => {
    const { open, file } = await testStore();
    const first = open();
    const put = (await filled(first)).slice(0, 40);
    const truth = await everything(first, put);
    expect(await problemsOf(first)).toEqual([]);
    await first.close();
    const whole = await readFile(file);
    const runs = Number(process.env.PAL_TORTURE ? 600 : 32);
    let harmless = 0;
    for (let run = 0; run < runs; run++) {
      // Evenly over the file, but not the same bit of every page.
      const at = Math.floor((run * whole.length) / runs) + ((run * 2671) % 4096);
      const hurt = Buffer.from(whole);
      hurt[at % whole.length]! ^= 1 << (run % 8);
      await writeFile(file, hurt);
      const storage = open();
      const problems = await problemsOf(storage);
      const answer = await everything(storage, put).catch((error: { code?: string }) => error.code ?? error);
      if (problems.length === 0) {
        expect({ run, at, answer }).toEqual({ run, at, answer: truth });
        harmless++;
      } else if (answer !== truth && typeof answer !== "string") throw answer;
      await storage.close().catch(() => undefined);
    }
    expect(harmless).toBeLessThan(runs);
  });

  it.each(["a row of many", "a row of one"])(
    "S53 one damaged page leaves the rest readable: %s",
    async (which) => {
      const { open, file } = await testStore();
      const first = open();
      const put = await filled(first);
      await first.close();
      const whole = await readFile(file);
      const bulk = batch("memory", 2100, "bulk");
      const needle = Buffer.from(which === "a row of many" ? bulk[1000]!.bytes : put[3]!.bytes);
      const page = Math.floor(whole.indexOf(needle) / 4096);
      expect(page).toBeGreaterThan(0);
      const handle = await openFile(file, "r+");
      await handle.write(Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
      await handle.close();
      const storage = open();
      const all = [...bulk, ...put];
      const answers = await Promise.all(all.map(({ hash }) => storage.get(hash).catch(() => undefined)));
      const right = answers.filter((bytes, at) => bytes && hashBytes(all[at]!.kind, bytes) === all[at]!.hash);
      expect(right.length).toBeGreaterThan(1800);
      expect(right.length).toBeLessThan(all.length);
      let scanned = 0;
      for await (const { kind, hash, bytes } of storage.scan())
        if (hashBytes(kind, bytes) === hash) scanned++;
      expect(scanned).toBeGreaterThan(1800);
      const problems = await problemsOf(storage);
      expect(problems.filter(({ severity }) => severity === "error").length).toBeGreaterThan(0);
      expect(await storage.transact(transaction({ put: [object("memory", "still writing")] }))).toBe("ok");
    },
  );

  it("S54 a check finds an index that disagrees with the objects, in both directions, and damaged rows", async () => {
    const { open, sql } = await testStore();
    const first = open();
    const put = await filled(first);
    await first.close();
    const problemsAfter = async (damage: string): Promise<Set<string>> => {
      await sql((db) => db.exec(damage));
      const storage = open();
      const found = await problemsOf(storage);
      await storage.close();
      return new Set(found.map(({ problem }) => problem));
    };
    expect(await problemsAfter("INSERT INTO lookup VALUES (12345, 1024 * 99)")).toEqual(
      new Set(["index-dangling"]),
    );
    expect(await problemsAfter("DELETE FROM lookup WHERE prefix = 12345")).toEqual(new Set());
    const prefix = Number.parseInt(put[0]!.hash.slice(0, 12), 16);
    expect(await problemsAfter(`DELETE FROM lookup WHERE prefix = ${prefix}`)).toEqual(
      new Set(["index-missing"]),
    );
    expect(await problemsAfter("UPDATE meta SET value = 1e6 WHERE key = 'indexed'")).toContain(
      "mark-damaged",
    );
    expect(
      await problemsAfter("UPDATE meta SET value = 0 WHERE key = 'indexed'; DELETE FROM lookup"),
    ).toEqual(new Set());
    expect(await problemsAfter("UPDATE refs SET meta = '{}'")).toEqual(new Set(["ref-damaged"]));
    expect(await problemsAfter("DELETE FROM refs; UPDATE journal SET touch = x'00' WHERE seq = 1")).toEqual(
      new Set(["touch-damaged"]),
    );
    const broken = "UPDATE journal SET touch = NULL, ops = NULL, objects = x'00' WHERE seq = 1";
    expect(await problemsAfter(broken)).toContain("objects-damaged");
    expect(await problemsAfter("DELETE FROM journal WHERE seq = 1")).toEqual(new Set());
  });

  it("S55 removed bytes are gone from the file and, at once, from its log", async () => {
    const { open, file } = await testStore();
    const storage = open();
    const canary = "canary-7c1f ".repeat(3000);
    const secrets = [1, 2, 3].map((n) => object("memory", `${n} ${canary}`));
    for (const secret of secrets)
      await storage.transact(transaction({ put: [secret, object("memory", "stays")] }));
    // The log itself is never locked: to read it does no harm.
    expect((await readFile(`${file}-wal`)).includes("canary-7c1f")).toBe(true);
    await storage.remove(secrets.map(({ hash }) => hash));
    expect((await readFile(`${file}-wal`)).includes("canary-7c1f")).toBe(false);
    await storage.close();
    expect((await readFile(file)).includes("canary-7c1f")).toBe(false);
  });

  it("S56 a transaction that fails for whatever reason is rolled back, and the next one works", async () => {
    const { open } = await testStore();
    const [storage, other] = [open(), open()];
    await storage.transact(transaction({ put: [object("memory", "first")] }));
    const endless: { self?: unknown } = {};
    endless.self = endless;
    const next = { target: hashOf("t"), meta: endless as JsonObject };
    const refs = [
      { name: "heads/a", expect: null, next: { target: hashOf("t") } },
      { name: "heads/b", expect: null, next },
    ];
    await expect(storage.transact(transaction({ refs }))).rejects.toThrow(TypeError);
    expect(await storage.refs("")).toEqual(new Map());
    expect(await other.transact(transaction({ put: [object("memory", "other")] }))).toBe("ok");
    expect(await storage.transact(transaction({ put: [object("memory", "second")] }))).toBe("ok");
    expect(await other.refs("")).toEqual(new Map());
  });
});
