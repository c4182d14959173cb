import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { testStore } from "../../test/_worlds.js";
import { PalimpsestError } from "../core/base/errors.js";
import { memoryStorage } from "../storage/index.js";
import type { Transaction } from "./transaction.js";

const world = async () => {
  const made = await testStore();
  return { ...made, pal: made.store.session({ agent: "orion" }) };
};

describe("remember", () => {
  test("U1 a new text is accepted, in `shared`, with id, version 1, hash and commit, and is there in the next read", async () => {
    const { pal } = await world();
    const verdict = await pal.remember("Prefers Python for backend work");
    expect(verdict).toMatchObject({ verdict: "accepted", scope: "shared", version: 1, branch: "main" });
    const memory = await pal.get(verdict.id as string);
    expect(memory).toMatchObject({
      text: "Prefers Python for backend work",
      hash: verdict.hash,
      commit: verdict.commit,
    });
    expect(memory).toMatchObject({
      type: "fact",
      tier: "register",
      confidence: 1,
      lifetime: "permanent",
      sensitivity: "normal",
    });
    expect(memory?.origin).toEqual({ source: "tool", channel: "library", trust: "agent", actor: "orion" });
    expect(memory?.lastSync).toBe(memory?.updatedAt);
  });

  test("U2 one live record per scope and topic: the second write renews the first and says what it replaced", async () => {
    const { pal } = await world();
    const first = await pal.remember("Uses Postgres", { topic: "database", tags: ["infra"] });
    const second = await pal.remember("Uses SQLite", { topic: "database" });
    expect(second).toMatchObject({ verdict: "updated", id: first.id, version: 2, replaced: first.hash });
    expect(await pal.list()).toMatchObject([{ text: "Uses SQLite", tags: ["infra"], topic: "database" }]);
    expect(await pal.remember("Uses SQLite", { topic: "database" })).toMatchObject({
      verdict: "duplicate",
      of: first.id,
    });
    expect((await pal.log()).length).toBe(2);
    const elsewhere = await pal.remember("Uses Redis", { topic: "database", scope: "agent/orion" });
    expect(elsewhere).toMatchObject({ verdict: "accepted", id: first.id, scope: "agent/orion" });
  });

  test("U3 a topic held under a caller's id is renewed there; another id cannot take it; a topic never changes", async () => {
    const { pal } = await world();
    await pal.remember("Uses npm", { id: "tooling", topic: "packages" });
    expect(await pal.remember("Uses pnpm", { topic: "packages" })).toMatchObject({
      verdict: "updated",
      id: "tooling",
    });
    expect(await pal.remember("Uses yarn", { id: "other", topic: "packages" })).toMatchObject({
      verdict: "rejected",
      code: "TOPIC_TAKEN",
    });
    expect(await pal.remember("Uses bun", { id: "tooling", topic: "else" })).toMatchObject({
      verdict: "rejected",
      code: "TOPIC_FIXED",
    });
    await expect(pal.update("tooling", { topic: "else" } as never)).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
  });

  test("U4 a triple without a text gets a readable sentence", async () => {
    const { pal } = await world();
    const { id } = await pal.remember({ triple: { subject: "Ada", predicate: "works_at", object: "Acme" } });
    expect((await pal.get(id as string))?.text).toBe("Ada works at Acme");
    await pal.update(id as string, { triple: { subject: "Ada", predicate: "worksAt", object: "Initech" } });
    expect((await pal.get(id as string))?.text).toBe("Ada works at Initech");
    await pal.update(id as string, "Ada left Initech");
    expect(await pal.get(id as string)).toMatchObject({ text: "Ada left Initech" });
    expect((await pal.get(id as string))?.triple).toBeUndefined();
  });

  test("U5 many at once: one verdict per item in input order, one bad item never stops the rest, one commit per 1,000", async () => {
    const { pal } = await world();
    const items = [
      ...Array.from({ length: 1500 }, (_, at) => `fact ${at}`),
      "",
      { text: 7 as never },
      "x".repeat(1201),
      { text: "ok", id: "last-one" },
    ];
    const progress: number[] = [];
    const verdicts = await pal.rememberMany(items, { onProgress: (done) => progress.push(done) });
    expect(verdicts.map(({ verdict }) => verdict).slice(1498)).toEqual([
      "accepted",
      "accepted",
      "rejected",
      "rejected",
      "rejected",
      "accepted",
    ]);
    expect(verdicts[1500]).toMatchObject({ code: "INVALID_TEXT", check: "shape" });
    expect(verdicts[1502]).toMatchObject({
      code: "TOO_LONG",
      check: "length",
      reason: expect.stringContaining("too long"),
    });
    expect(progress).toEqual([1000, 1504]);
    expect((await pal.log()).map(({ changes }) => changes)).toEqual([501, 1000]);
  });

  test("U6 a dry run judges for real and writes nothing", async () => {
    const { pal, store } = await world();
    expect(await pal.remember("Maybe", { dryRun: true })).toMatchObject({ verdict: "accepted" });
    expect(await pal.remember("x".repeat(2000), { dryRun: true })).toMatchObject({ verdict: "rejected" });
    expect(await store.exists()).toBe(false);
    expect(await pal.list()).toEqual([]);
  });

  test("U7 trust is the least of door, source and what it was derived from; canon needs a user's trust", async () => {
    const { store } = await testStore();
    const agent = store.session({ agent: "bot" });
    const person = store.session({ agent: "ada", trust: "user", channel: "terminal" });
    expect(await agent.remember("Be kind", { tier: "canon" })).toMatchObject({
      verdict: "rejected",
      code: "TIER_NOT_ALLOWED",
    });
    expect(await person.remember("Be kind", { tier: "canon" })).toMatchObject({ verdict: "accepted" });
    const weak = await agent.remember("Seen on a page", { source: "import" });
    const derived = await person.remember("So it is", { derivedFrom: [weak.hash as never] });
    expect((await person.get(derived.id as string))?.origin.trust).toBe("external");
    const unknown = await person.remember("Who knows", { derivedFrom: ["0".repeat(64) as never] });
    expect((await person.get(unknown.id as string))?.origin.trust).toBe("external");
  });

  test("U8 a sensitive record is salted once and keeps its salt; a hidden holder answers without detail", async () => {
    const { store } = await testStore();
    const high = store.session({ agent: "a", clearance: "confidential" });
    const low = store.session({ agent: "b", clearance: "normal" });
    await high.remember("The PIN is in the safe", { id: "the-pin", sensitivity: "confidential" });
    const first = await high.get("the-pin");
    expect(first?.salt).toMatch(/^[0-9a-f]{32}$/);
    await high.update("the-pin", "The PIN is in the drawer");
    expect((await high.get("the-pin"))?.salt).toBe(first?.salt);
    expect(await low.get("the-pin")).toBeUndefined();
    const verdict = await low.remember("Mine", { id: "the-pin" });
    expect(verdict).toMatchObject({ verdict: "quarantined", code: "HIDDEN_HOLDER" });
    expect(JSON.stringify(verdict)).not.toContain("PIN");
    await expect(low.update("the-pin", "x y")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(low.forget("the-pin")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("update", () => {
  test("U9 only what is named changes; null removes; attributes change key by key", async () => {
    const { pal } = await world();
    await pal.remember("Plan", {
      id: "plan",
      type: "note",
      attributes: { TODO: "OPEN", TITLE: "Plan" },
      category: "work",
      tags: ["a"],
    });
    await pal.update("plan", { attributes: { TODO: "DONE" }, category: null });
    const memory = await pal.get("plan");
    expect(memory).toMatchObject({
      text: "Plan",
      attributes: { TODO: "DONE", TITLE: "Plan" },
      tags: ["a"],
      version: 2,
    });
    expect(memory?.category).toBeUndefined();
    expect(await pal.update("plan", { attributes: { TODO: "DONE" } })).toMatchObject({
      verdict: "duplicate",
    });
    expect(await pal.update("plan", { type: "fact" })).toMatchObject({
      verdict: "rejected",
      code: "LANE_FIXED",
    });
  });

  test("U10 with ifHash of an older version nothing is lost: what both changed is contested, the rest is merged", async () => {
    const { store } = await testStore();
    const ann = store.session({ agent: "ann" });
    const bob = store.session({ agent: "bob" });
    const { hash } = await ann.remember("Meet on Monday", { id: "meeting", tags: ["a"] });
    await ann.update("meeting", { text: "Meet on Tuesday" }, { ifHash: hash as string });
    const verdict = await bob.update(
      "meeting",
      { text: "Meet on Friday", tags: ["a", "b"] },
      { ifHash: hash as string },
    );
    expect(verdict).toMatchObject({ verdict: "updated", contested: ["text"] });
    const memory = await bob.get("meeting");
    expect(memory?.tags).toEqual(["a", "b"]);
    expect(memory?.contested?.text?.base).toBe("Meet on Monday");
    expect(memory?.contested?.text?.terms.map(({ value }) => value).sort()).toEqual([
      "Meet on Friday",
      "Meet on Tuesday",
    ]);
    await bob.update("meeting", { text: "Meet on Friday" });
    expect((await bob.get("meeting"))?.contested).toBeUndefined();
    expect(await bob.update("meeting", "x y", { ifHash: "f".repeat(64) })).toMatchObject({
      verdict: "rejected",
      code: "UNKNOWN_VERSION",
    });
  });

  test("U35 editing a message keeps who said it, in which conversation and turn", async () => {
    const { store } = await testStore();
    const ann = store.session({ agent: "ann", sessionId: "talk" });
    await ann.remember("Helo", { id: "said-it", type: "message", turn: 3 });
    await store.session({ agent: "bob" }).update("said-it", { text: "Hello", type: undefined } as never);
    expect((await ann.get("said-it"))?.origin).toMatchObject({ actor: "ann", session: "talk", turn: 3 });
  });

  test("U11 without ifHash the last writer wins, and its verdict says what it replaced", async () => {
    const { pal } = await world();
    const first = await pal.remember("A", { id: "letter" });
    expect(await pal.update("letter", "B")).toMatchObject({
      verdict: "updated",
      replaced: first.hash,
      version: 2,
    });
  });
});

describe("forget", () => {
  test("U12 forgotten is gone from now on and still in history; written again it counts on", async () => {
    const { pal } = await world();
    await pal.remember("Short-lived", { id: "fleeting" });
    expect(await pal.forget("fleeting", { reason: "no longer true" })).toMatchObject({
      verdict: "accepted",
      version: 2,
    });
    expect(await pal.get("fleeting")).toBeUndefined();
    await expect(pal.forget("fleeting")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await pal.history("fleeting")).map(({ op, version }) => [op, version])).toEqual([
      ["add", 1],
      ["forget", 2],
    ]);
    expect((await pal.log())[0]?.reasons).toEqual(["no longer true"]);
    expect(await pal.remember("Back", { id: "fleeting" })).toMatchObject({ verdict: "accepted", version: 3 });
  });

  test("U13 children move up into the place of a forgotten parent, in order; with tree they go along", async () => {
    const { pal } = await world();
    const note = (id: string, parent?: string) =>
      pal.remember({ text: id, id, type: "note", ...(parent && { parent }) });
    for (const [id, parent] of [
      ["root"],
      ["one", "root"],
      ["two", "root"],
      ["three", "root"],
      ["two-a", "two"],
      ["two-b", "two"],
    ] as const)
      await note(id, parent);
    await pal.forget("two");
    expect((await pal.get("root"))?.children).toEqual(["one", "two-a", "two-b", "three"]);
    await pal.forget("root");
    expect((await pal.get("two-a"))?.parent).toBeUndefined();
    await note("top");
    await note("below", "top");
    await note("deep", "below");
    await pal.forget("top", { tree: true });
    expect((await pal.list()).map(({ id }) => id).sort()).toEqual(["one", "three", "two-a", "two-b"]);
  });

  test("U80 several are forgotten by one call: one verdict per id in input order, one that is not found or means several never stops the rest, one commit per 1,000, undone at once", async () => {
    const { pal } = await world();
    const ids = ["alpha-one", "alpha-two", "beta-one", "beta-two"];
    for (const id of ids) await pal.remember({ text: id, id, type: "note" });
    await pal.remember({ text: "below", id: "below-beta", type: "note", parent: "beta-one" });
    const before = (await pal.log()).length;
    const given = ["alpha-one", "nobody-knows", "alpha-", 7 as never, "beta-one", "alpha-one"];
    const rehearsed = await pal.forgetMany(given, { dryRun: true });
    expect(rehearsed.map(({ verdict }) => verdict)).toEqual(
      "accepted rejected rejected rejected accepted rejected".split(" "),
    );
    expect((await pal.log()).length).toBe(before);
    const verdicts = await pal.forgetMany(given, { reason: "Tidying", message: "Spring" });
    expect(verdicts.map(({ verdict, code, id }) => [verdict, code ?? id])).toEqual([
      ["accepted", "alpha-one"],
      ["rejected", "NOT_FOUND"],
      ["rejected", "AMBIGUOUS"],
      ["rejected", "INVALID_ID"],
      ["accepted", "beta-one"],
      ["rejected", "NOT_FOUND"],
    ]);
    expect(verdicts[1]).toMatchObject({ check: "id", reason: expect.stringContaining("nobody-knows") });
    expect(new Set(verdicts.flatMap(({ commit }) => commit ?? [])).size).toBe(1);
    const [newest, ...older] = await pal.log();
    expect(older.length).toBe(before);
    expect(newest).toMatchObject({ message: "Spring", reasons: ["Tidying"], changes: 3 });
    expect((await pal.list()).map(({ id }) => id)).toEqual(["alpha-two", "beta-two", "below-beta"]);
    expect(await pal.snapshots()).toMatchObject([{ before: "forget many" }]);
    await pal.undo();
    expect((await pal.list()).length).toBe(5);
    expect(await pal.forgetMany([])).toEqual([]);
  });

  test("U14 a dangling parent, a cycle and a parent in another scope are refused", async () => {
    const { pal } = await world();
    const note = { type: "note", text: "n" };
    expect(await pal.remember({ ...note, parent: "nowhere" })).toMatchObject({
      verdict: "rejected",
      code: "PARENT_MISSING",
    });
    await pal.remember({ ...note, id: "mother" });
    await pal.remember({ ...note, id: "child1", parent: "mother" });
    expect(await pal.update("mother", { parent: "child1" })).toMatchObject({
      verdict: "rejected",
      code: "PARENT_CYCLE",
    });
    expect(await pal.update("mother", { parent: "mother" })).toMatchObject({
      verdict: "rejected",
      code: "PARENT_CYCLE",
    });
    expect(await pal.remember({ ...note, scope: "agent/orion", parent: "mother" })).toMatchObject({
      code: "PARENT_MISSING",
    });
    expect(await pal.update("child1", { parent: null })).toMatchObject({ verdict: "updated" });
    expect((await pal.get("mother"))?.children).toEqual([]);
  });
});

describe("observe", () => {
  test("U15 a new text is noted with low confidence; each further voice raises it once; the text is one memory", async () => {
    const { pal, store } = await world();
    const text = "The build takes nine minutes";
    const { id = "" } = await pal.observe(text);
    expect(await pal.get(id)).toMatchObject({ type: "observation", confidence: 0.5 });
    expect(await pal.observe(text)).toMatchObject({ verdict: "updated", id });
    expect((await pal.get(id))?.confidence).toBe(0.65);
    expect(await pal.observe(id, { confidence: 0.8 })).toMatchObject({ verdict: "duplicate", of: id });
    expect(await pal.observe(id, { evidence: "seen on a slow day" })).toMatchObject({ verdict: "updated" });
    expect(await pal.get(id)).toMatchObject({ confidence: 0.65, origin: { evidence: "seen on a slow day" } });
    await store.session({ agent: "orion", sessionId: "another" }).observe(id, { confidence: 0.8 });
    expect((await pal.get(id))?.confidence).toBe(0.93);
    expect((await pal.history(id)).map(({ op }) => op)).toEqual(Array(4).fill("observe"));
    await expect(pal.observe("unknown-id")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("U15 of many at once, in one transaction or not, one voice counts once; a dry run does not", async () => {
    const { pal, store } = await world();
    const { id = "" } = await pal.remember("The build takes nine minutes", { confidence: 0.5 });
    expect(await pal.observe(id, { dryRun: true })).toMatchObject({ verdict: "updated" });
    await Promise.all(Array.from({ length: 9 }, () => pal.observe(id)));
    expect((await pal.get(id))?.confidence).toBe(0.65);
    const other = store.session({ agent: "orion", sessionId: "another" });
    await other.transaction(async (tx) => {
      await tx.observe(id);
      await tx.observe(id);
    });
    await other.observe(id);
    expect((await pal.get(id))?.confidence).toBe(0.755);
  });
});

describe("lifetimes", () => {
  test("U16 what has expired is gone at its time without a write; a session's memories end with it", async () => {
    const { store, clock } = await testStore();
    const pal = store.session({ agent: "a", sessionId: "s1" });
    const twin = store.session({ agent: "a", sessionId: "s1" });
    await pal.remember("Soon gone", { id: "soon-gone", ttl: 1000 });
    await pal.remember("For this session", { id: "for-session", lifetime: "session" });
    expect((await pal.get("soon-gone"))?.lifetime).toBe("temporary");
    clock.now += 5000;
    expect(await pal.get("soon-gone")).toBeUndefined();
    await expect(pal.update("soon-gone", "x y")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await pal.remember("Anew", { id: "soon-gone" })).toMatchObject({
      verdict: "accepted",
      version: 2,
    });
    await twin.close();
    expect(await pal.get("for-session")).toBeDefined();
    await pal.close();
    expect(await store.session({ agent: "a" }).get("for-session")).toBeUndefined();
    await expect(store.session().remember("x y", { lifetime: "session" })).rejects.toMatchObject({
      code: "SESSION_REQUIRED",
    });
  });
});

describe("transaction", () => {
  test("U17 several writes are one commit, see each other, and are all undone when the function throws", async () => {
    const { pal } = await world();
    const result = await pal.transaction(
      async (tx) => {
        const { id } = await tx.remember("First", { type: "note" });
        await tx.remember({ text: "Below it", type: "note", parent: id as string, id: "below-it" });
        await tx.update("below-it", "Below it, edited");
        expect((await tx.get("below-it"))?.text).toBe("Below it, edited");
        return id;
      },
      { message: "Three steps" },
    );
    expect(result.verdicts.map(({ verdict, commit }) => [verdict, commit])).toEqual([
      ["accepted", result.commit],
      ["accepted", result.commit],
      ["updated", result.commit],
    ]);
    expect((await pal.get(result.value as string))?.children).toEqual(["below-it"]);
    expect(await pal.log()).toMatchObject([{ message: "Three steps", changes: 3 }]);
    await expect(
      pal.transaction(async (tx) => {
        await tx.forget("below-it");
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    expect(await pal.get("below-it")).toBeDefined();
    expect((await pal.log()).length).toBe(1);
  });
});

describe("transactions that meet other writers", () => {
  test("U37 steps that are not waited for still run one after the other", async () => {
    const { pal } = await world();
    const { verdicts } = await pal.transaction((tx) =>
      Promise.all([tx.remember("One", { topic: "same" }), tx.remember("Two", { topic: "same" })]),
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["accepted", "updated"]);
    expect((await pal.list()).map(({ text }) => text)).toEqual(["Two"]);
  });

  test("U38 when the head moved meanwhile, or a step failed, the steps are judged again on the new head", async () => {
    const { store, pal } = await world();
    const other = store.session({ agent: "other" });
    const { verdicts } = await pal.transaction(async (tx) => {
      const provisional = await tx.remember("Mine", { topic: "contended" });
      expect(provisional.verdict).toBe("accepted");
      await tx.forget("not-there").catch(() => undefined);
      await other.remember("Theirs", { topic: "contended" });
    });
    expect(verdicts).toMatchObject([{ verdict: "updated", version: 2 }]);
    expect((await store.verify()).problems).toEqual([]);
  });

  test("U61 the verbs of a transaction refuse options that they do not know", async () => {
    const { pal } = await world();
    await pal.remember("Here", { id: "here-it-is" });
    const refused = async (call: (tx: Transaction) => Promise<unknown>) => {
      const done = pal.transaction((tx) => call(tx));
      await expect(done).rejects.toMatchObject({ code: "INVALID_FIELD" });
    };
    await refused((tx) => tx.update("here-it-is", "There", { ifhash: "x" } as never));
    await refused((tx) => tx.forget("here-it-is", { scop: "shared" } as never));
    await refused((tx) => tx.get("here-it-is", { scop: "shared" } as never));
    await expect(pal.health({ bogus: 1 } as never)).rejects.toMatchObject({ code: "INVALID_FIELD" });
    expect((await pal.get("here-it-is"))?.version).toBe(1);
  });

  test("U38 steps that are judged again write what was given when they were called", async () => {
    const { store, pal } = await world();
    await pal.remember("Here", { id: "here-it-is" });
    const change = { text: "As it was told" };
    const evidence = { tags: ["first"] };
    await pal.transaction(async (tx) => {
      await tx.update("here-it-is", change);
      await tx.observe("Seen from afar", evidence);
      [change.text, evidence.tags] = ["As it became", ["later"]];
      await store.session({ agent: "other" }).remember("Meanwhile");
    });
    expect((await pal.get("here-it-is"))?.text).toBe("As it was told");
    expect((await pal.list({ tag: "first" })).length).toBe(1);
  });

  test("U44 a short write waits for the long one at work when it came, and not for the next", async () => {
    const { pal } = await world();
    const many = (name: string) =>
      pal.rememberMany(Array.from({ length: 200 }, (_, at) => ({ text: `${name} ${at}`, type: "note" })));
    const first = many("First");
    await nextTurn();
    const short = pal.remember("In between");
    const second = many("Second");
    const { commit } = (await short) as { commit?: string };
    expect((await pal.log({ limit: 1 }))[0]?.commit).toBe(commit);
    await Promise.all([first, second]);
    expect((await pal.log({ limit: 3 })).map(({ changes }) => changes)).toEqual([200, 1, 200]);
  });

  test("U42 what was begun in a transaction belongs to it; a call after its end is refused and writes nothing", async () => {
    const { pal } = await world();
    let kept: Transaction | undefined;
    const { verdicts } = await pal.transaction((tx) => {
      kept = tx;
      void tx.remember("Begun and not waited for").then(() => tx.remember("And what follows from it"));
    });
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["accepted", "accepted"]);
    const failed = pal.transaction(async (tx) => {
      kept = tx;
      throw new Error("on purpose");
    });
    const isRefused = async () => {
      const late = kept as Transaction;
      for (const call of [
        () => late.remember("Late"),
        () => late.update("x", "Late"),
        () => late.forget("x"),
        () => late.observe("Late"),
        () => late.get("x"),
      ])
        await expect(call()).rejects.toMatchObject({
          code: "CLOSED",
          message: expect.stringMatching(/ended/),
        });
    };
    await expect(failed).rejects.toThrow("on purpose");
    await isRefused();
    await pal.transaction((tx) => {
      kept = tx;
    });
    await isRefused();
    expect((await pal.list()).map(({ text }) => text).sort()).toEqual([
      "And what follows from it",
      "Begun and not waited for",
    ]);
  });
});

describe("the writer queue", () => {
  test("U32 a write that arrives at any moment of another write's life is never left waiting", async () => {
    const { pal } = await world();
    for (let delay = 0; delay < 80; delay++) {
      const first = pal.remember(`first ${delay}`);
      for (let turn = 0; turn < delay; turn++) await undefined;
      await Promise.all([first, pal.remember(`second ${delay}`)]);
    }
    expect((await pal.stats()).memories).toBe(160);
  });

  test("U33 queued writes see each other: one topic named by all of them is one memory", async () => {
    const { pal } = await world();
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, at) => pal.remember(`take ${at}`, { topic: "take" })),
    );
    expect(verdicts.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    expect(new Set(verdicts.map(({ commit }) => commit)).size).toBe(20);
    expect((await pal.list()).length).toBe(1);
  });
});

describe("bad input", () => {
  const bad: [string, unknown, string][] = [
    ["empty text", "", "INVALID_TEXT"],
    ["blank text", " \u200b\n", "INVALID_TEXT"],
    ["control characters", "bell \u0007", "INVALID_TEXT"],
    ["a lone surrogate", "half \ud800", "INVALID_TEXT"],
    ["NaN", { text: "x", confidence: Number.NaN }, "INVALID_FIELD"],
    ["Infinity in attributes", { text: "x", attributes: { n: Number.POSITIVE_INFINITY } }, "INVALID_VALUE"],
    ["__proto__", { text: "x", attributes: JSON.parse('{"__proto__": 1}') }, "INVALID_VALUE"],
    ["an id with NUL", { text: "x", id: "a\u0000b" }, "INVALID_ID"],
    ["an id of 10,000 characters", { text: "x", id: "i".repeat(10_000) }, "INVALID_ID"],
    ["a scope outside the grammar", { text: "x", scope: "../etc" }, "INVALID_SCOPE"],
    ["an unknown field", { text: "x", colour: "red" }, "INVALID_FIELD"],
    ["no text at all", {}, "INVALID_TEXT"],
  ];
  test.each(bad)(
    "U18 %s is a typed error with a hint, and the state before is the state after",
    async (_, input, code) => {
      const { pal } = await world();
      await pal.remember("There before", { id: "before" });
      const { root } = await pal.stats();
      await expect(pal.remember(input as never)).rejects.toMatchObject({
        code,
        hint: expect.stringMatching(/\.$/),
      });
      expect((await pal.stats()).root).toBe(root);
    },
  );
  test("A6 a getter or a proxy that throws is INVALID_VALUE for every verb that takes a memory, and nothing is written", async () => {
    const { store } = await testStore();
    const pal = store.session();
    await pal.remember("There before", { id: "there" });
    const fail = (): never => {
      throw new Error("mine");
    };
    const late = (times: number) => () => (times-- > 0 ? "x" : fail());
    const inputs: (() => object)[] = [
      () => Object.defineProperty({}, "text", { enumerable: true, get: fail }),
      () => ({ text: "x", attributes: Object.defineProperty({}, "EMBED", { enumerable: true, get: fail }) }),
      () => ({ text: "x", tags: new Proxy([], { get: fail }) }),
      () => new Proxy({}, { ownKeys: fail, get: fail, has: fail }),
      ...[1, 2, 3, 4, 5].map((times) => () => ({
        text: "x",
        attributes: Object.defineProperty({}, "a", { enumerable: true, get: late(times) }),
      })),
    ];
    for (const make of inputs) {
      const tries = [
        () => pal.remember(make()),
        () => pal.remember("x", make()),
        () => pal.update("there", make()),
        () => pal.observe("some new observation", make()),
        () => pal.transaction((tx) => tx.remember(make())),
        () => pal.transaction((tx) => tx.update("there", make())),
        () => pal.rememberMany([make() as never]),
      ];
      for (const attempt of tries) {
        const thrown = await attempt().catch((error: unknown) => error);
        if (thrown instanceof Error) expect(thrown).toBeInstanceOf(PalimpsestError);
      }
    }
    for (const make of inputs.slice(0, 4))
      await expect(pal.remember(make())).rejects.toMatchObject({ code: "INVALID_VALUE" });
    expect(await pal.get("there")).toBeDefined();
  });

  test("U63 what would have ended before it was written is INVALID_FIELD, and the state before is the state after", async () => {
    const { store } = await testStore();
    const pal = store.session();
    await pal.remember("Stays as it is", { id: "there" });
    const past = "2001-01-01T00:00:00Z";
    const refused = { code: "INVALID_FIELD", hint: expect.stringContaining("time to come") };
    await expect(pal.remember("Gone", { lifetime: "temporary", expiresAt: past })).rejects.toMatchObject(
      refused,
    );
    await expect(pal.remember("Gone", { ttl: 0.2 })).rejects.toMatchObject(refused);
    await expect(pal.remember("Gone", { id: "there", expiresAt: past })).rejects.toMatchObject(refused);
    await expect(pal.update("there", { expiresAt: past })).rejects.toMatchObject(refused);
    await expect(pal.observe("It is gone again", { expiresAt: past })).rejects.toMatchObject(refused);
    expect(await pal.rememberMany([{ text: "Gone", expiresAt: past }, "Kept"])).toMatchObject([
      { verdict: "rejected", code: "INVALID_FIELD" },
      { verdict: "accepted" },
    ]);
    expect((await pal.get("there"))?.version).toBe(1);
    expect((await pal.update("there", { expiresAt: "2999-01-01T00:00:00Z" })).verdict).toBe("updated");
  });

  test("A160 a tier for a document that is there is INVALID_FIELD, by its id alone too", async () => {
    const { store } = await testStore();
    const pal = store.session({ trust: "user" });
    await pal.remember({ id: "note", type: "note", text: "A note" });
    const refused = { code: "INVALID_FIELD" };
    await expect(pal.remember({ id: "note", text: "Another", tier: "canon" })).rejects.toMatchObject(refused);
    await expect(pal.update("note", { tier: "canon" })).rejects.toMatchObject(refused);
  });

  test("U18 a cyclic value is a typed error", async () => {
    const { pal } = await world();
    const attributes: Record<string, unknown> = {};
    attributes.self = attributes;
    await expect(pal.remember({ text: "x", attributes: attributes as never })).rejects.toMatchObject({
      code: "INVALID_VALUE",
    });
  });
  test("U19 a full disk, or any failure of the store, is a typed error and the state before is the state after", async () => {
    const storage = memoryStorage();
    const { store } = await testStore(storage);
    const pal = store.session();
    await pal.remember("There before", { id: "before" });
    const { transact } = storage;
    const { PalimpsestError } = await import("../core/base/errors.js");
    storage.transact = async () => {
      throw new PalimpsestError("STORE_FULL", "The disk is full.");
    };
    const failed = await Promise.allSettled([
      pal.remember("one"),
      pal.update("before", "changed"),
      pal.forget("before"),
    ]);
    expect(failed.map((result) => (result as PromiseRejectedResult).reason?.code)).toEqual([
      "STORE_FULL",
      "STORE_FULL",
      "STORE_FULL",
    ]);
    storage.transact = transact;
    expect(await pal.list()).toMatchObject([{ id: "before", text: "There before" }]);
    expect((await pal.remember("works again")).verdict).toBe("accepted");
  });
  test("U20 after close every verb answers CLOSED", async () => {
    const { store, pal } = await world();
    await store.close();
    await expect(pal.remember("late")).rejects.toMatchObject({ code: "CLOSED" });
    await expect(pal.get("late")).rejects.toMatchObject({ code: "CLOSED" });
  });
});

describe("a writer that was alone for a while", () => {
  test("U39 still sees what another process committed: no verdict rests on a head that has moved", async () => {
    const storage = memoryStorage();
    const { store } = await testStore(storage);
    const { store: other } = await testStore(storage, Date.UTC(2026, 3, 1));
    const [pal, twin] = [store.session({ agent: "a" }), other.session({ agent: "b" })];
    for (let at = 0; at < 10; at++) await pal.remember(`alone ${at}`);
    await twin.remember("Theirs", { id: "of-theirs" });
    expect(await pal.update("of-theirs", "Changed")).toMatchObject({ verdict: "updated", version: 2 });
    for (let at = 0; at < 10; at++) await pal.remember(`alone again ${at}`);
    await twin.remember("Taken", { topic: "shared-topic" });
    expect(await pal.remember("Taken", { topic: "shared-topic" })).toMatchObject({ verdict: "duplicate" });
    for (let at = 0; at < 10; at++) await pal.remember(`once more ${at}`);
    await twin.forget("of-theirs");
    await expect(pal.forget("of-theirs")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await store.verify()).problems).toEqual([]);
  });
});
