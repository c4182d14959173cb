import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testStore } from "../../test/_worlds.js";
import { verifyProof } from "../core/merkle/proof.js";
import { memoryStorage } from "../storage/index.js";

describe("get", () => {
  test("U21 a bare id resolves in the agent's own scope, then its project, then shared; a named scope wins", async () => {
    const { store } = await testStore();
    const pal = store.session({ agent: "orion", project: "site" });
    for (const scope of ["shared", "project/site", "agent/orion"]) {
      await pal.remember(`In ${scope}`, { id: "same-id", scope });
      expect((await pal.get("same-id"))?.text).toBe(`In ${scope}`);
    }
    expect((await pal.get("same-id", { scope: "shared" }))?.text).toBe("In shared");
    expect(await pal.get("same-id", { scope: "agent/other" })).toBeUndefined();
  });

  test("U22 ids are accepted by 6 or more of their first or last characters; ambiguity lists what the caller sees", async () => {
    const { store } = await testStore();
    const pal = store.session({ agent: "a" });
    const { id } = await pal.remember("generated");
    expect((await pal.get((id as string).slice(-8)))?.id).toBe(id);
    await pal.remember("x", { id: "project-alpha" });
    await pal.remember("y", { id: "project-beta" });
    await store.session({ agent: "b" }).remember("z", { id: "project-gamma", scope: "agent/b" });
    expect((await pal.get("project-a"))?.id).toBe("project-alpha");
    await expect(pal.get("project")).rejects.toMatchObject({
      code: "AMBIGUOUS",
      data: { candidates: ["project-alpha", "project-beta"] },
    });
    expect(await pal.get("beta")).toBeUndefined();
  });

  test("U41 a memory is found by its topic: a whole id wins over a topic, a topic over a part of an id", async () => {
    const { store } = await testStore();
    const pal = store.session({ agent: "a" });
    const other = store.session({ agent: "b" });
    await pal.remember("Tea", { topic: "drink" });
    await pal.remember("Oslo", { topic: "city", id: "where" });
    await other.remember("Water", { topic: "only-b", scope: "agent/b" });
    expect((await pal.get("drink"))?.text).toBe("Tea");
    expect((await pal.get("city"))?.id).toBe("where");
    expect(await pal.get("drink", { exact: true })).toBeUndefined();
    expect(await pal.get("drink", { scope: "agent/a" })).toBeUndefined();
    expect(await pal.get("only-b")).toBeUndefined();
    expect((await other.get("only-b"))?.text).toBe("Water");

    await pal.remember("A part", { id: "drinking-habits" });
    await pal.remember("Milk", { topic: "drinking" });
    expect((await pal.get("drinking"))?.text).toBe("Milk");
    await pal.remember("Whole", { id: "drinking" });
    expect((await pal.get("drinking"))?.text).toBe("Whole");

    const before = (await pal.log())[0]!.commit;
    await pal.transaction(async (tx) => {
      await tx.remember("Coffee", { topic: "drink" });
      expect((await tx.get("drink"))?.text).toBe("Coffee");
    });
    expect((await pal.get("drink", { at: before }))?.text).toBe("Tea");
    expect((await pal.blame("drink")).find(({ field }) => field === "text")?.value).toBe("Coffee");
    expect((await pal.update("drink", { tags: ["hot"] })).verdict).toBe("updated");
    await pal.forget("drink");
    expect(await pal.get("drink")).toBeUndefined();
    await pal.forget("city");
    expect((await pal.history("city")).map(({ text }) => text)).toEqual(["Oslo", undefined]);
    for (const topic of ["with a blank ", "🦊".repeat(200)]) {
      await pal.remember(`About ${topic}`, { topic });
      expect((await pal.get(topic))?.topic).toBe(topic);
      await pal.forget(topic);
      expect((await pal.history(topic)).length).toBe(2);
    }
    expect((await pal.history("drink")).map(({ text }) => text)).toEqual([
      "Tea",
      "Coffee",
      "Coffee",
      undefined,
    ]);
  });

  test("U36 an id that is no text is INVALID_ID for every verb", async () => {
    const { store } = await testStore();
    const pal = store.session();
    for (const id of [undefined, null, 7, true])
      await expect(pal.erase(id as never)).rejects.toMatchObject({ code: "INVALID_ID" });
    for (const id of [undefined, null, 7, {}])
      for (const verb of ["get", "history", "prove", "forget", "update", "observe"] as const)
        await expect(pal[verb](id as never, {} as never)).rejects.toMatchObject({ code: "INVALID_ID" });
  });

  test("U64 what can be no id, topic or part of an id is INVALID_ID for every verb; what is not there is not found", async () => {
    const { store } = await testStore();
    const pal = store.session();
    await pal.remember("Something", { id: "something" });
    const verbs: Record<string, (id: string) => Promise<unknown>> = {
      get: (id) => pal.get(id),
      "get, exact": (id) => pal.get(id, { exact: true }),
      history: (id) => pal.history(id),
      prove: (id) => pal.prove(id),
      blame: (id) => pal.blame(id),
      taint: (id) => pal.taint(id),
      update: (id) => pal.update(id, "Else"),
      forget: (id) => pal.forget(id),
      confirm: (id) => pal.confirm(id),
      source: (id) => pal.source(id),
      links: (id) => pal.links(id),
      vectors: (id) => pal.vectors(id),
      erase: (id) => pal.erase(id),
      "erase, a list": (id) => pal.erase({ ids: ["something", id] }),
    };
    for (const [verb, run] of Object.entries(verbs))
      for (const id of ["", " ", "a\0b", "x".repeat(10_000), "\ud800"]) {
        const { code } = await run(id).then(
          () => ({ code: "none" }),
          (error: { code: string }) => error,
        );
        expect([verb, id.slice(0, 5), code]).toEqual([verb, id.slice(0, 5), "INVALID_ID"]);
      }
    // A sentence of a language without blanks is no id, and asked about all the same.
    expect(await pal.why("記".repeat(400))).toBeDefined();
    expect(await pal.get("not-there")).toBeUndefined();
    await expect(pal.forget("not-there")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(pal.blame("not-there")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(pal.history("not-there")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(pal.erase("not-there")).rejects.toMatchObject({ code: "NOT_FOUND" });
    for (const id of [" x", "a\nb"])
      await expect(pal.erase(id)).rejects.toMatchObject({ code: "INVALID_ID" });
  });

  test("U23 values are frozen all the way down", async () => {
    const { store } = await testStore();
    const pal = store.session();
    await pal.remember("x", { id: "frozen", attributes: { list: [{ deep: 1 }] }, tags: ["t"] });
    const memory = await pal.get("frozen");
    for (const value of [
      memory,
      memory?.attributes,
      memory?.attributes.list,
      memory?.tags,
      memory?.origin,
      memory?.children,
    ])
      expect(Object.isFrozen(value)).toBe(true);
  });

  test("U24 content is equal everywhere and always; the tree hash changes with any leaf below", async () => {
    const [one, two] = [await testStore(), await testStore(memoryStorage(), Date.UTC(2030, 0, 1))];
    const hashes = [];
    for (const { store } of [one, two]) {
      const pal = store.session({ agent: store === one.store ? "a" : "b" });
      await pal.remember({ text: "top", id: "top", type: "note", attributes: { a: 1, b: 2 } });
      await pal.remember({ text: "leaf", id: "leaf", type: "note", parent: "top" });
      hashes.push([(await pal.get("top"))?.content, (await pal.get("top"))?.merkle]);
    }
    expect(hashes[0]).toEqual(hashes[1]);
    const pal = one.store.session();
    const before = await pal.get("top");
    await pal.update("leaf", "leaf, changed");
    const after = await pal.get("top");
    expect([after?.version, after?.content]).toEqual([before?.version, before?.content]);
    expect(after?.merkle).not.toBe(before?.merkle);
  });

  test("U25 another session, and another store on the same storage, sees a commit at its next read", async () => {
    const storage = memoryStorage();
    const { store } = await testStore(storage);
    const { store: other } = await testStore(storage);
    const [pal, twin] = [store.session(), other.session()];
    const { id } = await pal.remember("Seen at once");
    expect((await twin.get(id as string))?.text).toBe("Seen at once");
    await pal.update(id as string, "Changed");
    await new Promise((turn) => setImmediate(turn));
    expect((await twin.get(id as string))?.text).toBe("Changed");
  });
});

describe("list, log, history, stats", () => {
  test("U26 list filters by type, tier, tag, topic, parent and attribute, in the order of creation", async () => {
    const { store } = await testStore();
    const pal = store.session({ trust: "user" });
    await pal.remember("Plan A", { id: "plan-a", type: "note", attributes: { TODO: "APPROVED" } });
    await pal.remember("Plan B", { id: "plan-b", type: "note", attributes: { TODO: "OPEN" }, tags: ["x"] });
    await pal.remember("A rule", { id: "rule", tier: "canon" });
    await pal.remember("A state", { topic: "state" });
    const ids = async (filter: object) => (await pal.list(filter)).map(({ id }) => id);
    expect(await ids({ attributes: { TODO: "APPROVED" } })).toEqual(["plan-a"]);
    expect(await ids({ type: "note" })).toEqual(["plan-a", "plan-b"]);
    expect(await ids({ tag: "x" })).toEqual(["plan-b"]);
    expect(await ids({ tier: "canon" })).toEqual(["rule"]);
    expect((await ids({ topic: "state" })).length).toBe(1);
    expect(await ids({ limit: 2 })).toEqual(["plan-a", "plan-b"]);
    expect(await ids({ type: "nothing" })).toEqual([]);
  });

  test("U27 the past is readable: at a commit or a time every verb answers as it would have then", async () => {
    const { store, clock } = await testStore();
    const pal = store.session();
    const first = await pal.remember("Version 1\n", { id: "versions" });
    clock.now = Date.UTC(2026, 5, 1);
    await pal.update("versions", "Version 2");
    await pal.forget("versions");
    const at = (first.commit as string).slice(0, 9);
    expect(await pal.get("versions", { at })).toMatchObject({ text: "Version 1\n", version: 1 });
    expect((await pal.get("versions", { at: "2026-03-01" }))?.text).toBe("Version 1\n");
    expect(await pal.get("versions", { at: "2026-07-01" })).toBeUndefined();
    expect((await pal.list({ at })).length).toBe(1);
    expect((await pal.log({ at })).length).toBe(1);
    expect((await pal.history("versions", { at })).length).toBe(1);
    expect((await pal.stats({ at })).memories).toBe(1);
    expect((await pal.history("versions")).map(({ text }) => text)).toEqual([
      "Version 1\n",
      "Version 2",
      undefined,
    ]);
    await expect(pal.get("versions", { at: "f".repeat(64) })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(pal.get("versions", { at: "yesterday" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("U28 a commit none of whose events a session sees is not listed, counted or resolved for it", async () => {
    const { store } = await testStore();
    const hidden = await store.session({ agent: "b" }).remember("secret", { scope: "agent/b" });
    const pal = store.session({ agent: "a" });
    await pal.remember("open");
    expect((await pal.log()).length).toBe(1);
    expect(await pal.stats()).toMatchObject({ memories: 1, commits: 1, versions: 1 });
    await expect(pal.list({ at: hidden.commit as string })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const operator = store.session({ agent: "root", scopes: ["*"], clearance: "confidential" });
    expect((await operator.log({ events: true })).map(({ events }) => events?.[0]?.text)).toEqual([
      "open",
      "secret",
    ]);
  });

  test("U89 the data of a commit is read in the log by sessions that may read its message", async () => {
    const { store } = await testStore();
    const meta = { conversation_id: "c-77", turn: { from: 3, to: 4 } };
    const owner = store.session({ agent: "b", trust: "user" });
    await owner.remember("secret", { scope: "agent/b", meta });
    await owner.rememberMany(["open", { text: "secret too", scope: "agent/b" }], { message: "both", meta });
    const pal = store.session({ agent: "a" });
    expect(await pal.log()).toMatchObject([{ message: "both", meta, changes: 1 }]);
    expect((await owner.log()).map((item) => item.meta)).toEqual([meta, meta]);
    expect((await owner.graph()).map((item) => item.meta)).toEqual([meta, meta]);
    await owner.undo();
    expect((await owner.log())[0]?.meta).toEqual({ undoes: expect.stringMatching(/^[0-9a-f]{64}$/) });
    await pal.remember("plain");
    expect((await pal.log())[0]).not.toHaveProperty("meta");
  });

  test("U89 why something waited is not part of it", async () => {
    const { store } = await testStore();
    const owner = store.session({ agent: "b", trust: "user" });
    await owner.remember("Uses Postgres", { id: "db" });
    const { staged } = await store.session({ agent: "a" }).update("db", "Uses MySQL");
    const { commit } = (await owner.review())[0]!;
    expect((await owner.log({ at: commit }))[0]).toMatchObject({ commit, message: expect.any(String) });
    expect((await owner.log({ at: commit }))[0]).not.toHaveProperty("meta");
    await owner.acceptReview(staged as string);
    expect(Object.keys((await owner.log())[0]?.meta ?? {})).toEqual(["accepted", "proposedBy"]);
  });

  test("U29 patterns see what they match and nothing else", async () => {
    const { store } = await testStore();
    const all = store.session({ scopes: ["*"] });
    for (const scope of ["project/a", "project/b", "user/7"])
      await all.remember(`In ${scope}`, { scope, id: "an-id" });
    const projects = store.session({ scopes: ["project/*"] });
    expect((await projects.list()).map(({ scope }) => scope)).toEqual(["project/a", "project/b"]);
    expect((await projects.get("an-id"))?.scope).toBe("project/a");
    expect(await projects.remember("No", { scope: "shared" })).toMatchObject({
      verdict: "rejected",
      code: "SCOPE_NOT_VISIBLE",
    });
    expect((await projects.log()).length).toBe(2);
  });
});

describe("prove", () => {
  test("U30 a proof holds without the store, for what is there and for what is not; an operator's reaches the commit root", async () => {
    const { store } = await testStore();
    const pal = store.session({ agent: "a" });
    await pal.rememberMany(
      Array.from({ length: 200 }, (_, at) => ({ text: `fact ${at}`, id: `fact-${at}` })),
    );
    const proof = await pal.prove("fact-17");
    expect(verifyProof(proof)).toMatchObject({ ok: true, present: true });
    expect(proof.state).toBeUndefined();
    expect(verifyProof(await pal.prove("fact-9999"))).toMatchObject({ ok: true, present: false });
    expect(verifyProof(await pal.prove("fact-17", { scope: "agent/a" }))).toMatchObject({
      ok: true,
      present: false,
    });
    const operator = await store.session({ scopes: ["*"] }).prove("fact-17");
    expect(verifyProof(operator, { root: (await pal.stats()).root })).toMatchObject({
      ok: true,
      present: true,
    });
    expect(verifyProof({ ...proof, memory: proof.memory?.replace("17", "18") })).toMatchObject({ ok: false });
    expect(JSON.stringify(proof).length).toBeLessThan(8192);
  });
});

test("U43 what is there and hidden from a session is not proven absent to it, nor is what was erased", async () => {
  const { store } = await testStore();
  const pal = store.session({ agent: "a" });
  await pal.remember("The vault code is kept by Ann", { id: "hidden", sensitivity: "confidential" });
  await pal.remember("Plain", { id: "plain" });
  const before = (await pal.log())[0]!.commit;
  const low = store.session({ agent: "a", clearance: "private" });
  expect(verifyProof(await low.prove("plain"))).toMatchObject({ ok: true, present: true });
  expect(verifyProof(await low.prove("absent"))).toMatchObject({ ok: true, present: false });
  await expect(low.prove("hidden")).rejects.toMatchObject({ code: "REFUSED" });
  expect(store.damaged).toEqual([]);
  const high = store.session({ agent: "a", clearance: "confidential" });
  expect(verifyProof(await high.prove("hidden"))).toMatchObject({ ok: true, present: true });
  const operator = store.session({ scopes: ["*"], trust: "operator" });
  await operator.erase({ ids: ["plain"] });
  expect(verifyProof(await pal.prove("plain"))).toMatchObject({ ok: true, present: false });
  await expect(pal.prove("plain", { at: before })).rejects.toMatchObject({ code: "ERASED" });
});

test("U41 a whole name that was forgotten wins over a part of another", async () => {
  const { store } = await testStore();
  const pal = store.session({ agent: "a" });
  await pal.remember("Python", { topic: "backend" });
  await pal.forget("backend");
  await pal.remember("Another thing", { id: "backend-2" });
  expect((await pal.history("backend")).map(({ text }) => text)).toEqual(["Python", undefined]);
  expect(await pal.prove("backend")).toMatchObject({ present: false, id: expect.stringMatching(/^topic-/) });
  expect((await pal.history("backend-")).map(({ text }) => text)).toEqual(["Another thing"]);
});

test("U51 a forgotten memory is proven absent by its own id, called by its topic or the short form of its id too", async () => {
  const { store } = await testStore();
  const pal = store.session({ agent: "a" });
  const { id } = await pal.remember("Likes tea");
  const topic = await pal.remember("Drinks no coffee", { topic: "coffee" });
  const past = (await pal.log())[0]!.commit;
  await pal.forget(id!);
  await pal.forget("coffee");
  for (const name of [id!, id!.slice(-8)])
    expect(await pal.prove(name)).toMatchObject({ id, present: false, scope: "shared" });
  expect(await pal.prove("coffee")).toMatchObject({ id: topic.id, present: false });
  expect(await pal.prove("coffee", { at: past })).toMatchObject({ id: topic.id, present: true });
  expect(await pal.prove("never")).toMatchObject({ id: "never", present: false });
  expect(verifyProof(await pal.prove(id!.slice(-8)))).toMatchObject({ ok: true, present: false });
});

describe("damage", () => {
  test("U31 a damaged memory is never returned: get says DAMAGED, list goes on with the rest and store.damaged tells", async () => {
    const storage = memoryStorage();
    const { store } = await testStore(storage);
    const whole = await store.session().remember("whole", { id: "whole-one" });
    const broken = await store.session().remember("broken", { id: "broken-one" });
    const { getMany } = storage;
    storage.getMany = async (hashes) => {
      const found = await getMany.call(storage, hashes);
      const bytes = found.get(broken.hash as never);
      if (bytes)
        found.set(
          broken.hash as never,
          Uint8Array.from(bytes, (byte, at) => (at === 10 ? byte ^ 1 : byte)),
        );
      return found;
    };
    const { store: fresh } = await testStore(storage);
    const pal = fresh.session();
    await expect(pal.get("broken-one")).rejects.toMatchObject({ code: "DAMAGED" });
    expect((await pal.list()).map(({ hash }) => hash)).toEqual([whole.hash]);
    expect(fresh.damaged).toEqual([broken.hash]);
    expect((await pal.get("whole-one"))?.text).toBe("whole");
  });
});

describe("what was forgotten", () => {
  test("U34 the history of a forgotten memory is found by a part of its id too, but only by those who could see it", async () => {
    const { store } = await testStore();
    const pal = store.session({ agent: "a" });
    const { id } = await pal.remember("Gone soon");
    await pal.forget(id as string);
    expect((await pal.history((id as string).slice(-8))).length).toBe(2);
    const other = store.session({ agent: "b", scopes: ["agent/b"] });
    await expect(other.history((id as string).slice(-8))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("U40 a parent read twice does not count a child that has ended meanwhile", async () => {
    const { store, clock } = await testStore();
    const pal = store.session({ agent: "ann" });
    await pal.remember({ id: "parent", type: "note", text: "Parent" });
    await pal.remember({ id: "child", type: "note", text: "Child", parent: "parent", ttl: 60_000 });
    expect((await pal.get("parent"))?.children).toEqual(["child"]);
    clock.now += 61_000;
    expect((await pal.get("parent"))?.children).toEqual([]);
  });
});

describe("who said it", () => {
  test("RC75 a message names its speaker, who stays when others edit it; it is found by the name and comes back from an export", async () => {
    const { store } = await testStore();
    const pal = store.session({ agent: "orion", trust: "user" });
    const { id } = await pal.remember("The boiler was serviced", { type: "message", speaker: "Ann" });
    const said = id as string;
    await pal.update(said, { text: "The boiler was serviced in May" });
    expect((await pal.get(said))?.origin.actor).toBe("Ann");
    await pal.remember("The boiler is old", { type: "message" });
    expect((await pal.search("what did Ann say of the boiler")).hits[0]?.id).toBe(said);
    await expect(pal.update(said, { speaker: "Bob" } as never)).rejects.toThrow("never changes");
    const other = (await testStore()).store.session({ agent: "lyra", trust: "user" });
    const folder = mkdtempSync(join(tmpdir(), "pal-said-"));
    let lines = "";
    for await (const part of (await pal.export({ format: "jsonl" })).parts) lines += part;
    writeFileSync(join(folder, "all.jsonl"), lines);
    await other.import(join(folder, "all.jsonl"));
    expect((await other.get(said))?.origin.actor).toBe("Ann");
  });
});
