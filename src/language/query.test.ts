import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsPhrase, parseQuery, queryTokens } from "./query.js";

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

describe("T9 a question is words, phrases and filters", () => {
  it("T9 all of them", () => {
    expect(
      parseQuery(
        'login "exact words" Type:fact tag:"two words" subject:Ada before:2024 after:2023-05-02 tag:b',
      ),
    ).toEqual({
      text: "login exact words",
      phrases: ["exact words"],
      exact: false,
      subjects: ["Ada"],
      types: ["fact"],
      tags: ["two words", "b"],
      before: day("2024-01-01"),
      after: day("2023-05-02"),
    });
  });

  it.each([
    ["after:2023-05", day("2023-05-01")],
    ["after:2023-05-02T10:00", Date.parse("2023-05-02T10:00:00Z")],
    ["after:2023-05-02T10:00:00+02:00", Date.parse("2023-05-02T08:00:00Z")],
    ["after:2023-01-01 after:2024-01-01", day("2024-01-01")],
  ])("T9 %s", (query, after) => {
    expect(parseQuery(query)).toMatchObject({ text: "", after });
  });
});

describe("T10 what is no filter is words", () => {
  it.each([
    "before:yesterday",
    "after:2023-02-30",
    "after:2023-13",
    "type:",
    'tag:""',
    "http://example.com",
    "constructor:x",
    'half a "quote',
    "AND OR NOT ( ) * ^",
  ])("T10 %s", (query) => {
    const { text, before, after, types, tags, subjects } = parseQuery(query);
    expect(text.replaceAll('"', "")).toBe(query.replaceAll('"', ""));
    expect({ before, after, types, tags, subjects }).toEqual({ types: [], tags: [], subjects: [] });
  });
});

describe("T11 quoted phrases", () => {
  it("T11 nothing but phrases and filters asks for them exactly", () => {
    expect(parseQuery('"blue bicycle" type:fact')).toMatchObject({ exact: true, phrases: ["blue bicycle"] });
    expect(parseQuery('"blue bicycle" where').exact).toBe(false);
    expect(parseQuery("„blaues Rad“ «vélo bleu» “blue bike”").phrases).toEqual([
      "blaues Rad",
      "vélo bleu",
      "blue bike",
    ]);
  });
  it("T11 a quoted dialogue or a long quotation is words", () => {
    expect(parseQuery('"Hello there!"\n"How are you?"').exact).toBe(false);
    expect(parseQuery(`"${"so ".repeat(13)}"`)).toMatchObject({ phrases: [], exact: false });
    expect(parseQuery('"?!"')).toMatchObject({ phrases: [], exact: false });
  });
  it("T11 a phrase is held whatever case, accents and punctuation, and only by whole words", () => {
    expect(holdsPhrase("We saw the BLUE, bicycle.", "blue bicycle")).toBe(true);
    expect(holdsPhrase("Un café-crème", "cafe creme")).toBe(true);
    expect(holdsPhrase("blue bicycles", "blue bicycle")).toBe(false);
    expect(holdsPhrase("bicycle blue", "blue bicycle")).toBe(false);
    expect(holdsPhrase("金融科技精英论坛", "科技精英")).toBe(true);
  });
});

describe("T12 stop words never make a question empty", () => {
  it("T12 they are left out beside other words, and kept alone", () => {
    expect(queryTokens("who is Ada").map(({ term }) => term)).toEqual(["ada"]);
    expect(queryTokens("the who").map(({ term }) => term)).toEqual(["the", "who"]);
  });
  it("T12 every text with a letter has a term", () => {
    fc.assert(
      fc.property(fc.string(), fc.stringMatching(/^[a-z]+$/), (noise, word) => {
        expect(queryTokens(`${noise} ${word}`).length).toBeGreaterThan(0);
      }),
    );
  });
  it("T12 each language of the memory gives its terms, each once", () => {
    expect(queryTokens("Katzen", ["en", "de", "de"]).map(({ term }) => term)).toEqual(["katzen", "katz"]);
  });
});

describe("T13 no question throws, and none loses its words (B10)", () => {
  const check = (query: string): void => {
    const parsed = parseQuery(query);
    queryTokens(parsed.text, ["en", "de"]);
    for (const phrase of parsed.phrases) expect(holdsPhrase(phrase, phrase)).toBe(true);
  };
  const syntax = fc
    .array(
      fc.constantFrom(
        '"',
        "“",
        "”",
        "type:",
        "tag:",
        "before:",
        "after:2023",
        "subject:",
        ":",
        " ",
        "\n",
        "-",
        "(",
        "__proto__:",
        "a",
        "0",
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join(""));

  it("T13 of any text", () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: "binary" }), syntax), check));
  });

  const naughty = process.env.PAL_NAUGHTY_STRINGS ?? "";
  it.runIf(existsSync(naughty))("T13 of a collection of naughty strings", () => {
    for (const text of JSON.parse(readFileSync(naughty, "utf8")) as string[]) check(text);
  });

  it("T13 a long question is read in linear time", () => {
    for (const part of ['"', "type:", "“ ", '"a', "« ", "after:2"]) parseQuery(part.repeat(100_000));
  });
});
