import { afterEach, describe, expect, it } from "vitest";
import { PalimpsestError } from "../core/base/index.js";
import type { Judge } from "../judge/index.js";
import { openStore } from "../session/open-store.js";
import type { Store } from "../session/store.js";
import { memoryStorage } from "../storage/index.js";
import { HONEST, POSSIBLE } from "./compose.js";
import { readEnvelopes } from "./envelope.js";
import type { Layer } from "./layers.js";
import { promptBlock } from "./prompt-block.js";
import { plainQuestion } from "./question.js";
import { timeAsked } from "./said-when.js";

/** What an own judge knows: how likely texts answer, and which of two renews or repeats which. */
interface Known {
  readonly answers?: Record<string, number>;
  readonly renews?: readonly (readonly [later: string, earlier: string])[];
  readonly same?: readonly (readonly [string, string])[];
}

const knowing = ({ answers = {}, renews = [], same = [] }: Known, asked: string[] = []): Judge => ({
  id: "own",
  lines: { same: 0.5, renews: 0.5, rival: 0.5, keep: 0.5, asks: 0.5 },
  async answers(question, memories) {
    asked.push(question);
    return memories.map((memory) => answers[memory] ?? 0.01);
  },
  async relations(belief, olds) {
    const holds = (pairs: readonly (readonly [string, string])[], old: string) =>
      pairs.some(([one, other]) => one === belief && other === old);
    return olds.map((old) => ({
      renews: holds(renews, old) ? 0.9 : 0,
      same: holds(same, old) ? 0.9 : 0,
      beside: holds(renews, old) || holds(same, old) ? 0.1 : 1,
    }));
  },
  worths: async () => [],
  asks: async () => 0,
  certainty: ({ answers: likely }) => (likely >= 0.9 ? "certain" : likely >= 0.2 ? "possible" : "nothing"),
  close: async () => undefined,
});

const open: Store[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()));
});

const DAY = 86_400_000;
/** A Thursday, at noon. */
const TODAY = Date.UTC(2026, 2, 12, 12);

/** A memory in which texts were told so many days ago, the last of them today. */
async function told(judge: Judge | string, texts: readonly (readonly [text: string, daysAgo: number])[]) {
  let now = TODAY;
  const store = await openStore(memoryStorage(), { judge, clock: () => now });
  open.push(store);
  const session = store.session({ agent: "ann", sessionId: "s1", trust: "user" });
  for (const [text, daysAgo] of texts) {
    now = TODAY - daysAgo * DAY;
    await session.remember(text);
  }
  now = TODAY;
  return session;
}
const today = (...texts: string[]) => texts.map((text) => [text, 0] as const);
const FACTS = [
  "The staging server is called wombat",
  "We decided to use Redis for the cache because of its expiry",
  "Lena plays the cello on Sundays",
  "The release party is on the roof terrace",
  "Deploys happen every Tuesday at noon",
];
const lexical = { mode: "lexical" } as const;

describe("what the judge makes of a question", () => {
  it("RC123 certain is quoted as the answer, possible as what is nearest, nothing is the honest sentence", async () => {
    const pal = await told(
      knowing({ answers: { "Marco lives in Bari": 0.95, "Marco has a flat": 0.4 } }),
      today("Marco lives in Bari", "Marco has a flat", "Priya likes tea"),
    );
    const certain = await pal.recall("where does Marco live?", lexical);
    expect(certain).toMatchObject({ answered: true, certainty: "certain", judged: true, plain: true });
    expect(certain.citations.map(({ text }) => text)).toEqual(["Marco lives in Bari"]);
    expect(certain.text).toMatch(/^\[1\] "Marco lives in Bari"/);
    const possible = await pal.recall("which flat is it?", lexical);
    expect(possible).toMatchObject({ answered: true, certainty: "possible", plain: false, layer: "L1" });
    expect(possible.text.split("\n")[0]).toBe(POSSIBLE);
    expect(possible.text).toContain('"Marco has a flat"');
    const nothing = await pal.recall("which tea does Priya hate?", lexical);
    expect(nothing).toMatchObject({ answered: false, certainty: "nothing", layer: "L5", citations: [] });
    expect(nothing.text.split("\n")[0]).toBe(HONEST);
    expect(nothing.nearest?.text).toBe("Priya likes tea");
  });

  it("RC124 the newer is quoted and the older named, whichever search finds first", async () => {
    const [old, now] = ["Max lives in Bari", "Max has moved to Rome to live there"];
    const pal = await told(knowing({ answers: { [old]: 0.96, [now]: 0.92 }, renews: [[now, old]] }), [
      [old, 20],
      [now, 1],
    ]);
    const { citations, text } = await pal.recall("where does Max live?", lexical);
    expect(citations).toMatchObject([
      { text: now, inPlaceOf: [{ text: old, updatedAt: expect.any(String) }] },
    ]);
    expect(text).toContain(`in place of "${old}" (2026-02-20`);
  });

  it("RC125 what says the same is quoted once, and two that answer together are both quoted", async () => {
    const [one, again, other] = ["Ana likes tea", "Tea is what Ana likes best", "Ana likes walks"];
    const pal = await told(
      knowing({ answers: { [one]: 0.97, [again]: 0.95, [other]: 0.93 }, same: [[again, one]] }),
      today(one, again, other),
    );
    const { citations } = await pal.recall("what does Ana like?", lexical);
    expect(citations.map(({ text }) => text)).toEqual([one, other]);
  });

  it.each([
    '"where does Marco live?"',
    "“Where does Marco live?”",
    "WHERE DOES MARCO LIVE?",
    "where does marco live?",
  ])("RC126 it is the same question as %s", async (question) => {
    const asked: string[] = [];
    const pal = await told(
      knowing({ answers: { "Marco lives in Bari": 0.95 } }, asked),
      today("Marco lives in Bari"),
    );
    expect(await pal.recall(question, lexical)).toMatchObject({ certainty: "certain" });
    expect(asked.map((one) => one.toLowerCase())).toEqual(["where does marco live?"]);
  });

  it("RC126 quotes inside a question and names in capitals stay", () => {
    expect(plainQuestion('Who said "never again" and meant it?')).toBe(
      'Who said "never again" and meant it?',
    );
    expect(plainQuestion("NASA?")).toBe("NASA?");
  });

  it("RC131 a topic is read with its memory, and what is asked for by its topic is shown", async () => {
    const store = await openStore(memoryStorage(), {
      judge: knowing({ answers: { "backend language: Prefers Rust for services": 0.95 } }),
    });
    open.push(store);
    const pal = store.session({ agent: "ann", trust: "user" });
    await pal.remember("Prefers Rust for services", { topic: "backend-language" });
    await pal.remember("Prefers spaces", { topic: "code-style" });
    expect(await pal.recall("Which language on the backend?", lexical)).toMatchObject({
      certainty: "certain",
    });
    expect(await pal.recall("What of the code style?", lexical)).toMatchObject({
      ...{ certainty: "possible", citations: [{ text: "Prefers spaces" }] },
    });
  });

  it("RC127 what was told at the time that is asked about goes before the rest", async () => {
    const texts = [
      ["The deploy is on Thursdays", 60],
      ["The deploy needs two people", 8],
      ["The deploy is on Fridays", 1],
    ] as const;
    const judge = knowing({ answers: Object.fromEntries(texts.map(([text], at) => [text, 0.95 - at / 50])) });
    const pal = await told(judge, texts);
    const first = async (question: string) => {
      const { citations, certainty } = await pal.recall(question, lexical);
      return [certainty, citations[0]?.text];
    };
    expect(await first("what about the deploy?")).toEqual(["certain", texts[0][0]]);
    expect(await first("what did I say about the deploy yesterday?")).toEqual(["certain", texts[2][0]]);
    expect(await first("what did we say last week about the deploy?")).toEqual(["certain", texts[1][0]]);
    expect(await first("what did I tell you about the deploy in January?")).toEqual(["certain", texts[0][0]]);
    // Not told then: it may be what is meant, and is no answer.
    expect(await first("what did I say about the deploy on Monday?")).toEqual(["possible", texts[0][0]]);
  });

  it.each([
    ["yesterday", "2026-03-11", "2026-03-12"],
    ["on Monday", "2026-03-09", "2026-03-10"],
    ["on Thursday", "2026-03-05", "2026-03-06"],
    ["last week", "2026-03-02", "2026-03-09"],
    ["last month", "2026-02-01", "2026-03-01"],
    ["in December", "2025-12-01", "2026-01-01"],
    ["in March", "2026-03-01", "2026-04-01"],
    ["in 2024", "2024-01-01", "2025-01-01"],
    ["on 3 February", "2026-02-03", "2026-02-04"],
    ["gestern", "2026-03-11", "2026-03-12"],
    ["la semana pasada", "2026-03-02", "2026-03-09"],
  ])("RC127 %s begins and ends", (words, from, to) => {
    const time = timeAsked(`What did I say ${words}?`, TODAY);
    expect([time?.from, time?.to]).toEqual([Date.parse(from), Date.parse(to)]);
  });

  it("RC127 before and after a date, and no time where none is named", () => {
    expect(timeAsked("What did we say before March?", TODAY)).toMatchObject({ to: Date.UTC(2026, 2, 1) });
    expect(timeAsked("What did we say after 2024?", TODAY)).toMatchObject({ from: Date.UTC(2025, 0, 1) });
    expect(timeAsked("What is the plan, may I ask?", TODAY)).toBeUndefined();
  });

  it("RC128 where memory has only what is possible, later layers are asked, and it comes back if they are empty", async () => {
    const pal = await told(knowing({ answers: { "Marco has a flat": 0.4 } }), today("Marco has a flat"));
    const layer = (status: "hit" | "empty"): Layer => ({
      name: "L4",
      ask: async () => ({ status, best: 1, found: [{ layer: "L4", id: "flats", text: "Flats", score: 1 }] }),
    });
    const hit = await pal.recall("which flat is it?", { ...lexical, layers: [layer("hit")] });
    expect(hit).toMatchObject({ layer: "L4", certainty: "possible", citations: [{ id: "flats" }] });
    const empty = await pal.recall("which flat is it?", { ...lexical, layers: [layer("empty")] });
    expect(empty).toMatchObject({ layer: "L1", certainty: "possible" });
    expect(empty.trace.map(({ layer: name, status }) => [name, status])).toEqual([
      ["L1", "possible"],
      ["L2", "empty"],
      ["L4", "empty"],
    ]);
  });

  it("RC129 without a judge, or with one that fails, words alone answer and never say certain", async () => {
    const failing = {
      ...knowing({}),
      answers: () => Promise.reject(new PalimpsestError("JUDGE_UNAVAILABLE", "It is away.")),
    };
    for (const judge of ["none", failing]) {
      const pal = await told(judge, today(...FACTS));
      const found = await pal.recall("What is the staging server called?", lexical);
      expect(found).toMatchObject({ answered: true, certainty: "possible", judged: false, plain: false });
      expect(found.citations[0]?.text).toBe("The staging server is called wombat");
      expect(found.text.split("\n")[0]).toBe(POSSIBLE);
      expect(found.trace[0]?.reason).toBe(judge === "none" ? undefined : "It is away.");
      expect(await pal.recall("Who baked the cake?", lexical)).toMatchObject({ certainty: "nothing" });
    }
  });

  it("RC130 a block for a prompt says whether it is the answer or what is nearest", async () => {
    const pal = await told(
      knowing({ answers: { "Marco lives in Bari": 0.95, "Marco has a flat": 0.4 } }),
      today("Marco lives in Bari", "Marco has a flat"),
    );
    const block = async (question: string) =>
      promptBlock(question, await pal.recall(question, lexical), {
        budget: 300,
        random: (size) => new Uint8Array(size),
      });
    expect(await block("where does Marco live?")).toContain("## Recalled");
    expect(await block("which flat is it?")).toContain("for you to judge");
  });

  it("RC130 a block about a query holds the answer first, and says how sure that is", async () => {
    const pal = await told(
      knowing({ answers: { "Marco lives in Bari": 0.95, "Marco has a flat": 0.4 } }),
      today("Marco has a flat", "Marco lives in Bari"),
    );
    const certain = await pal.promptContext({ query: "where does Marco live?", ...lexical });
    expect(certain.certainty).toBe("certain");
    expect(readEnvelopes(certain.text)[0]).toMatchObject({ heading: "Answers", text: "Marco lives in Bari" });
    const possible = await pal.promptContext({ query: "which flat is it?", ...lexical });
    expect(possible.certainty).toBe("possible");
    expect(possible.text).not.toContain("## Answers");
    expect((await pal.promptContext()).certainty).toBeUndefined();
  });
});
