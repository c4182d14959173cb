import { describe, expect, test } from "vitest";
import { testStore } from "../../test/_worlds.js";

const world = async () => {
  const { store } = await testStore();
  const scopes = ["shared", "agent/orion", "project/site"];
  return { store, pal: store.session({ agent: "orion", scopes, trust: "user" }) };
};
const places = async (pal: Awaited<ReturnType<typeof world>>["pal"]) =>
  (await pal.list())
    .map(({ scope, id, parent }) => [scope, id, ...(parent === undefined ? [] : [parent])].join(" "))
    .sort();

describe("move", () => {
  test("U81 a memory moves to another scope under its id: forgotten there and added here, in one commit that undo takes back", async () => {
    const { pal } = await world();
    const input = {
      topic: "database",
      tags: ["infra"],
      sensitivity: "private",
      scope: "agent/orion",
    } as const;
    const { id } = await pal.remember("Uses Postgres", input);
    const before = (await pal.log()).length;
    expect(await pal.move("database", "shared", { dryRun: true })).toMatchObject({ verdict: "accepted" });
    const moved = await pal.move("database", "shared", { message: "For everybody" });
    expect(moved).toMatchObject({ verdict: "accepted", id, scope: "shared", version: 1, branch: "main" });
    expect(await pal.get(id as string, { scope: "agent/orion" })).toBeUndefined();
    const memory = await pal.get(id as string);
    expect(memory).toMatchObject({ scope: "shared", topic: "database", tags: ["infra"], hash: moved.hash });
    expect(memory).toMatchObject({ sensitivity: "private", commit: moved.commit });
    const log = await pal.log();
    expect([log.length - before, log[0]?.message, log[0]?.changes]).toEqual([1, "For everybody", 2]);
    expect((await pal.history(id as string, { scope: "agent/orion" })).map(({ op }) => op)).toEqual([
      "add",
      "forget",
    ]);
    await pal.undo();
    expect(await places(pal)).toEqual([`agent/orion ${id}`]);
    expect(await pal.move(id as string, "agent/orion")).toMatchObject({ verdict: "duplicate", of: id });
    expect((await pal.move(id as string, "agent/orion")).commit).toBeUndefined();
    await expect(pal.move("nobody-knows", "shared")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("U82 the memory and its history say where it came from, and whose word it is stays", async () => {
    const { store, pal } = await world();
    const agent = store.session({ agent: "orion", trust: "agent" });
    await agent.remember("Likes tea", { id: "tea", scope: "agent/orion", evidence: "She said so" });
    await pal.move("tea", "shared");
    expect((await pal.get("tea"))?.origin).toEqual({
      source: "tool",
      channel: "library",
      trust: "agent",
      actor: "orion",
      evidence: "She said so",
      movedFrom: "agent/orion",
    });
    await pal.update("tea", "Likes green tea");
    await pal.move("tea", "project/site");
    await pal.move("tea", "shared");
    const history = await pal.history("tea", { scope: "shared" });
    expect(history.map(({ op, movedFrom }) => [op, movedFrom])).toEqual([
      ["add", "agent/orion"],
      ["modify", undefined],
      ["forget", undefined],
      ["add", "project/site"],
    ]);
  });

  test("U83 children stay and move up into its place; with tree everything below comes along, in order", async () => {
    const { pal } = await world();
    const note = (id: string, parent?: string) =>
      pal.remember({ text: id, id, type: "note", scope: "agent/orion", ...(parent && { parent }) });
    for (const [id, parent] of [
      ["root"],
      ["one", "root"],
      ["two", "root"],
      ["one-a", "one"],
      ["one-b", "one"],
    ])
      await note(id as string, parent);
    await pal.move("one", "shared");
    expect(await places(pal)).toEqual([
      "agent/orion one-a root",
      "agent/orion one-b root",
      "agent/orion root",
      "agent/orion two root",
      "shared one",
    ]);
    expect((await pal.get("root"))?.children).toEqual(["one-a", "one-b", "two"]);
    await note("deep", "two");
    const { merkle } = (await pal.get("root"))!;
    await pal.move("root", "project/site", { tree: true });
    const root = await pal.get("root");
    expect(root).toMatchObject({ scope: "project/site", children: ["one-a", "one-b", "two"], merkle });
    expect((await pal.get("deep"))?.scope).toBe("project/site");
    // Moved up later, which makes a version that keeps its origin.
    await pal.forget("two");
    const moves = (await pal.history("deep")).map(({ op, movedFrom }) => [op, movedFrom]);
    expect(moves).toEqual([
      ["add", "agent/orion"],
      ["modify", undefined],
    ]);
  });

  test("U84 what is there stays: another holder of the id or the topic, or one that says the same, refuses the move, and a tree comes whole or not at all", async () => {
    const { pal } = await world();
    const refusal = async (id: string, tree = false) => {
      const state = await places(pal);
      const { verdict, code, commit } = await pal.move(id, "shared", { from: "agent/orion", tree });
      expect([verdict, commit, await places(pal)]).toEqual(["rejected", undefined, state]);
      return code;
    };
    const scope = "agent/orion";
    await pal.remember("Uses Postgres for the shop", { topic: "database", scope });
    await pal.remember("Uses MySQL at home", { topic: "database", id: "db", scope: "shared" });
    expect(await refusal("database")).toBe("TOPIC_TAKEN");
    await pal.remember("Mine", { id: "same", type: "note", scope });
    await pal.remember("Theirs", { id: "same", type: "note" });
    expect(await refusal("same")).toBe("NAME_TAKEN");
    await pal.remember("The deploy day is Thursday afternoon", { id: "day", scope });
    await pal.remember("The deploy day is Thursday afternoon");
    expect(await refusal("day")).toBe("DUPLICATE");
    await pal.remember("A list", { id: "list", type: "note", scope });
    await pal.remember("An entry", { id: "entry", type: "note", scope, parent: "list" });
    await pal.update("same", { parent: "list" }, { scope });
    expect(await refusal("list", true)).toBe("NAME_TAKEN");
  });

  test("U96 what has ended in the other scope refuses no move, be it the holder of the id or of the topic; it is forgotten there", async () => {
    const { store, clock } = await testStore();
    const pal = store.session({ agent: "orion", scopes: ["shared", "agent/orion"], trust: "user" });
    const expiresAt = new Date(clock.now + 1_000).toISOString();
    await pal.remember("Uses MySQL at home", { topic: "database", id: "db", scope: "shared", expiresAt });
    const scope = "agent/orion";
    const { id } = await pal.remember("Uses Postgres for the shop", { topic: "database", scope });
    expect(await pal.move("database", "shared", { from: scope })).toMatchObject({ code: "TOPIC_TAKEN" });
    clock.now += 2_000;
    expect(await pal.move("database", "shared", { from: scope })).toMatchObject({ verdict: "accepted", id });
    expect(await pal.get("database")).toMatchObject({ id, scope: "shared" });
    expect((await pal.list()).map((one) => one.id)).toEqual([id]);
    expect((await pal.history("db")).map(({ op }) => op)).toEqual(["add", "forget"]);
    expect((await store.verify()).problems).toEqual([]);
    await pal.undo();
    expect(await pal.get("database")).toMatchObject({ id, scope });
  });

  test("U97 the verdict of a refused move carries the id of the memory that was to move, `of` names the other; a duplicate's hint says that it is still where it was", async () => {
    const { pal } = await world();
    await pal.remember("The deploy day is Thursday afternoon", { id: "mine", scope: "agent/orion" });
    await pal.remember("The deploy day is Thursday afternoon", { id: "theirs", scope: "shared" });
    const verdict = await pal.move("mine", "shared");
    expect(verdict).toMatchObject({ verdict: "rejected", code: "DUPLICATE", id: "mine", of: "theirs" });
    expect(verdict.hint).toMatch(/^It is still in agent\/orion: forget it there/);
    await pal.remember("Uses Postgres for the shop", { id: "pg", topic: "database", scope: "agent/orion" });
    await pal.remember("Uses MySQL at home", { id: "my", topic: "database", scope: "shared" });
    expect(await pal.move("pg", "shared")).toMatchObject({ code: "TOPIC_TAKEN", id: "pg", of: "my" });
  });

  test("U85 only what a session sees moves, and only to where it may write; a hidden holder answers without detail", async () => {
    const { store, pal } = await world();
    await pal.remember("Likes tea", { id: "tea", scope: "agent/orion" });
    const vega = store.session({ agent: "vega", trust: "user" });
    await expect(vega.move("tea", "agent/vega")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(vega.move("tea", "agent/vega", { from: "agent/orion" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await pal.move("tea", "agent/vega")).toMatchObject({
      verdict: "rejected",
      code: "SCOPE_NOT_VISIBLE",
    });
    await expect(pal.move("tea", "work/technical/x")).rejects.toMatchObject({ code: "INVALID_SCOPE" });
    const high = store.session({ agent: "orion", trust: "user", clearance: "confidential" });
    await high.remember("A secret about tea", { id: "tea", sensitivity: "confidential" });
    const hidden = await pal.move("tea", "shared");
    expect(hidden).toMatchObject({ verdict: "rejected", code: "HIDDEN_HOLDER" });
    expect(JSON.stringify(hidden)).not.toMatch(/secret/);
    expect(await pal.get("tea")).toMatchObject({ scope: "agent/orion" });
  });

  test("U86 what somebody stronger wrote waits, and moves as a whole when one of that trust accepts it", async () => {
    const { store, pal } = await world();
    await pal.remember("A list", { id: "list", type: "note", scope: "agent/orion" });
    await pal.remember("An entry", { id: "entry", type: "note", scope: "agent/orion", parent: "list" });
    const agent = store.session({ agent: "orion", trust: "agent" });
    const verdict = await agent.move("list", "shared", { tree: true });
    expect(verdict).toMatchObject({ verdict: "quarantined", code: "WEAKER_WRITER" });
    expect(await places(pal)).toEqual(["agent/orion entry list", "agent/orion list"]);
    expect(await pal.acceptReview(verdict.staged as string)).toMatchObject({ accepted: true });
    expect(await places(pal)).toEqual(["shared entry list", "shared list"]);
    expect((await pal.get("entry"))?.origin.movedFrom).toBe("agent/orion");
  });

  test("U87 a memory that moved is one memory to erase, in all the places it was in; what has only its id is another", async () => {
    const { pal } = await world();
    await pal.remember("The code word is heliotrope", { id: "word", scope: "agent/orion" });
    await pal.move("word", "project/site");
    await pal.move("word", "shared");
    const report = await pal.erase("word");
    expect(report.memories.map(({ scope }) => scope)).toEqual(["agent/orion", "project/site", "shared"]);
    expect(await pal.list()).toEqual([]);
    for (const scope of ["agent/orion", "project/site"])
      expect((await pal.history("word", { scope })).every(({ text }) => text === undefined)).toBe(true);
    await pal.remember("The other word is larkspur", { id: "other", scope: "agent/orion" });
    await pal.move("other", "shared");
    await pal.remember("Nothing of the kind", { id: "other", scope: "project/site" });
    await expect(pal.erase("other")).rejects.toMatchObject({ code: "AMBIGUOUS" });
    await pal.erase("other", { scope: "agent/orion", derived: true });
    expect(await places(pal)).toEqual(["project/site other"]);
  });

  test("U91 what was made from a memory rests on it wherever it moves", async () => {
    const { pal } = await world();
    const base = await pal.remember("The base of it all", { id: "base-01", scope: "agent/orion" });
    await pal.remember("Made from that", { id: "deriv-01", derivedFrom: [base.hash as never] });
    const resting = async (id: string) => (await pal.taint(id)).map((one) => one.id);
    expect(await resting("base-01")).toEqual(["deriv-01"]);
    await pal.move("base-01", "shared");
    await pal.update("base-01", "The base of it all, said again");
    expect(await resting("base-01")).toEqual(["deriv-01"]);
    await pal.move("base-01", "agent/orion");
    expect(await resting("base-01")).toEqual(["deriv-01"]);
  });

  test("U95 of a memory that moved nothing is erased by a session that does not see every place it was in, unless it names one", async () => {
    const { store, pal } = await world();
    await pal.remember("The code word is heliotrope", { id: "word", scope: "agent/orion" });
    await pal.move("word", "shared");
    const sees = (...scopes: string[]) => store.session({ agent: "orion", scopes, trust: "user" });
    for (const [scope, other] of [
      ["shared", "agent/orion"],
      ["agent/orion", "shared"],
    ] as const)
      for (const target of ["word", { containing: "heliotrope" }]) {
        await expect(sees(scope).erase(target)).rejects.toMatchObject({ code: "REFUSED" });
        expect((await pal.history("word", { scope: other }))[0]?.text).toContain("heliotrope");
      }
    expect((await sees("shared").erase("word", { scope: "shared" })).memories).toHaveLength(1);
    expect((await sees("agent/orion").erase("word")).memories).toHaveLength(1);
    // What only has the id is none of its places.
    await pal.remember("Nothing of the kind", { id: "plain", scope: "agent/orion" });
    await pal.remember("Another one", { id: "plain", scope: "shared" });
    expect((await sees("shared").erase("plain")).receipt?.clean).toBe(true);
  });
});
