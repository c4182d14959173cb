import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ErrorCode,
  memoryStorage,
  PalimpsestError,
  type Session,
  type Storage,
  sqliteStorage,
} from "../src/index.js";
import { type FaultPlan, withFaults } from "../src/storage/testing.js";
import { TORTURE, tell } from "./_processes.js";
import { testStore } from "./_worlds.js";

const CODES: readonly ErrorCode[] = TORTURE
  ? ["STORE_IO", "STORE_FULL", "STORE_READONLY", "STORE_BUSY", "STORE_UNREADABLE", "DAMAGED"]
  : ["STORE_IO", "STORE_BUSY"];

const VERBS: Readonly<Record<string, (pal: Session) => Promise<unknown>>> = {
  remember: (pal) => pal.remember("New", { id: "new-one" }),
  "remember a topic": (pal) => pal.remember("Renewed", { topic: "kept" }),
  "remember a child": (pal) => pal.remember({ text: "Child", type: "note", parent: "tree", id: "child-2" }),
  "remember many": (pal) =>
    pal.rememberMany(Array.from({ length: 20 }, (_, at) => ({ text: `m ${at}`, id: `many-${at}` }))),
  update: (pal) => pal.update("plain", "Changed"),
  forget: (pal) => pal.forget("tree"),
  observe: (pal) => pal.observe("Seen something new"),
  undo: (pal) => pal.undo(),
  transaction: (pal) =>
    pal.transaction(async (tx) => {
      await tx.remember("In a transaction", { id: "in-tx" });
      await tx.forget("plain");
    }),
};

async function seed(storage: Storage): Promise<Storage> {
  const { store } = await testStore(storage);
  const pal = store.session({ agent: "ann" });
  await pal.remember("Plain", { id: "plain" });
  await pal.remember("Kept", { topic: "kept" });
  await pal.remember({ text: "Tree", type: "note", id: "tree" });
  await pal.remember({ text: "Child", type: "note", id: "child-1", parent: "tree" });
  await store.settle();
  return storage;
}

let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "pal-faults-"));
  await (await seed(sqliteStorage(join(home, "template")))).close();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A store like any other of its kind, seeded; SQLite's is a copy of one that was written once. */
type World = () => Promise<Storage>;
let copies = 0;
const inMemory: World = () => seed(memoryStorage());
const onDisk: World = async () => {
  const directory = join(home, `copy-${copies++}`);
  cpSync(join(home, "template"), directory, { recursive: true });
  return sqliteStorage(directory);
};

const stateOf = async (storage: Storage) => {
  const { store } = await testStore(storage, Date.UTC(2027, 0, 1));
  const pal = store.session({ agent: "ann" });
  const report = await store.verify();
  return {
    problems: report.problems,
    texts: (await pal.list()).map(({ id, text, parent }) => [id, text, parent]).sort(),
  };
};

/** Runs a verb on a failing storage; answers what was said and what is true afterwards. */
async function attempt(world: World, verb: (pal: Session) => Promise<unknown>, plan: FaultPlan) {
  const storage = await world();
  const faulty = withFaults(storage, plan);
  const { store } = await testStore(faulty, Date.UTC(2026, 6, 1));
  const said = await verb(store.session({ agent: "ann" })).then(
    (answer) => ({ answer }),
    (error: unknown) => error,
  );
  const { calls } = faulty;
  const state = await stateOf(storage);
  await storage.close();
  return { said, calls, state };
}

const isDone = (said: unknown): said is { readonly answer: unknown } =>
  said !== null && typeof said === "object" && "answer" in said;

const READS: Readonly<Record<string, (pal: Session) => Promise<unknown>>> = {
  get: (pal) => pal.get("plain"),
  list: (pal) => pal.list(),
  history: (pal) => pal.history("plain"),
  log: (pal) => pal.log({ events: true }),
  stats: (pal) => pal.stats(),
  ops: (pal) => pal.ops(),
  prove: (pal) => pal.prove("plain"),
};

const PLANS: readonly FaultPlan[] = [{}, { forEver: true }, { answerLost: true }];

describe.each([
  ["in memory", inMemory, CODES],
  ["on SQLite", onDisk, TORTURE ? CODES : (["STORE_IO"] as const)],
])("a storage that fails at every call, %s", (_name, world, codes) => {
  let states = 0;
  afterAll(() => tell(`B3: ${states} failures, ${_name}`));

  test.each(Object.entries(VERBS))(
    "I1 %s: a typed error and the old state, or success and the new one; never in between (B3, B9)",
    async (_, verb) => {
      const old = await stateOf(await world());
      const whole = await attempt(world, verb, {});
      expect(isDone(whole.said)).toBe(true);
      for (const code of codes)
        for (const plan of PLANS)
          for (let failAt = 1; failAt <= whole.calls; failAt++) {
            const { said, state } = await attempt(world, verb, { code, failAt, ...plan });
            const where = `${code} at ${failAt} ${JSON.stringify(plan)}`;
            states++;
            expect(state.problems, where).toEqual([]);
            if (isDone(said)) {
              expect(state.texts.length, where).toBe(whole.state.texts.length);
              continue;
            }
            expect(said, where).toBeInstanceOf(PalimpsestError);
            expect((said as PalimpsestError).code, where).toBe(code);
            const possible = plan.answerLost ? [old.texts, whole.state.texts] : [old.texts];
            expect(
              possible.map((texts) => texts.length),
              where,
            ).toContain(state.texts.length);
            if (!plan.answerLost) expect(state.texts, where).toEqual(old.texts);
          }
    },
  );

  test.each(Object.entries(READS))(
    "I6 %s: the whole answer or a typed error, never a part of it (B3, B9)",
    async (_, read) => {
      const whole = await attempt(world, read, {});
      for (const code of codes.filter((each) => each !== "DAMAGED"))
        for (const plan of PLANS.slice(0, 2))
          for (let failAt = 1; failAt <= whole.calls; failAt++) {
            const { said } = await attempt(world, read, { code, failAt, ...plan });
            states++;
            if (isDone(said)) expect(said).toEqual(whole.said);
            else expect(said, `${code} at ${failAt}`).toMatchObject({ code });
          }
    },
  );
});

describe("a storage that fails", () => {
  test("I2 after a power cut at any call what was acknowledged is there and nothing is half there (B2)", async () => {
    const full = await attempt(inMemory, (pal) => writeThree(pal, []), {});
    for (let cutAt = 1; cutAt <= full.calls; cutAt++) {
      const told: string[] = [];
      const { state } = await attempt(inMemory, (pal) => writeThree(pal, told), {
        cutAt,
        answerLost: cutAt % 2 === 0,
      });
      expect(state.problems).toEqual([]);
      for (const id of told)
        expect(
          state.texts.some(([there]) => there === id),
          `${id} after a cut at ${cutAt}`,
        ).toBe(true);
    }
  });

  test("I3 calls that overtake each other change nothing but the order of independent writes", async () => {
    const { state } = await attempt(
      inMemory,
      (pal) =>
        Promise.all(Array.from({ length: 12 }, (_, at) => pal.remember(`w ${at}`, { id: `write-${at}` }))),
      { delay: (call) => (call * 7) % 5 },
    );
    expect(state.problems).toEqual([]);
    expect(state.texts.length).toBe(16);
  });
});

async function writeThree(pal: Session, told: string[]): Promise<void> {
  for (const id of ["first-write", "second-write", "third-write"]) {
    await pal.remember(id, { id });
    told.push(id);
  }
}
