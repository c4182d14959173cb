import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startPostgres, type TestServer } from "../../../test/_postgres.mjs";
import { startPooler, startProxy } from "../../../test/_proxy.js";
import { hashOf, object, touchRow, transaction } from "../contract/data.js";
import { storageContract } from "../contract.js";
import type { Storage, StorageProblem } from "../port.js";
import { type PostgresOptions, postgresStorage } from "./index.js";
import { loadDriver } from "./server.js";

let server: TestServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

let stores = 0;
const newName = (): string => `store-${stores++}`;

/** A storage that is closed when its test ends. */
function open(url: string, options?: PostgresOptions): Storage {
  const storage = postgresStorage(url, options);
  onTestFinished(() => storage.close());
  return storage;
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no error",
    (error: { code?: unknown }) => error.code ?? error,
  );

async function problemsOf(storage: Storage): Promise<string[]> {
  const found: StorageProblem[] = [];
  for await (const problem of storage.check()) found.push(problem);
  return found.map(({ problem }) => problem);
}

const put = (text: string) => transaction({ put: [object("memory", text)] });
const head = (from: string | null, to: string) =>
  transaction({
    put: [object("memory", to), object("operation", to)],
    refs: [{ name: "heads/main", expect: from === null ? null : hashOf(from), next: { target: hashOf(to) } }],
    touch: [touchRow({ id: to })],
    ops: [object("operation", to).hash],
  });

describe("the contract, on PostgreSQL", () => {
  const cases = storageContract(async () => {
    const url = server.url(newName());
    return { open: async () => postgresStorage(url), cleanup: async () => undefined };
  });
  for (const { name, run } of cases) it(name, run);

  it("PG3 the contract holds without prepared statements, as some poolers need it", async () => {
    for (const name of ["S2", "S3", "S14", "S24"]) {
      const url = server.url(newName(), { prepare: "false", connections: "2" });
      const [found] = storageContract(async () => ({
        open: async () => postgresStorage(url),
        cleanup: async () => undefined,
      })).filter((each) => each.name.startsWith(`${name} `));
      await found!.run();
    }
    const rows = await server.sql("SELECT count(*)::int AS open FROM pg_prepared_statements");
    expect(rows[0]?.open).toBe(0);
  });
});

describe("the schema", () => {
  const newDatabase = async (): Promise<string> => {
    const database = `db_${stores++}`;
    await server.sql(`CREATE DATABASE ${database}`);
    return database;
  };

  it("PG4 several that create a store at once get one schema and one store", async () => {
    const url = server.url("same", { database: await newDatabase() });
    const storages = Array.from({ length: 6 }, () => open(url));
    const results = await Promise.all(storages.map((storage, at) => storage.transact(put(`${at}`))));
    expect(results).toEqual(results.map(() => "ok"));
    expect(await storages[0]!.version()).toEqual({ seq: 6, epoch: 0 });
  });

  it("PG5 stores in one database see nothing of each other", async () => {
    const database = await newDatabase();
    const [ann, bob] = ["ann", "bob"].map((name) => open(server.url(name, { database })));
    const memory = object("memory", "ann's");
    await ann!.transact({ ...head(null, "1"), put: [memory, ...head(null, "1").put] });
    const vectors = [{ key: hashOf("v"), source: hashOf("s"), vectors: Int8Array.of(1) }];
    await ann!.putVectors("m", vectors, 0);
    await ann!.setSide("k", "ann");
    expect(await bob!.exists()).toBe(false);
    await bob!.transact(put("bob's"));
    expect(await bob!.get(memory.hash)).toBeUndefined();
    expect(await bob!.refs("")).toEqual(new Map());
    expect((await bob!.touchSince(0)).touch).toEqual([]);
    expect(await bob!.side("k")).toBeUndefined();
    expect(await bob!.vectors("m", [hashOf("v")])).toEqual(new Map());
    expect(await bob!.remove([memory.hash])).toBe(0);
    expect(await bob!.removeVectors([hashOf("s")])).toBe(0);
    expect(await ann!.get(memory.hash)).toBeDefined();
    expect((await ann!.vectors("m", [hashOf("v")])).size).toBe(1);
  });

  it("PG6 a schema of a newer program is STORE_NEWER, another program's is NOT_A_STORE; both stay as they are", async () => {
    const newer = await newDatabase();
    await open(server.url("a", { database: newer })).transact(put("1"));
    await server.sql("UPDATE palimpsest.format SET version = 99", { database: newer });
    const storage = open(server.url("a", { database: newer }));
    expect(await codeOf(storage.version())).toBe("STORE_NEWER");
    expect(await codeOf(storage.transact(put("2")))).toBe("STORE_NEWER");
    const foreign = await newDatabase();
    await server.sql("CREATE SCHEMA palimpsest; CREATE TABLE palimpsest.parchments (id int)", {
      database: foreign,
    });
    expect(await codeOf(open(server.url("a", { database: foreign })).transact(put("1")))).toBe("NOT_A_STORE");
    const tables = await server.sql(
      "SELECT relname FROM pg_class WHERE relnamespace = 'palimpsest'::regnamespace",
      {
        database: foreign,
      },
    );
    expect(tables).toEqual([{ relname: "parchments" }]);
  });

  it("PG7 reads of a database without our schema find nothing and create nothing", async () => {
    const database = await newDatabase();
    const storage = open(server.url("a", { database }));
    expect(await storage.exists()).toBe(false);
    expect(await storage.refs("")).toEqual(new Map());
    expect(await storage.setSide("k", "v")).toBe(false);
    expect(await storage.transact(head("1", "2"))).toBe("stale");
    expect(await server.sql("SELECT 1 FROM pg_namespace WHERE nspname = 'palimpsest'", { database })).toEqual(
      [],
    );
  });
});

describe("reaching the server", () => {
  it("PG2 without the driver the error is DRIVER_MISSING and says how to install it", async () => {
    const gone = () => Promise.reject(Object.assign(new Error("no pg"), { code: "ERR_MODULE_NOT_FOUND" }));
    const error = await loadDriver(gone).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "DRIVER_MISSING", hint: expect.stringContaining("npm install pg") });
  });

  it("PG8 a server that cannot be reached, a wrong database or user is STORE_UNREADABLE at once", async () => {
    const start = performance.now();
    const nowhere = open(`postgres://postgres@localhost/postgres?host=${server.home}/none`);
    expect(await codeOf(nowhere.version())).toBe("STORE_UNREADABLE");
    expect(await codeOf(open(server.url("a", { database: "none" })).version())).toBe("STORE_UNREADABLE");
    expect(await codeOf(open(server.url("a", { user: "nobody" })).version())).toBe("STORE_UNREADABLE");
    expect(performance.now() - start).toBeLessThan(9_000);
  });

  it("PG9 a writer that waits too long for the lock gets STORE_BUSY; reads do not wait", async () => {
    const url = server.url(newName());
    const [holder, waiting] = [open(url), open(url, { patienceMs: 200 })];
    await holder.transact(put("1"));
    await holder.exclusive(async (transact) => {
      expect(await codeOf(waiting.transact(put("2")))).toBe("STORE_BUSY");
      expect((await waiting.version()).seq).toBe(1);
      expect(await transact(put("3"))).toBe("ok");
    });
    expect(await waiting.transact(put("2"))).toBe("ok");
  });

  it("PG10 a write that conflicts under a stricter isolation is tried again", async () => {
    const url = server.url(newName(), { options: "-c default_transaction_isolation=serializable" });
    const storages = Array.from({ length: 3 }, () => open(url));
    await storages[0]!.transact(put("first"));
    const results = await Promise.all(
      storages.flatMap((storage, at) =>
        Array.from({ length: 15 }, (_, n) => storage.transact(put(`${at} ${n}`))),
      ),
    );
    expect(new Set(results)).toEqual(new Set(["ok"]));
    expect((await storages[0]!.version()).seq).toBe(46);
  });
});

describe("answers that are lost", () => {
  const world = async () => {
    const proxy = await startProxy(server);
    onTestFinished(() => proxy.close());
    const name = newName();
    const storage = open(proxy.url(name));
    await storage.transact(head(null, "1"));
    return { proxy, storage, direct: open(server.url(name)) };
  };

  it.each(["before", "after"] as const)(
    "PG12 a transaction whose connection went %s the server had done it is there once, and answered with ok",
    async (when) => {
      const { proxy, storage, direct } = await world();
      proxy.trouble.cut = { text: "\0pal_write", when };
      expect(await storage.transact(head("1", "2"))).toBe("ok");
      proxy.trouble.cut = { text: "\0pal_write", when };
      expect(await storage.transact({ ...put("no ref"), touch: [touchRow({ id: "t" })] })).toBe("ok");
      expect(proxy.cuts).toBe(2);
      expect(await direct.version()).toEqual({ seq: 3, epoch: 0 });
      expect((await direct.touchSince(0)).touch).toHaveLength(3);
      expect((await direct.opsBefore(100)).ops).toHaveLength(2);
    },
  );

  it("PG13 it is ok also when others have moved the ref on before it was asked again", async () => {
    const { proxy, storage, direct } = await world();
    proxy.trouble.cut = { text: "\0pal_write", when: "after" };
    const asked = storage.transact(head("1", "2"));
    while ((await direct.ref("heads/main"))?.target !== hashOf("2")) await sleep(1);
    const moved = await direct.transact(head("2", "3"));
    expect([await asked, moved]).toEqual(["ok", "ok"]);
    expect((await direct.ref("heads/main"))?.target).toBe(hashOf("3"));
  });

  it.each([
    ["pal_write", "before"],
    ["pal_write", "after"],
    ["pal_commit", "before"],
    ["pal_commit", "after"],
    ["pal_lock", "before"],
    ["pal_begin", "after"],
  ] as const)(
    "PG14 an exclusive section that loses its connection at %s, %s it: once, and ok",
    async (text, when) => {
      const { proxy, storage, direct } = await world();
      await storage.exclusive(async (transact) => transact(put("so that all is prepared")));
      proxy.trouble.cut = { text: `\0${text}`, when };
      let runs = 0;
      const result = await storage.exclusive(async (transact) => {
        runs++;
        return transact(head("1", "2"));
      });
      expect([result, runs, proxy.cuts]).toEqual(["ok", 1, 1]);
      expect((await direct.version()).seq).toBe(3);
      expect(await storage.transact(head("2", "3"))).toBe("ok");
    },
  );

  it("PG15 an exclusive section that lost its lock, and others wrote meanwhile, is stale", async () => {
    const { proxy, storage, direct } = await world();
    const result = await storage.exclusive(async (transact) => {
      proxy.drop();
      expect(await direct.transact(put("meanwhile"))).toBe("ok");
      return transact(head("1", "2"));
    });
    expect(result).toBe("stale");
    expect((await direct.ref("heads/main"))?.target).toBe(hashOf("1"));
    expect(await storage.transact(head("1", "2"))).toBe("ok");
  });

  it("PG16 notes, vectors and removals survive it as well", async () => {
    const { proxy, storage, direct } = await world();
    await storage.setSide("k", "a", null);
    proxy.trouble.cut = { text: "side_swap", when: "after" };
    expect(await storage.setSide("k", "b", "a")).toBe(true);
    proxy.trouble.cut = { text: "side_take", when: "after" };
    expect(await storage.setSide("k", null, "b")).toBe(true);
    proxy.trouble.cut = { text: "vectors_put", when: "after" };
    const vectors = [{ key: hashOf("v"), source: hashOf("s"), vectors: Int8Array.of(1) }];
    expect(await storage.putVectors("m", vectors, 0)).toBe("ok");
    proxy.trouble.cut = { text: "pal_remove", when: "after" };
    await storage.remove([object("memory", "1").hash]);
    expect(proxy.cuts).toBe(4);
    expect(await direct.version()).toEqual({ seq: 1, epoch: 1 });
    expect(await direct.get(object("memory", "1").hash)).toBeUndefined();
  });

  it("PG17 reads go on after all connections were lost", async () => {
    const { proxy, storage } = await world();
    for (let round = 0; round < 5; round++) {
      const reading = Promise.all([storage.version(), storage.refs(""), storage.touchSince(0)]);
      proxy.drop();
      const [{ seq }, refs, { touch }] = await reading;
      expect([seq, refs.size, touch.length]).toEqual([1, 1, 1]);
    }
  });
});

describe("watching", () => {
  const told = async (count: () => number, least: number) => {
    for (let waited = 0; count() < least && waited < 800; waited++) await sleep(10);
    return count();
  };

  it("PG18 watchers hear soon of what another process commits, also after the connection was lost", async () => {
    const proxy = await startProxy(server);
    onTestFinished(() => proxy.close());
    const name = newName();
    const [here, there] = [open(proxy.url(name)), open(server.url(name))];
    await there.transact(put("0"));
    let count = 0;
    const end = here.watch(() => count++);
    await told(() => count, 1);
    await sleep(100);
    for (let n = 1; n <= 3; n++) {
      const before = count;
      await there.transact(put(`${n}`));
      expect(await told(() => count, before + 1)).toBeGreaterThan(before);
      proxy.drop();
    }
    end();
  });

  /** A watcher here hears of every commit there. */
  async function expectTold(here: Storage, there: Storage): Promise<void> {
    await there.transact(put("0"));
    let count = 0;
    const end = here.watch(() => count++);
    await told(() => count, 1);
    for (let n = 1; n <= 3; n++) {
      const before = count;
      await there.transact(put(`${n}`));
      expect(await told(() => count, before + 1)).toBeGreaterThan(before);
    }
    end();
  }

  it("PG19 watchers hear of it also where the message of LISTEN does not get through", async () => {
    const proxy = await startProxy(server);
    onTestFinished(() => proxy.close());
    proxy.trouble.deaf = true;
    const name = newName();
    const [here, there] = [open(proxy.url(name)), open(server.url(name))];
    await expectTold(here, there);
  });

  it("PG40 LISTEN is lost there, and watchers hear of commits because the store is looked at", async () => {
    const pooler = await startPooler(server);
    onTestFinished(() => pooler.close());
    const name = newName();
    const [here, there] = [open(pooler.url(name, { prepare: "false" })), open(server.url(name))];
    await expectTold(here, there);
  });
});

describe("behind a pooler that gives every transaction another connection", () => {
  it("PG40 with prepare=false the contract holds, locks and lost races included", async () => {
    const pooler = await startPooler(server);
    onTestFinished(() => pooler.close());
    for (const rule of ["S2", "S3", "S10", "S14", "S24", "S25"]) {
      const url = pooler.url(newName(), { prepare: "false" });
      const cases = storageContract(async () => ({
        open: async () => postgresStorage(url),
        cleanup: async () => undefined,
      }));
      for (const { name, run } of cases) if (name.startsWith(`${rule} `)) await run();
    }
    expect(pooler.turns).toBeGreaterThan(50);
  });
});

describe("checking", () => {
  it.each([
    ["index-missing", "DELETE FROM palimpsest.touched WHERE store = $1 AND key = $2"],
    ["index-stray", "INSERT INTO palimpsest.touched VALUES ($1, sha256($2), 1)"],
    [
      "touch-damaged",
      "UPDATE palimpsest.journal SET touch = set_byte(touch, 60, 1) WHERE store = $1 AND $2::bytea IS NOT NULL",
    ],
    [
      "operation-missing",
      "DELETE FROM palimpsest.objects WHERE store = $1 AND kind = 5 AND $2::bytea IS NOT NULL",
    ],
    ["mark-damaged", "UPDATE palimpsest.stores SET seq = 7 WHERE store = $1 AND $2::bytea IS NOT NULL"],
  ])("PG20 a check finds %s", async (problem, sql) => {
    const name = newName();
    const storage = open(server.url(name));
    await storage.transact(head(null, "1"));
    expect(await problemsOf(storage)).toEqual([]);
    const [row] = await server.sql("SELECT store FROM palimpsest.stores WHERE name = $1", { values: [name] });
    await server.sql(sql, { values: [row?.store, Buffer.from(hashOf("1"), "hex")] });
    expect(await problemsOf(storage)).toContain(problem);
  });
});
