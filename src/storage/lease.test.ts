import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { startPostgres, type TestServer } from "../../test/_postgres.mjs";
import { object, transaction } from "./contract/data.js";
import { acquireLease, type Lease, leaseState } from "./lease.js";
import { memoryStorage } from "./memory/index.js";
import type { Storage } from "./port.js";
import { postgresStorage } from "./postgres/index.js";
import { testStore } from "./sqlite/_store.js";

/** A process on the same store, which can be killed: from then on its calls do nothing. */
function mortal(storage: Storage): { readonly storage: Storage; kill(): void } {
  let dead = false;
  const proxy = new Proxy(storage, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown;
      if (typeof member !== "function") return member;
      return async (...args: unknown[]) => {
        if (dead) throw new Error("killed");
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
  return {
    storage: proxy,
    kill() {
      dead = true;
    },
  };
}

const worlds: Record<string, () => Promise<() => Storage>> = {
  memory: async () => {
    const storage = memoryStorage();
    return () => storage;
  },
  SQLite: async () => {
    const { open } = await testStore();
    return () => open();
  },
  "PostgreSQL (PG41)": async () => {
    server ??= startPostgres();
    const url = (await server).url(`leases-${stores++}`);
    return () => {
      const storage = postgresStorage(url);
      onTestFinished(() => storage.close());
      return storage;
    };
  },
};
let server: Promise<TestServer> | undefined;
let stores = 0;
afterAll(async () => (await server)?.remove());

/** Takes the lease as soon as it can be had, as a process that needs it does. */
async function waitFor(storage: Storage, name: string): Promise<Lease> {
  for (;;) {
    const lease = await acquireLease(storage, name);
    if (lease) return lease;
  }
}

describe.each(Object.entries(worlds))("leases, %s", (_, world) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const started = async () => {
    const open = await world();
    const [a, b] = [open(), open()];
    await a.transact(transaction({ put: [object("memory", "first")] }));
    return { a, b };
  };
  const guarded = (lease: Lease) =>
    transaction({ put: [object("memory", `fence ${lease.fence}`)], guard: lease.guard });

  it("H1 a lease has one holder at a time, and others are refused with that reason; once released, the next holder gets a higher fence", async () => {
    const { a, b } = await started();
    const first = (await acquireLease(a, "work")) as Lease;
    expect(await acquireLease(b, "work")).toBeUndefined();
    expect(await leaseState(b, "work")).toBe("held");
    const other = (await acquireLease(b, "other work")) as Lease;
    expect(other.isHeld).toBe(true);
    expect(await a.transact(guarded(first))).toBe("ok");
    await first.release();
    expect(first.isHeld).toBe(false);
    expect(await leaseState(b, "work")).toBe("free");
    const second = (await acquireLease(b, "work")) as Lease;
    expect(second.fence).toBeGreaterThan(first.fence);
    expect(await a.transact(guarded(first))).toBe("stale");
    await second.release();
    await other.release();
  });

  it("H2 of many that want it at once one gets it", async () => {
    const { a, b } = await started();
    const got = await Promise.all([a, b, a, b, a].map((storage) => acquireLease(storage, "work")));
    expect(got.filter(Boolean)).toHaveLength(1);
    for (const lease of got) await lease?.release();
  });

  it("H3 a dead holder is succeeded; what it still tries under its lease is stale", async () => {
    const { a, b } = await started();
    const victim = mortal(a);
    const lease = (await acquireLease(victim.storage, "work")) as Lease;
    await sleep(200);
    victim.kill();
    const successor = await waitFor(b, "work");
    expect(lease.isHeld).toBe(false);
    expect(successor.fence).toBe(lease.fence + 1);
    expect(await a.transact(guarded(lease))).toBe("stale");
    expect(await b.transact(guarded(successor))).toBe("ok");
    await successor.release();
  });

  it.each([
    ["ahead", 1],
    ["behind", -1],
  ])("H4 a clock that is a day %s keeps nobody's lease and takes nobody's", async (_name, days) => {
    const { a, b } = await started();
    const victim = mortal(a);
    const lease = (await acquireLease(victim.storage, "work")) as Lease;
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + days * 86_400_000);
    expect(await acquireLease(b, "work")).toBeUndefined();
    expect(lease.isHeld).toBe(true);
    victim.kill();
    const successor = await waitFor(b, "work");
    expect(lease.isHeld).toBe(false);
    await successor.release();
  });

  it("H5 a note that is empty, cut, foreign, or of a living process with the same id holds nothing for long", async () => {
    const { b } = await started();
    const owner = `${process.pid}-${Math.round(performance.timeOrigin).toString(36)}-0123`;
    const notes = [
      "",
      '{"fence":7,"own',
      "[1,2]",
      '{"fence":"x","owner":"me"}',
      JSON.stringify({ fence: 7, owner }),
    ];
    const recover = async (note: string, at: number) => {
      await b.setSide(`lease/${at}`, note);
      expect(await leaseState(b, `${at}`), note).toBe("stale");
      const lease = await waitFor(b, `${at}`);
      expect(await b.transact(guarded(lease)), note).toBe("ok");
      await lease.release();
    };
    await Promise.all(notes.map(recover));
  });

  it("H6 a holder that lost its lease finds out by itself", async () => {
    const { a, b } = await started();
    const lease = (await acquireLease(a, "work")) as Lease;
    await b.setSide("lease/work", JSON.stringify({ fence: 9, owner: "somebody else" }));
    for (let waited = 0; lease.isHeld && waited < 100; waited++) await sleep(20);
    expect(lease.isHeld).toBe(false);
    await lease.release();
    expect(await b.side("lease/work")).toContain("somebody else");
  });
});
