import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../facts.js";
import { extractFacts } from "./extract.js";

const said = (...contents: string[]): Message[] => contents.map((content) => ({ role: "user", content }));
const triples = (...contents: string[]): string[] =>
  extractFacts(said(...contents)).map(({ op, triple: { subject, predicate, object } }) =>
    [op === "add" ? "" : `${op}:`, subject, predicate, object].filter((part) => part !== "").join(" "),
  );

describe("extraction by rules", () => {
  it("MI1 plain statements become triples of whom they are about", () => {
    expect(triples("My name is Petra and I work for Siemens.")).toEqual([
      "user name Petra",
      "user works_at Siemens",
    ]);
    expect(triples("My friend Sarah is allergic to peanuts, I can't stand them.")).toEqual([
      "Sarah is_allergic_to peanuts",
      "user dislikes peanuts",
    ]);
    expect(triples("Bob owns the API, Ines owns the shop.")).toEqual(["Bob owns API", "Ines owns shop"]);
    expect(triples("Our backend is written in Go.", "We deploy on Fridays.")).toEqual([
      "backend is_written_in Go",
      "user deploy on Fridays",
    ]);
  });

  it.each([
    ["a question", "Does Bob own the API?", "I live in Rome, right?"],
    [
      "a hypothesis",
      "If I lived in Rome I would sell it.",
      "Maybe I like jazz.",
      "I work for Acme unless they close.",
      "I live in Rome, I guess.",
      "If I win, I live in a castle.",
      "Suppose my name is Bond. I live in London.",
    ],
    ["fiction", "Write a poem in which I live on Mars.", "Let's play: I'm a pilot.", "Imagine I have a dog."],
    [
      "sarcasm and jests",
      "Oh great, I love Mondays.",
      "Yeah right, I enjoy outages.",
      "I live on the moon, haha!",
      "I really LOVE waiting here.",
    ],
    ["what passes", "I'm hungry right now.", "Today I work from Bern.", "I'm in a meeting."],
    [
      "a task",
      "Translate this: I live in Rome. My name is Ugo.",
      'Summarise: "I prefer tea."',
      "Explain what a mutex is.",
    ],
    [
      "what others said",
      "> I live in Rome",
      "```\nI live in Rome\n```",
      'He wrote "I live in Rome and my name is Ugo".',
    ],
    ["what others want", "My boss wants everything in blue.", "She said she loves jazz."],
    ["what points elsewhere", "I love it!", "I like that one.", "I prefer the former."],
  ])("MI2 %s is no fact", (_, ...contents) => {
    for (const content of contents) expect([content, triples(content)]).toEqual([content, []]);
  });

  it("MI3 only people are read, not assistants, tools or systems", () => {
    const facts = extractFacts([
      { role: "assistant", content: "You live in Graz. I like tea." },
      { role: "system", content: "I live in Rome." },
      { role: "tool", content: "My name is Ugo." },
    ]);
    expect(facts).toEqual([]);
  });

  it("MI4 a correction replaces what it corrects; what is taken back is gone; an end and a beginning are one change", () => {
    expect(triples("The release is on 4 May. No wait, 21 June.")).toEqual(["release is 21 June"]);
    expect(triples("I work at Foo. No wait, I work at Bar.")).toEqual([
      "user works_at Foo",
      "modify: user works_at Bar",
    ]);
    expect(triples("My new car is a Golf. Actually, don't remember that.")).toEqual([]);
    expect(triples("I drive a Golf.", "Forget that.")).toEqual([]);
    expect(triples("I no longer work at Google, I'm at Meta now.")).toEqual(["modify: user works_at Meta"]);
    expect(triples("Please forget my address.")).toEqual(["forget: user about address"]);
    expect(triples("Forget that I live in Bern.")).toEqual(["forget: user lives_in Bern"]);
    expect(triples("Off the record: I live in Rome.")).toEqual([]);
    const asked = [
      "I hate mornings. I like tea.",
      "I moved to Graz. And please forget that I hate mornings.",
    ];
    expect(triples(...asked)).toEqual([
      "user likes tea",
      "modify: user lives_in Graz",
      "forget: user dislikes mornings",
    ]);
  });

  it("MI1 instruments are played as such, other things with an article were spoken of", () => {
    expect(triples("I play the cello.")).toEqual(["user plays cello"]);
    expect(triples("I play the video you sent.")).toEqual([]);
  });

  it("MI5 wishes to an assistant last; among people they are advice", () => {
    expect(triples("Please always answer me in German.")).toEqual(["user preferred_language German"]);
    expect(triples("Always format dates as day, month, year.")).toHaveLength(1);
    const people = [
      { role: "user" as const, name: "Ana", content: "Always follow your heart." },
      { role: "user" as const, name: "Ben", content: "I play chess." },
    ];
    expect(extractFacts(people).map(({ triple }) => triple.subject)).toEqual(["Ben"]);
  });

  it("MI6 other languages are read too, and keep their words", () => {
    expect(triples("Ich heiße Karl und wohne in Wien.")).toEqual(["user name Karl", "user lives_in Wien"]);
    expect(triples("Je m'appelle Claire et j'habite à Lyon.")).toEqual([
      "user name Claire",
      "user lives_in Lyon",
    ]);
    expect(triples("Mi hermana se llama Eva y vive en Lima.")).toEqual([
      "user sister Eva",
      "Eva lives_in Lima",
    ]);
    expect(triples("我叫李雷，我对花生过敏。")).toEqual(["user name 李雷", "user allergic_to 花生"]);
    expect(triples("私は東京に住んでいます。")).toEqual(["user lives_in 東京"]);
    expect(extractFacts(said("我住在杭州。"))[0]!.text).toContain("我住在杭州");
  });

  it("MI7 the same thing said twice is one fact; secrets and codes are none", () => {
    expect(triples("I like tea. I love tea!", "I enjoy tea.")).toEqual(["user likes tea"]);
    expect(
      triples("My PIN is 1234.", "The door code is 8821.", "My password is [redacted:password]."),
    ).toEqual([]);
  });

  it("MI8 evidence is always the very words of the message it names, whatever the message", () => {
    const words = fc.constantFrom(
      "I live in Graz",
      "my name is Ugo",
      "“quoted”",
      "and",
      ",",
      ".",
      "?",
      "\n",
      "I like tea",
      "🙂",
      "我住在杭州",
      "`code`",
      "if",
      "- ",
      "\u0000",
    );
    fc.assert(
      fc.property(fc.array(fc.array(words, { maxLength: 12 }), { maxLength: 4 }), (given) => {
        const messages = said(...given.map((parts) => parts.join(" ")));
        for (const { evidence, turn, triple, confidence } of extractFacts(messages)) {
          expect(messages[turn]!.content).toContain(evidence);
          expect(triple.object).not.toBe("");
          expect(confidence).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("MI9 no message makes it slow: time grows no faster than the text", () => {
    const cost = (content: string): number => {
      const start = process.cpuUsage();
      extractFacts(said(content));
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    for (const unit of [
      "I like ",
      "my my my ",
      "if I, and I, but I ",
      "a, b and c, ",
      "Aaaa Bbbb ",
      "((( ",
      '"I ',
      "the the is on 4 ",
      "always never ",
    ]) {
      cost(unit.repeat(200));
      const small = Math.max(cost(unit.repeat(1_000)), 3_000);
      expect([unit, cost(unit.repeat(8_000)) < small * 64]).toEqual([unit, true]);
    }
  });
});
