import { Agent, type AgentInputItem, MemorySession, Runner, setTracingDisabled } from "@openai/agents-core";
import { assistantMessage, ScriptedModel } from "@openai/agents-core/testing";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PalimpsestSession } from "../../src/doors/frameworks/openai-agents.js";
import { memoryStorage, openStore, type Session, type Store } from "../../src/index.js";

setTracingDisabled(true);
let store: Store;
let session: Session;
const sessionOn = (branch: string): Session => store.session({ agent: "orion", trust: "user", branch });
beforeEach(async () => {
  store = await openStore(memoryStorage());
  session = sessionOn("main");
});
afterEach(() => store.close());

const user = (content: string): AgentInputItem => ({ type: "message", role: "user", content });
const texts = async (one: PalimpsestSession): Promise<unknown[]> =>
  (await one.getItems()).map((item) => ("content" in item ? item.content : item));

const step = fc.oneof(
  fc.record({ add: fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 9 }), { maxLength: 3 }) }),
  fc.record({ get: fc.option(fc.integer({ min: -1, max: 5 }), { nil: undefined }) }),
  fc.constant({ pop: true }),
  fc.constant({ clear: true }),
);
it("FW20 items come back as from the SDK's own session, whatever is done", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const own = new PalimpsestSession(session);
      const theirs = new MemorySession();
      for (const one of steps) {
        const run = async (target: PalimpsestSession | MemorySession): Promise<unknown> => {
          if ("add" in one) return target.addItems(one.add.map(user));
          if ("pop" in one) return target.popItem();
          if ("clear" in one) return target.clearSession();
          return target.getItems(one.get);
        };
        expect(await run(own)).toEqual(await run(theirs));
        expect(await own.getItems()).toEqual(await theirs.getItems());
      }
    }),
    { numRuns: 40 },
  );
});

it("FW21 an agent of the SDK hears in its next run what was said in the one before", async () => {
  const model = new ScriptedModel([[assistantMessage("Noted.")], [assistantMessage("Graz.")]]);
  const agent = new Agent({ name: "orion", model });
  const runner = new Runner();
  await runner.run(agent, "I moved to Graz.", {
    session: new PalimpsestSession(session, { sessionId: "ann" }),
  });
  const again = new PalimpsestSession(sessionOn("main"), { sessionId: "ann" });
  const { finalOutput } = await runner.run(agent, "Where do I live?", { session: again });
  expect(finalOutput).toBe("Graz.");
  expect(JSON.stringify(model.calls[1]?.request.input)).toContain("I moved to Graz.");
  expect(await again.getItems()).toHaveLength(4);
});

it("FW3 FW4 FW5 a conversation goes on on a branch, is merged, read as it was, and erased everywhere", async () => {
  const main = new PalimpsestSession(session, { sessionId: "ann" });
  await main.addItems([user("Book a table")]);
  await session.snapshot("then");
  await session.createBranch("other");
  const other = new PalimpsestSession(sessionOn("other"), { sessionId: "ann" });
  await other.addItems([user("in Graz")]);
  await main.addItems([user("a popped word")]);
  await main.popItem();
  await main.addItems([user("for two")]);
  expect(await texts(main)).toEqual(["Book a table", "for two"]);
  expect(await texts(other)).toEqual(["Book a table", "in Graz"]);
  expect(await session.merge("other")).toMatchObject({ conflicts: [] });
  expect((await texts(main)).sort()).toEqual(["Book a table", "for two", "in Graz"]);
  const then = new PalimpsestSession(session, { sessionId: "ann", at: "then" });
  expect(await texts(then)).toEqual(["Book a table"]);
  await expect(then.addItems([user("never")])).rejects.toMatchObject({ code: "REFUSED" });
  await other.addItems([user("only on the branch")]);
  expect((await main.eraseSession())?.receipt).toBeDefined();
  expect([await texts(main), await texts(other)]).toEqual([[], []]);
  for (const containing of ["table", "popped", "only on the branch"])
    expect((await session.erase({ containing }, { dryRun: true })).records).toBe(0);
});
