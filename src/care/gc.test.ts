import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { timestamp } from "../core/base/time.js";
import { SYSTEM } from "../core/ledger/commit.js";
import type { CommitInfo } from "../repo/write/commit-info.js";
import { encodeOperation } from "../repo/write/commit-info.js";
import { openStore, type Store } from "../session/index.js";
import { type FaultPlan, withFaults } from "../storage/faults.js";
import { memoryStorage, type Storage, sqliteStorage } from "../storage/index.js";
import { fillStore, told } from "./_filled.js";

let home: string;
const stores: Store[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pal-gc-"));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(home, { recursive: true, force: true });
});
const DAY = 86_400_000;
let now = Date.now();
async function open(storage: Storage = memoryStorage()): Promise<Store> {
  const store = await openStore(storage, { clock: () => now });
  stores.push(store);
  return store;
}

/** A store with a branch that was deleted, and something that waits for a person. */
async function littered(storage: Storage): Promise<Store> {
  const store = await open(storage);
  const pal = await fillStore(store, 12);
  await pal.createBranch("gone");
  const gone = store.session({ agent: "bob", trust: "user", branch: "gone" });
  for (let n = 0; n < 5; n++)
    await gone.remember({ text: `Nobody needs ${n}`, type: "note" }, { message: `go ${n}` });
  const { target } = (await storage.ref("heads/gone"))!;
  const { epoch } = await storage.version();
  const refs = [{ name: "staging/main/1", expect: null, next: { target } }];
  const operation = encodeOperation({ verb: "stage", author: SYSTEM } as CommitInfo, refs, timestamp(now));
  await storage.transact({ put: [operation], refs, touch: [], ops: [operation.hash], epoch });
  await pal.deleteBranch("gone");
  return store;
}

describe("gc and compact", () => {
  it("CA30 what nothing leads to goes after the days of grace, and nothing else; what can be undone stays", async () => {
    now = Date.UTC(2026, 0, 1);
    const storage = sqliteStorage(join(home, "store"));
    const store = await littered(storage);
    const before = await told(store);
    expect(await store.gc()).toEqual({ objects: 0, commits: 0, staging: 0 });
    now += 31 * DAY;
    const planned = await store.gc({ dryRun: true });
    expect(planned.staging).toBe(1);
    expect(await store.gc()).toEqual({ objects: 0, commits: 0, staging: 1 });
    now += 31 * DAY;
    const done = await store.gc();
    expect(done).toMatchObject({ commits: 5, staging: 0 });
    expect(done.objects).toBeGreaterThanOrEqual(15);
    const { ops: _, ...rest } = (await told(store)) as { ops: unknown };
    expect(before).toMatchObject(rest);
    const report = await store.verify();
    expect(report.problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(await store.gc()).toEqual({ objects: 0, commits: 0, staging: 0 });
    const other = await open(sqliteStorage(join(home, "store")));
    expect(before).toMatchObject(((await told(other)) as { list: unknown }) && rest);
  });

  it("CA34 what was proposed goes after the days of grace once it was accepted or rejected; reads, log and operations go on", async () => {
    now = Date.UTC(2026, 0, 1);
    const storage = sqliteStorage(join(home, "store"));
    const store = await open(storage);
    const pal = await fillStore(store, 6);
    await pal.remember("The weather is fine", { id: "weather", type: "note" });
    const asked = async (text: string) =>
      (await pal.propose("change", (tx) => tx.update("weather", text), { reason: `Because ${text}` })).id!;
    const accepted = await asked("The weather is bad");
    const rejected = await asked("The weather is foggy, said the canary");
    const waiting = await asked("The weather is stormy");
    await pal.acceptReview(accepted);
    await pal.rejectReview(rejected, { reason: "No" });
    expect(await store.gc()).toEqual({ objects: 0, commits: 0, staging: 0 });
    now += 20 * DAY;
    const fresh = await asked("The weather is hot");
    now += 11 * DAY;
    const before = (await told(store)) as { ops: unknown };
    // What waited for 31 days goes now, and can be taken back for as long again.
    const first = await store.gc();
    expect(first).toMatchObject({ commits: 2, staging: 1 });
    expect((await pal.review()).map(({ id }) => id)).toEqual([fresh]);
    expect([waiting, rejected]).not.toContain(fresh);
    const { ops: _, ...rest } = before;
    expect(await told(store)).toMatchObject(rest);
    expect((await pal.ops()).length).toBeGreaterThan(0);
    expect((await pal.get("weather"))?.text).toBe("The weather is bad");
    expect((await pal.history("weather")).map(({ text }) => text)).toEqual([
      "The weather is fine",
      "The weather is bad",
    ]);
    expect(await pal.acceptReview(fresh)).toMatchObject({ accepted: true });
    now += 62 * DAY;
    expect(await store.gc()).toMatchObject({ commits: 2, staging: 0 });
    const { problems } = await store.verify();
    expect(problems).toEqual([]);
    await store.compact();
    await store.close();
    expect(readFileSync(join(home, "store", "palimpsest.db")).includes("said the canary")).toBe(false);
  });

  it("CA35 a long collection keeps its lease and comes to its end", async () => {
    now = Date.UTC(2026, 0, 1);
    const store = await open(sqliteStorage(join(home, "store")));
    const pal = await fillStore(store, 6);
    await pal.createBranch("gone");
    const gone = store.session({ agent: "bob", trust: "user", branch: "gone" });
    await Promise.all(
      Array.from({ length: 1_500 }, (_, n) =>
        gone.remember({ text: `Nobody needs ${n}`, type: "note" }, { message: `go ${n}` }),
      ),
    );
    await pal.deleteBranch("gone");
    now += 31 * DAY;
    const { objects } = await store.gc({ dryRun: true });
    expect(objects).toBeGreaterThan(5_000);
    const busy = () => {
      for (const end = performance.now() + 50; performance.now() < end; );
    };
    expect(await store.gc({ onProgress: busy })).toEqual({ objects, commits: 1_500, staging: 0 });
    const { problems } = await store.verify();
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("CA31 writers go on meanwhile, and nothing that they name is dropped", async () => {
    now = Date.UTC(2026, 0, 1);
    const storage = sqliteStorage(join(home, "store"));
    const store = await littered(storage);
    now += 31 * DAY;
    await store.gc();
    now += 31 * DAY;
    const other = await open(sqliteStorage(join(home, "store")));
    const pal = other.session({ agent: "bob", trust: "user" });
    const writing = (async () => {
      for (let n = 0; n < 40; n++) await pal.remember({ text: `Nobody needs ${n % 5}`, type: "note" });
    })();
    await store.gc();
    await store.compact();
    await writing;
    const { problems } = await store.verify();
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("CA32 compacting takes less room than before, and no answer changes", async () => {
    const store = await open(sqliteStorage(join(home, "store")));
    const pal = await fillStore(store, 20);
    await pal.rememberMany(
      Array.from({ length: 40 }, (_, n) => ({
        id: `x-${n}`,
        text: `Bulk ${n} ${"x".repeat(20_000)}`,
        type: "note",
      })),
    );
    await pal.erase({ containing: "xxxxxxxx" });
    const before = await told(store);
    const report = await store.compact();
    expect(report.after).toBeLessThan(report.before / 2);
    expect(await told(store)).toEqual(before);
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("CA37 what compact says it took is what the files take, before and after, and never more than before", async () => {
    const place = join(home, "store");
    const taken = () =>
      readdirSync(place)
        .filter((name) => !name.endsWith("-shm"))
        .reduce((sum, name) => sum + statSync(join(place, name)).size, 0);
    const store = await open(sqliteStorage(place));
    await (await fillStore(store, 20)).erase("m-1");
    await store.close();
    const again = await open(sqliteStorage(place));
    for (let round = 0; round < 2; round++) {
      const before = taken();
      const report = await again.compact();
      expect([report.before, report.after]).toEqual([before, taken()]);
      expect(report.after).toBeLessThanOrEqual(before);
    }
  });

  it("CA38 a compact that is stopped for so long that others think it dead begins again, and after three times says so", async () => {
    const storage = memoryStorage();
    const store = await open(storage);
    const pal = await fillStore(store, 20);
    for (let round = 0; round < 16; round++)
      await pal.rememberMany(
        Array.from({ length: 60 }, (_, n) => ({
          id: `x-${n}`,
          text: `Round ${round} of ${n}`,
          type: "note",
        })),
        { snapshot: false },
      );
    const before = await told(store);
    const stopped = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    let begun = 0;
    const tell = (most: number) => (_: number, total: number | undefined) => {
      if (total === undefined && ++begun <= most) stopped();
    };
    await expect(store.compact({ onProgress: tell(9) })).rejects.toMatchObject({ code: "STORE_BUSY" });
    expect(begun).toBe(3);
    expect(await told(store)).toEqual(before);
    begun = 0;
    expect((await store.compact({ onProgress: tell(1) })).nodes).toBeGreaterThan(0);
    expect(begun).toBe(2);
    expect(await told(store)).toEqual(before);
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("CA39 writing the file anew may take longer than a sign of life: it is done once, and to its end", async () => {
    const storage = memoryStorage();
    const store = await open(storage);
    await fillStore(store, 20);
    let [calls, isWhole] = [0, false];
    storage.compact = async ({ goOn = () => true } = {}) => {
      calls++;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
      isWhole = goOn();
    };
    await store.compact();
    expect([calls, isWhole]).toEqual([1, true]);
  });

  it.each(["gc", "compact", "rebuild"] as const)(
    "CA33 %s that fails or is cut at any call loses nothing",
    async (verb) => {
      now = Date.UTC(2026, 0, 1);
      const run = async (plan: FaultPlan) => {
        const storage = memoryStorage();
        const store = await littered(storage);
        const before = (await told(store)) as Record<string, unknown>;
        now += 31 * DAY;
        const faulty = withFaults(storage, plan);
        const broken = await openStore(faulty, { clock: () => now });
        const from = faulty.calls;
        const ended = await broken[verb]().then(
          () => true,
          () => false,
        );
        const calls = faulty.calls - from;
        const again = await openStore(storage, { clock: () => now });
        const { ops: _, ...after } = (await told(again)) as Record<string, unknown>;
        expect(before).toMatchObject(verb === "rebuild" && !ended ? {} : after);
        await again[verb]();
        const { problems } = await again.verify();
        expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
        const { ops: __, ...healed } = (await told(again)) as Record<string, unknown>;
        expect(before).toMatchObject(healed);
        now -= 31 * DAY;
        return calls;
      };
      const calls = await run({});
      const step = process.env.PAL_TORTURE === "1" ? 1 : Math.ceil(calls / 3);
      for (let at = 1; at <= calls; at += step)
        for (const plan of [{ failAt: at, answerLost: at % 2 === 0 }, { cutAt: at }]) await run(plan);
    },
  );
});
