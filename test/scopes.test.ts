import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStorage, type Sensitivity } from "../src/index.js";
import { everythingSeen, testStore, withoutTokens } from "./_worlds.js";

const TORTURE = process.env.PAL_TORTURE === "1";
const SCOPES = ["shared", "agent/ann", "agent/bob", "project/site", "user/7"] as const;
const LEVELS: readonly Sensitivity[] = ["normal", "private", "confidential"];
const IDS = ["memory-one", "memory-two", "memory-three", "memory-four", "memory-five", "memory-six"];
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

/** Builds a world in which only the places that `keep` admits are ever written. Times are those of the full world. */
async function build(seed: number, steps: readonly Step[], keep: (scope: number, id: number) => boolean) {
  const { store, clock } = await testStore(memoryStorage());
  for (const [at, { verb, scope: s, id: i, words, parent }] of steps.entries()) {
    clock.now = Date.UTC(2026, 0, 1) + at * 1000;
    clock.seed = at + 1;
    const scope = SCOPES[s] as string;
    const id = verb === "topic" ? `topic ${i}` : (IDS[i] as string);
    if (!keep(s, verb === "topic" ? i + 100 : i) || (verb === "child" && !keep(s, parent))) continue;
    const session = store.session({ agent: "writer", scopes: ["*"], clearance: "confidential" });
    const sensitivity = levelOf(seed, s, verb === "topic" ? i + 100 : i);
    const text = `Words ${words} about ${id} in ${scope}`;
    const attributes = { TODO: words % 2 ? "OPEN" : "DONE" };
    const run = {
      remember: () => session.remember({ id, scope, text, sensitivity, attributes, tags: [`t${words}`] }),
      update: () => session.update(id, { text }, { scope }),
      forget: () => session.forget(id, { scope, reason: `because ${words}` }),
      observe: () => session.observe(id, { scope }),
      topic: () => session.remember({ topic: id, scope, text, sensitivity }),
      child: () =>
        session.remember({ id, scope, text, sensitivity, parent: IDS[parent] as string, type: "note" }),
    }[verb];
    await run().catch((error: { code?: string }) => {
      if (error.code !== "NOT_FOUND") throw error;
    });
  }
  return { store, clock };
}

describe("what a session may not see", () => {
  test("N1 deleting everything invisible changes no answer of any verb, apart from opaque tokens", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1000),
        fc.array(step, { minLength: 4, maxLength: 14 }),
        fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }),
        fc.constantFrom(...LEVELS),
        async (seed, steps, scopes, clearance) => {
          const visible = (s: number, i: number) =>
            scopes.includes(s) && RANK(levelOf(seed, s, i)) <= RANK(clearance);
          const answers: unknown[] = [];
          for (const keep of [() => true, visible]) {
            const { store, clock } = await build(seed, steps, keep);
            clock.now = Date.UTC(2027, 0, 1);
            const session = store.session({
              agent: "ann",
              scopes: scopes.map((s) => SCOPES[s] as string),
              clearance,
            });
            answers.push(withoutTokens(await everythingSeen(session, IDS)));
          }
          expect(answers[0]).toEqual(answers[1]);
        },
      ),
      { numRuns: TORTURE ? 10_000 : 200 },
    );
  });
});
