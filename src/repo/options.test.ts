import { describe, expect, test } from "vitest";
import { testStore } from "../../test/_worlds.js";
import { openStore } from "../session/open-store.js";
import { memoryStorage } from "../storage/index.js";

const WRONG: readonly [options: unknown, code: string, said: RegExp][] = [
  [{ clearance: "Confidential" }, "INVALID_VALUE", /"clearance".*normal, private, confidential/],
  [{ clearance: "" }, "INVALID_VALUE", /clearance/],
  [{ clearance: 5 }, "INVALID_VALUE", /clearance.*not 5/],
  [{ clearence: "normal" }, "INVALID_FIELD", /"clearence"/],
  [{ scope: "project/site" }, "INVALID_FIELD", /"scope"/],
  [{ scopes: "shared" }, "INVALID_VALUE", /"scopes".*list of texts/],
  [{ trust: "zzz" }, "INVALID_VALUE", /"trust".*external, agent, user, operator/],
  [null, "INVALID_VALUE", /object/],
];

describe("options", () => {
  test("U61 a session with an option that is unknown or cannot be meant is refused by name", async () => {
    const { store } = await testStore();
    for (const [options, code, said] of WRONG)
      expect(() => store.session(options as never)).toThrow(
        expect.objectContaining({ code, message: expect.stringMatching(said) }),
      );
    expect(() => store.session({ clearence: "normal" } as never)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("scopes") }),
    );
  });

  test("U61 so is opening a store", async () => {
    for (const place of [5, null, "/tmp/a\0b", {}, ["x"]])
      await expect(openStore(place as never)).rejects.toMatchObject({ code: "INVALID_VALUE" });
    await expect(openStore(memoryStorage(), { clok: 1 } as never)).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
    await expect(openStore(memoryStorage(), { clock: 1 } as never)).rejects.toMatchObject({
      code: "INVALID_VALUE",
    });
  });

  test("U61 so is every verb with options, and it answers by a promise", async () => {
    const { store } = await testStore();
    const pal = store.session({ sessionId: "s" });
    await pal.remember("Something", { id: "something" });
    const verbs: Record<string, (options: never) => Promise<unknown>> = {
      get: (options) => pal.get("something", options),
      list: (options) => pal.list(options),
      view: (options) => pal.view(options),
      search: (options) => pal.search("x", options),
      semanticSearch: (options) => pal.semanticSearch("x", options),
      recall: (options) => pal.recall("x", options),
      promptContext: (options) => pal.promptContext(options),
      wakeUp: (options) => pal.wakeUp(options),
      why: (options) => pal.why("x", options),
      log: (options) => pal.log(options),
      ops: (options) => pal.ops(options),
      graph: (options) => pal.graph(options),
      history: (options) => pal.history("something", options),
      blame: (options) => pal.blame("something", options),
      prove: (options) => pal.prove("something", options),
      taint: (options) => pal.taint("something", options),
      stats: (options) => pal.stats(options),
      figures: (options) => pal.figures(options),
      branches: (options) => pal.branches(options),
      createBranch: (options) => pal.createBranch("b", options),
      merge: (options) => pal.merge("main", options),
      rollback: (options) => pal.rollback(0, options),
      undo: (options) => pal.undo(undefined, options),
      update: (options) => pal.update("something", "Else", options),
      forget: (options) => pal.forget("something", options),
      rememberMany: (options) => pal.rememberMany(["x"], options),
      transaction: (options) => pal.transaction(() => 1, options),
      erase: (options) => pal.erase("something", options),
      review: (options) => pal.review(options),
      rooms: (options) => pal.rooms(options),
      scratch: (options) => pal.scratch(options),
      export: (options) => pal.export(options),
      import: (options) => pal.import("/nowhere", options),
      ingest: (options) => pal.ingest("/nowhere", options),
      consolidate: (options) => pal.consolidate(options),
      gc: (options) => store.gc(options),
      verify: (options) => store.verify(options),
    };
    for (const [verb, run] of Object.entries(verbs)) {
      const unknown = await run({ limitt: 1 } as never).catch((error: unknown) => error);
      expect(unknown).toMatchObject({ code: "INVALID_FIELD", message: `${verb} has no option "limitt".` });
      const none = await run(5 as never).catch((error: unknown) => error);
      if (verb !== "erase") expect(none).toMatchObject({ code: "INVALID_VALUE" });
    }
    for (const verb of ["list", "search", "log", "ops", "recall", "graph", "review"])
      for (const limit of [Number.NaN, -1, 1.5, "3", null])
        await expect(verbs[verb]?.({ limit } as never)).rejects.toMatchObject({ code: "INVALID_VALUE" });
    expect((await pal.list()).length).toBe(1);
  });

  test("U62 a type is asked for as it is written; in a question its case does not matter", async () => {
    const { store } = await testStore();
    const pal = store.session();
    await pal.remember({ text: "A headline", type: "headline" });
    expect(await pal.list({ type: "headline" })).toHaveLength(1);
    for (const verb of [
      () => pal.list({ type: "HEADLINE" }),
      () => pal.search("headline", { type: "HEADLINE" }),
    ])
      await expect(verb()).rejects.toMatchObject({
        code: "INVALID_VALUE",
        message: expect.stringContaining('must be a lower-case word, not "HEADLINE"'),
      });
    expect((await pal.search("headline type:HEADLINE")).hits).toHaveLength(1);
  });
});
