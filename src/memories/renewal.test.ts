import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Verdict } from "../gate/verdict.js";
import { openStore } from "../session/open-store.js";
import type { Session } from "../session/session.js";
import { memoryStorage } from "../storage/index.js";
import { type LookAlike, lookAlikes } from "./_look-alikes.js";

/** All of them in the long version; each verb sees some hundreds anyway. */
const someOf = (pairs: readonly LookAlike[], step: number): readonly LookAlike[] =>
  process.env.PAL_TORTURE ? pairs : pairs.filter((_, at) => at % step === 0);

const fresh = async (): Promise<Session> => (await openStore(memoryStorage())).session();
const seen = async (pal: Session): Promise<string[]> => (await pal.list()).map(({ text }) => text);

const written = async (texts: readonly string[], more: object = {}): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "pal-"));
  const path = join(folder, "facts.jsonl");
  writeFileSync(
    path,
    texts.map((text, at) => `${JSON.stringify({ id: `f${at}`, text, ...more })}\n`).join(""),
  );
  return path;
};

/** Every verb by which a text without a topic comes in: it writes both and answers the verdict of the second. */
const VERBS: Readonly<Record<string, (pal: Session, pair: LookAlike) => Promise<Verdict | undefined>>> = {
  remember: async (pal, { old, fresh: text }) => {
    await pal.remember(old);
    return pal.remember(text);
  },
  rememberMany: async (pal, { old, fresh: text }) => (await pal.rememberMany([old, text]))[1],
  "remember with an id": async (pal, { old, fresh: text }) => {
    await pal.remember({ id: "one", text: old });
    return pal.remember({ id: "other", text });
  },
  observe: async (pal, { old, fresh: text }) => {
    await pal.observe(old);
    return pal.observe(text);
  },
  transaction: (pal, { old, fresh: text }) =>
    pal
      .transaction(async (tx) => {
        await tx.remember({ text: old });
        return tx.remember({ text });
      })
      .then(({ value }) => value),
  "propose and accept": async (pal, { old, fresh: text }) => {
    await pal.remember(old);
    const { id, value } = await pal.propose("proposal", (tx) => tx.remember({ text }));
    if (id === undefined) return value;
    return (await pal.acceptReview(id)).verdicts[0] ?? value;
  },
  import: async (pal, { old, fresh: text }) => {
    await pal.remember(old);
    const path = await written([text]);
    await pal.import(path);
    rmSync(path);
    return (await seen(pal)).includes(text) ? undefined : ((await pal.review())[0]?.verdict as never);
  },
};

describe("A620 nothing goes out of sight without being named", () => {
  const pairs = lookAlikes();
  it("A620 there are pairs of every kind", () => {
    expect(pairs.length).toBeGreaterThanOrEqual(300);
    expect(new Set(pairs.map(({ language }) => language)).size).toBeGreaterThanOrEqual(5);
  });
  it.each(Object.entries(VERBS))("A620 by %s", { timeout: 120_000 }, async (verb, write) => {
    // A text without a blank is taken for an id by `observe`.
    const fit = verb === "observe" ? pairs.filter(({ old }) => old.includes(" ")) : pairs;
    const some = someOf(fit, verb === "remember" || verb === "rememberMany" ? 8 : 40);
    const lost: string[] = [];
    for (const pair of some) {
      const pal = (await openStore(memoryStorage())).session({ agent: "ada", trust: "user" });
      const verdict = await write(pal, pair);
      const texts = await seen(pal);
      const isHeld = verdict?.against !== undefined && texts.includes(pair.old);
      const isWhole = texts.includes(pair.old) && (texts.includes(pair.fresh) || isHeld);
      if (!isWhole) lost.push(`${pair.old} | ${pair.fresh}: ${verdict?.verdict}`);
    }
    expect(lost).toEqual([]);
  });
  it("W620 a search finds both of two that look alike", { timeout: 120_000 }, async () => {
    const hidden: string[] = [];
    for (const { old, fresh: text } of someOf(
      pairs.filter(({ differsIn }) => differsIn !== "a small word"),
      30,
    )) {
      const pal = await fresh();
      const { verdict } = (await pal.rememberMany([old, text]))[1]!;
      if (verdict !== "accepted") continue;
      const found = (await pal.search(old)).hits.map((hit) => hit.text);
      if (!found.includes(text) || !found.includes(old)) hidden.push(`${old} | ${text}`);
    }
    expect(hidden).toEqual([]);
  });
});

describe("A621 words renew what they name whole and say to have ended", () => {
  it.each([
    ["Max is allergic to nuts", "Max is no longer allergic to nuts"],
    ["Max plays chess", "Max does not play chess any more"],
    ["Max watches birds", "Max doesn't watch birds anymore"],
    ["Max ist gegen Nüsse allergisch", "Max ist nicht mehr gegen Nüsse allergisch"],
    ["Max bebe café", "Max ya no bebe café"],
    ["Max utilise Slack", "Max n'utilise plus Slack"],
    ["Max aime le jazz", "Max n'aime plus le jazz."],
    ["小明喝咖啡", "小明不再喝咖啡"],
    ["The bakery is in Elm Street", "The bakery moved from Elm Street to the square"],
    ["The band plays from paper scores", "The band now plays from tablets instead of paper scores"],
  ])("A621 A623 %s / %s", async (old, text) => {
    const pal = await fresh();
    const { id, hash } = await pal.remember(old);
    expect(await pal.remember(text)).toMatchObject({
      verdict: "updated",
      id,
      replaced: hash,
      replacedText: old,
    });
    expect(await seen(pal)).toEqual([text]);
    expect(await pal.history(id!)).toHaveLength(2);
  });
  it.each([
    ["another object", "Max is allergic to nuts", "Max is no longer allergic to pollen"],
    ["another board", "The board meets on the roof", "The jury no longer meets on the roof"],
    ["a condition", "Max drinks coffee", "Max no longer drinks coffee after noon"],
    ["a name that is a word", "Max loves Turkey", "Max no longer loves turkey"],
    ["somebody who is not named", "He likes jazz", "He no longer likes jazz"],
    ["a question", "Max likes jazz", "Max no longer likes jazz?"],
    ["for a while", "The team lives in Bonn", "The team moved from Bonn to Köln for the summer"],
    [
      "on some days",
      "The band plays from scores",
      "The band now plays from tablets on Mondays instead of scores",
    ],
    ["once more", "Max likes jazz", "Max no longer likes jazz and no longer likes rock"],
  ])("A621 both are seen, and the older is named: %s", async (_, old, text) => {
    const pal = await fresh();
    const { id } = await pal.remember(old);
    const verdict = await pal.remember(text);
    expect([verdict.verdict, verdict.replacedText]).toEqual(["accepted", undefined]);
    if (verdict.against !== undefined)
      expect(verdict).toMatchObject({ against: id, reason: expect.stringContaining(old) });
    expect((await seen(pal)).sort()).toEqual([old, text].sort());
  });
  it("A621 what two agents say of themselves is said of two", async () => {
    const store = await openStore(memoryStorage());
    await store.session({ agent: "ada" }).remember("I like jazz");
    const said = await store.session({ agent: "ben" }).remember("I no longer like jazz");
    expect(said).toMatchObject({ verdict: "accepted" });
    expect(
      await store.session({ agent: "ada" }).remember("I no longer like jazz", { scope: "agent/ada" }),
    ).toMatchObject({ verdict: "accepted" });
  });
  it("A621 a weaker writer waits, and both sides are named", async () => {
    const store = await openStore(memoryStorage());
    const { id } = await store.session({ agent: "anna", trust: "user" }).remember("Max likes jazz");
    const said = await store.session({ agent: "bot" }).remember("Max no longer likes jazz");
    expect(said).toMatchObject({ verdict: "quarantined", against: id });
  });
});

describe("A622 a triple renews what its slot held, and nothing more", () => {
  const lives = (object: string) => ({ triple: { subject: "Ann", predicate: "lives_in", object } });
  it("A22 A623 one value after another, named", async () => {
    const pal = await fresh();
    const { id } = await pal.remember(lives("Kiel"));
    expect(await pal.remember(lives("Bonn"))).toMatchObject({
      verdict: "updated",
      id,
      replacedText: "Ann lives in Kiel",
    });
  });
  it.each([
    [
      "words that say more",
      { ...lives("Kiel"), text: "Ann lives in Kiel when the university is open" },
      lives("Bonn"),
    ],
    ["new words that say more", lives("Kiel"), { ...lives("Bonn"), text: "Ann lives in Bonn on weekends" }],
    ["an end", lives("Kiel"), { ...lives("Bonn"), ttl: 60_000 }],
    ["less certainty", lives("Kiel"), { ...lives("Bonn"), confidence: 0.4 }],
    ["another category", { ...lives("Kiel"), category: "summer" }, { ...lives("Bonn"), category: "winter" }],
    ["a period", lives("Kiel"), { ...lives("Bonn"), valid: { from: "2010-01-01", to: "2012-01-01" } }],
  ])("A622 %s: both are seen and the older is named", async (_, old, next) => {
    const pal = await fresh();
    const { id } = await pal.remember(old);
    expect(await pal.remember(next)).toMatchObject({ verdict: "accepted", against: id });
    expect(await pal.history(id!)).toHaveLength(1);
  });
  it("A622 what held at another time is not at odds", async () => {
    const pal = await fresh();
    await pal.remember({ ...lives("Kiel"), valid: { from: "2010-01-01", to: "2012-01-01" } });
    const later = await pal.remember({ ...lives("Bonn"), valid: { from: "2012-01-01", to: "2099-01-01" } });
    expect([later.verdict, later.against]).toEqual(["accepted", undefined]);
  });
  it("A625 what comes after something doubtful is not doubtful", async () => {
    const pal = await fresh();
    const { id } = await pal.remember({ ...lives("Kiel"), confidence: 0.3 });
    expect(await pal.remember(lives("Bonn"))).toMatchObject({ verdict: "updated", id });
    expect((await pal.get(id!))?.confidence ?? 1).toBe(1);
  });
});

it.each(["status", "has_status", "is", "progress"])(
  "A810 the state of a thing renews: %s",
  async (predicate) => {
    const pal = await fresh();
    const of = (object: string) => ({
      triple: { subject: "The release notes of the shop", predicate, object },
    });
    const { id } = await pal.remember(of("blocked"));
    for (const state of ["in progress", "blocked", "done"])
      expect(await pal.remember(of(state))).toMatchObject({ verdict: "updated", id });
    expect(await pal.remember(of("done"))).toMatchObject({ verdict: "duplicate", of: id });
    // What is no state stands beside it.
    if (predicate === "is") expect(await pal.remember(of("long"))).toMatchObject({ verdict: "accepted" });
  },
);

describe("A623 a writer that names what is renewed hears what it said", () => {
  it("A623 by topic, by id, in bulk, by update and by import", async () => {
    const pal = await fresh();
    await pal.remember("Drinks tea", { topic: "drink" });
    await pal.remember("The office is in Bonn", { id: "f0" });
    expect(await pal.remember("Drinks cocoa", { topic: "drink" })).toMatchObject({
      verdict: "updated",
      replacedText: "Drinks tea",
    });
    expect((await pal.rememberMany([{ id: "f0", text: "The office is in Kiel" }]))[0]).toMatchObject({
      verdict: "updated",
      replacedText: "The office is in Bonn",
    });
    expect(await pal.update("f0", "The office is in Rome")).toMatchObject({
      replacedText: "The office is in Kiel",
    });
    const renamed = await pal.update("f0", { tags: ["work"] });
    expect(renamed.replacedText).toBeUndefined();
    const path = await written(["The office is in Oslo"]);
    expect(await pal.import(path, { trusted: true })).toMatchObject({
      updated: 1,
      replaced: [{ id: "f0", scope: "shared", text: "The office is in Rome" }],
    });
  });
});

describe("A624 a belief that says anything of its own is no duplicate", () => {
  it.each([
    ["The parcels are delivered before noon", "the parcels get delivered before noon."],
    ["Ivo is the translator of the handbook", "The handbook is translated by Ivo"],
  ])("A624 still known: %s = %s", async (old, text) => {
    const pal = await fresh();
    const { id } = await pal.remember(old);
    expect(await pal.remember(text)).toMatchObject({ verdict: "duplicate", of: id });
  });
  it("A624 what is known for an hour is not known for good", async () => {
    let now = Date.parse("2026-03-01T00:00:00Z");
    const pal = (await openStore(memoryStorage(), { clock: () => now })).session();
    await pal.remember("The gate is open", { ttl: 3_600_000 });
    expect(await pal.remember("The gate is open")).toMatchObject({ verdict: "accepted" });
    expect(await pal.remember("The gate is open", { ttl: 60_000 })).toMatchObject({ verdict: "duplicate" });
    now += 7_200_000;
    expect(await seen(pal)).toEqual(["The gate is open"]);
  });
});

describe("MI620 a conversation takes away the very thing it speaks of", () => {
  const said = (content: string) => [{ role: "user" as const, content }];
  it("MI620 a person who likes tea no more may still like green tea", async () => {
    const pal = (await openStore(memoryStorage())).session({ agent: "ada", trust: "user", sessionId: "s" });
    const likes = (object: string) => ({ triple: { subject: "user", predicate: "likes", object } });
    await pal.remember(likes("green tea"));
    await pal.remember(likes("steak"));
    const { id } = await pal.remember(likes("tea"));
    const report = await pal.processConversation(said("I no longer like tea."), {
      model: "none",
      autoAccept: { confidence: 0 },
    });
    const gone = report.facts.filter(({ action }) => action === "forget");
    expect(gone).toMatchObject([{ ids: [id], replaces: [{ id, text: "user likes tea" }] }]);
    expect((await pal.list()).map(({ triple }) => triple?.object).sort()).toContain("green tea");
    expect((await pal.list()).map(({ triple }) => triple?.object).sort()).toContain("steak");
  });
});

describe("MI621 consolidation forgets nothing for looking alike", () => {
  it("MI621 each pair that only looks alike is a proposal of its own", async () => {
    const pal = (await openStore(memoryStorage())).session({ agent: "ada", trust: "user" });
    await pal.remember("The nightly encrypted backup of the ledger runs on the server");
    await pal.remember("The nightly encrypted backup of the main ledger runs on the server");
    const { findings, proposals } = await pal.consolidate();
    expect(findings).toMatchObject([{ kind: "duplicate", proposes: "decide" }]);
    expect(proposals).toHaveLength(1);
    expect(await pal.list()).toHaveLength(2);
    expect(await pal.acceptReview(proposals[0]!.id)).toMatchObject({
      verdicts: [{ id: findings[0]!.ids[0] }],
    });
  });
});
