import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Found, secondLook } from "./second-look.js";

const said = (text: string, score = 5, speaker = 0): Found => ({
  text,
  type: "message",
  score,
  why: [{ feature: "speaker", points: speaker }],
});

describe("RC34 of messages about as likely, which is told first", () => {
  it("RC34 what the one who is asked about said", () => {
    const [other, own] = [said("She went to the parade."), said("I went to the parade.", 4.5, 1)];
    expect(secondLook("When did Ann go to the parade?", [other, own])).toEqual([own, other]);
  });

  it("RC34 what holds the words of the question together", () => {
    const apart = said("The church is local, the window of glass has stains.");
    const joined = said("The stained window is made for a local church there.", 4.8);
    expect(secondLook("Who made the local church window?", [apart, joined])).toEqual([joined, apart]);
  });

  it("RC34 a clear lead stays, and what is no message keeps its place", () => {
    const found = [
      said("Yes.", 9),
      { ...said("A fact", 3), type: "fact" },
      said("We sail on Monday at noon.", 4),
    ];
    expect(secondLook("When do we sail?", found)).toEqual(found);
  });

  it("RC34 nothing is lost or doubled, whatever the texts", () => {
    const each = fc.record({
      text: fc.string({ unit: "binary" }),
      type: fc.constantFrom("message", "step", "fact", "note"),
      score: fc.double({ noNaN: true, min: -9, max: 9 }),
      why: fc.constant([]),
    });
    fc.assert(
      fc.property(fc.string(), fc.array(each), (question, found) => {
        const told = secondLook(question, found);
        expect(new Set(told)).toEqual(new Set(found));
        expect(told.map(({ type }) => type === "fact")).toEqual(found.map(({ type }) => type === "fact"));
      }),
    );
  });
});
