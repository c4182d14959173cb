import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStorage, openStore, postgresStorage, sqliteStorage } from "../src/index.js";
import { seeded } from "./_damage.js";
import { notLinearizable, type RefCall } from "./_linear.js";
import { command, compare, Model, runModel, runReal } from "./_model.js";
import { startPostgres, type TestServer } from "./_postgres.mjs";
import { PATIENCE, percentile, ROOT, rowsOf, run, SEED, TORTURE, tell } from "./_processes.js";
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
    const steps = fc.array(fc.oneof({ weight: 6, arbitrary: command }, fc.constant("reopen" as const)), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (commands) => {
        const url = newUrl();
        let { store } = await testStore(url);
        const model = new Model();
        let time = Date.UTC(2026, 0, 1);
        for (const next of commands) {
          time += 60_000;
          if (next !== "reopen") {
            expect(await runReal(store.session(), next)).toBe(runModel(model, next));
            continue;
          }
          await store.close();
          ({ store } = await testStore(url, time));
        }
        await compare(store.session(), model);
        expect((await store.verify()).problems).toEqual([]);
        await store.close();
      }),
      { numRuns: TORTURE ? 1_000 : 8 },
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
      seen.push(await everythingSeen(pal, ["memory-3", "memory-4"]));
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
  });
});

interface Acknowledged {
  readonly id: string;
  readonly hash: string;
  readonly ms: number;
}

describe("many processes on PostgreSQL", PATIENCE, () => {
  test("PG26 four processes that write at once: every acknowledged write is there, one topic is one memory (B6)", async () => {
    const [url, count] = [newUrl(), TORTURE ? 250 : 20];
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
      const url = newUrl();
      const ended = await Promise.all(
        Array.from({ length: 4 }, (_, at) => {
          const killAt = random() < 0.4 ? 1 + Math.floor(random() * 30) : 0;
          const when = random() < 0.5 ? "before" : "after";
          const seed = Math.floor(random() * 2 ** 30);
          return run("test/_swapper.mjs", [url, `r${round}p${at}`, 50, killAt, when, seed]);
        }),
      );
      for (const { code, signal, err } of ended) expect(code === 0 || signal === "SIGKILL", err).toBe(true);
      const storage = postgresStorage(url);
      const rows = ended.flatMap((each) => rowsOf<RefCall & { ref: string; end: number | null }>(each));
      for (const ref of ["heads/a", "heads/b"]) {
        const answered = new Set(
          rows.filter(({ kind, end }) => kind === "swap" && end).map(({ value }) => value),
        );
        const calls = rows
          .filter((row) => row.ref === ref && (row.end !== null || !answered.has(row.value)))
          .map((row) => ({ ...row, end: row.end ?? Number.POSITIVE_INFINITY }));
        const last = (await storage.ref(ref))?.target ?? null;
        expect(notLinearizable(calls, last), `history ${round} of ${ref}`).toBeUndefined();
        swaps += calls.filter(({ kind, result }) => kind === "swap" && result === "ok").length;
      }
      await storage.close();
    }
    tell(`B7: ${swaps} swaps`);
  });
});
