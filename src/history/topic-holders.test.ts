import { beforeEach, describe, expect, it } from "vitest";
import { openStore, type Session, type Store } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

let store: Store;
let ada: Session;

beforeEach(async () => {
  let now = Date.UTC(2026, 0, 1);
  store = await openStore(memoryStorage(), { clock: () => (now += 1000) });
  ada = store.session({ agent: "ada", branch: "main" });
});

const holders = async (session: Session) =>
  (await session.list({ topic: "drink" })).map(({ text }) => text).sort();
const texts = async (session: Session) => (await session.list()).map(({ text }) => text).sort();

/** A register that was forgotten, and another that has its topic since. */
async function succeeded(): Promise<{ readonly first: string; readonly forgotten: string }> {
  const first = await ada.remember("Drinks tea", { id: "old", topic: "drink" });
  const { commit } = await ada.forget("old");
  await ada.remember("Drinks coffee", { id: "new", topic: "drink" });
  return { first: first.commit as string, forgotten: commit as string };
}

/** Both are there, the newer has the topic, and what the older lost is told. */
async function expectSettled(session: Session, left: readonly string[] = []): Promise<void> {
  expect(await texts(session)).toEqual(["Drinks coffee", "Drinks tea"]);
  expect(await holders(session)).toEqual(["Drinks coffee"]);
  expect(await session.conflicts()).toMatchObject([
    { id: "old", field: "topic", terms: [{ value: "drink", author: { id: "ada" } }, {}] },
  ]);
  expect((await store.verify()).problems.map(({ problem }) => problem)).toEqual(left);
}

describe("one topic, one holder", () => {
  it("B36 a revert that brings back a holder leaves the topic to the newer one", async () => {
    const { forgotten } = await succeeded();
    const done = await ada.revert(forgotten);
    expect(done).toMatchObject({ added: 1, conflicts: [{ id: "old", field: "topic" }] });
    await expectSettled(ada);
  });

  it("B36 an undo of the forget does the same", async () => {
    await succeeded();
    const [, forget] = await ada.ops();
    await ada.undo(forget?.op);
    await expectSettled(ada);
  });

  it("B36 an undo of both at once gives the topic back", async () => {
    await ada.remember("Drinks tea", { id: "old", topic: "drink" });
    await ada.transaction(async (tx) => {
      await tx.forget("old");
      await tx.remember("Drinks coffee", { id: "new", topic: "drink" });
    });
    await ada.undo();
    expect(await holders(ada)).toEqual(["Drinks tea"]);
    expect(await ada.conflicts()).toEqual([]);
  });

  it("B36 a pick of the commit that made it does the same", async () => {
    const { first } = await succeeded();
    await ada.cherryPick(first);
    await expectSettled(ada);
  });

  it("B36 a rollback that leaves a hidden holder where it is leaves it the topic", async () => {
    const boss = store.session({ agent: "ada", branch: "main", clearance: "confidential" });
    const low = store.session({ agent: "ada", branch: "main", clearance: "normal" });
    const { commit } = await low.remember("Drinks tea", { id: "old", topic: "drink" });
    await low.forget("old");
    await boss.remember("Drinks coffee", { id: "new", topic: "drink", sensitivity: "confidential" });
    await low.rollback(commit);
    expect(await texts(low)).toEqual(["Drinks tea"]);
    await expectSettled(boss);
  });

  it("B36 a rollback that takes the newer one away gives the topic back", async () => {
    const { first } = await succeeded();
    await ada.rollback(first);
    expect(await holders(ada)).toEqual(["Drinks tea"]);
    expect(await ada.conflicts()).toEqual([]);
  });

  it("B36 what a session may not change keeps its topic, and higher trust takes it", async () => {
    const user = store.session({ agent: "eve", trust: "user", branch: "main" });
    await user.remember("Drinks tea", { id: "old", topic: "drink" });
    const { commit } = await user.forget("old");
    await ada.remember("Drinks coffee", { id: "new", topic: "drink" });
    await user.revert(commit as string);
    expect(await holders(user)).toEqual(["Drinks tea"]);
    expect(await user.conflicts()).toMatchObject([{ id: "new", field: "topic" }]);
  });

  it("B37 a topic that was set aside can be taken once nobody holds it, or left", async () => {
    const { forgotten } = await succeeded();
    await ada.revert(forgotten);
    expect(await ada.resolve("old", "topic", { take: 1 })).toMatchObject({ code: "TOPIC_TAKEN" });
    await ada.forget("new");
    await ada.resolve("old", "topic", { take: 1 });
    expect(await holders(ada)).toEqual(["Drinks tea"]);
    expect(await ada.conflicts()).toEqual([]);
  });

  it("B37 leaving it settles the conflict", async () => {
    const { forgotten } = await succeeded();
    await ada.revert(forgotten);
    await ada.resolve("old", "topic", { take: 2 });
    expect(await holders(ada)).toEqual(["Drinks coffee"]);
    expect(await ada.conflicts()).toEqual([]);
  });

  it("B37 writing under the topic gives it back to the memory that is named after it", async () => {
    await ada.remember("Drinks tea", { topic: "drink" });
    const { commit } = await ada.forget((await ada.list({ topic: "drink" }))[0]?.id as string);
    await ada.remember("Drinks coffee", { id: "new", topic: "drink" });
    await ada.revert(commit as string);
    await ada.forget("new");
    await ada.remember("Drinks milk", { topic: "drink" });
    expect(await holders(ada)).toEqual(["Drinks milk"]);
    expect(await ada.conflicts()).toEqual([]);
  });

  it("B146 the same text again under a lost topic that nobody holds gives it back, and once only", async () => {
    await ada.remember("Drinks tea", { topic: "drink" });
    const { commit } = await ada.forget((await ada.list({ topic: "drink" }))[0]?.id as string);
    await ada.remember("Drinks coffee", { id: "new", topic: "drink" });
    await ada.revert(commit as string);
    await ada.forget("new");
    expect(await holders(ada)).toEqual([]);
    expect(await ada.remember("Drinks tea", { topic: "drink" })).toMatchObject({ verdict: "updated" });
    expect(await holders(ada)).toEqual(["Drinks tea"]);
    expect(await ada.conflicts()).toEqual([]);
    expect(await ada.remember("Drinks tea", { topic: "drink" })).toMatchObject({ verdict: "duplicate" });
    expect((await store.verify()).problems).toEqual([]);
  });

  it("B146 so for a memory with an id of its own, whether the id is said or not; another topic it does not get", async () => {
    for (const named of [{ id: "old" }, {}]) {
      const { forgotten } = await succeeded();
      await ada.revert(forgotten);
      expect(await ada.remember("Drinks tea", { id: "old", topic: "drink" })).toMatchObject({
        code: "TOPIC_TAKEN",
      });
      await ada.forget("new");
      expect(await ada.remember("Drinks tea", { id: "old", topic: "food" })).toMatchObject({
        code: "TOPIC_FIXED",
      });
      expect(await ada.remember("Drinks tea", { topic: "food" })).toMatchObject({ verdict: "duplicate" });
      expect(await ada.remember("Drinks tea", { ...named, topic: "drink" })).toMatchObject({
        verdict: "updated",
        id: "old",
      });
      expect(await holders(ada)).toEqual(["Drinks tea"]);
      expect(await ada.conflicts()).toEqual([]);
      await ada.forget("old");
    }
  });

  it("B35 a merge of two lines that each wrote the topic keeps both and one holder", async () => {
    await ada.createBranch("work");
    const work = store.session({ agent: "bob", branch: "work" });
    await ada.remember("Drinks tea", { id: "old", topic: "drink" });
    await work.remember("Drinks coffee", { id: "new", topic: "drink" });
    const done = await ada.merge("work");
    expect(done.conflicts).toMatchObject([{ id: "old", field: "topic" }]);
    await expectSettled(ada);
  });

  /** Waits for review; meanwhile somebody else takes the topic. */
  async function proposedBefore(holder: Session): Promise<string> {
    const { id } = await ada.propose("proposal", (tx) =>
      tx.remember("Drinks tea", { id: "old", topic: "drink" }),
    );
    await holder.remember("Drinks coffee", { id: "new", topic: "drink" });
    return id as string;
  }

  it("B38 accepting what waits takes the topic from a holder that counts no more than the session that accepts it", async () => {
    const user = store.session({ agent: "eve", trust: "user", branch: "main" });
    const done = await user.acceptReview(await proposedBefore(ada));
    expect(done).toMatchObject({ accepted: true, conflicts: [{ id: "new", field: "topic" }] });
    expect(await texts(user)).toEqual(["Drinks coffee", "Drinks tea"]);
    expect(await holders(user)).toEqual(["Drinks tea"]);
    expect(await user.conflicts()).toMatchObject([
      { id: "new", field: "topic", terms: [{ value: "drink", author: { id: "ada" } }, {}] },
    ]);
    expect((await store.verify()).problems.map(({ problem }) => problem)).toEqual(["unreachable-objects"]);
  });

  it("B38 a holder that counts more than the session that accepts keeps it", async () => {
    const item = await proposedBefore(store.session({ agent: "eve", trust: "user", branch: "main" }));
    const done = await ada.acceptReview(item);
    expect(done).toMatchObject({ accepted: true, conflicts: [{ id: "old", field: "topic" }] });
    // What waited was another commit, to which nothing leads any more.
    await expectSettled(ada, ["unreachable-objects"]);
  });

  it("B38 what the item takes away itself is no rival", async () => {
    await ada.remember("Drinks tea", { id: "old", topic: "drink" });
    const { id } = await ada.propose("proposal", async (tx) => {
      await tx.forget("old");
      await tx.remember("Drinks coffee", { id: "new", topic: "drink" });
    });
    await ada.acceptReview(id as string);
    expect(await holders(ada)).toEqual(["Drinks coffee"]);
    expect(await ada.conflicts()).toEqual([]);
  });
});
