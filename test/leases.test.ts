import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Storage, sqliteStorage } from "../src/index.js";
import { acquireLease, type Lease, type Note } from "../src/storage/index.js";
import { seeded } from "./_damage.js";
import { buildInternals } from "./_internals.js";
import { PATIENCE, percentile, ROOT, rowsOf, run, SEED, TORTURE, tell } from "./_processes.js";

let internals: ReturnType<typeof buildInternals>;
beforeAll(() => {
  internals = buildInternals();
});
afterAll(() => internals.remove());

const DAY_MS = 86_400_000;
/** Calls of the storage that a holder makes from asking for the lease to having given it back. */
const STEPS = 14;

interface Held {
  readonly fence: number;
  readonly guard: Note;
}

const empty = { put: [], refs: [], touch: [], ops: [], epoch: 0 };

async function newStore(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "pal-leases-"));
  const storage = sqliteStorage(directory);
  await storage.transact(empty);
  await storage.close();
  return directory;
}

async function waitFor(storage: Storage): Promise<Lease> {
  for (;;) {
    const lease = await acquireLease(storage, "work");
    if (lease) return lease;
  }
}

/** The fences under which things were committed, in the order of the commits. */
async function fencesOf(storage: Storage): Promise<number[]> {
  const fences: number[] = [];
  for await (const { bytes } of storage.scan({ kinds: ["memory"] }))
    fences.push((JSON.parse(Buffer.from(bytes).toString()) as Held).fence);
  return fences;
}

const isAscending = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || value >= values[at - 1]!);

/** A holder that dies at one step; then the time until somebody else has the lease. */
async function killedAt(step: number, when: string, offset: number): Promise<number> {
  const directory = await newStore();
  const dead = await run("test/_holder.mjs", [internals.file, directory, "victim", 1, step, when, offset]);
  const died = performance.now();
  const where = `${when} step ${step}, clock ${offset}`;
  expect(dead.signal === "SIGKILL" || dead.code === 0, dead.err).toBe(true);
  const storage = sqliteStorage(directory);
  const lease = await waitFor(storage);
  const took = performance.now() - died;
  for (const held of rowsOf<Held>(dead)) {
    expect(lease.fence, where).toBeGreaterThan(held.fence);
    expect(await storage.transact({ ...empty, guard: held.guard }), where).toBe("stale");
  }
  expect(await storage.transact({ ...empty, guard: lease.guard }), where).toBe("ok");
  await lease.release();
  await storage.close();
  rmSync(directory, { recursive: true });
  return took;
}

describe("leases between processes", PATIENCE, () => {
  test(`H7 a holder killed at any step is succeeded, whatever its clock said, and what it left to do is stale (B8, seed ${SEED})`, async () => {
    const random = seeded(SEED);
    const cases = Array.from({ length: TORTURE ? 1_000 : STEPS }, (_, at) => ({
      step: 1 + (at % STEPS),
      when: at % 2 === Math.floor(at / STEPS) % 2 ? "before" : "after",
      offset: [0, DAY_MS, -DAY_MS][Math.floor(random() * 3)]!,
    }));
    const took: number[] = [];
    const next = async (): Promise<void> => {
      for (let item = cases.pop(); item; item = cases.pop())
        took.push(await killedAt(item.step, item.when, item.offset));
    };
    await Promise.all(Array.from({ length: 4 }, next));
    tell(`B8: ${took.length} killed holders, succeeded after at most ${percentile(took, 1).toFixed(0)} ms`);
  });

  test("H8 of processes that want it all the time, some stopped for a while, never two act on it (B8)", async () => {
    const directory = await newStore();
    const names = ["a", "b", "c"];
    const children = names.map((name, at) => {
      const args = [
        "test/_holder.mjs",
        internals.file,
        directory,
        name,
        TORTURE ? 100 : 4,
        0,
        "-",
        at * DAY_MS,
      ];
      return spawn(process.execPath, args.map(String), { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    });
    let got = 0;
    const ended = Promise.all(
      children.map((child) => {
        child.stdout.on("data", () => {
          got++;
          if (got % 3 !== 0) return;
          // In the middle of its work, for longer than the others wait.
          child.kill("SIGSTOP");
          setTimeout(() => child.kill("SIGCONT"), 900);
        });
        return new Promise((resolve) => child.on("close", resolve));
      }),
    );
    expect(await ended).toEqual(names.map(() => 0));
    const storage = sqliteStorage(directory);
    const fences = await fencesOf(storage);
    tell(`B8: ${new Set(fences).size} holders in turn, ${fences.length} commits under a lease`);
    expect(isAscending(fences)).toBe(true);
    expect(new Set(fences).size).toBeGreaterThan(6);
    await storage.close();
    rmSync(directory, { recursive: true });
  });
});
