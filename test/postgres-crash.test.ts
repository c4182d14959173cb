import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore, type Store } from "../src/index.js";
import { seeded } from "./_damage.js";
import { startPostgres, type TestServer } from "./_postgres.mjs";
import { PATIENCE, SEED, TORTURE, tell } from "./_processes.js";

let server: TestServer;
beforeAll(async () => {
  // Told not to wait for the log, and to write it late: a commit that is acknowledged without waiting would be lost.
  server = await startPostgres({ settings: { synchronous_commit: "off", wal_writer_delay: "10000ms" } });
});
afterAll(() => server.remove());

interface Acknowledged {
  readonly id: string;
  readonly hash: string;
}

/** Sessions of several stores that write one memory after the other until they are told to stop. */
async function underFire(
  url: string,
  fire: (progress: () => Promise<void>) => Promise<void>,
): Promise<Acknowledged[]> {
  const stores = await Promise.all([0, 1, 2].map(() => openStore(url)));
  await stores[0]!.session().remember("Before", { id: "before" });
  const acknowledged: Acknowledged[] = [];
  let isOver = false;
  const write = async (store: Store, name: number) => {
    const pal = store.session({ agent: `writer-${name}` });
    for (let at = 0; !isOver; at++) {
      const { id, hash } = await pal.remember(`writer ${name} wrote ${at}`, { id: `w${name}-${at}` });
      acknowledged.push({ id: id!, hash: hash! });
    }
  };
  const writing = Promise.all(stores.map(write));
  /** Resolves when a few more were acknowledged: a server that never gets to work shows nothing. */
  const progress = async () => {
    for (const before = acknowledged.length; acknowledged.length < before + 5 && !isOver; ) await sleep(2);
  };
  try {
    await Promise.race([fire(progress), writing]);
  } finally {
    isOver = true;
  }
  await writing;
  await Promise.all(stores.map((store) => store.close()));
  return acknowledged;
}

/** Every acknowledged write is there, once, and the store is whole. */
async function expectAllOnce(url: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  const store = await openStore(url);
  const pal = store.session({ agent: "reader" });
  const listed = new Map((await pal.list()).map((memory) => [memory.id as string, memory]));
  for (const { id, hash } of acknowledged)
    expect([listed.get(id)?.hash, listed.get(id)?.version], id).toEqual([hash, 1]);
  // What was not acknowledged was not asked for by anybody who still waits.
  expect(listed.size).toBe(acknowledged.length + 1);
  expect((await pal.log({ limit: 1_000_000 })).length).toBe(acknowledged.length + 1);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
}

describe("a server that fails", PATIENCE, () => {
  test(`PG28 its processes are killed during writes: nothing acknowledged is lost or there twice (B24, seed ${SEED})`, async () => {
    const random = seeded(SEED);
    const [url, kills] = [server.url("killed"), TORTURE ? 50 : 4];
    const acknowledged = await underFire(url, async (progress) => {
      for (let killed = 0; killed < kills; ) {
        await progress();
        await sleep(random() * 100);
        const backends = await server.backends().catch(() => []);
        const victim = backends[Math.floor(random() * backends.length)];
        if (victim === undefined) continue;
        try {
          process.kill(victim, "SIGKILL");
          killed++;
        } catch {
          // It was gone already.
        }
      }
      await server.sql("SELECT 1", { patience: 200 });
    });
    tell(`B24: ${kills} processes of the server killed, ${acknowledged.length} acknowledged writes`);
    await expectAllOnce(url, acknowledged);
  });

  test(`PG29 it is stopped at once during writes and started again: nothing acknowledged is lost or there twice (B24, seed ${SEED})`, async () => {
    const random = seeded(SEED + 1);
    const [url, stops] = [server.url("stopped"), TORTURE ? 10 : 2];
    const acknowledged = await underFire(url, async (progress) => {
      for (let stopped = 0; stopped < stops; stopped++) {
        await progress();
        await sleep(random() * 100);
        await server.stop("SIGQUIT");
        await sleep(random() * 100);
        await server.start();
      }
    });
    tell(`B24: ${stops} immediate stops, ${acknowledged.length} acknowledged writes`);
    await expectAllOnce(url, acknowledged);
  });

  test("PG30 it is restarted in the middle of a session: the session goes on reading, writing, searching and watching", async () => {
    const store = await openStore(server.url("restarted"));
    const pal = store.session({ agent: "ann" });
    await pal.remember("The office is in Lisbon", { id: "office" });
    const changes: string[] = [];
    store.on("change", ({ ref }) => changes.push(ref));
    await pal.list();
    await server.stop("SIGINT");
    const asked = [pal.get("office"), pal.remember("The archive is in Porto"), pal.search("office")] as const;
    await server.start();
    const [memory, verdict, found] = await Promise.all(asked);
    expect(memory?.text).toBe("The office is in Lisbon");
    expect(verdict.verdict).toBe("accepted");
    expect(found.hits[0]?.id).toBe("office");
    const other = await openStore(server.url("restarted"));
    const before = changes.length;
    await other.session({ agent: "bob" }).remember("Told of after the restart");
    for (let waited = 0; changes.length === before && waited < 500; waited++) await sleep(20);
    expect(changes.length).toBeGreaterThan(before);
    await other.close();
    await store.close();
  });

  test("PG31 one that stays away is STORE_UNREADABLE after a while, and the session goes on when it is back", async () => {
    const { postgresStorage } = await import("../src/index.js");
    const store = await openStore(postgresStorage(server.url("away"), { patienceMs: 300 }));
    const pal = store.session();
    await pal.remember("One", { id: "one" });
    await server.stop("SIGINT");
    await expect(pal.remember("Two", { id: "two" })).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
    await expect(pal.get("one")).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
    await server.start();
    expect((await pal.remember("Two", { id: "two" })).verdict).toBe("accepted");
    expect((await pal.get("one"))?.text).toBe("One");
    await store.close();
  });
});
