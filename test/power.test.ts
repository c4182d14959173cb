import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  memoryStorage,
  openStore,
  PalimpsestError,
  type Session,
  type Storage,
  sqliteStorage,
} from "../src/index.js";
import { withFaults } from "../src/storage/testing.js";
import { seeded } from "./_damage.js";
import { PATIENCE, ROOT, run, SEED, TORTURE, tell } from "./_processes.js";
import { testStore } from "./_worlds.js";

/** A kind of storage of which each run gets a fresh one, and which can be opened again after the cut. */
interface World {
  readonly name: string;
  readonly states: number;
  fresh(): { readonly storage: Storage; again(): Storage; remove(): void };
}

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "pal-power-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

let stores = 0;
const WORLDS: readonly World[] = [
  {
    name: "memory",
    states: TORTURE ? 50_000 : 400,
    fresh: () => {
      const storage = memoryStorage();
      return { storage, again: () => storage, remove: () => undefined };
    },
  },
  {
    name: "SQLite",
    states: TORTURE ? 3_000 : 60,
    fresh: () => {
      const directory = join(home, `store-${stores++}`);
      return {
        storage: sqliteStorage(directory),
        again: () => sqliteStorage(directory),
        remove: () => rmSync(directory, { recursive: true, force: true }),
      };
    },
  },
];

type Command = (pal: Session) => Promise<readonly (string | undefined)[]>;

/** Writes of every kind, on few ids, so that they meet each other. */
function script(random: () => number): Command[] {
  const pick = (count: number) => Math.floor(random() * count);
  return Array.from({ length: 12 }, (_, at): Command => {
    const id = `memory-${pick(4)}`;
    const one = async (verdict: Promise<{ readonly commit?: string }>) => [(await verdict).commit];
    const tolerant = (work: Promise<readonly (string | undefined)[]>) =>
      work.catch((error: unknown) => {
        // Not there to be changed: an answer, not a failure of the storage.
        if (error instanceof PalimpsestError && error.code === "NOT_FOUND") return [];
        throw error;
      });
    switch (pick(8)) {
      case 0:
        return (pal) => tolerant(one(pal.update(id, `Updated at ${at}`)));
      case 1:
        return (pal) => tolerant(one(pal.forget(id)));
      case 2:
        return (pal) => one(pal.observe(`Observed at ${at}`));
      case 3:
        return (pal) => tolerant(one(pal.undo() as Promise<{ readonly commit?: string }>));
      case 4:
        return async (pal) =>
          (await pal.rememberMany([`a ${at}`, `b ${at}`, `c ${at}`])).map(({ commit }) => commit);
      case 5:
        return (pal) =>
          one(
            pal.transaction(async (tx) => {
              await tx.remember(`In a transaction at ${at}`, { id });
              await tx.remember(`Beside it at ${at}`, { topic: "beside" });
            }) as Promise<{ readonly commit?: string }>,
          );
      case 6:
        return async (pal) =>
          (await Promise.all([1, 2, 3].map((n) => pal.remember(`Together ${at} ${n}`)))).map(
            ({ commit }) => commit,
          );
      default:
        return (pal) => one(pal.remember(`Remembered at ${at}`, { id }));
    }
  });
}

/** Runs until the power goes; the commits that were acknowledged before. */
async function acknowledged(storage: Storage, commands: readonly Command[]): Promise<Set<string>> {
  const { store } = await testStore(storage);
  const pal = store.session({ agent: "ann" });
  const told = new Set<string>();
  try {
    for (const command of commands)
      for (const commit of await command(pal)) if (commit !== undefined) told.add(commit);
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
  }
  return told;
}

async function expectWhole(storage: Storage, told: ReadonlySet<string>, where: string): Promise<void> {
  const store = await openStore(storage);
  const report = await store.verify();
  expect(report.problems, where).toEqual([]);
  const commits = new Set<string>(
    (await store.session({ agent: "ann" }).log({ limit: 10_000 })).map(({ commit }) => commit),
  );
  for (const commit of told) expect(commits.has(commit), `${commit} was acknowledged; ${where}`).toBe(true);
}

describe("the power goes", PATIENCE, () => {
  test.each(WORLDS)(
    `I4 at any call of random scripts, and again while the store is opened: nothing acknowledged is lost, nothing half there, $name (B2, seed ${SEED})`,
    async ({ name, states, fresh }) => {
      const random = seeded(SEED);
      let [seen, scripts] = [0, 0];
      for (; seen < states; scripts++) {
        const commands = script(random);
        const first = fresh();
        const counted = withFaults(first.storage, {});
        await acknowledged(counted, commands);
        await first.storage.close();
        first.remove();
        for (let cutAt = 1; cutAt <= counted.calls && seen < states; cutAt++)
          for (const answerLost of [false, true]) {
            const { storage, again, remove } = fresh();
            const told = await acknowledged(withFaults(storage, { cutAt, answerLost }), commands);
            const where = `script ${scripts} of seed ${SEED}, cut at ${cutAt}${answerLost ? ", answer lost" : ""}`;
            // Recovery may fail too, and then succeed.
            const reopened = again();
            const failing = await openStore(withFaults(reopened, { failAt: 1 + Math.floor(random() * 6) }));
            await failing
              .session({ agent: "ann" })
              .list()
              .catch((error: unknown) => {
                expect(error, where).toBeInstanceOf(PalimpsestError);
              });
            await expectWhole(reopened, told, where);
            if (reopened !== storage) await reopened.close();
            if (name === "SQLite") await storage.close();
            remove();
            seen++;
          }
      }
      tell(`B2: ${seen} cuts of ${scripts} scripts on ${name}`);
    },
  );

  test(`I5 the log of SQLite, torn, cut or shuffled in sectors after the last acknowledged commit, loses nothing before it (B2, seed ${SEED})`, async () => {
    const random = seeded(SEED);
    const directory = join(home, "torn");
    const child = spawn(process.execPath, [join(ROOT, "test/_stepper.mjs"), directory]);
    const told = new Set<string>();
    let states = 0;
    for (let at = 0; at < (TORTURE ? 40 : 6); at++) {
      const before = at === 0 ? undefined : snapshot(directory);
      const commit = await step(child, `Fact ${at} ${"x".repeat((at % 30) * 37)}`);
      if (before) {
        const after = snapshot(directory);
        for (const log of tornLogs(before.log, after.log, random, TORTURE ? 40 : 8)) {
          const place = join(home, "torn-copy");
          mkdirSync(place);
          writeFileSync(join(place, "palimpsest.db"), before.file);
          writeFileSync(join(place, "palimpsest.db-wal"), log);
          const storage = sqliteStorage(place);
          await expectWhole(storage, told, `commit ${at}, log of ${log.length} bytes`);
          await storage.close();
          rmSync(place, { recursive: true });
          states++;
        }
      }
      told.add(commit);
    }
    child.stdin.end();
    await new Promise((resolve) => child.on("close", resolve));
    const left = join(home, "left");
    cpSync(directory, left, { recursive: true });
    await expectWhole(sqliteStorage(left), told, "as the killed process left it");
    expect(statSync(join(directory, "palimpsest.db-wal")).size).toBeGreaterThan(0);
    tell(`B2: ${states} torn logs`);
  });
});

describe("a log that a crash left", PATIENCE, () => {
  test(`I207 whoever opens it folds it into the file before anything is acknowledged behind it: what the disk never took of it takes nothing else along (B2, seed ${SEED})`, async () => {
    const random = seeded(SEED);
    for (let round = 0; round < (TORTURE ? 60 : 4); round++) {
      const directory = join(home, `failed-${round}`);
      await steps(directory, "the first", 2 + Math.floor(random() * 8));
      const failed = snapshot(directory);
      // One that only looks comes in between, now and then.
      if (random() < 0.5) {
        const looked = await run("test/_looker.mjs", [directory]);
        expect(looked).toMatchObject({ err: "", signal: "SIGKILL" });
      }
      const told = await steps(directory, "another", 1 + Math.floor(random() * 6));
      const { file, log } = snapshot(directory);
      // What of the first log lies there still was never written again, and the disk does not have its end.
      const cut = Buffer.from(log);
      for (let at = failed.log.length - FRAME * (1 + Math.floor(random() * 3)); at < failed.log.length; at++)
        if (at >= 32 && cut[at] === failed.log[at]) cut[at] = 0;
      const place = join(home, `failed-${round}-after`);
      mkdirSync(place);
      writeFileSync(join(place, "palimpsest.db"), file);
      writeFileSync(join(place, "palimpsest.db-wal"), isWrittenAnew(failed.log, log) ? log : cut);
      const storage = sqliteStorage(place);
      await expectWhole(storage, told, `round ${round}`);
      await storage.close();
    }
  });
});

const FRAME = 4096 + 24;
/** The salts of its header are new: then every byte of it that counts came after. */
const isWrittenAnew = (before: Buffer, after: Buffer): boolean =>
  !before.subarray(16, 24).equals(after.subarray(16, 24));

/** A process that writes so many facts and is killed; the commits that it acknowledged. */
async function steps(directory: string, who: string, count: number): Promise<Set<string>> {
  const child = spawn(process.execPath, [join(ROOT, "test/_stepper.mjs"), directory]);
  const told = new Set<string>();
  for (let at = 0; at < count; at++)
    told.add(await step(child, `Fact ${at} of ${who} ${"y".repeat(at * 91)}`));
  child.stdin.end();
  await new Promise((resolve) => child.on("close", resolve));
  return told;
}

const snapshot = (directory: string) => ({
  file: readFileSync(join(directory, "palimpsest.db")),
  log: readFileSync(join(directory, "palimpsest.db-wal")),
});

function step(child: ChildProcessWithoutNullStreams, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("close", reject);
    child.stdout.once("data", (data) => {
      child.removeListener("close", reject);
      resolve(String(data).trim());
    });
    child.stdin.write(`${line}\n`);
  });
}

const SECTOR = 512;

/** What a power cut may leave of the bytes that came after the last commit: any part, in any order, or zeros. */
function* tornLogs(before: Buffer, after: Buffer, random: () => number, count: number): Generator<Buffer> {
  const kept = before.length;
  if (after.length <= kept || !after.subarray(0, kept).equals(before)) return;
  const sectors: Buffer[] = [];
  for (let at = kept; at < after.length; at += SECTOR) sectors.push(after.subarray(at, at + SECTOR));
  for (let n = 0; n < count; n++) {
    const left = sectors.map((sector) => (random() < 0.3 ? Buffer.alloc(sector.length) : sector));
    if (n % 3 === 1) left.length = Math.floor(random() * left.length);
    if (n % 3 === 2) left.sort(() => random() - 0.5);
    yield Buffer.concat([before, ...left]);
  }
}
