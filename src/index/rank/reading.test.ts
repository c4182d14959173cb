import { describe, expect, it } from "vitest";
import { parseQuery } from "../../language/query.js";
import { dateFit, datesIn, dayOf } from "./dates.js";
import { TRAITS, traitsOf } from "./features.js";
import { readQuestion } from "./question.js";

describe("W9 dates in a question", () => {
  it.each([
    ["on 8 May 2023", [{ year: 2023, month: 5, day: 8 }]],
    ["on May 8th, 2023?", [{ year: 2023, month: 5, day: 8 }]],
    ["in May 2023", [{ year: 2023, month: 5 }]],
    ["in December", [{ month: 12 }]],
    ["2023-05-08", [{ year: 2023, month: 5, day: 8 }]],
    ["2024年4月1日", [{ year: 2024, month: 4, day: 1 }]],
    ["am 3. Oktober 2022", [{ year: 2022, month: 10, day: 3 }]],
    ["in 2022", [{ year: 2022 }]],
    ["what may I march to", []],
    ["room 1234567", []],
  ])("W9 %s", (text, dates) => {
    expect(datesIn(text)).toEqual(dates);
  });

  it("W9 what happened is told on its day or soon after", () => {
    const fit = (text: string) =>
      dateFit({ year: 2023, month: 5, day: 8 }, dayOf(Date.parse(`${text}T00:00:00Z`)));
    expect(["2023-05-08", "2023-05-10", "2023-05-30", "2023-05-05", "2023-04-01"].map(fit)).toEqual([
      1, 0.8, 0.4, 0.3, 0,
    ]);
  });
});

describe("W10 what a text shows by itself", () => {
  const shows = (text: string) => {
    const bits = traitsOf(text);
    return Object.entries(TRAITS).flatMap(([name, bit]) => ((bits & bit) !== 0 ? [name] : []));
  };
  it.each([
    ["How are you?", ["asks", "holdsQuestion"]],
    ["Really? I went home.", ["holdsQuestion"]],
    ["We met in Paris with John last week", ["time", "named", "namedTwice"]],
    ["Nothing at all", []],
    ["Das ist der Hund von gestern", ["time"]],
  ])("W10 %s", (text, expected) => {
    expect(shows(text)).toEqual(expected);
  });
});

describe("W11 what a question asks for", () => {
  const read = (text: string) =>
    readQuestion(parseQuery(text), { languages: ["en"], speakers: new Set(["Ada", "Ben", "user"]) });
  it("W11 names of speakers are known, and count only if they tell speakers apart", () => {
    expect([...read("What did Ada say?").named]).toEqual(["Ada"]);
    expect([...read("Where did ada and ben meet?").named]).toEqual([]);
    expect(read("Ada's dog").terms).toMatchObject([{ isName: true }, { term: "dog", isName: false }]);
  });
  it("W11 politeness is not a question about the assistant", () => {
    expect(read("Can you tell me my budget?").asksAssistant).toBe(false);
    expect(read("What did you suggest for my budget?").asksAssistant).toBe(true);
  });
  it("W11 question words count in a question, not in a dialogue", () => {
    expect(read("Where was it, and when?")).toMatchObject({ asksName: true, asksTime: true });
    expect(read(`Where was it, and when? ${"And so on. ".repeat(30)}`)).toMatchObject({
      asksName: false,
      asksTime: false,
    });
  });
  it("W11 words for the kind of answer count less", () => {
    expect(read("what kind of dog").terms).toMatchObject([{ weight: 0.4 }, { weight: 1 }]);
  });
  it("W11 names and quoted phrases are to be held whole", () => {
    const { terms, phrases } = read('Who plays "Blue Moon" in the Grand Hotel?');
    expect(phrases.map((places) => places.map((i) => terms[i]!.term))).toEqual([
      ["blue", "moon"],
      ["blue", "moon"],
      ["grand", "hotel"],
    ]);
  });
});
