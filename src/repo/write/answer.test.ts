import { describe, expect, test } from "vitest";
import { testStore } from "../../../test/_worlds.js";
import { answer } from "../access.js";

/** Where a value can still be changed. */
function open(value: unknown, path: string, seen = new Set<object>()): string[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || seen.has(value)) return [];
  seen.add(value);
  const here = Object.isFrozen(value) ? [] : [path];
  return [...here, ...Object.entries(value).flatMap(([key, one]) => open(one, `${path}.${key}`, seen))];
}

describe("what a session answers with", () => {
  test("U23 whatever a reading verb answers is frozen all the way down, the first time and again", async () => {
    const { store } = await testStore();
    const pal = store.session({ agent: "orion", sessionId: "s-1", trust: "user" });
    await pal.remember("Bare and plain as can be", { id: "base-one" });
    await pal.remember("The backend is written in Go", {
      topic: "backend",
      tags: ["a"],
      attributes: { x: { y: 1 } },
    });
    await pal.remember("The backend is written in Rust", { topic: "backend", tier: "canon" });
    await pal.remember({ id: "a-note", type: "note", text: "A note [[other]]", in: "room/drawer" });
    await pal.remember({ id: "below", type: "note", text: "Below the note", parent: "a-note" });
    await pal.remember({
      id: "message",
      type: "message",
      text: "We chose Rust for the backend",
      speaker: "ann",
      conversation: "c",
    });
    await pal.remember({
      id: "derived",
      text: "Rust was chosen",
      derivedFrom: [(await pal.get("base-one"))!.hash],
    });
    await pal.setIdentity("I am Orion.");
    await pal.addScratch({ key: "k", value: { deep: [1] } });
    await pal.addStep("observation", "It builds");
    await pal.commit("A milestone");
    await pal.snapshot("marked");
    await pal.tag("v1");
    await pal.createBranch("side", { purpose: "try" });
    await pal.propose("request", undefined, { data: { deep: { er: [1] } } });
    const first = (await pal.log()).at(-1)!.commit;
    const verbs: Record<string, () => Promise<unknown>> = {
      get: () => pal.get("base-one"),
      "get of a tree": () => pal.get("a-note"),
      "get then": () => pal.get("base-one", { at: first }),
      list: () => pal.list(),
      view: () => pal.view(),
      search: () => pal.search("what is the backend written in"),
      history: () => pal.history("backend"),
      log: () => pal.log(),
      "log with events": () => pal.log({ events: true }),
      stats: () => pal.stats(),
      vaultStats: () => pal.vaultStats(),
      figures: () => pal.figures(),
      prove: () => pal.prove("base-one"),
      proveConsistency: () =>
        store.session({ scopes: ["*"], clearance: "confidential" }).proveConsistency(first),
      blame: () => pal.blame("backend"),
      diff: () => pal.diff(first),
      conflicts: () => pal.conflicts(),
      branches: () => pal.branches(),
      tags: () => pal.tags(),
      snapshots: () => pal.snapshots(),
      graph: () => pal.graph(),
      ops: () => pal.ops(),
      trace: () => pal.trace(),
      branchContext: () => pal.branchContext(),
      bisect: () => pal.bisect("backend", "Rust"),
      links: () => pal.links("a-note"),
      changesBelow: () => pal.changesBelow("a-note", { from: first }),
      review: () => pal.review(),
      reviewItem: async () => pal.reviewItem((await pal.review())[0]!.id),
      taint: () => pal.taint("base-one"),
      identity: () => pal.identity(),
      rooms: () => pal.rooms(),
      scratch: () => pal.scratch(),
      searchScratch: () => pal.searchScratch("deep"),
      playbooks: () => pal.playbooks("deploy", { folders: [] }),
      isRecall: () => pal.isRecall("What did we choose last week?"),
      recall: () => pal.recall("What is the backend written in?"),
      why: () => pal.why("The backend is written in Rust"),
      promptContext: () => pal.promptContext(),
      wakeUp: () => pal.wakeUp(),
      handOver: () => pal.handOver(),
      mindCosts: () => pal.mindCosts(),
      findConsolidationCandidates: () => pal.findConsolidationCandidates(),
      proposeDeletions: () => pal.proposeDeletions(),
    };
    for (const round of [1, 2])
      for (const [verb, read] of Object.entries(verbs))
        expect(open(await read(), `${verb} ${round}`)).toEqual([]);
  });

  test("U23 what somebody tried to change is answered as it is", async () => {
    const { store } = await testStore();
    const pal = store.session();
    await pal.remember("Nobody changes this", { id: "base-one" });
    const memory = (await pal.get("base-one"))!;
    const before = JSON.stringify(memory);
    expect(() => (memory.tags as string[]).push("evil")).toThrow(TypeError);
    expect(() => Object.assign(memory.attributes, { TODO: "x" })).toThrow(TypeError);
    expect(() => Object.assign(memory.author, { id: "other" })).toThrow(TypeError);
    expect(JSON.stringify(await pal.get("base-one"))).toBe(before);
  });

  test("U23 vectors and maps are handed out as they are", () => {
    const vectors = answer([new Float32Array(2), new Map([["a", 1]])]);
    expect(vectors.map((one) => Object.isFrozen(one))).toEqual([false, false]);
  });
});

test("U23 what a layer of the caller's answers is not frozen with the answer of a recall", async () => {
  const { store } = await testStore();
  const kept = {
    status: "hit" as const,
    best: 0.9,
    found: [{ text: "From afar", score: 0.9, ref: "x", tags: ["a"] }],
  };
  const layer = { name: "L3" as const, ask: async () => kept as never };
  const recall = await store.session().recall("What was decided about the cache?", { layers: [layer] });
  expect(recall.citations.map(({ text }) => text)).toEqual(["From afar"]);
  kept.found[0]!.score = 0.5;
  kept.found[0]!.tags.push("b");
  expect(Object.isFrozen(recall.citations[0])).toBe(true);
});
