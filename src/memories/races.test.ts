import { describe, expect, it } from "vitest";
import { openStore } from "../session/open-store.js";
import { memoryStorage, type Storage } from "../storage/index.js";

const sleep = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

/** A storage whose transactions take their time, so that writes gather into batches. */
const slowed = (storage: Storage, ms = 30): Storage =>
  new Proxy(storage, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "transact") return value.bind(target);
      return async (...args: Parameters<Storage["transact"]>) => {
        await sleep(ms);
        return target.transact(...args);
      };
    },
  });

describe("branches under many hands", () => {
  it("B99 nobody ends up on a branch that is being deleted or renamed", async () => {
    for (const verb of ["delete", "rename"] as const)
      for (let round = 0; round < 12; round++) {
        const storage = memoryStorage();
        // Two stores on one storage: as two processes, each with its own queue.
        const [one, two] = [await openStore(slowed(storage, round % 4)), await openStore(slowed(storage, 2))];
        const [ann, bob] = [one.session({ agent: "ann" }), two.session({ agent: "bob" })];
        await ann.createBranch("gone");
        const outcomes = await Promise.allSettled([
          verb === "delete" ? ann.deleteBranch("gone") : ann.renameBranch("gone", "new"),
          bob.checkout("gone"),
        ]);
        const names = (await ann.branches()).map(({ name }) => name);
        const left = await storage.ref("checkouts/bob");
        if (left) expect(names).toContain(left.meta?.branch);
        expect(outcomes.filter(({ status }) => status === "rejected").length).toBeLessThan(2);
      }
  });

  it("B90 a merge among other writes loses none of them", async () => {
    for (const change of ["update", "forget", "add"] as const) {
      const store = await openStore(slowed(memoryStorage()));
      const pal = store.session();
      await pal.remember({ id: "x", text: "Lisbon has the larger office" });
      await pal.remember({ id: "y", text: "Coffee is served at nine" });
      await pal.createBranch("f");
      await store.session({ branch: "f" }).update("x", { text: "Berlin rents two floors" });
      const busy = pal.update("y", "Tea is served at ten");
      await sleep(10);
      const write =
        change === "update"
          ? pal.update("x", { text: "Porto has the larger office now" })
          : change === "forget"
            ? pal.forget("x")
            : pal.remember({ id: "z", text: "Something else" });
      await Promise.all([busy, write, pal.merge("f")]);
      const { contested, text } = (await pal.get("x")) ?? {};
      if (change === "update") expect(contested?.text?.terms).toHaveLength(2);
      if (change === "forget") expect(contested?.["*"]?.terms).toHaveLength(1);
      if (change === "add")
        expect([text, (await pal.get("z"))?.text]).toEqual(["Berlin rents two floors", "Something else"]);
      expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
    }
  });

  it("B91 two large writes at once share the ring of snapshots", async () => {
    const store = await openStore(slowed(memoryStorage(), 1));
    const pal = store.session();
    const two = (name: string) => [`First of ${name}`, `Second of ${name}`];
    for (let n = 0; n < 20; n++) await pal.rememberMany(two(`round ${n}`));
    await Promise.all([
      pal.rememberMany(two("alpha")),
      pal.rememberMany(two("beta")),
      pal.rememberMany(two("gamma")),
    ]);
    expect(await pal.snapshots()).toHaveLength(20);
    expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("B92 what guarded takes back is what was done, on the branch it was done on, with what was not waited for", async () => {
    const store = await openStore(memoryStorage());
    const pal = store.session();
    await pal.remember({ id: "x", text: "The first text of x" });
    await pal.createBranch("f");
    const other = store.session({ agent: "other", branch: "f" });
    await pal.update("x", "The main text of x");
    const fails = (fn: Parameters<typeof pal.guarded>[0]) =>
      expect(
        pal.guarded(async (inner) => {
          await fn(inner);
          throw new Error("no");
        }),
      ).rejects.toThrow("no");
    await fails((inner) => inner.merge("main", { into: "f" }));
    expect([(await pal.get("x"))?.text, (await other.get("x"))?.text]).toEqual([
      "The main text of x",
      "The first text of x",
    ]);
    for (const id of ["f1", "f2", "f3"]) await other.remember({ id, text: `Work ${id}` });
    await fails((inner) => inner.merge("f"));
    expect((await pal.list()).map(({ id }) => id)).toEqual(["x"]);
    await fails(async (inner) => {
      await inner.guarded((most) => most.remember({ id: "nested", text: "A nested write" }));
      void inner.remember({ id: "late", text: "Nobody waits for it" });
    });
    expect((await pal.list()).map(({ id }) => id)).toEqual(["x"]);
  });

  it("B93 what a name means is found out at the call, also when the branch moves meanwhile", async () => {
    const shared = memoryStorage();
    const [one, two] = [await openStore(slowed(shared)), await openStore(shared)];
    const [a, b] = [one.session({ agent: "a" }), two.session({ agent: "b" })];
    await a.remember({ id: "x", text: "Written by a, to be taken back" });
    const reverting = a.revert("main");
    await sleep(10);
    await b.remember({ id: "y", text: "Written by b meanwhile" });
    await reverting;
    expect((await a.list()).map(({ id }) => id)).toEqual(["y"]);
  });

  it("B94 a rollback stays on the branch it was asked for", async () => {
    const store = await openStore(memoryStorage());
    const pal = store.session();
    await pal.remember({ id: "x", text: "The first text of x" });
    await pal.snapshot();
    await pal.update("x", "The second text of x");
    await pal.createBranch("f");
    await Promise.all([pal.rollback(0), pal.checkout("f")]);
    expect((await store.session({ branch: "main" }).get("x"))?.text).toBe("The first text of x");
    expect((await store.session({ branch: "f" }).get("x"))?.text).toBe("The second text of x");
  });

  it("B95 a merge never shows what one side still keeps secret", async () => {
    const store = await openStore(memoryStorage());
    const boss = store.session({ clearance: "confidential" });
    await boss.remember({ id: "x", text: "Ann earns 90000 a year", sensitivity: "confidential" });
    await boss.createBranch("f");
    await store
      .session({ branch: "f", clearance: "confidential" })
      .update("x", { text: "Ann earns 95000 a year" });
    await boss.update("x", { text: "Ann has a salary", sensitivity: "normal" });
    await boss.merge("f");
    expect(await store.session({ agent: "low", clearance: "normal" }).get("x")).toBeUndefined();
    expect((await boss.get("x"))?.sensitivity).toBe("confidential");
  });

  it("B96 taking back a move never closes a circle", async () => {
    const store = await openStore(memoryStorage());
    const pal = store.session();
    await pal.remember({ id: "a", type: "note", text: "Note a" });
    await pal.remember({ id: "b", type: "note", text: "Note b", parent: "a" });
    const moved = await pal.update("b", { parent: null });
    await pal.update("a", { parent: "b" });
    await pal.revert(moved.commit as string);
    const [a, b] = [await pal.get("a"), await pal.get("b")];
    expect([a?.parent, b?.parent]).toEqual(["b", undefined]);
  });

  it("B97 what two say of a branch at once is both kept, and a rename takes snapshots and milestones along", async () => {
    const shared = memoryStorage();
    const [one, two] = [await openStore(slowed(shared)), await openStore(slowed(shared))];
    const [a, b] = [one.session({ agent: "a" }), two.session({ agent: "b" })];
    await a.remember("Something to begin with");
    await a.createBranch("f");
    await Promise.all([
      a.describeBranch("f", { persona: "poet" }),
      b.describeBranch("f", { purpose: "to sing" }),
    ]);
    expect((await a.branches()).find(({ name }) => name === "f")).toMatchObject({
      persona: "poet",
      purpose: "to sing",
    });
    await a.checkout("f");
    await a.commit("First milestone");
    await a.snapshot("keep");
    await a.renameBranch("f", "g");
    expect(await a.snapshots()).toMatchObject([{ label: "keep" }]);
    expect((await a.branchContext()).text).toContain("First milestone");
    for (const label of ["", "7", "a\u0001b"])
      await expect(a.snapshot(label)).rejects.toMatchObject({ code: "INVALID_NAME" });
  });

  it("B98 one's own last operation is undone, whatever it changed; odd input is an error with a code", async () => {
    const store = await openStore(memoryStorage());
    const [a, o] = [store.session({ agent: "a" }), store.session({ agent: "o", branch: "main" })];
    await a.remember({ id: "y", text: "Work of a" });
    await a.createBranch("f");
    await store
      .session({ agent: "o", branch: "f" })
      .remember({ id: "h", text: "Hidden from a", scope: "agent/o" });
    await expect(a.merge("f")).rejects.toMatchObject({ code: "REFUSED" });
    await o.merge("f");
    await a.remember({ id: "z", text: "More work of a" });
    await a.undo();
    expect(await a.get("z")).toBeUndefined();
    expect(await a.get("y")).toBeDefined();
    await a.describeBranch("f", { purpose: "x" });
    expect((await a.ops({ limit: 1 }))[0]?.verb).toBe("describe-branch");
    await expect(a.bisect("y", undefined as never)).rejects.toMatchObject({ code: "INVALID_TEXT" });
    await expect(a.resolve("y", "text", {} as never)).rejects.toMatchObject({
      code: expect.stringMatching(/INVALID|NOT_FOUND/),
    });
    expect(await o.get("h", { scope: "agent/o" })).toBeDefined();
    const empty = await openStore(memoryStorage());
    await empty.session().describeBranch("main", { purpose: "first" });
    expect((await empty.session().branches())[0]).toMatchObject({ name: "main", purpose: "first" });
    expect((await empty.session().diff("main")).added).toEqual([]);
  });
});
