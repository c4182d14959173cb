import { afterEach, describe, expect, it } from "vitest";
import { verifyProof } from "../core/merkle/proof.js";
import { tokensOf } from "../language/tokens.js";
import { openStore } from "../session/open-store.js";
import type { Store } from "../session/store.js";
import { memoryStorage } from "../storage/index.js";
import { HONEST } from "./compose.js";
import { readEnvelopes } from "./envelope.js";
import type { Layer } from "./layers.js";

const open: Store[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()));
});
const start = async () => {
  const store = await openStore(memoryStorage());
  open.push(store);
  return { store, session: store.session({ agent: "ann", sessionId: "s1", trust: "user" }) };
};
const lexical = { mode: "lexical" } as const;
const layer = (
  name: "L2" | "L3" | "L4",
  answer: Awaited<ReturnType<Layer["ask"]>> | Error,
  more = {},
): Layer => ({
  name,
  ask: async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  },
  ...more,
});
const empty = { status: "empty", best: 0, found: [] } as const;
const artifact = {
  layer: "L3",
  id: "issue 12",
  text: "#12 Crawler (issue, closed)",
  score: 1,
  uri: "http://f/12",
  updatedAt: "2999-01-01T00:00:00Z",
} as const;

const FACTS = [
  "The staging server is called wombat",
  "We decided to use Redis for the cache because of its expiry",
  "Lena plays the cello on Sundays",
  "The release party is on the roof terrace",
  "Deploys happen every Tuesday at noon",
];

describe("recall", () => {
  it("RC20 a hit is answered in quotations with id, commit, author and score, and ends the walk", async () => {
    const { session } = await start();
    await session.rememberMany(FACTS);
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return empty;
    };
    const spy: Layer = { name: "L4", ask };
    const found = await session.recall("What did we decide about the cache?", { ...lexical, layers: [spy] });
    expect(found).toMatchObject({ recall: true, answered: true, layer: "L1", disagreements: [] });
    const [first] = found.citations;
    expect(first).toMatchObject({ layer: "L1", text: FACTS[1], author: { id: "ann" }, trust: "user" });
    expect((await session.get(first!.id))?.commit).toBe(first?.commit);
    expect(found.text).toContain(JSON.stringify(FACTS[1]));
    expect(found.text).toContain(first!.id);
    expect(found.trace).toMatchObject([
      { layer: "L1", status: "hit", best: expect.any(Number), ms: expect.any(Number) },
    ]);
    expect(asked).toEqual([]);
    expect(found.identity).toBeUndefined();
    await session.setIdentity("I am Orion, and I never guess");
    expect(await session.recall("What is my name?", lexical)).toMatchObject({
      ...{ answered: false, layer: "L5", identity: "I am Orion, and I never guess" },
    });
  });

  it("RC21 all layers empty: the honest sentence, the nearest miss, and L5 only then", async () => {
    const { session } = await start();
    await session.rememberMany(FACTS);
    const found = await session.recall("Which dentist did Lena recommend to us in Vienna?", {
      ...lexical,
      layers: [layer("L3", empty)],
    });
    expect(found).toMatchObject({ answered: false, layer: "L5", citations: [] });
    expect(found.text.split("\n")[0]).toBe(HONEST);
    expect(found.nearest?.text).toBe(FACTS[2]);
    expect(found.text).toContain(JSON.stringify(FACTS[2]));
    expect(found.trace.map(({ layer: name, status }) => [name, status])).toEqual([
      ["L1", "empty"],
      ["L2", "empty"],
      ["L3", "empty"],
    ]);
    expect((await session.recall("What is the name of my sister?", lexical)).text).toBe(HONEST);
  });

  it("RC22 a layer that throws or is late is unavailable: then neither the honest sentence nor L5", async () => {
    const { session } = await start();
    await session.rememberMany(FACTS);
    const late = layer("L3", empty, { timeoutMs: 10, ask: () => new Promise(() => {}) });
    for (const broken of [layer("L3", new Error("the forge is down")), late]) {
      const found = await session.recall("What is the name of my sister?", { ...lexical, layers: [broken] });
      expect(found).toMatchObject({ answered: false });
      expect(found.layer).toBeUndefined();
      expect(found.text).not.toContain(HONEST);
      expect(found.text).toMatch(/^I could not check artifacts \(L3\)/);
      expect(found.trace.at(-1)).toMatchObject({
        layer: "L3",
        status: "unavailable",
        reason: expect.any(String),
      });
    }
  });

  it("RC23 the scratchpad is L2, playbooks and artifacts come after it, each only when those before are empty", async () => {
    const { session } = await start();
    await session.addScratch({ key: "deploy-token", value: "The deploy token lies in the blue vault" });
    const layers = [layer("L3", { status: "hit", best: 1, found: [artifact] })];
    const pad = await session.recall("Where does the deploy token lie?", { ...lexical, layers });
    expect(pad).toMatchObject({ answered: true, layer: "L2", citations: [{ id: "deploy-token" }] });
    const forge = await session.recall("What about the crawler?", { ...lexical, layers });
    expect(forge).toMatchObject({ answered: true, layer: "L3", citations: [{ uri: "http://f/12" }] });
    expect(forge.trace.map(({ layer: name }) => name)).toEqual(["L1", "L2", "L3"]);
  });

  it("RC24 a fresher artifact that says otherwise is reported beside the memory", async () => {
    const { session } = await start();
    await session.rememberMany([...FACTS, "Issue 12 about the crawler is still open"]);
    const hit = { status: "hit", best: 1, found: [artifact] } as const;
    const ask = (more: object, at = hit) =>
      session.recall("Is issue 12 about the crawler open?", { ...lexical, layers: [layer("L3", at, more)] });
    const found = await ask({ isNamedIn: () => true });
    expect(found).toMatchObject({
      layer: "L1",
      disagreements: [{ source: "http://f/12", says: artifact.text }],
    });
    expect(found.text).toContain("! Against [1]");
    expect((await ask({ isNamedIn: () => false })).disagreements).toEqual([]);
    const older = { ...hit, found: [{ ...artifact, updatedAt: "2000-01-01T00:00:00Z" }] };
    expect((await ask({ isNamedIn: () => true }, older as never)).disagreements).toEqual([]);
  });

  it("RC25 both sides of a contested memory are told", async () => {
    const { session } = await start();
    await session.remember("The staging server is called wombat", { topic: "staging" });
    await session.createBranch("side");
    const side = open[0]!.session({ agent: "bob", branch: "side", trust: "user" });
    await side.remember("The staging server is called badger", { topic: "staging" });
    await session.remember("The staging server is called otter", { topic: "staging" });
    await session.merge("side");
    const found = await session.recall("What is the staging server called?", lexical);
    expect(found.disagreements).toHaveLength(1);
    expect([found.citations[0]?.text, found.disagreements[0]?.says].join()).toMatch(
      /otter.*badger|badger.*otter/,
    );
  });

  it("RC33 a question without a word that says something is not answered", async () => {
    const { session } = await start();
    await session.rememberMany(FACTS);
    for (const question of ["", "  ", "?", "🙂", "…!", "the", "is the?", "who are they?"])
      expect(await session.recall(question, lexical)).toMatchObject({ answered: false, citations: [] });
  });

  it("RC31 names of rooms and drawers are no answers: a recall, a why, a block and a wake-up pass them over", async () => {
    const { session } = await start();
    await session.remember("Deploys of the website take nine minutes", { in: "projects/website" });
    await session.createPlace("website/deploys");
    const found = await session.recall("How long do the website deploys take?", lexical);
    expect(found.citations.map(({ text }) => text)).toEqual(["Deploys of the website take nine minutes"]);
    const block = await session.promptContext({ query: "website deploys", ...lexical });
    expect(block.items).toEqual([found.citations[0]?.id]);
    expect((await session.wakeUp({ about: "website deploys" })).loaded).toContainEqual(
      expect.objectContaining({ id: found.citations[0]?.id, why: expect.stringContaining("bears on") }),
    );
    expect(await session.why("website deploys")).toMatchObject({
      supports: [{ id: found.citations[0]?.id }],
    });
    expect((await session.recall("deploys website", lexical)).citations).toHaveLength(1);
    await session.describePlace("website/deploys", "Deploys of the website are frozen in December.");
    const told = await session.recall("When are the website deploys frozen?", lexical);
    expect(told.citations[0]?.text).toContain("December");
  });

  it("RC32 blocks, why and the wake-up tell the other sides of a contested memory too", async () => {
    const { session } = await start();
    const { id, hash } = await session.remember("The staging server is called wombat", { topic: "staging" });
    await session.update(id as string, { text: "The staging server is called otter" });
    await session.update(
      id as string,
      { text: "The staging server is called badger" },
      { ifHash: hash as string },
    );
    const both = /otter[\s\S]*badger|badger[\s\S]*otter/;
    expect((await session.promptContext({ query: "staging server", ...lexical })).text).toMatch(both);
    expect((await session.promptContext()).text).toMatch(both);
    expect((await session.wakeUp()).text).toMatch(/is contested: .*(?:otter.*badger|badger.*otter)/);
    for (const name of ["otter", "badger"]) {
      const { supports, against } = await session.why(`The staging server is called ${name}`);
      expect([...supports, ...against][0]).toMatchObject({ id, contested: [expect.any(String)] });
    }
  });

  it("RC26 messages are quoted with who said them, where and when; beliefs come before them", async () => {
    const { session } = await start();
    await session.rememberMany(FACTS);
    await session.remember("Paul keeps two ferrets in the attic", {
      ...{ type: "message", turn: 7, valid: { from: "2026-02-03T10:00:00Z" } },
    });
    const said = await session.recall("Which animals does Paul keep in the attic?", lexical);
    expect(said.citations[0]).toMatchObject({ speaker: "ann", session: "s1", turn: 7 });
    expect(said.text).toContain("ann said: ");
    expect(said.text).toContain("session s1, turn 7, 2026-02-03");
    await session.remember("Paul keeps two ferrets in his attic");
    const both = await session.recall("Which animals does Paul keep in the attic?", lexical);
    expect(both.citations[0]?.type).toBe("fact");
  });

  it("RC27 what is no recall question passes untouched when only recall is wanted", async () => {
    const { session } = await start();
    await session.rememberMany(FACTS);
    expect(await session.recall("Write a haiku about Redis", { ...lexical, onlyRecall: true })).toMatchObject(
      {
        ...{ recall: false, answered: false, text: "", citations: [], trace: [] },
      },
    );
    expect((await session.isRecall("What did we decide?")).recall).toBe(true);
  });

  it("RC28 each citation carries its proof on request, and the block for a prompt reads back", async () => {
    const { session } = await start();
    await session.rememberMany(FACTS);
    const found = await session.recall("What is the staging server called?", {
      ...lexical,
      proofs: true,
      budget: 400,
    });
    expect(verifyProof(found.citations[0]?.proof)).toMatchObject({ ok: true, present: true });
    expect(readEnvelopes(found.block ?? "")[0]?.text).toBe(FACTS[0]);
    expect(tokensOf(found.block ?? "")).toBeLessThanOrEqual(400);
  });

  it("RC29 a topic whose words the question holds was asked for by its name; a question in Chinese is judged too", async () => {
    const { session } = await start();
    await session.remember("Prefers Python for backend work", { topic: "backend-language" });
    expect(
      (await session.recall("Which language does the user like on the backend?", lexical)).answered,
    ).toBe(true);
    await session.remember("我们昨天决定用Redis做缓存");
    expect((await session.recall("缓存用什么决定了吗？", lexical)).answered).toBe(true);
    expect(await session.recall("我妹妹的生日是哪天？", lexical)).toMatchObject({
      answered: false,
      layer: "L5",
    });
  });

  it("RC30 what was served is known when it comes back", async () => {
    const { store, session } = await start();
    await session.rememberMany(FACTS);
    const agent = store.session({ agent: "bot" });
    await agent.recall("What is the staging server called?", lexical);
    expect(await agent.remember(FACTS[0]!)).toMatchObject({ verdict: "duplicate" });
    await agent.promptContext({ query: "When do deploys happen?", mode: "lexical" });
    expect(await agent.remember(`"${FACTS[4]}"`)).toMatchObject({
      verdict: "duplicate",
      code: "RECALL_LOOP",
    });
  });
});

describe("why", () => {
  it("RC35 from a sentence to the memory, its turn, author and commit, what came of it, and the commands", async () => {
    const { session } = await start();
    await session.rememberMany(FACTS);
    const said = await session.remember("Marco told us that the vault door is green", {
      ...{ type: "message", turn: 3 },
    });
    const first = await session.remember("The vault door is green", { derivedFrom: [said.hash!] });
    const second = await session.remember("Visitors turn left at the gate", {
      derivedFrom: [first.hash!],
    });
    const found = await session.why("The vault door is green.");
    expect(found.supports.map(({ id }) => id)).toEqual(expect.arrayContaining([first.id, said.id]));
    const turn = found.supports.find(({ id }) => id === said.id);
    expect(turn).toMatchObject({
      turn: 3,
      session: "s1",
      commit: said.commit,
      author: { id: "ann" },
      trust: "user",
    });
    expect(found.derived.map(({ id }) => id)).toContain(second.id);
    expect(found.commands.revert).toContain(`pal revert ${first.commit?.slice(0, 12)}`);
    expect(found.commands.taint.join()).toContain(second.id);
    expect((await session.why(first.id!)).supports).toMatchObject([{ id: first.id, score: 1 }]);
  });

  it("RC36 what nothing supports rests on nothing; what says otherwise is told apart", async () => {
    const { session } = await start();
    await session.rememberMany(FACTS);
    expect((await session.why("Bananas grow in the north of Iceland")).supports).toEqual([]);
    const found = await session.why("Deploys do not happen every Tuesday at noon");
    expect(found.against[0]?.text).toBe(FACTS[4]);
    expect(found.supports).toEqual([]);
    await expect(session.why("  ")).rejects.toMatchObject({ code: "INVALID_TEXT" });
  });
  it.each([
    ["Mira owns the billing service", "Tom owns the billing service", "Billing is owned by Mira"],
    [
      "Refunds above 500 euros need approval",
      "Refunds above 800 euros need approval",
      "Refunds above 500 euros",
    ],
    ["The lease ends on 30 June", "The lease ends on 30 July", "The lease ends in June"],
    ["We deploy every Thursday", "We deploy every Friday", "Thursday is when we deploy"],
    ["Errors go to logs/errors.txt", "Errors go to logs/all.txt", "All errors go to logs/errors.txt"],
  ])("RC122 what names another number, day, person or file says otherwise: %s", async (fact, said, same) => {
    const { session } = await start();
    await session.remember(fact);
    const otherwise = await session.why(said);
    expect([otherwise.supports, otherwise.against.map(({ text }) => text)]).toEqual([[], [fact]]);
    const rests = await session.why(same);
    expect([rests.supports.map(({ text }) => text), rests.against]).toEqual([[fact], []]);
  });
});

describe("blocks for prompts", () => {
  it("RC40 the briefing holds canon first, then registers with their topics, and nothing else", async () => {
    const { session } = await start();
    expect((await session.promptContext()).text).toBe("");
    await session.remember("The mission is to map every cave", { tier: "canon", category: "mission" });
    await session.remember("The camp is at the lake", { topic: "camp" });
    await session.rememberMany(FACTS);
    const { text, items } = await session.promptContext();
    expect(readEnvelopes(text).map(({ heading, text: said }) => [heading, said])).toEqual([
      ["Canon", "The mission is to map every cave"],
      ["Active Registers", "The camp is at the lake"],
    ]);
    expect(text).toContain("topic camp");
    expect(items).toHaveLength(2);
  });

  it("RC41 the block about something holds what bears on it, canon first; the newest without a query", async () => {
    const { session } = await start();
    await session.rememberMany([...FACTS, { text: "The cache is holy", tier: "canon" }]);
    const { text } = await session.promptContext({ query: "the cache", mode: "lexical" });
    expect(text).toContain("# Long-Term Memory Context");
    expect(readEnvelopes(text).map(({ text: said }) => said)).toEqual(["The cache is holy", FACTS[1]]);
    expect((await session.promptContext({ query: "quantum zebras", mode: "lexical" })).text).toBe("");
    expect((await session.promptContext({ query: "the cache", maxItems: 0 })).text).toBe("");
    const newest = await session.promptContext({ kind: "memory", maxItems: 3 });
    expect(newest.items).toHaveLength(3);
    const short = await session.promptContext({ kind: "memory", budget: 120 });
    expect(short.tokens).toBeLessThanOrEqual(120);
    expect(short.left).toBeGreaterThan(0);
  });

  it("RC45 a wake-up on an empty store says so, and loads who, where, what, and what is open, each with a reason", async () => {
    const { session } = await start();
    const first = await session.wakeUp();
    expect(first.text).toContain("No identity is set.");
    expect(first).toMatchObject({ open: 0, branch: "main" });
    expect(first.text).not.toMatch(/[0-9a-f]{64}|No unresolved/);
    await session.setIdentity(`I am Orion. ${"I map caves. ".repeat(200)}`.slice(0, 1_100));
    await session.remember("The camp is at the lake", { topic: "camp" });
    await session.rememberMany(
      Array.from({ length: 300 }, (_, at) => `Cave ${at} lies ${at * 17} metres below hill ${at}`),
    );
    await session.commit("Mapped the southern caves", { decision: "Go north next" });
    await session.addScratch({ key: "rope", value: "The rope is frayed" });
    const { text, tokens, loaded } = await session.wakeUp({ about: "cave 17" });
    expect(tokens).toBeLessThanOrEqual(900);
    expect(tokens).toBeGreaterThanOrEqual(300);
    const read = readEnvelopes(text);
    const under = (heading: string) => read.filter((one) => one.heading === heading).map((one) => one.text);
    expect(under("Who I am")[0]).toMatch(/^I am Orion\./);
    expect(tokensOf(under("Who I am")[0] ?? "")).toBeLessThanOrEqual(200);
    expect(under("Where we stopped")[0]).toContain("southern caves");
    expect(under("What is active")[0]).toContain("Cave 17 ");
    expect(under("On the scratchpad")[0]).toContain("frayed");
    expect(loaded.length).toBe(read.length);
    expect(loaded.every(({ what, why }) => what !== "" && why !== "")).toBe(true);
    expect((await session.wakeUp()).text).toContain("The camp is at the lake");
  });

  it("RC45 where hardly anything is believed, the newest notes tell what was learnt", async () => {
    const { session } = await start();
    await session.rememberMany(
      Array.from({ length: 20 }, (_, at) => ({
        text: `Note ${at} on ropes`,
        type: "note",
        in: "gear/ropes",
      })),
    );
    const { text } = await session.wakeUp();
    expect(text).toContain("Note 19 on ropes");
    expect(text).not.toContain("Note 3 on ropes");
    await session.setPalaceConfig("scratchpad.ttl", 60);
    const { text: later } = await session.wakeUp();
    expect(later).not.toContain("Settings of the memory palace");
    expect(later).not.toContain('"Memory palace"');
  });

  it("RC45 what waits for review is told by its id, a few of them, and the rest counted", async () => {
    let now = Date.UTC(2026, 0, 1);
    // What was proposed in one millisecond is ordered by its id, which is drawn.
    const store = await openStore(memoryStorage(), { clock: () => now++ });
    open.push(store);
    const session = store.session({ agent: "ann", trust: "user" });
    const ids: unknown[] = [];
    for (let at = 0; at < 5; at++) {
      const reason = `Idea ${at}`;
      ids.push((await session.propose("idea", (tx) => tx.remember(`Cave ${at} is wet`), { reason })).id);
    }
    const { text } = await session.wakeUp();
    expect(text).toContain(`review ${ids[0]} (idea): Idea 0`);
    expect(text).toContain("and 2 more reviews");
    expect(text).not.toContain("Idea 3");
  });
});
