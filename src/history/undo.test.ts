import { describe, expect, test } from "vitest";
import { testStore } from "../../test/_worlds.js";
import { openStore } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

const world = async () => {
  const { store } = await testStore();
  return { store, ann: store.session({ agent: "ann" }), bob: store.session({ agent: "bob" }) };
};

describe("operations and undo", () => {
  test("O1 every write is an operation: verb, who, which refs from where to where; newest first", async () => {
    const { ann, bob } = await world();
    const first = await ann.remember("One", { id: "number-one" });
    const second = await bob.update("number-one", "Two");
    expect(await ann.ops()).toMatchObject([
      {
        verb: "update",
        author: { id: "bob" },
        refs: [{ name: "heads/main", before: first.commit, after: second.commit }],
      },
      { verb: "remember", author: { id: "ann" }, refs: [{ name: "heads/main", after: first.commit }] },
    ]);
  });

  test("O2 undo inverts the caller's own last operation; what others did meanwhile survives", async () => {
    const { ann, bob } = await world();
    await ann.remember("Ann's fact", { id: "anns-fact" });
    await ann.update("anns-fact", { text: "Ann's change" });
    await bob.remember("Bob's fact", { id: "bobs-fact" });
    await bob.update("anns-fact", { tags: ["bob"] });
    const undone = await ann.undo();
    expect(undone).toMatchObject({ modified: 1, conflicts: [], refs: ["heads/main"] });
    expect(await ann.get("anns-fact")).toMatchObject({ text: "Ann's fact", tags: ["bob"], version: 4 });
    expect(await ann.get("bobs-fact")).toBeDefined();
  });

  test("O3 an addition is undone by forgetting, a forget by bringing back, and an undo by another undo", async () => {
    const { ann } = await world();
    await ann.remember("Here", { id: "come-and-go", tags: ["t"] });
    expect(await ann.undo()).toMatchObject({ removed: 1 });
    expect(await ann.get("come-and-go")).toBeUndefined();
    expect(await ann.undo()).toMatchObject({ added: 1 });
    expect(await ann.get("come-and-go")).toMatchObject({ text: "Here", tags: ["t"], version: 3 });
    await ann.forget("come-and-go");
    await ann.undo();
    expect(await ann.get("come-and-go")).toMatchObject({ text: "Here" });
  });

  test("O4 any operation can be undone by its id; where later work collides both survive, contested", async () => {
    const { ann, bob } = await world();
    await ann.remember("Monday", { id: "meeting" });
    await ann.update("meeting", "Tuesday");
    const [target] = await ann.ops();
    await bob.update("meeting", "Friday");
    const undone = await bob.undo(target?.op.slice(0, 10));
    expect(undone.conflicts).toMatchObject([{ id: "meeting", field: "text" }]);
    const terms = (await bob.get("meeting"))?.contested?.text?.terms.map(({ value }) => value);
    expect(terms?.sort()).toEqual(["Friday", "Monday"]);
  });

  test("O5 nothing of one's own to undo, or an unknown operation, is NOT_FOUND; hidden operations are as absent", async () => {
    const { store, ann, bob } = await world();
    await expect(ann.undo()).rejects.toMatchObject({ code: "NOT_FOUND" });
    await bob.remember("Hidden", { scope: "agent/bob" });
    expect(await ann.ops()).toEqual([]);
    const [hidden] = await bob.ops();
    await expect(ann.undo(hidden?.op)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await store.session({ agent: "bob" }).ops()).length).toBe(1);
  });

  test("O6 undoing a transaction undoes all of it, in one commit", async () => {
    const { ann } = await world();
    await ann.remember("Parent", { id: "parent", type: "note" });
    await ann.transaction(async (tx) => {
      await tx.remember({ text: "Child", id: "child-1", type: "note", parent: "parent" });
      await tx.update("parent", "Parent, changed");
      await tx.remember("Extra", { id: "extra-1" });
    });
    expect(await ann.undo()).toMatchObject({ removed: 2, modified: 1 });
    expect((await ann.list()).map(({ text }) => text)).toEqual(["Parent"]);
    expect((await ann.log())[0]?.changes).toBe(3);
  });

  test("O50 where the newest operation cannot be read, undo without a name is DAMAGED and changes nothing", async () => {
    const storage = memoryStorage();
    const { store } = await testStore(storage);
    const ann = store.session({ agent: "ann" });
    await ann.remember("One", { id: "number-one" });
    await ann.remember("Two, quite another thing", { id: "number-two" });
    const [second, first] = await ann.ops();
    await storage.remove([second!.op]);
    const again = await openStore(storage);
    const same = again.session({ agent: "ann" });
    await expect(same.undo()).rejects.toMatchObject({ code: "DAMAGED" });
    await expect(same.undo(second!.op)).rejects.toMatchObject({ code: "DAMAGED" });
    expect(await same.list()).toHaveLength(2);
    expect(await same.undo(first!.op)).toMatchObject({ undone: first!.op, removed: 1 });
  });

  test("O7 undo of an operation that only moved names brings the names back, if nobody moved them since", async () => {
    const { ann } = await world();
    await ann.remember("Here", { id: "here" });
    const last = async () => (await ann.ops({ limit: 1 }))[0]?.op as string;
    const names = async () => [
      ...(await ann.branches()).map(({ name }) => name),
      ...(await ann.tags()).map(({ name }) => name),
    ];
    await ann.createBranch("work", { purpose: "to try" });
    const made = await last();
    await ann.renameBranch("work", "trial");
    expect(await ann.undo(await last())).toMatchObject({ refs: ["heads/work", "heads/trial"], removed: 0 });
    await ann.tag("v1");
    await ann.undo(await last());
    expect(await names()).toEqual(["main", "work"]);
    await ann.deleteBranch("work");
    const deleted = await last();
    await expect(ann.undo(made)).rejects.toMatchObject({ code: "NAME_TAKEN" });
    await ann.undo(deleted);
    expect(await ann.branches()).toMatchObject([{ name: "main" }, { name: "work", purpose: "to try" }]);
    await ann.undo(made);
    expect(await names()).toEqual(["main"]);
  });

  test("O56 undo takes back the last one on the branch and names what the caller did elsewhere since, if it can still be taken back", async () => {
    const { ann, bob } = await world();
    await ann.remember("First", { id: "first" });
    await ann.createBranch("untouched");
    await ann.createBranch("work");
    await ann.tag("v1");
    await ann.deleteTag("v1");
    await bob.createBranch("bobs");
    await ann.checkout("work");
    for (const text of ["One", "Two"]) await ann.remember(text);
    await ann.checkout("main");
    const done = await ann.undo();
    expect(done).toMatchObject({ removed: 1, refs: ["heads/main"] });
    const passedOver = done.passedOver ?? [];
    expect(passedOver).toEqual([
      { op: expect.any(String), verb: "remember", refs: ["heads/work"] },
      { op: expect.any(String), verb: "delete-tag", refs: ["tags/v1"] },
      { op: expect.any(String), verb: "create-branch", refs: ["heads/untouched"] },
    ]);
    for (const { op } of passedOver) expect((await ann.undo(op)).undone).toBe(op);
    expect((await ann.branches()).map(({ name }) => name)).toEqual(["bobs", "main", "work"]);
    await ann.remember("Last");
    expect(await ann.undo()).not.toHaveProperty("passedOver");
    await ann.createBranch("empty");
    await ann.checkout("empty");
    await expect(ann.undo()).rejects.toMatchObject({
      code: "NOT_FOUND",
      hint: expect.stringContaining("`pal undo "),
    });
  });
});
