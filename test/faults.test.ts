import { describe, expect, test } from "vitest";
import { type ErrorCode, memoryStorage, PalimpsestError, type Session, type Storage } from "../src/index.js";
import { type FaultPlan, withFaults } from "../src/storage/testing.js";
import { testStore } from "./_worlds.js";

const TORTURE = process.env.PAL_TORTURE === "1";
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

async function seededStorage(): Promise<Storage> {
  const storage = memoryStorage();
  const { store } = await testStore(storage);
  const pal = store.session({ agent: "ann" });
  await pal.remember("Plain", { id: "plain" });
  await pal.remember("Kept", { topic: "kept" });
  await pal.remember({ text: "Tree", type: "note", id: "tree" });
  await pal.remember({ text: "Child", type: "note", id: "child-1", parent: "tree" });
  await store.settle();
  return storage;
}

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
async function attempt(verb: (pal: Session) => Promise<unknown>, plan: FaultPlan) {
  const storage = await seededStorage();
  const faulty = withFaults(storage, plan);
  const { store } = await testStore(faulty, Date.UTC(2026, 6, 1));
  const said = await verb(store.session({ agent: "ann" })).then(
    () => "done",
    (error: unknown) => error,
  );
  return { said, calls: faulty.calls, state: await stateOf(storage) };
}

describe("a storage that fails at every call", () => {
  test.each(Object.entries(VERBS))(
    "I1 %s: a typed error and the old state, or success and the new one; never in between",
    async (_, verb) => {
      const old = await stateOf(await seededStorage());
      const whole = await attempt(verb, {});
      expect(whole.said).toBe("done");
      for (const code of CODES)
        for (const plan of [{}, { forEver: true }, { answerLost: true }])
          for (let failAt = 1; failAt <= whole.calls; failAt++) {
            const { said, state } = await attempt(verb, { code, failAt, ...plan });
            const where = `${code} at ${failAt} ${JSON.stringify(plan)}`;
            expect(state.problems, where).toEqual([]);
            if (said === "done") expect(state.texts.length, where).toBe(whole.state.texts.length);
            else {
              expect(said, where).toBeInstanceOf(PalimpsestError);
              expect((said as PalimpsestError).code, where).toBe(code);
              const lengths = "answerLost" in plan ? [old.texts, whole.state.texts] : [old.texts];
              expect(
                lengths.map((texts) => texts.length),
                where,
              ).toContain(state.texts.length);
              if (!("answerLost" in plan)) expect(state.texts, where).toEqual(old.texts);
            }
          }
    },
  );

  test("I2 after a power cut at any call what was acknowledged is there and nothing is half there", async () => {
    const full = await attempt((pal) => writeThree(pal, []), {});
    for (let cutAt = 1; cutAt <= full.calls; cutAt++) {
      const told: string[] = [];
      const { state } = await attempt((pal) => writeThree(pal, told), { cutAt, answerLost: cutAt % 2 === 0 });
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
