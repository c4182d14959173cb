import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkText } from "../embedding-text.js";
import { Names } from "./names.js";

const sentence = (n: number) => `Sentence number ${n} says something about topic ${n * 7} in plain words.`;

describe("chunkText", () => {
  it("Y80 a text of up to 700 characters is one part, a blank one none", () => {
    expect(chunkText("  short  ", 256)).toEqual(["short"]);
    expect(chunkText("x".repeat(700), 256)).toHaveLength(1);
    expect(chunkText(" \n", 256)).toEqual([]);
  });

  it("Y81 a longer one is cut between sentences into at most 4 parts of about equal length", () => {
    const text = Array.from({ length: 40 }, (_, n) => sentence(n)).join(" ");
    const parts = chunkText(text, 256);
    expect(parts).toHaveLength(4);
    expect(parts.join(" ")).toBe(text);
    for (const part of parts) {
      expect(part).toMatch(/^Sentence .*\.$/);
      expect(part.length).toBeGreaterThan(450);
    }
  });

  it("Y82 whatever the text: at most 4 parts, each fits the model, all well-formed, beginning where the text begins", () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: "grapheme" }), fc.constant(sentence(3)), fc.constant("字".repeat(900))),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 8, max: 300 }), (pieces, maxTokens) => {
        const text = pieces.join(" ");
        const parts = chunkText(text, maxTokens);
        expect(parts.length).toBeLessThanOrEqual(4);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(maxTokens * 4);
          expect(part.trim()).not.toBe("");
          expect(part.isWellFormed()).toBe(true);
        }
        if (text.trim() !== "" && text.isWellFormed()) {
          expect(parts.length).toBeGreaterThan(0);
          expect(text.trim().startsWith(parts[0]!.slice(0, 1))).toBe(true);
        }
      }),
    );
  });
});

const chat = (...said: [speaker: string, text: string][]): Names => {
  const names = new Names();
  for (const [speaker, text] of said) names.learn({ speaker, text });
  return names;
};

describe("Names", () => {
  it("Y83 the names of speakers are left out in whatever case, with their 's, and nothing else is", () => {
    const names = chat(["Caroline", "hi"], ["Melanie Smith", "hello"]);
    expect(names.strip("When did Caroline go to the support group?")).toBe(
      "When did go to the support group?",
    );
    expect(names.strip("caroline's dog met MELANIE")).toBe("dog met");
    expect(names.strip("Caroline: I love it")).toBe("I love it");
    expect(names.strip("Mr. Smith’s carolines, Smithson")).toBe("Mr. carolines, Smithson");
    expect(names.strip("Nobody here")).toBe("Nobody here");
  });

  it("Y84 roles are no names, and a name alone stays", () => {
    const names = chat(["user", "x"], ["Assistant", "y"], ["Ada", "z"]);
    expect(names.strip("The user asked the assistant")).toBe("The user asked the assistant");
    expect(names.strip("Ada")).toBe("Ada");
    expect(names.strip("Ada!")).toBe("Ada!");
  });

  it("Y85 in a chat all in lower case a name that is a word too stays a word", () => {
    const names = chat(["will", "i will come"], ["rose", "ok"], ["caroline", "me too"]);
    expect(names.strip("will caroline buy a rose?")).toBe("will buy a rose?");
    expect(names.strip("What did Will say?")).toBe("What did say?");
  });

  it("Y86 a subject is a name unless the texts use it as a noun: in lower case, or after an article", () => {
    const names = new Names();
    names.learn({ subject: "Ada Lovelace", text: "Ada Lovelace works at Initech" });
    names.learn({ subject: "Billing Service", text: "Ask who owns the billing service" });
    expect(names.strip("Ada Lovelace owns the Billing Service")).toBe("owns the Billing Service");
  });

  it("Y87 in German, where every noun has a capital, nouns stay and names go", () => {
    const names = new Names();
    names.learn({ subject: "Anna", text: "Anna arbeitet in Berlin" });
    names.learn({ subject: "Datenbank", text: "Die Datenbank läuft auf Port 5432" });
    names.learn({ speaker: "Jürgen", text: "Der Server steht im Keller" });
    expect(names.strip("Anna prüft die Datenbank mit Jürgen")).toBe("prüft die Datenbank mit");
  });

  it("Y88 two that learnt the same have one signature, in whatever order and grouping", () => {
    const mention = fc.record({
      speaker: fc.option(fc.constantFrom("Ada", "Bob", "will", "user"), { nil: undefined }),
      subject: fc.option(fc.constantFrom("Ada", "Database", "the Server"), { nil: undefined }),
      text: fc.constantFrom("the database", "Ada and bob", "A Server", ""),
    });
    fc.assert(
      fc.property(fc.array(mention), fc.nat(10), (mentions, cut) => {
        const all = new Names();
        for (const each of mentions) all.learn(each);
        const [first, second] = [new Names(), new Names()];
        for (const each of mentions.slice(cut).reverse()) first.learn(each);
        for (const each of mentions.slice(0, cut)) second.learn(each);
        expect(new Names().join([first, second]).signature).toBe(all.signature);
      }),
    );
  });
});
