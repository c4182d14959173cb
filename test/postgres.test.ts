import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillStore, told } from "../src/care/_filled.js";
import { type Hash, memoryStorage, openStore, postgresStorage, sqliteStorage } from "../src/index.js";
import { seeded } from "./_damage.js";
import { commandsWithBreaks, expectLikeModel } from "./_model.js";
import { startPostgres, type TestServer } from "./_postgres.mjs";
import { PATIENCE, percentile, ROOT, rowsOf, run, SEED, TORTURE, tell } from "./_processes.js";
import { expectLinearizable } from "./_swaps.js";
import { everythingSeen, testStore } from "./_worlds.js";

let server: TestServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

let stores = 0;
const newUrl = (): string => server.url(`store-${stores++}`);

describe("sessions on PostgreSQL", PATIENCE, () => {
  test("PG21 verdicts, states, histories and logs are those of the model, closed and opened again at any point (B5)", async () => {
    await fc.assert(
      fc.asyncProperty(commandsWithBreaks, (commands) => {
        const url = newUrl();
        return expectLikeModel(commands, () => postgresStorage(url));
      }),
      { numRuns: TORTURE ? 1_000 : 5 },
    );
  });

  test("PG22 the same calls give the same roots, answers and search results as in memory and on SQLite (B11)", async () => {
    const directory = mkdtempSync(join(tmpdir(), "pal-same-"));
    const seen: unknown[] = [];
    for (const storage of [memoryStorage(), sqliteStorage(directory), postgresStorage(newUrl())]) {
      const { store } = await testStore(storage);
      const pal = store.session({ agent: "ann" });
      for (let at = 0; at < 25; at++)
        await pal.remember(`words about topic ${at % 7}, note ${at}`, {
          id: `memory-${at}`,
          tags: [`t${at % 3}`],
        });
      await pal.createBranch("side");
      const side = store.session({ agent: "ann", branch: "side" });
      await side.update("memory-3", "changed on the side");
      await pal.forget("memory-4");
      await pal.merge("side");
      await pal.undo();
      const first = (await pal.log({ limit: 1000 })).at(-1)?.commit ?? "";
      const whole = store.session({ scopes: ["*"], clearance: "confidential" });
      const proofs = [await whole.prove("memory-3"), await whole.proveConsistency(first)];
      seen.push([await everythingSeen(pal, ["memory-3", "memory-4"]), proofs]);
      await store.close();
    }
    rmSync(directory, { recursive: true });
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });

  test('PG23 `store.on("change")` tells of what another store handle commits', async () => {
    const url = newUrl();
    const [here, there] = [await openStore(url), await openStore(url)];
    const first = await there.session().remember("First");
    const heard = new Promise((resolve) => {
      here.on("change", (change) => change.before === first.commit && resolve(change));
    });
    // Changes are counted from the first look.
    await here.session().list();
    const { commit } = await there.session().remember("Second");
    expect(await heard).toMatchObject({ ref: "heads/main", branch: "main", commit, before: first.commit });
    await here.close();
    await there.close();
  });

  test("PG24 a process that watches and does nothing else ends", () => {
    const code = `const { openStore } = await import(${JSON.stringify(join(ROOT, "dist/index.js"))});
      const store = await openStore(process.argv[1]);
      store.on("change", () => undefined);
      await store.session().remember("One");`;
    const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", code, newUrl()], {
      timeout: 30_000,
    });
    expect(status).toBe(0);
  });

  test("PG25 `pal` works on a URL, and says of an absent store where it looked, without the password", () => {
    const url = newUrl();
    const pal = (...args: string[]) =>
      spawnSync(process.execPath, [join(ROOT, "dist/doors/cli/main.js"), ...args], {
        encoding: "utf8",
        env: { ...process.env, PAL_HOME: url.replace("postgres@", "postgres:s3cret@") },
      });
    const absent = pal("list");
    expect([absent.status, absent.stderr.includes("store-"), absent.stderr.includes("s3cret")]).toEqual([
      1,
      true,
      false,
    ]);
    expect(pal("remember", "The office is in Lisbon").status).toBe(0);
    expect(pal("search", "office").stdout).toContain("Lisbon");
    expect(pal("verify").status).toBe(0);
    expect(pal("doctor").stdout).toContain("PostgreSQL");
    // Nobody can tell from a connection that nothing is left.
    const erased = pal("--operator", "erase", "--containing", "Lisbon");
    expect([erased.status, erased.stdout]).toEqual([
      1,
      expect.stringMatching(/erased 1 memory[\s\S]*pg_wal/),
    ]);
    const repair = pal("repair", "nowhere");
    expect([repair.status, repair.stderr.includes("s3cret")]).toEqual([2, false]);
  });
});

describe("caring for a store in PostgreSQL", PATIENCE, () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), "pal-move-"));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test("PG32 a backup moves a store from SQLite to PostgreSQL and back, with the same root and the same answers", async () => {
    const [start, middle, end] = await Promise.all(
      [join(home, "start"), newUrl(), join(home, "end")].map((place) => openStore(place)),
    );
    await fillStore(start!, 12);
    await start!.backup(join(home, "there.pal"));
    const moved = await middle!.restore(join(home, "there.pal"));
    expect(await told(middle!)).toEqual(await told(start!));
    await middle!.backup(join(home, "back.pal"));
    const back = await end!.restore(join(home, "back.pal"));
    expect(await told(end!)).toEqual(await told(start!));
    const { root } = await start!.verify();
    expect([moved.root, back.root]).toEqual([root, root]);
    for (const store of [start!, middle!, end!]) {
      expect((await store.verify()).problems).toEqual([]);
      await store.close();
    }
  });

  test("PG33 an erased text is in no row of the store, whatever held it; another process refuses it from then on", async () => {
    const url = newUrl();
    const [here, there] = [await openStore(url), await openStore(url)];
    const pal = await fillStore(here, 12);
    await pal.remember("The zanzibar canary sings at dawn", { id: "secret" });
    const other = there.session({ agent: "ada", trust: "user" });
    expect((await other.get("secret"))?.text).toContain("zanzibar");
    const { receipt } = await pal.erase("secret");
    expect(receipt).toMatchObject({ clean: false, left: [], standing: [] });
    expect(receipt?.beyond.map(({ place }) => place).join()).toContain("pg_wal");
    expect(await other.get("secret")).toBeUndefined();
    const dump = JSON.stringify(
      await server.sql(`SELECT convert_from(bytes, 'UTF8') AS text FROM palimpsest.objects WHERE kind <> 7
        UNION ALL SELECT value FROM palimpsest.side`),
    );
    expect(dump).not.toContain("zanzibar canary");
    expect((await here.verify()).problems).toEqual([]);
    await here.close();
    await there.close();
  });

  test("PG39 gc drops what nothing leads to, compacting changes no answer, and tombstones are read from a URL", async () => {
    const url = newUrl();
    const store = await openStore(url);
    const pal = await fillStore(store, 12);
    await store.backup(join(home, "before.pal"));
    await pal.createBranch("gone");
    const gone = store.session({ agent: "ada", trust: "user", branch: "gone" });
    await gone.remember({ id: "lost-one", text: "Only on the branch that goes", type: "note" });
    await pal.deleteBranch("gone");
    const before = await told(store);
    const { commits } = await store.gc({ graceDays: 0 });
    expect(commits).toBeGreaterThan(0);
    await store.compact();
    type Told = Readonly<Record<string, unknown>> & { readonly ops: readonly unknown[] };
    const [{ ops, ...after }, { ops: earlier, ...known }] = [(await told(store)) as Told, before as Told];
    expect(after).toEqual(known);
    expect(ops.length).toBeLessThan(earlier.length);
    expect((await store.verify()).problems).toEqual([]);
    await pal.erase("m-7");
    const other = await openStore(newUrl());
    const { tombstones } = await other.restore(join(home, "before.pal"), { tombstones: url });
    expect(tombstones).toBeGreaterThan(0);
    expect(await other.session({ agent: "ada", trust: "user" }).get("m-7")).toBeUndefined();
    await store.close();
    await other.close();
  });

  test("PG34 what is derived is made again: rows and index of the journal that were damaged", async () => {
    const url = newUrl();
    const store = await openStore(url);
    await fillStore(store, 12);
    const before = await told(store);
    const { name } = { name: new URL(url).searchParams.get("store") };
    const ours = "store = (SELECT store FROM palimpsest.stores WHERE name = $1)";
    await server.sql(`DELETE FROM palimpsest.touched WHERE ${ours}`, { values: [name] });
    await server.sql(`UPDATE palimpsest.journal SET touch = NULL WHERE ${ours} AND seq % 3 = 0`, {
      values: [name],
    });
    expect((await store.verify()).problems).not.toEqual([]);
    await store.rebuild();
    expect((await store.verify()).problems).toEqual([]);
    expect(await told(store)).toEqual(before);
    await store.close();
  });

  test("PG35 a new node begins with the image that another one left in the store", async () => {
    const url = newUrl();
    const first = await openStore(url);
    const items = Array.from({ length: 400 }, (_, at) => ({
      id: `m-${at}`,
      text: `Fact ${at} of room ${at % 9}`,
    }));
    await first.session().rememberMany(items);
    const found = (await first.session().search("room 7")).hits.map(({ id }) => id);
    await first.close();
    const storage = postgresStorage(url);
    let reads = 0;
    const { getMany } = storage;
    storage.getMany = (hashes) => {
      reads += hashes.length;
      return getMany.call(storage, hashes);
    };
    const second = await openStore(storage);
    expect((await second.session().search("room 7")).hits.map(({ id }) => id)).toEqual(found);
    expect(reads).toBeLessThan(100);
    await second.close();
  });
});

describe("roles", PATIENCE, () => {
  const grants = (role: string): string =>
    [...readFileSync(join(ROOT, "docs/postgres.md"), "utf8").matchAll(/```sql\n([^`]+)```/g)]
      .map(([, sql]) => sql!)
      .find((sql) => sql.includes(`TO ${role};`))!;
  const database = "roles";
  const as = (user: string) => server.url("main", { user, database });
  beforeAll(async () => {
    await server.sql(`CREATE DATABASE ${database}`);
    await server.sql(
      "CREATE ROLE pal_node LOGIN; CREATE ROLE pal_reader LOGIN; CREATE ROLE pal_stranger LOGIN",
    );
    const store = await openStore(as("postgres"));
    await store.session().remember("The office is in Lisbon", { id: "office" });
    await store.close();
    await server.sql(grants("pal_node") + grants("pal_reader"), { database });
  });

  test("PG36 with the privileges listed in docs/postgres.md every verb works", async () => {
    const store = await openStore(as("pal_node"));
    const pal = await fillStore(store, 12);
    await pal.observe("Seen with few privileges");
    await pal.undo();
    await pal.rollback("early");
    expect((await pal.search("office Lisbon")).mode).toBeDefined();
    const storage = postgresStorage(as("pal_node"));
    const { epoch } = await storage.version();
    const vectors = [
      { key: "ab".repeat(32) as Hash, source: "cd".repeat(32) as Hash, vectors: Int8Array.of(1) },
    ];
    for (const round of [1, 2])
      expect([round, await storage.putVectors("m", vectors, epoch)]).toEqual([round, "ok"]);
    expect(await storage.removeVectors([vectors[0]!.source])).toBe(1);
    await storage.blobs!.write("b", [Uint8Array.of(1, 2)]);
    expect((await storage.blobs!.list()).map(({ name }) => name)).toContain("b");
    await storage.blobs!.remove("b");
    expect(await storage.scrub()).toBe(false);
    await storage.compact();
    await storage.close();
    await pal.erase("of-work");
    await store.gc();
    await store.compact();
    await store.rebuild();
    expect((await store.verify()).problems).toEqual([]);
    expect((await store.health()).problems.filter(({ severity }) => severity === "error")).toEqual([]);
    await store.close();
  });

  test("PG37 those privileges do not let it change the tables themselves, and a role without them sees nothing", async () => {
    for (const sql of [
      "DROP TABLE palimpsest.objects",
      "CREATE TABLE palimpsest.mine (id int)",
      "UPDATE palimpsest.format SET version = 9",
      "DELETE FROM palimpsest.journal",
      "DELETE FROM palimpsest.stores",
    ])
      await expect(server.sql(`SET ROLE pal_node; ${sql}`, { database }), sql).rejects.toMatchObject({
        code: "42501",
      });
    const stranger = await openStore(as("pal_stranger"));
    await expect(stranger.session().list()).rejects.toMatchObject({ code: "STORE_READONLY" });
    await stranger.close();
  });

  test("PG38 a role that only reads can list and search, and its writes are STORE_READONLY", async () => {
    const store = await openStore(as("pal_reader"));
    const pal = store.session();
    expect((await pal.search("office")).hits[0]?.text).toBe("The office is in Lisbon");
    await expect(pal.remember("Something")).rejects.toMatchObject({ code: "STORE_READONLY" });
    expect((await pal.list()).length).toBeGreaterThan(0);
    await store.close();
  });
});

interface Acknowledged {
  readonly id: string;
  readonly hash: string;
  readonly ms: number;
}

describe("many processes on PostgreSQL", PATIENCE, () => {
  test("PG26 four processes that write at once: every acknowledged write is there, one topic is one memory (B6)", async () => {
    const [url, count] = [newUrl(), TORTURE ? 250 : 15];
    const ended = await Promise.all(
      Array.from({ length: 4 }, (_, at) => run("test/_writer.mjs", [url, `w${at}`, count, 0, "before"])),
    );
    for (const { code, err } of ended) expect([code, err]).toEqual([0, ""]);
    const told = ended.flatMap((each) => rowsOf<Acknowledged>(each));
    expect(told).toHaveLength(4 * count);
    const store = await openStore(url);
    const pal = store.session({ agent: "reader" });
    const known = new Map<string, Set<unknown>>();
    for (const { id, hash } of told) {
      if (!known.has(id)) known.set(id, new Set((await pal.history(id)).map((version) => version.hash)));
      expect(known.get(id)?.has(hash), `${id} ${hash}`).toBe(true);
    }
    expect((await pal.list()).length).toBe(4 * count - 4 * (count / 5) + 1);
    expect((await store.verify()).problems).toEqual([]);
    await store.close();
    const waits = told.map(({ ms }) => ms);
    tell(
      `B6: wait p50 ${percentile(waits, 0.5).toFixed(0)} ms, p99 ${percentile(waits, 0.99).toFixed(0)} ms`,
    );
  });

  test(`PG27 reads and swaps of refs by four processes, some of them killed, are linearizable (B7, seed ${SEED})`, async () => {
    const random = seeded(SEED);
    let swaps = 0;
    for (let round = 0; round < (TORTURE ? 100 : 1); round++) {
      swaps += (await expectLinearizable(newUrl(), postgresStorage, round, random)).swaps;
    }
    tell(`B7: ${swaps} swaps`);
  });
});
