import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore, sqliteStorage } from "../src/index.js";
import { seeded } from "./_damage.js";
import { PATIENCE, percentile, ROOT, rowsOf, run, SEED, TORTURE, tell } from "./_processes.js";

let directory: string;
beforeEach(() => {
  expect(existsSync(join(ROOT, "dist/index.js")), "run `npm run build` first").toBe(true);
  directory = mkdtempSync(join(tmpdir(), "pal-processes-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

interface Acknowledged {
  readonly id: string;
  readonly hash: string;
  readonly ms: number;
}

/** Runs one writer; resolves with what it was told before it ended, however it ended. */
async function writer(name: string, count: number, killAt = 0, when = "before"): Promise<Acknowledged[]> {
  const ended = await run("test/_writer.mjs", [directory, name, count, killAt, when]);
  if (ended.code !== 0 && ended.signal !== "SIGKILL") throw new Error(`${name}: ${ended.err}`);
  return rowsOf(ended);
}

async function visitor(name: string, count: number): Promise<Acknowledged[]> {
  const ended = await run("test/_visitor.mjs", [directory, name, count]);
  if (ended.code !== 0) throw new Error(`${name}: ${ended.err}`);
  return rowsOf(ended);
}

/** One `pal remember --jsonl -` with so many lines. */
async function cliWriter(name: string, count: number): Promise<Acknowledged[]> {
  const lines = Array.from({ length: count }, (_, at) => ({
    id: `${name}-${at}`,
    text: `${name} piped ${at}`,
  }));
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const asked = performance.now();
  const args = ["remember", "--jsonl", "-", "--json", "-C", directory, "--agent", name];
  const ended = await run("dist/doors/cli/main.js", args, input);
  const ms = performance.now() - asked;
  if (ended.code !== 0) throw new Error(`${name}: ${ended.out} ${ended.err}`);
  const { verdicts } = JSON.parse(ended.out) as { verdicts: Acknowledged[] };
  return verdicts.map(({ id, hash }) => ({ id, hash, ms }));
}

/** Every acknowledged version is in the history of its memory, the store is whole, nothing temporary lies about. */
async function expectAllThere(acknowledged: readonly Omit<Acknowledged, "ms">[]): Promise<void> {
  const store = await openStore(sqliteStorage(directory));
  const pal = store.session({ agent: "reader" });
  const histories = new Map<string, Set<string | undefined>>();
  for (const { id, hash } of acknowledged) {
    if (!histories.has(id))
      histories.set(id, new Set((await pal.history(id)).map((version) => version.hash)));
    expect(histories.get(id)?.has(hash), `${id} ${hash} was acknowledged`).toBe(true);
  }
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
  expect(readdirSync(directory).filter((file) => file.includes("tmp"))).toEqual([]);
}

describe("many processes on one store", PATIENCE, () => {
  test("K1 several writers at once: every acknowledged write is there, one topic is one memory, the store is whole", async () => {
    const count = TORTURE ? 500 : 60;
    const told = await Promise.all(Array.from({ length: 4 }, (_, at) => writer(`w${at}`, count)));
    expect(told.map((list) => list.length)).toEqual(Array.from({ length: 4 }, () => count));
    await expectAllThere(told.flat());
  });

  test(`K2 writers that are killed at any transaction lose nothing that was acknowledged (B1, seed ${SEED})`, async () => {
    const random = seeded(SEED);
    const acknowledged: Acknowledged[] = [];
    const rounds = TORTURE ? 250 : 25;
    for (let round = 0; round < rounds; round++) {
      const told = await Promise.all(
        Array.from({ length: 4 }, (_, at) => {
          const killAt = 1 + Math.floor(random() * 12);
          return writer(`r${round}w${at}`, 15, killAt, random() < 0.5 ? "before" : "after");
        }),
      );
      acknowledged.push(...told.flat());
    }
    tell(`B1: ${rounds * 4} kills, ${acknowledged.length} acknowledged writes`);
    expect(acknowledged.length).toBeGreaterThan(rounds * 8);
    await expectAllThere(acknowledged);
  });

  test("K3 eight library writers, two piped into the command line and one that comes and goes: all writes are there, nobody is shown a lock (B6)", async () => {
    const [count, visits] = TORTURE ? [500, 100] : [40, 8];
    for (let round = 0; round < (TORTURE ? 3 : 1); round++) {
      const told = await Promise.all([
        ...Array.from({ length: 8 }, (_, at) => writer(`r${round}w${at}`, count)),
        ...Array.from({ length: 2 }, (_, at) => cliWriter(`r${round}c${at}`, count)),
        visitor(`r${round}v`, visits),
      ]);
      expect(told.map((list) => list.length)).toEqual([...Array.from({ length: 10 }, () => count), visits]);
      const waits = told.slice(0, 8).flatMap((list) => list.map(({ ms }) => ms));
      tell(
        `B6: ${told.flat().length} writes of 11 processes; wait p50 ${percentile(waits, 0.5).toFixed(0)} ms, ` +
          `p99 ${percentile(waits, 0.99).toFixed(0)} ms, worst ${percentile(waits, 1).toFixed(0)} ms`,
      );
      await expectAllThere(told.flat());
    }
  });

  test("K4 edits of one version by several processes all survive, as a conflict that shows each (B7)", async () => {
    const store = await openStore(directory);
    const pal = store.session({ agent: "reader" });
    for (let round = 0; round < (TORTURE ? 20 : 2); round++) {
      const { id, hash } = await pal.remember(`Round ${round}`, { id: `edited-${round}` });
      const names = ["ann", "bob", "cid"];
      const ended = await Promise.all(
        names.map((name) => run("test/_editor.mjs", [directory, name, id, hash])),
      );
      expect(ended.map(({ code, err }) => [code, err])).toEqual(names.map(() => [0, ""]));
      const memory = await pal.get(id as string);
      const values = memory?.contested?.text?.terms.map(({ value }) => value);
      expect(values?.toSorted()).toEqual(names.map((name) => `${name} says so about ${id}`));
    }
    expect((await store.verify()).problems).toEqual([]);
    await store.close();
  });

  test("K5 a long transaction loses no update of the others, and the others do not wait for it (B7)", async () => {
    const store = await openStore(directory);
    const pal = store.session({ agent: "slow" });
    await pal.remember("Shared", { id: "shared-one" });
    const seconds = TORTURE ? 5 : 1;
    let others: Acknowledged[][] = [];
    const { commit } = await pal.transaction(async (tx) => {
      const before = await tx.get("shared-one");
      await tx.remember(`Summary of ${before?.text}`, { id: "summary" });
      const writers = Promise.all([writer("o1", 30 * seconds), writer("o2", 30 * seconds)]);
      others = await writers;
      await sleep(seconds * 100);
      await tx.update("shared-one", { tags: ["summarised"] });
    });
    expect(commit).toBeDefined();
    expect((await pal.get("summary"))?.text).toBe("Summary of Shared");
    expect((await pal.get("shared-one"))?.tags).toEqual(["summarised"]);
    await store.close();
    await expectAllThere(others.flat());
  });

  test.each(["in one process", "in two processes"])(
    "K6 a bulk write beside a writer that commits every 10 ms, %s: both finish (B6)",
    async (where) => {
      const [store, second] = [await openStore(directory), await openStore(directory)];
      const bulkStore = where === "in one process" ? store : second;
      const pal = store.session({ agent: "small" });
      await pal.remember("First");
      const delay = monitorEventLoopDelay({ resolution: 2 });
      delay.enable();
      const [waits, told]: [number[], Omit<Acknowledged, "ms">[]] = [[], []];
      let isDone = false;
      const small = async () => {
        for (; !isDone; await sleep(10)) {
          const asked = performance.now();
          const { id, hash } = await pal.remember(`Small ${waits.length}`);
          waits.push(performance.now() - asked);
          told.push({ id: id as string, hash: hash as string });
        }
      };
      const writing = small();
      await sleep(50);
      const bulk = async (round: number): Promise<Omit<Acknowledged, "ms">[]> => {
        if (where === "in two processes") return cliWriter(`bulk${round}`, 1_000);
        const items = Array.from({ length: 1_000 }, (_, at) => `Bulk ${round * 1_000 + at}`);
        const verdicts = await bulkStore.session({ agent: "bulk" }).rememberMany(items);
        return verdicts.map(({ id, hash }) => ({ id: id as string, hash: hash as string }));
      };
      for (let round = 0; round < (TORTURE ? 10 : 1); round++) told.push(...(await bulk(round)));
      isDone = true;
      await writing;
      delay.disable();
      tell(
        `fairness ${where}: ${waits.length} small writes, worst wait ${percentile(waits, 1).toFixed(0)} ms; ` +
          `event loop blocked at most ${(delay.max / 1e6).toFixed(0)} ms`,
      );
      await store.close();
      await second.close();
      await expectAllThere(told);
    },
  );
});
