import { beforeEach, describe, expect, it } from "vitest";
import { memoryStorage } from "../storage/index.js";
import { openStore } from "./open-store.js";
import type { Session } from "./session.js";
import type { Store } from "./store.js";

let store: Store;
let ada: Session;
let person: Session;
let now = Date.UTC(2026, 0, 1);

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  store = await openStore(memoryStorage(), { clock: () => (now += 1000) });
  ada = store.session({ agent: "ada" });
  person = store.session({ agent: "pat", trust: "user" });
});

describe("one place where things wait", () => {
  it("RV1 a proposal waits beside the branch: found by no read, listed as a difference with who, why and cost", async () => {
    await ada.remember("The deploy runs on Fridays", { id: "deploy" });
    const before = (await ada.stats()).root;
    const { id, verdicts } = await ada.propose(
      "consolidation",
      async (tx) => {
        await tx.update("deploy", "The deploy runs on Thursdays");
        await tx.remember("Releases are cut by the release captain");
      },
      { reason: "The calendar says so", cost: { tokens: 120 } },
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["updated", "accepted"]);
    expect((await ada.stats()).root).toBe(before);
    expect((await ada.search("release captain")).hits).toEqual([]);
    const [item] = await person.review();
    expect(item).toMatchObject({
      id,
      kind: "consolidation",
      by: { id: "ada" },
      reason: "The calendar says so",
      cost: { tokens: 120 },
      changes: [
        {
          op: "modify",
          id: "deploy",
          fields: [{ field: "text", from: "The deploy runs on Fridays" }],
          moved: false,
        },
        { op: "add", text: "Releases are cut by the release captain" },
      ],
    });
    expect(item?.age).toBeGreaterThan(0);
    expect(await store.verify()).toMatchObject({ ok: true });
  });

  it("RV2 accepting brings it in, in the name and with the trust of whoever accepts, and takes it off the list", async () => {
    const { id } = await ada.propose("proposal", (tx) =>
      tx.remember("Tests run on every push", { id: "ci" }),
    );
    const done = await person.acceptReview(id as string);
    expect(done).toMatchObject({
      accepted: true,
      verdicts: [{ verdict: "accepted", id: "ci" }],
      conflicts: [],
    });
    expect(await ada.get("ci")).toMatchObject({
      text: "Tests run on every push",
      origin: { trust: "user", actor: "ada" },
    });
    expect((await ada.log())[0]?.author).toEqual({ kind: "user", id: "pat" });
    expect(await person.review()).toEqual([]);
    expect(await store.verify()).toMatchObject({ ok: true });
  });

  it("RV3 a request carries data without a change", async () => {
    await ada.remember("Old address: Elm Street 5", { id: "address", scope: "agent/ada" });
    const { id } = await ada.propose("erase", undefined, { data: { ids: ["address"] }, about: ["address"] });
    expect(await ada.review({ kind: "erase" })).toMatchObject([
      { id, data: { ids: ["address"] }, about: [{ scope: "agent/ada", id: "address" }], changes: [] },
    ]);
    expect(await person.review()).toEqual([]);
    expect(await ada.acceptReview(id as string)).toMatchObject({
      accepted: true,
      data: { ids: ["address"] },
      verdicts: [],
    });
    expect(await ada.review()).toEqual([]);
  });

  it("RV4 rejecting takes it off the list; the operation log says who and why, and undo brings it back", async () => {
    const { id } = await ada.propose("proposal", (tx) => tx.remember("Lunch is at noon"));
    await person.rejectReview(id as string, { reason: "Not worth keeping" });
    expect(await ada.review()).toEqual([]);
    const [op] = await person.ops();
    expect(op).toMatchObject({ verb: "reject", why: "Not worth keeping", author: { id: "pat" } });
    await person.undo(op?.op as string);
    expect(await ada.review()).toMatchObject([{ id, kind: "proposal" }]);
  });

  it("RV5 a quarantined write waits under the id that the verdict names, once however often it is tried", async () => {
    await person.remember("The office closes at six", { id: "office" });
    const verdict = await ada.update("office", "The office closes at nine");
    expect(verdict).toMatchObject({ verdict: "quarantined", code: "WEAKER_WRITER" });
    expect((await ada.update("office", "The office closes at nine")).staged).toBe(verdict.staged);
    expect(await person.review()).toMatchObject([
      {
        id: verdict.staged,
        kind: "quarantined",
        verdict: { check: "trust", against: "office" },
        changes: [{ op: "modify" }],
      },
    ]);
    expect((await ada.get("office"))?.text).toBe("The office closes at six");
    expect(await ada.acceptReview(verdict.staged as string)).toMatchObject({
      accepted: false,
      verdicts: [{ verdict: "quarantined" }],
    });
    expect(await person.review()).toHaveLength(1);
    await person.acceptReview(verdict.staged as string);
    expect(await ada.get("office")).toMatchObject({ text: "The office closes at nine", version: 2 });
    expect(await person.review()).toEqual([]);
    expect(await store.verify()).toMatchObject({ ok: true });
  });

  it("RV6 a promotion by one agent waits; a second agent or a person makes it canon, the same agent cannot", async () => {
    await ada.remember("The team writes TypeScript", { id: "lang" });
    const held = await ada.promoteToCanon("lang", undefined, { reason: "Said by everybody" });
    expect(held).toMatchObject({ verdict: "quarantined", code: "TIER_NOT_ALLOWED" });
    const [item] = await ada.review({ kind: "promotion" });
    expect(item).toMatchObject({
      id: held.staged,
      reason: "Said by everybody",
      changes: [{ fields: [{ field: "tier", to: "canon" }] }],
    });
    expect(await ada.acceptReview(held.staged as string)).toMatchObject({ accepted: false });
    expect((await ada.get("lang"))?.tier).toBe("register");
    const bob = store.session({ agent: "bob" });
    expect(await bob.acceptReview(held.staged as string)).toMatchObject({ accepted: true });
    expect(await ada.get("lang")).toMatchObject({ tier: "canon", origin: { trust: "agent" } });
    const stranger = store.session({ agent: "eve", trust: "external" });
    await stranger.remember("Invoices go to a new account", { id: "bad" });
    const bad = await stranger.promoteToCanon("bad");
    expect(await bob.acceptReview(bad.staged as string)).toMatchObject({ accepted: false });
    expect(await person.acceptReview(bad.staged as string)).toMatchObject({ accepted: true });
  });

  it("RV7 a contradiction waits as the next version of what it contradicts; accepting replaces, or keeps both", async () => {
    await person.remember("The database port is 5432", { id: "port" });
    const held = await ada.remember("The database port is 5433");
    expect(held).toMatchObject({ verdict: "quarantined", code: "CONTRADICTION", against: "port" });
    const [item] = await person.review();
    expect(item?.changes).toMatchObject([
      {
        op: "modify",
        id: "port",
        fields: [{ field: "text", from: "The database port is 5432", to: "The database port is 5433" }],
      },
    ]);
    expect(await person.acceptReview(held.staged as string, { keepBoth: true })).toMatchObject({
      accepted: true,
    });
    expect((await person.list()).map(({ text }) => text)).toEqual([
      "The database port is 5432",
      "The database port is 5433",
    ]);
    const again = await ada.remember("The database port is not 5432");
    const done = await person.acceptReview(again.staged as string);
    expect(done).toMatchObject({ accepted: true, verdicts: [{ verdict: "updated" }] });
    expect(await person.list()).toHaveLength(2);
  });

  it("RV8 what somebody changed meanwhile is joined, contested where it cannot be", async () => {
    await ada.remember("The build takes ten minutes", { id: "build", tags: ["ci"] });
    const { id } = await ada.propose("proposal", (tx) =>
      tx.update("build", { text: "The build takes four minutes" }),
    );
    await ada.update("build", { tags: ["ci", "slow"] });
    expect((await person.reviewItem(id as string)).changes[0]?.moved).toBe(true);
    expect(await person.acceptReview(id as string)).toMatchObject({ accepted: true, conflicts: [] });
    expect(await ada.get("build")).toMatchObject({
      text: "The build takes four minutes",
      tags: ["ci", "slow"],
    });
    const { id: other } = await ada.propose("proposal", (tx) =>
      tx.update("build", "The build takes three minutes"),
    );
    await person.update("build", "The build takes five minutes");
    const done = await person.acceptReview(other as string);
    expect(done).toMatchObject({ accepted: true, conflicts: [{ id: "build", field: "text" }] });
  });

  it("RV9 only some of it may be taken, and in better words", async () => {
    const { id } = await ada.propose("import", async (tx) => {
      await tx.remember("Anna leads the data team", { id: "a" });
      await tx.remember("Bert leads the web team", { id: "b" });
    });
    await expect(person.acceptReview(id as string, { only: ["c"] })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await person.acceptReview(id as string, {
      only: ["b"],
      edit: { b: { text: "Bert leads the platform team" } },
    });
    expect((await person.list()).map(({ text }) => text)).toEqual(["Bert leads the platform team"]);
    expect(await person.review()).toEqual([]);
  });
});
