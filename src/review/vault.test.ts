import { describe, expect, it } from "vitest";
import { openStore } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

describe("A34 what could be tidied is proposed, never done", () => {
  it("A34 alike beliefs are found best first, across no scope and only where seen", async () => {
    const store = await openStore(memoryStorage(), { gate: { off: ["duplicate", "contradiction"] } });
    const pal = store.session();
    // The less alike pair is met first.
    await pal.rememberMany([
      "The harbour master counts the boats at dawn",
      "At dawn the harbour master counts every single boat that is moored",
    ]);
    const [a, b] = await pal.rememberMany([
      "The lighthouse keeper repaints the railing every spring",
      "Every spring the lighthouse keeper repaints the railing",
      "The lighthouse keeper feeds the gulls every evening",
      "Invoices are sent by the accountant",
    ]);
    await pal.remember("The lighthouse keeper repaints the railing every spring", { scope: "agent/default" });
    const found = await pal.findConsolidationCandidates({ scope: "shared" });
    expect(found[0]?.ids).toEqual([a?.id, b?.id].sort());
    expect(found.length).toBeGreaterThan(1);
    expect(found.map(({ similarity }) => similarity)).toEqual(
      found.map(({ similarity }) => similarity).toSorted((x, y) => y - x),
    );
    expect(found.flatMap(({ texts }) => texts)).not.toContain("Invoices are sent by the accountant");
    expect(await pal.findConsolidationCandidates({ floor: 1.1 })).toEqual([]);
    expect(
      await store.session({ agent: "other" }).findConsolidationCandidates({ scope: "agent/default" }),
    ).toEqual([]);
  });

  it("A34 deletions are proposed with reasons and nothing goes", async () => {
    const store = await openStore(memoryStorage(), {
      gate: { off: ["duplicate", "contradiction", "journal"] },
    });
    const pal = store.session();
    const verdicts = await pal.rememberMany([
      "The ferry runs twice a day in winter",
      "the ferry runs twice a day in winter.",
      "Routine scan finished.",
      { text: "The pier might be sold", confidence: 0.1 },
      "Invoices are sent by the accountant",
    ]);
    const proposed = await pal.proposeDeletions();
    expect(proposed.map(({ id }) => id).sort()).toEqual([1, 2, 3].map((at) => verdicts[at]?.id).sort());
    for (const { reasons } of proposed) expect(reasons).toHaveLength(1);
    expect(await pal.list()).toHaveLength(5);
  });
});

describe("A35 promotion and figures", () => {
  it("A35 a person makes a belief canon, what an agent promotes waits; its source is promotion", async () => {
    const store = await openStore(memoryStorage());
    const agent = store.session();
    const { id = "" } = await agent.remember("The ferry runs twice a day in winter");
    expect(await agent.promoteToCanon(id)).toMatchObject({
      verdict: "quarantined",
      code: "TIER_NOT_ALLOWED",
    });
    const user = store.session({ agent: "anna", trust: "user" });
    expect(await user.promoteToCanon(id, "In winter the ferry runs twice a day")).toMatchObject({
      verdict: "updated",
      version: 2,
    });
    expect(await user.get(id)).toMatchObject({
      tier: "canon",
      text: "In winter the ferry runs twice a day",
      origin: { source: "promotion", trust: "user" },
    });
  });

  it("A183 a promotion in other words passes the checks of any text, and only a belief can be promoted", async () => {
    const user = (await openStore(memoryStorage())).session({ agent: "anna", trust: "user" });
    const { id = "" } = await user.remember("The ferry runs twice a day in winter");
    for (const bad of ["", " \u200b", "bell \u0007", "half \ud800", 5, {}])
      await expect(user.promoteToCanon(id, bad as string)).rejects.toMatchObject({ code: "INVALID_TEXT" });
    await user.remember({ id: "page", type: "note", text: "A page" });
    await expect(user.promoteToCanon("page")).rejects.toMatchObject({ code: "INVALID_FIELD" });
    expect(await user.get(id)).toMatchObject({ tier: "register", version: 1 });
  });

  it("A35 figures say how full and how tidy a memory is", async () => {
    const pal = (await openStore(memoryStorage(), { gate: { capacity: 4 } })).session();
    await pal.remember("The ferry runs twice a day", { topic: "ferry" });
    await pal.remember("The ferry runs three times a day", { topic: "ferry" });
    await pal.remember("Invoices are sent by the accountant");
    const { id = "" } = await pal.remember("The pier is made of oak");
    await pal.forget(id);
    expect(await pal.vaultStats()).toMatchObject({
      memories: 2,
      forgotten: 1,
      versions: 5,
      bloat: 2.5,
      capacity: 4,
      injected: { shared: { count: 1, utilisation: 25 } },
      topics: ["ferry"],
    });
  });
});
