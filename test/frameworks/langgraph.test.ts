import { emptyCheckpoint, InMemoryStore, type Operation, uuid6 } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PalimpsestSaver, PalimpsestStore } from "../../src/doors/frameworks/langgraph.js";
import { memoryStorage, openStore, type Session, type Store } from "../../src/index.js";

let store: Store;
let session: Session;
const sessionOn = (branch: string): Session => store.session({ agent: "graph", trust: "user", branch });
beforeEach(async () => {
  store = await openStore(memoryStorage());
  session = sessionOn("main");
});
afterEach(() => store.close());

let clock = 0;
const checkpointWith = (said: readonly string[]) => ({
  ...emptyCheckpoint(),
  id: uuid6(++clock),
  channel_values: { messages: said },
  channel_versions: { messages: said.length },
});
const thread = (id: string) => ({ configurable: { thread_id: id, checkpoint_ns: "" } });
const META = { source: "loop", step: 0, parents: {} } as const;

async function say(saver: PalimpsestSaver, id: string, said: readonly string[]): Promise<void> {
  const before = await saver.getTuple(thread(id));
  await saver.put(before?.config ?? thread(id), checkpointWith(said), META, { messages: said.length });
}
const heard = async (saver: PalimpsestSaver, id: string): Promise<unknown> =>
  (await saver.getTuple(thread(id)))?.checkpoint.channel_values.messages;

it("FW3 a thread goes on by itself on a branch, and merged both futures are there", async () => {
  const saver = new PalimpsestSaver(session);
  await say(saver, "t", ["hello"]);
  await session.createBranch("other");
  const other = new PalimpsestSaver(sessionOn("other"));
  await say(other, "t", ["hello", "what if"]);
  expect(await heard(saver, "t")).toEqual(["hello"]);
  expect(await heard(other, "t")).toEqual(["hello", "what if"]);
  await session.merge("other");
  expect(await heard(saver, "t")).toEqual(["hello", "what if"]);
});

it("FW4 what was kept is read as of an earlier time, and cannot be changed there", async () => {
  const saver = new PalimpsestSaver(session);
  await say(saver, "t", ["one"]);
  await session.snapshot("then");
  await say(saver, "t", ["one", "two"]);
  const then = new PalimpsestSaver(session, { at: "then" });
  expect(await heard(then, "t")).toEqual(["one"]);
  expect(await heard(saver, "t")).toEqual(["one", "two"]);
  await expect(say(then, "t", ["rewritten"])).rejects.toMatchObject({ code: "REFUSED" });
});

it("FW5 a deleted thread is erased on every branch, and the rest stays", async () => {
  const saver = new PalimpsestSaver(session);
  await say(saver, "secret", ["the walrus knows"]);
  await say(saver, "other", ["the tide turns"]);
  await saver.putWrites(
    (await saver.getTuple(thread("secret")))!.config,
    [["messages", "walrus again"]],
    "task",
  );
  await session.createBranch("copy");
  const report = await saver.eraseThread("secret");
  expect(report?.receipt).toBeDefined();
  const copy = new PalimpsestSaver(sessionOn("copy"));
  for (const one of [saver, copy]) {
    expect(await heard(one, "secret")).toBeUndefined();
    expect(await heard(one, "other")).toEqual(["the tide turns"]);
  }
  expect((await session.erase({ containing: "walrus" }, { dryRun: true })).records).toBe(0);
  expect((await session.erase({ containing: "tide" }, { dryRun: true })).records).toBeGreaterThan(0);
});

it("FW6 an agent's erasure is forgotten at once and waits for somebody who may erase", async () => {
  const agents = new PalimpsestSaver(store.session({ agent: "graph" }));
  await say(agents, "t", ["the walrus knows"]);
  const report = await agents.eraseThread("t");
  expect(await heard(agents, "t")).toBeUndefined();
  await session.acceptReview(report!.staged!);
  expect((await session.erase({ containing: "walrus" }, { dryRun: true })).records).toBe(0);
});

it("FW7 what is too long for a document is kept in parts, and values that stay are kept once", async () => {
  const saver = new PalimpsestSaver(session);
  const long = "a long story 😀 ".repeat(20_000);
  const first = { ...checkpointWith(["x"]), channel_values: { story: long, messages: ["x"] } };
  const config = await saver.put(thread("t"), first, META, { story: 1, messages: 1 });
  const kept = (await session.list({ type: "thread-value-part" })).length;
  expect(kept).toBeGreaterThan(3);
  const next = checkpointWith(["x", "y"]);
  await saver.put(config, { ...next, channel_values: { ...next.channel_values, story: long } }, META, {
    messages: 2,
  });
  expect((await saver.getTuple(thread("t")))?.checkpoint.channel_values).toEqual({
    story: long,
    messages: ["x", "y"],
  });
  expect((await session.list({ type: "thread-value-part" })).length).toBe(kept);
  await saver.deleteThread("t");
  expect((await session.erase({ containing: "long story" }, { dryRun: true })).records).toBe(0);
});

it("FW8 a secret is cut out of what is kept", async () => {
  const saver = new PalimpsestSaver(session);
  await say(saver, "t", ["the password: hunter2hunter"]);
  expect(JSON.stringify(await heard(saver, "t"))).not.toContain("hunter2hunter");
});

const names = ["a", "b", "c"];
const namespace = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
const key = fc.constantFrom("k1", "k2");
const value = fc.record({ n: fc.integer({ min: 0, max: 3 }), word: fc.constantFrom("tea", "rust") });
const filter = fc.oneof(
  fc.constant({}),
  fc.record({ n: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ n: fc.record({ $gte: fc.integer({ min: 0, max: 3 }) }) }),
  fc.record({ word: fc.record({ $in: fc.constant(["tea"]) }) }),
);
const path = fc.array(fc.constantFrom(...names, "*"), { minLength: 1, maxLength: 2 });
const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ namespace, key }),
  fc.record({ namespace, key, value: fc.oneof(value, value, fc.constant(null)) }),
  fc.record({ namespacePrefix: namespace, filter, limit: fc.constant(100), offset: fc.constant(0) }),
  fc.record({
    matchConditions: fc.array(
      fc.record({ matchType: fc.constantFrom("prefix" as const, "suffix" as const), path }),
      { maxLength: 2 },
    ),
    ...{ maxDepth: fc.constantFrom(1, 2, 3), limit: fc.constant(100), offset: fc.constantFrom(0, 1) },
  }),
);
/** What both stores say of items; when they were made is their own, and theirs leaves empty namespaces behind. */
const told = (results: readonly unknown[]): unknown =>
  results.map((result) => {
    const item = (one: unknown) => {
      const { namespace: at, key: name, value: is } = one as Record<string, unknown>;
      return JSON.stringify([at, name, is]);
    };
    if (!result) return null;
    if (!Array.isArray(result)) return item(result);
    return result.map((one) => (Array.isArray(one) ? JSON.stringify(one) : item(one))).sort();
  });

it("FW2 the store answers as LangGraph's own, whatever is asked of it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(operations, { maxLength: 3 }), { maxLength: 8 }), async (batches) => {
      const scope = `project/p${++clock}`;
      const own = new PalimpsestStore(store.session({ agent: "graph", scopes: [scope], home: scope }), {
        scope,
      });
      const theirs = new InMemoryStore();
      const deleted = batches.flat().some((one) => "value" in one && one.value === null);
      for (const batch of batches) {
        if (deleted && batch.some((one) => "matchConditions" in one)) continue;
        expect(told(await own.batch(batch))).toEqual(told(await theirs.batch(batch)));
      }
    }),
    { numRuns: 40 },
  );
});

it("FW2 items are found by what they say, on their branch and as of a time, with their past", async () => {
  const items = new PalimpsestStore(session);
  await items.put(["users", "ann"], "food", { text: "Ann is allergic to peanuts" });
  await items.put(["users", "ann"], "work", { text: "Ann writes Rust at night" });
  await items.put(["users", "bob"], "food", { text: "Bob loves peanuts" }, false);
  const [hit, ...others] = await items.search(["users", "ann"], { query: "peanuts" });
  expect(hit).toMatchObject({ key: "food", namespace: ["users", "ann"], score: expect.any(Number) });
  expect(others).toEqual([]);
  await session.snapshot("then");
  await items.put(["users", "ann"], "work", { text: "Ann writes Zig now" });
  expect((await items.get(["users", "ann"], "work"))?.value).toEqual({ text: "Ann writes Zig now" });
  const then = new PalimpsestStore(session, { at: "then" });
  expect((await then.get(["users", "ann"], "work"))?.value).toEqual({ text: "Ann writes Rust at night" });
  await items.delete(["users", "ann"], "work");
  expect(await items.get(["users", "ann"], "work")).toBeNull();
  expect(await items.listNamespaces()).toEqual([
    ["users", "ann"],
    ["users", "bob"],
  ]);
});
