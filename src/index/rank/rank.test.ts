import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../language/query.js";
import { FEATURES, HYBRID, LEXICAL, type PlainDocument, plainCorpus, rank, setScene } from "./index.js";

const found = (documents: readonly PlainDocument[], question: string, options = {}) =>
  rank(plainCorpus(documents), parseQuery(question), { limit: 10, ...options }).hits;
const order = (documents: readonly PlainDocument[], question: string, options = {}) =>
  found(documents, question, options).map(({ doc }) => doc);
const day = (text: string) => Date.parse(`${text}T12:00:00Z`);

const facts: PlainDocument[] = [
  { text: "Ada prefers tea in the morning" },
  { text: "The deploy script lives in tools/deploy.sh" },
  { text: "Ada works on the parser of documents" },
  { text: "Lunch is at noon" },
];

/** Two people over several days: the answer to the question about the dog has none of its words. */
const talk: PlainDocument[] = Array.from({ length: 8 }, (_, session) => [
  { speaker: "Ada", text: `Good morning, how is it going with project ${session}?` },
  { speaker: "Ben", text: "Very well, thank you, and with the garden and the house?" },
  {
    speaker: "Ada",
    text: session === 3 ? "What is the name of your new dog?" : "Did you see the weather report?",
  },
  {
    speaker: "Ben",
    text: session === 3 ? "He is called Rex, he loves to swim." : "Yes, it is going to rain all day.",
  },
]).flatMap((turns, session) =>
  turns.map((turn) => ({ ...turn, session: `s${session}`, time: day(`2024-0${session + 1}-10`) })),
);

describe("W1 documents without a conversation are ranked by their words", () => {
  it("W1 the one that holds the rarer words first, those without any not at all", () => {
    expect(order(facts, "What does Ada prefer?")).toEqual([0, 2]);
    expect(order(facts, "where is tools/deploy.sh")).toEqual([1]);
    expect(order(facts, "zebra")).toEqual([]);
  });
  it("W1 a title counts more than the text", () => {
    const notes = [{ text: "parser and lexer notes" }, { text: "notes and lexer", title: "parser" }];
    expect(order(notes, "parser")[0]).toBe(1);
  });
});

describe("W2 the structure of a conversation", () => {
  it("W2 an answer without any word of the question is found by the question before it", () => {
    expect(order(talk, "What is the name of Ben's dog?").slice(0, 2)).toContain(15);
  });
  it("W2 who is named in the question is who should have said it", () => {
    const said = [
      { text: "I love sailing", speaker: "Ada", session: "a" },
      { text: "I love sailing", speaker: "Ben", session: "b" },
    ];
    expect(order(said, "Does Ada love sailing?")[0]).toBe(0);
    expect(order(said, "Does Ben love sailing?")[0]).toBe(1);
  });
  it("W2 the date that is named is when it was said", () => {
    const said = Array.from({ length: 12 }, (_, month) => ({
      text: "We went swimming",
      time: day(`2023-${String(month + 1).padStart(2, "0")}-08`),
    }));
    expect(order(said, "Who went swimming on 8 May 2023?")[0]).toBe(4);
    expect(order(said, "Who went swimming in October?")[0]).toBe(9);
  });
  it("W2 a question about what the assistant said prefers the assistant, any other the user", () => {
    const said: PlainDocument[] = [
      { text: "Which database fits my budget app?", role: "user", speaker: "user" },
      { text: "A database that fits a budget app is SQLite", role: "assistant", speaker: "assistant" },
    ];
    expect(order(said, "Which database did you recommend for the budget app?")[0]).toBe(1);
    expect(order(said, "Which database does my budget app need?")[0]).toBe(0);
  });
});

describe("W3 a score is explained", () => {
  it("W3 the points of the reasons add up to the score, and are in the table", () => {
    const names = new Set([...FEATURES.map(({ name }) => name), "recent", "unsure"]);
    for (const { score, why } of found(talk, "What is the name of Ben's dog?", { today: 20_000 })) {
      expect(why.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(score, 9);
      expect(why.every(({ feature, meaning }) => names.has(feature) && meaning !== "")).toBe(true);
    }
  });
  it("W3 every feature with a weight is in the table, and matching never counts against a document", () => {
    for (const { byFeature } of [LEXICAL, HYBRID])
      for (const [name, weight] of Object.entries(byFeature)) {
        const feature = FEATURES.find((one) => one.name === name);
        expect(feature).toBeDefined();
        if (!feature?.signed) expect(weight).toBeGreaterThan(0);
      }
    expect(FEATURES.filter(({ vector, name }) => vector && name in LEXICAL.byFeature)).toEqual([]);
  });
});

describe("W4 mild priors", () => {
  const said: PlainDocument[] = [
    { text: "Ada lives in Paris", time: day("2020-01-01") },
    { text: "Ada lives in Paris", time: day("2024-01-01") },
    { text: "Ada lives in Paris", time: day("2024-01-01"), confidence: 0.4 },
  ];
  const today = Math.floor(day("2024-01-02") / 86_400_000);
  it("W4 among equals what is newer and surer comes first", () => {
    expect(order(said, "Where does Ada live?", { today })).toEqual([1, 0, 2]);
  });
  it("W4 they can be switched off", () => {
    expect(order(said, "Where does Ada live?", { useConfidence: false })).toEqual([0, 1, 2]);
  });
  it("W4 they do not outdo a better match", () => {
    const better = [{ text: "Ada lives in Paris near the river", time: day("2000-01-01") }, ...said];
    expect(order(better, "Does Ada live near the river in Paris?", { today })[0]).toBe(0);
  });
});

describe("W5 what is not admitted is not there", () => {
  it("W5 neither as a match nor as a neighbour", () => {
    const admits = (doc: number) => doc % 2 === 0;
    const docs = order(talk, "What is the name of Ben's dog?", { admits });
    expect(docs.length).toBeGreaterThan(0);
    expect(docs.every(admits)).toBe(true);
  });
});

describe("W6 any question on any documents", () => {
  const word = fc.constantFrom(
    "ada",
    "ben",
    "the",
    "dog",
    "rex",
    "2024",
    "May",
    "you",
    "?",
    "北京",
    "src/a.ts",
  );
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  const document = fc.record(
    {
      text,
      session: fc.constantFrom("a", "b", "c"),
      speaker: fc.constantFrom("Ada", "Ben", "user"),
      role: fc.constantFrom("user" as const, "assistant" as const, "other" as const),
      time: fc.constantFrom(0, day("2024-05-01")),
    },
    { requiredKeys: ["text"] },
  );
  it("W6 gives finite scores in falling order, each document once, and the same every time", () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 12 }), text, (documents, question) => {
        const hits = found(documents, question);
        expect(new Set(hits.map(({ doc }) => doc)).size).toBe(hits.length);
        hits.forEach(({ score }, at) => {
          expect(Number.isFinite(score)).toBe(true);
          if (at > 0) expect(score).toBeLessThanOrEqual(hits[at - 1]!.score);
        });
        expect(found(documents, question)).toEqual(hits);
        const { follow } = rank(plainCorpus(documents), parseQuery(question), { limit: 10 });
        const followed = follow((doc) => documents[doc]!.text);
        expect(followed.length).toBeGreaterThanOrEqual(hits.length);
        expect(new Set(followed.map(({ doc }) => doc)).size).toBe(followed.length);
        followed.forEach(({ score, why }, at) => {
          expect(why.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(score, 9);
          if (at > 0) expect(score).toBeLessThanOrEqual(followed[at - 1]!.score);
        });
      }),
    );
  });
});

describe("W7 the cut", () => {
  it("W7 the first pass lets the best through, and their neighbours come along", () => {
    const { candidates } = setScene(plainCorpus(talk), parseQuery("dog"), { candidates: 1 });
    expect(candidates).toEqual([14, 15, 13]);
  });
});

describe("W14 a language the model does not know", () => {
  const nearness = (knowsLanguage: boolean, foreign: number) => ({
    mean: 0.1,
    max: 0.6,
    near: (doc: number) => (doc === foreign ? undefined : 0.6),
    tail: () => undefined,
    nearest: [3],
    knowsLanguage,
    knowsLanguageOf: (doc: number) => doc !== foreign,
  });
  it("W14 of the question: the nearest come along, by words alone, and why says so", () => {
    const hits = found(facts, "Ada", { nearness: nearness(false, -1) });
    expect(hits.map(({ doc }) => doc)).toEqual([0, 2, 3]);
    expect(hits.map(({ score }) => score)).toEqual([
      ...found(facts, "Ada").map(({ score }) => score),
      expect.any(Number),
    ]);
    for (const { why } of hits) expect(why.at(-1)).toMatchObject({ feature: "foreign", points: 0 });
  });
  it("W14 of a document: its meaning is not compared, that of others is", () => {
    const hits = found(facts, "Ada", { nearness: nearness(true, 0) });
    const features = (doc: number) => hits.find((hit) => hit.doc === doc)?.why.map(({ feature }) => feature);
    expect(features(0)).toContain("foreign");
    expect(features(0)).not.toContain("near");
    expect(features(2)).toContain("near");
    expect(features(2)).not.toContain("foreign");
  });
});

describe("W79 what shares rare words with the best hits", () => {
  const people: PlainDocument[] = [
    { text: "Marek Novotny holds a doctorate in chemistry" },
    { text: "Marek Novotny was born in Brno" },
    { text: "Marek plays chess on Sundays" },
    { text: "Ines and Jonas play chess on Sundays" },
    { text: "Novotny is a street in Prague" },
  ];
  const followed = (documents: readonly PlainDocument[], question: string, options = {}) => {
    const ranking = rank(plainCorpus(documents), parseQuery(question), { limit: 10, ...options });
    return { ...ranking, hits: ranking.follow((doc) => documents[doc]!.text) };
  };
  it("W79 comes along though it holds no word of the question, if it shares two, and why says so", () => {
    expect(order(people, "Who has a doctorate?")).toEqual([0]);
    const { hits, leads } = followed(people, "Who has a doctorate?");
    expect(leads).toEqual([0]);
    expect(hits.map(({ doc }) => doc)).toEqual([0, 1]);
    expect(hits[1]!.why).toContainEqual(
      expect.objectContaining({
        feature: "kin",
        points: LEXICAL.kin,
        meaning: expect.stringMatching(/rare words/),
      }),
    );
  });
  it("W79 counts among what words found too, and changes nothing of the judgement", () => {
    const question = "Which doctorate, chemistry chess street or Sundays is from Brno?";
    const { follow, ...plain } = rank(plainCorpus(people), parseQuery(question), { limit: 9 });
    expect(plain.leads).toHaveLength(3);
    const behind = plain.hits.map(({ doc }) => doc).filter((doc) => !plain.leads.includes(doc));
    const points = follow((doc) => people[doc]!.text)
      .filter(({ doc }) => behind.includes(doc))
      .map(({ why }) => why.find(({ feature }) => feature === "kin")?.points ?? 0);
    expect(Math.max(...points)).toBeCloseTo(LEXICAL.kin!, 6);
    expect(followed(people, question)).toMatchObject({
      answerable: plain.answerable,
      abstain: plain.abstain,
    });
  });
  it("W79 nothing that is not admitted comes along, and nothing where an assistant speaks", () => {
    const admits = (doc: number) => doc !== 1;
    expect(followed(people, "Who has a doctorate?", { admits }).hits.map(({ doc }) => doc)).toEqual([0]);
    const chat = people.map((one, at) => ({
      ...one,
      role: at % 2 ? ("assistant" as const) : ("user" as const),
    }));
    expect(followed(chat, "Who has a doctorate?")).toMatchObject({ leads: [], hits: [{ doc: 0 }] });
  });
  it("W79 a lead that cannot be read leads nowhere", () => {
    const { hits, follow } = rank(plainCorpus(people), parseQuery("Who has a doctorate?"), { limit: 9 });
    expect(follow(() => undefined)).toEqual(hits);
  });
});

describe("W8 vectors join the same table", () => {
  const nearness = (cosines: readonly number[]) => ({
    mean: 0.1,
    max: Math.max(...cosines),
    near: (doc: number) => cosines[doc],
    tail: (doc: number) => cosines[doc],
    nearest: [...cosines.keys()].sort((a, b) => cosines[b]! - cosines[a]!),
    knowsLanguage: true,
    knowsLanguageOf: () => true,
  });
  it("W8 what shares no word is found by meaning, and why says so", () => {
    const [first] = found(facts, "midday meal", { nearness: nearness([0.05, 0.1, 0.1, 0.6]) });
    expect(first?.doc).toBe(3);
    expect(first?.why[0]?.meaning).toMatch(/near/);
  });
  it("W8 a document without a vector yet is ranked by the rest", () => {
    const none = {
      ...nearness([0.1, 0.1, 0.1, 0.1]),
      near: () => undefined,
      tail: () => undefined,
    };
    expect(order(facts, "What does Ada prefer?", { nearness: none })[0]).toBe(0);
  });
});
