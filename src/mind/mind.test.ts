import { describe, expect, it } from "vitest";
import { type OpenOptions, openStore } from "../session/open-store.js";
import type { SessionOptions } from "../session/store.js";
import { memoryStorage } from "../storage/index.js";

const DAY = 86_400_000;

async function world(session: SessionOptions = {}, options: OpenOptions = {}) {
  let time = Date.parse("2026-03-01T09:00:00Z");
  const store = await openStore(memoryStorage(), { clock: () => time, ...options });
  const pal = store.session({ agent: "orion", ...session });
  return { store, pal, later: (ms: number) => (time += ms) };
}
const user = (content: string) => ({ role: "user" as const, content });
const bot = (content: string) => ({ role: "assistant" as const, content });

describe("conversations", () => {
  it("MI20 a conversation becomes one proposal with quotes, and accepting it makes the facts recallable in the next session", async () => {
    const { store, pal } = await world();
    const report = await pal.processConversation([user("Hi, I'm Jonas and I live in Graz."), bot("Hello!")], {
      session: "s1",
    });
    expect(
      report.facts.map(({ triple, evidence, turn, action }) => [triple.object, evidence, turn, action]),
    ).toEqual([
      ["Jonas", "I'm Jonas", 0, "remember"],
      ["Graz", "I live in Graz.", 0, "remember"],
    ]);
    expect(report.cost.calls).toBe(0);
    expect(await pal.list()).toEqual([]);
    const [waiting] = await pal.review();
    expect(waiting).toMatchObject({ kind: "extraction", changes: [{ op: "add" }, { op: "add" }] });
    expect(await pal.acceptReview(report.proposals[0]!.id)).toMatchObject({ accepted: true });
    const next = store.session({ agent: "other" });
    const { hits } = await next.search("Where does the user live?");
    expect(hits[0]!.text).toBe("The user lives in Graz.");
    expect(await next.get(hits[0]!.id)).toMatchObject({
      origin: { evidence: "I live in Graz.", source: "extraction", session: "s1", turn: 0 },
    });
  });

  it("MI21 what is sure enough is taken over by policy, the rest waits; without a policy everything waits", async () => {
    const { pal } = await world();
    const talk = [user("I live in Graz. Anna owns the billing service.")];
    const report = await pal.processConversation(talk, { autoAccept: { confidence: 0.85 } });
    expect(report.facts.map(({ accepted }) => accepted)).toEqual([true, false]);
    expect((await pal.list()).map(({ text }) => text)).toEqual(["The user lives in Graz."]);
    expect(await pal.review()).toHaveLength(1);
    const strict = { autoAccept: { confidence: 0.1, trust: "user" as const } };
    expect((await pal.processConversation([user("I work at Acme.")], strict)).facts[0]!.accepted).toBe(false);
  });

  it("MI22 a correction changes the memory it speaks of, and its history keeps both", async () => {
    const { pal } = await world();
    const sure = { autoAccept: { confidence: 0.5 } };
    await pal.processConversation([user("I work at Globex.")], sure);
    const report = await pal.processConversation(
      [bot("So you work at Globex?"), user("No, that's wrong. I left Globex, I'm at Initech now.")],
      sure,
    );
    expect(report.facts).toMatchObject([
      { action: "update", accepted: true, resolution: { decision: "use_new", by: "rules" } },
    ]);
    const [only, ...none] = await pal.list();
    expect(none).toEqual([]);
    expect(only).toMatchObject({ text: "The user works at Initech.", version: 2 });
    expect((await pal.history(only!.id)).map(({ op }) => op).sort()).toEqual(["add", "modify"]);
  });

  it("MI22 what a conversation corrects itself is proposed once, as it ended, and counted so", async () => {
    const { pal } = await world();
    const report = await pal.processConversation([
      user("I live in Graz. I have two cats."),
      user("Actually, I moved to Linz. My favorite color is blue."),
      user("Correction: I have three cats. My favorite color is green."),
    ]);
    expect(report.facts.map(({ action }) => action)).toEqual([
      ...["none", "none", "remember", "none", "remember", "remember"],
    ]);
    const [waiting] = await pal.review();
    expect(waiting).toMatchObject({ reason: "From a conversation: remember 3." });
    await pal.acceptReview(waiting!.id);
    await pal.processConversation([user("Correction: I have four cats.")], {
      autoAccept: { confidence: 0.5 },
    });
    expect((await pal.list()).map(({ text }) => text).sort()).toEqual([
      "The user has four cats.",
      "The user lives in Linz.",
      "The user's favorite color is green.",
    ]);
  });

  it("MI23 what nothing decides waits as a conflict of its own and is never taken over by policy", async () => {
    const { pal } = await world();
    const sure = { autoAccept: { confidence: 0.5 } };
    await pal.processConversation([user("I live in Graz.")], sure);
    const report = await pal.processConversation([user("I live in Bern.")], sure);
    expect(report.facts).toMatchObject([
      { action: "conflict", accepted: false, resolution: { decision: "ask_user" } },
    ]);
    const [item] = await pal.review({ kind: "conflict" });
    expect(item).toMatchObject({
      data: { conflict: { old: "The user lives in Graz.", new: "The user lives in Bern." } },
    });
    expect((await pal.list()).map(({ text }) => text)).toEqual(["The user lives in Graz."]);
    await pal.acceptReview(item!.id);
    expect((await pal.list()).map(({ text }) => text)).toEqual(["The user lives in Bern."]);
  });

  it("MI24 forgetting what was said removes the candidate; a wish to forget removes the memory it names, and says when nothing fits", async () => {
    const { pal } = await world();
    const sure = { autoAccept: { confidence: 0.5 } };
    expect(
      (
        await pal.processConversation(
          [user("My favourite phone is a Pixel. Actually, don't remember that.")],
          sure,
        )
      ).facts,
    ).toEqual([]);
    await pal.processConversation([user("I live in Graz. My salary is 4000 euros.")], sure);
    expect(await pal.list()).toHaveLength(2);
    const report = await pal.processConversation(
      [user("Please forget what I told you about my salary.")],
      sure,
    );
    expect(report.facts).toMatchObject([{ action: "forget", accepted: true }]);
    expect((await pal.list()).map(({ text }) => text)).toEqual(["The user lives in Graz."]);
    const again = await pal.processConversation([user("Please forget my shoe size.")], sure);
    expect(again.facts).toMatchObject([{ action: "none", reason: "Nothing that is known fits." }]);
    expect(again.proposals).toEqual([]);
  });

  it("MI25 what is known becomes evidence, once for each actor and session", async () => {
    const { pal } = await world({ sessionId: "a" });
    const sure = { autoAccept: { confidence: 0.5 } };
    await pal.processConversation([user("I like jazz.")], sure);
    const before = (await pal.list())[0]!;
    const second = await pal.processConversation([user("I love jazz.")], { ...sure, session: "b" });
    expect(second.facts).toMatchObject([{ action: "observe", accepted: true }]);
    const after = (await pal.list())[0]!;
    expect(after.confidence).toBeCloseTo(1 - 0.7 * (1 - before.confidence), 6);
    const third = await pal.processConversation([user("I enjoy jazz.")], { ...sure, session: "b" });
    expect(third.facts).toMatchObject([{ action: "none" }]);
    expect((await pal.list())[0]!.confidence).toBe(after.confidence);
  });

  it("MI26 what memory itself has just shown is not taken for news", async () => {
    const { pal } = await world();
    await pal.remember("I live in Graz");
    await pal.search("Graz");
    const report = await pal.processConversation([user("I live in Graz.")]);
    expect(report.facts).toEqual([]);
  });

  it("MI27 secrets are in no fact, no evidence and no proposal", async () => {
    const { pal } = await world();
    const talk = [
      user("My database password is hunter2hunter2. The door code is 8821, and I prefer window seats."),
    ];
    const report = await pal.processConversation(talk);
    const link = await pal.processConversation([
      user("I use postgres://bob:Kj82hs9QpZ4@db.acme.net/main for reports."),
    ]);
    expect(JSON.stringify([report, link, await pal.review()])).not.toMatch(/hunter2|8821|Kj82hs9QpZ4/);
    expect(report.facts.map(({ triple }) => triple.object)).toEqual(["window seats"]);
  });

  it("MI28 a dry run finds and plans, and proposes nothing", async () => {
    const { pal } = await world();
    const report = await pal.processConversation([user("I live in Graz.")], { dryRun: true });
    expect(report.facts).toMatchObject([{ action: "remember", accepted: false }]);
    expect(await pal.review()).toEqual([]);
  });

  it("MI29 the same conversation twice waits once; what is no conversation is refused", async () => {
    const { pal } = await world();
    await pal.processConversation([user("I live in Graz.")]);
    await pal.processConversation([user("I live in Graz.")]);
    expect(await pal.review()).toHaveLength(1);
    await expect(pal.processConversation([{ role: "king", content: "x" }] as never)).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
    await expect(pal.processConversation("hello" as never)).rejects.toMatchObject({ code: "INVALID_FIELD" });
  });

  it("MI30 health, faith and money are private; a lower clearance does not see them", async () => {
    const { store, pal } = await world();
    await pal.processConversation([user("I'm allergic to nuts.")], { autoAccept: { confidence: 0.5 } });
    expect((await pal.list())[0]).toMatchObject({ sensitivity: "private" });
    expect(await store.session({ agent: "web", clearance: "normal" }).list()).toEqual([]);
  });
});

describe("reinforcement and decay", () => {
  it("MI40 a confirmed recall takes three tenths of the doubt, once for each session, and to 0.95 without a user", async () => {
    const { store, pal } = await world({ sessionId: "a" });
    const { id } = await pal.remember("The build takes nine minutes", { confidence: 0.5 });
    expect(await pal.confirm(id!)).toMatchObject({ verdict: "updated" });
    expect(await pal.get(id!)).toMatchObject({ confidence: 0.65, version: 2 });
    expect(await pal.confirm(id!)).toMatchObject({ verdict: "duplicate" });
    for (let at = 0; at < 12; at++) await store.session({ agent: "orion", sessionId: `s${at}` }).confirm(id!);
    expect((await pal.get(id!))!.confidence).toBe(0.95);
    await store.session({ agent: "ivo", trust: "user", sessionId: "u" }).confirm(id!);
    expect((await pal.get(id!))!.confidence).toBeGreaterThan(0.95);
  });

  it("MI41 what faded is proposed to go; what was used, or is pinned, is not; nothing is removed by itself", async () => {
    const { pal, later } = await world();
    const faded = await pal.remember("The old office had a red door", { confidence: 0.4 });
    const used = await pal.remember("The printer sits beside the kitchen", { confidence: 0.4 });
    await pal.remember("Invoices are numbered by year", { confidence: 0.4, attributes: { pinned: true } });
    later(2_000 * DAY);
    await pal.confirm(used.id!);
    const proposed = await pal.proposeDeletions();
    expect(proposed.map(({ id }) => id)).toEqual([faded.id]);
    expect(proposed[0]!.reasons[0]).toMatch(/faded/);
    expect(await pal.list()).toHaveLength(3);
  });
});

describe("consolidation", () => {
  it("MI50 consolidate without arguments reports and proposes duplicates, doubts, what ended, session facts and contradictions, and changes nothing", async () => {
    const { pal, later } = await world({ sessionId: "a", gate: { off: ["duplicate", "contradiction"] } });
    await pal.remember("The staging server runs in the Frankfurt data centre");
    await pal.remember("The staging server runs in Frankfurt data centre");
    const doubt = await pal.remember("Marta may like tea", { confidence: 0.1 });
    const ended = await pal.remember("The road works block the gate", { valid: { to: "2026-03-02" } });
    const kept = await pal.remember("The user wants short answers", { lifetime: "session", confidence: 0.9 });
    const old = await pal.remember({ triple: { subject: "user", predicate: "lives_in", object: "Graz" } });
    later(1000);
    await pal.remember({ triple: { subject: "user", predicate: "lives_in", object: "Bern" } });
    later(23 * 3_600_000);
    const before = await pal.list();
    const report = await pal.consolidate();
    const by = (kind: string) =>
      report.findings.filter((finding) => finding.kind === kind).map(({ ids }) => ids[0]);
    expect([by("duplicate").length, by("low-confidence"), by("outdated")]).toEqual([
      1,
      [doubt.id],
      [ended.id],
    ]);
    expect([by("session-fact"), by("contradiction")]).toEqual([[kept.id], [old.id]]);
    expect(report.text).toMatch(/^# Memory consolidation/);
    expect(await pal.list()).toEqual(before);
    const items = await pal.review();
    expect(items.map(({ kind }) => kind).sort()).toEqual(["conflict", ...Array(4).fill("consolidation")]);
    expect((await pal.consolidate()).proposals.length).toBe(report.proposals.length);
    expect(await pal.review()).toHaveLength(items.length);
  });

  it("MI51 accepting keeps a session fact for good and forgets a doubt; a memory changed meanwhile keeps the change", async () => {
    const { pal } = await world({ sessionId: "a" });
    const kept = await pal.remember("The user wants short answers", { lifetime: "session", confidence: 0.9 });
    const doubt = await pal.remember("Marta may like tea", { confidence: 0.1 });
    const { proposals } = await pal.consolidate();
    await pal.update(kept.id!, { tags: ["style"] });
    for (const { id } of proposals) expect(await pal.acceptReview(id)).toMatchObject({ accepted: true });
    expect(await pal.get(kept.id!)).toMatchObject({ lifetime: "permanent", tags: ["style"] });
    expect(await pal.get(doubt.id!)).toBeUndefined();
  });

  it("MI52 the heartbeat runs when something changed, once for all, and not without a task", async () => {
    const { pal } = await world();
    expect(await pal.heartbeat()).toMatchObject({ ran: false });
    await pal.remember("Marta may like tea", { confidence: 0.1 });
    expect(
      await pal.heartbeat({ tasks: "# Heartbeat\n\n<!-- nothing -->\n- [x] done\n- [ ]\n" }),
    ).toMatchObject({ ran: false });
    expect(await pal.heartbeat({ tasks: "# Heartbeat\n- [ ] consolidate\n" })).toMatchObject({
      ran: true,
      report: { findings: [{ kind: "low-confidence" }] },
    });
    expect(await pal.heartbeat()).toMatchObject({ ran: false, why: "Nothing changed since the last time." });
    await pal.remember("Tea is kept in the blue tin");
    const both = await Promise.all([pal.heartbeat(), pal.heartbeat()]);
    expect(both.filter(({ ran }) => ran)).toHaveLength(1);
  });

  it("MI54 the heartbeat reads what people said since the last one, where messages are kept", async () => {
    const { pal, later } = await world();
    await pal.remember("I live in Graz.", { type: "message", attributes: { role: "user" } });
    await pal.remember("You like tea.", { type: "message", attributes: { role: "assistant" } });
    later(1000);
    expect(await pal.heartbeat()).toMatchObject({ ran: true });
    expect(await pal.review()).toMatchObject([
      { kind: "extraction", changes: [{ text: "The user lives in Graz." }] },
    ]);
    await pal.rejectReview((await pal.review())[0]!.id);
    later(1000);
    await pal.remember("Tea is kept in the blue tin");
    expect(await pal.heartbeat()).toMatchObject({ ran: true });
    expect(await pal.review()).toEqual([]);
  });

  it("MI53 personas that hold another value of the same thing are reported", async () => {
    const { store, pal } = await world();
    await pal.remember({ triple: { subject: "user", predicate: "lives_in", object: "Graz" } });
    await pal.createBranch("travel", { persona: "Travel agent" });
    const other = store.session({ agent: "t", branch: "travel" });
    const [there] = await other.list();
    await other.update(there!.id, {
      text: "user lives in Bern",
      triple: { subject: "user", predicate: "lives_in", object: "Bern" },
    });
    const { findings } = await pal.consolidate({ dryRun: true });
    expect(findings).toMatchObject([
      { kind: "persona", why: "On the branch travel it is: user lives in Bern" },
    ]);
  });
});

describe("personas", () => {
  it("MI60 a context that clearly belongs to another persona switches this session only, and a weak one does not", async () => {
    const { store, pal } = await world();
    await pal.createBranch("coding", {
      persona: "Technical helper for programming",
      purpose: "Python code, tests and debugging",
    });
    await pal.createBranch("kitchen", { persona: "Chef", purpose: "Recipes, cooking and menus" });
    const quiet = store.session({ agent: "orion" });
    const answer = await pal.maybeSwitchPersona("Can you help me debug the Python tests of my code?");
    expect(answer).toMatchObject({ branch: "coding", switched: true });
    expect([pal.branch, quiet.branch]).toEqual(["coding", "main"]);
    expect(await pal.maybeSwitchPersona("Thanks, that helps!")).toMatchObject({
      branch: "coding",
      switched: false,
    });
    expect(await pal.maybeSwitchPersona("Code and tests for cooking, menus and recipes")).toMatchObject({
      branch: "coding",
      switched: false,
      reason: "kitchen fits hardly better than coding.",
    });
    expect(
      await pal.maybeSwitchPersona([user("Which recipes for cooking lentils are good, and which menus?")]),
    ).toMatchObject({ branch: "kitchen", switched: true });
  });

  it("MI61 where nobody fits, a persona is proposed and not made; accepting it makes the branch", async () => {
    const { pal } = await world();
    const answer = await pal.maybeSwitchPersona(
      "We should plan the orchard: apple grafting, pruning in winter, soil tests and bees",
    );
    expect(answer).toMatchObject({ switched: false, wanted: { name: expect.any(String) } });
    expect((await pal.branches()).map(({ name }) => name)).toEqual(["main"]);
    const made = await pal.acceptPersona(answer.proposal!);
    expect((await pal.branches()).map(({ name }) => name)).toContain(made.name);
  });
});

describe("reflection", () => {
  it("MI70 without a model a group is summed up in its own words, citing every version it rests on, and the originals stay", async () => {
    const { pal } = await world();
    for (const thing of [
      "red tea",
      "long walks",
      "jazz",
      "old maps",
      "chess",
      "ferries",
      "rye bread",
      "snow",
      "quiet rooms",
    ])
      await pal.remember({ triple: { subject: "user", predicate: "likes", object: thing } });
    const { reflections, proposals, by } = await pal.reflect();
    expect([by, reflections.length, proposals.length]).toEqual(["rules", 1, 1]);
    const hashes = (await pal.list()).map(({ hash }) => hash);
    expect([...reflections[0]!.derivedFrom].sort()).toEqual([...hashes].sort());
    await pal.acceptReview(proposals[0]!);
    expect(await pal.list({ type: "summary" })).toMatchObject([{ origin: { source: "reflection" } }]);
    expect(await pal.list()).toHaveLength(10);
    expect((await pal.reflect()).reflections).toEqual([]);
  });
});

describe("hand-over", () => {
  it("MI80 a session goes to another store as one value and waits there; a changed file is refused", async () => {
    const { pal } = await world({ sessionId: "a" });
    await pal.remember("The release is on 4 May", { topic: "release" });
    await pal.remember("Try the second parser next", { lifetime: "session" });
    const value = await pal.handOver({ message: "Go on with the parser." });
    expect(value).toMatchObject({
      from: { agent: "orion", session: "a", branch: "main" },
      session: [{ text: "Try the second parser next" }],
    });
    const other = (await world({ agent: "vega", sessionId: "b" })).pal;
    const taken = await other.takeOver(JSON.stringify(value));
    expect(taken).toMatchObject({ offered: 2, message: "Go on with the parser." });
    expect(await other.list()).toEqual([]);
    await other.acceptReview(taken.proposal!);
    expect((await other.list()).map(({ text, lifetime, origin }) => [text, lifetime, origin.trust])).toEqual([
      ["Try the second parser next", "session", "external"],
      ["The release is on 4 May", "permanent", "external"],
    ]);
    await expect(other.takeOver(JSON.stringify({ ...value, message: "x" }))).rejects.toMatchObject({
      code: "INVALID_FILE",
    });
    await expect(other.takeOver("{")).rejects.toMatchObject({ code: "INVALID_FILE" });
  });
});
