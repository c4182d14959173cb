import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStorage, type Sensitivity, type Session, type Verdict } from "../src/index.js";
import { everythingSeen, recalled, testStore, withoutTokens } from "./_worlds.js";

const TORTURE = process.env.PAL_TORTURE === "1";
const SCOPES = ["shared", "agent/ann", "agent/bob", "project/site", "user/7"] as const;
const LEVELS: readonly Sensitivity[] = ["normal", "private", "confidential"];
const IDS = ["memory-one", "memory-two", "memory-three", "memory-four"];
const RANK = (level: Sensitivity) => LEVELS.indexOf(level);

interface Step {
  readonly verb: "remember" | "update" | "forget" | "observe" | "topic" | "child";
  readonly scope: number;
  readonly id: number;
  readonly words: number;
  readonly parent: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom("remember", "update", "forget", "observe", "topic", "child"),
  scope: fc.nat(SCOPES.length - 1),
  id: fc.nat(IDS.length - 1),
  words: fc.nat(3),
  parent: fc.nat(IDS.length - 1),
});

/** Sensitivity belongs to the place, so that "everything invisible" is a set of places. */
const levelOf = (seed: number, scope: number, id: number): Sensitivity =>
  LEVELS[(seed + scope * 7 + id * 3) % 3] as Sensitivity;

function perform(
  session: Session,
  seed: number,
  { verb, scope: s, id: i, words, parent }: Step,
): Promise<Verdict> {
  const scope = SCOPES[s] as string;
  const id = verb === "topic" ? `topic ${i}` : (IDS[i] as string);
  const sensitivity = levelOf(seed, s, verb === "topic" ? i + 100 : i);
  const text = `Words ${words} about ${id} in ${scope}`;
  const attributes = { TODO: words % 2 ? "OPEN" : "DONE" };
  switch (verb) {
    case "remember":
      return session.remember({ id, scope, text, sensitivity, attributes, tags: [`t${words}`] });
    case "update":
      return session.update(id, { text }, { scope });
    case "forget":
      return session.forget(id, { scope, reason: `because ${words}` });
    case "observe":
      return session.observe(id, { scope });
    case "topic":
      return session.remember({ topic: id, scope, text, sensitivity });
    case "child":
      return session.remember({ id, scope, text, sensitivity, parent: IDS[parent] as string, type: "note" });
  }
}

/** Builds a world in which only the places that `keep` admits are ever written. Times are those of the full world. */
async function build(seed: number, steps: readonly Step[], keep: (scope: number, id: number) => boolean) {
  const { store, clock } = await testStore(memoryStorage());
  for (const [at, { verb, scope: s, id: i, words, parent }] of steps.entries()) {
    clock.now = Date.UTC(2026, 0, 1) + at * 1000;
    clock.seed = at + 1;
    if (!keep(s, verb === "topic" ? i + 100 : i) || (verb === "child" && !keep(s, parent))) continue;
    const writer = store.session({ agent: "writer", scopes: ["*"], clearance: "confidential" });
    await perform(writer, seed, { verb, scope: s, id: i, words, parent }).catch(
      (error: { code?: string }) => {
        if (error.code !== "NOT_FOUND") throw error;
      },
    );
  }
  return { store, clock };
}

/** What a session is told about two worlds: the whole one and the one without anything it may not see. */
async function bothWorlds(
  seed: number,
  steps: readonly Step[],
  scopes: readonly number[],
  clearance: Sensitivity,
  ask: (session: Session) => Promise<unknown>,
): Promise<[unknown, unknown]> {
  const visible = (s: number, i: number) =>
    scopes.includes(s) && RANK(levelOf(seed, s, i)) <= RANK(clearance);
  const answers: unknown[] = [];
  for (const keep of [() => true, visible]) {
    const { store, clock } = await build(seed, steps, keep);
    clock.now = Date.UTC(2027, 0, 1);
    clock.seed = 99;
    const names = scopes.map((s) => SCOPES[s] as string);
    answers.push(withoutTokens(await ask(store.session({ agent: "ann", scopes: names, clearance }))));
  }
  return answers as [unknown, unknown];
}

const world = [fc.nat(1000), fc.array(step, { minLength: 3, maxLength: 10 })] as const;
const someScopes = fc.subarray([0, 1, 2, 3, 4], { minLength: 1 });

describe("what a session may not see", () => {
  test("N1 deleting everything invisible changes no answer of any verb, apart from opaque tokens (B11, B12)", async () => {
    await fc.assert(
      fc.asyncProperty(
        ...world,
        someScopes,
        fc.constantFrom(...LEVELS),
        async (seed, steps, scopes, level) => {
          const [whole, reduced] = await bothWorlds(seed, steps, scopes, level, (session) =>
            everythingSeen(session, IDS),
          );
          expect(whole).toEqual(reduced);
        },
      ),
      { numRuns: TORTURE ? 10_000 : 1_600 },
    );
  });

  test("RC46 nor does it change a recall, a why, a block for a prompt or a wake-up (B11, B12)", async () => {
    await fc.assert(
      fc.asyncProperty(
        ...world,
        someScopes,
        fc.constantFrom(...LEVELS),
        async (seed, steps, scopes, level) => {
          const [whole, reduced] = await bothWorlds(seed, steps, scopes, level, recalled);
          expect(whole).toEqual(reduced);
        },
      ),
      { numRuns: TORTURE ? 10_000 : 60 },
    );
  });

  test("N2 the verdict of a write does not depend on scopes the writer does not see (B11)", async () => {
    await fc.assert(
      fc.asyncProperty(
        ...world,
        someScopes,
        fc.array(step, { maxLength: 6 }),
        async (seed, steps, scopes, writes) => {
          const [whole, reduced] = await bothWorlds(seed, steps, scopes, "confidential", async (session) => {
            const verdicts: unknown[] = [];
            for (const write of writes)
              verdicts.push(
                await perform(session, seed, write).catch(({ code, message }) => ({ code, message })),
              );
            return [verdicts, await everythingSeen(session, IDS)];
          });
          expect(whole).toEqual(reduced);
        },
      ),
      { numRuns: TORTURE ? 5_000 : 400 },
    );
  });
});
