import { describe, expect, it } from "vitest";
import { judgedAnswer } from "./answer.js";
import type { Judge, Relation } from "./port.js";

/** An own judge that knows some texts: how likely each answers, and what renews or repeats what. */
function knowing(
  answers: Record<string, number>,
  relations: Record<string, Partial<Relation>> = {},
): Judge & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    id: "knowing",
    asked,
    lines: { same: 0.5, renews: 0.5, rival: 0.3, keep: 0.5, asks: 0.5 },
    answers: async (_question, memories) => memories.map((memory) => answers[memory] ?? 0.01),
    relations: async (belief, olds) =>
      olds.map((old) => {
        asked.push(`${belief} < ${old}`);
        const { same = 0, renews = 0 } = relations[`${belief} < ${old}`] ?? {};
        return { same, renews, beside: 1 - same - renews };
      }),
    worths: async () => [],
    asks: async () => 0,
    certainty: ({ answers: likely, next }) =>
      likely > 0.9 && next < 0.5 ? "certain" : likely < 0.1 ? "nothing" : "possible",
    close: async () => undefined,
  };
}

const told = (...texts: string[]) => texts.map((text, told) => ({ text, told }));

describe("which memory answers", () => {
  it("JU10 the later of two that answer, when it renews the other", async () => {
    const judge = knowing({ "lives in Bari": 0.95, Rome: 0.6 }, { "Rome < lives in Bari": { renews: 0.4 } });
    const answer = await judgedAnswer(judge, "where?", told("has a dog", "lives in Bari", "Rome"));
    expect(answer).toMatchObject({ at: 2, renewed: [1], certainty: "certain" });
    expect(answer!.signs.answers).toBe(0.95);
    // The same in whatever order search gave them.
    const turned = told("has a dog", "lives in Bari", "Rome").toReversed();
    expect(await judgedAnswer(judge, "where?", turned)).toMatchObject({ at: 0, renewed: [1] });
    expect(new Set(judge.asked)).toEqual(new Set(["Rome < lives in Bari"]));
  });

  it("JU11 what was true once, when what renewed it does not answer", async () => {
    const judge = knowing({ "lived in Bari": 0.95, Rome: 0.05 }, { "Rome < lived in Bari": { renews: 0.9 } });
    const answer = await judgedAnswer(judge, "where before?", told("lived in Bari", "Rome"));
    expect(answer).toMatchObject({ at: 0, renewed: [] });
  });

  it("JU12 one that says the same is no rival, another that answers is", async () => {
    const answers = { "tea, no sugar": 0.96, "tea without sugar": 0.95 };
    const alike = knowing(answers, { "tea without sugar < tea, no sugar": { same: 0.9 } });
    const texts = told("tea, no sugar", "tea without sugar");
    expect(await judgedAnswer(alike, "tea?", texts)).toMatchObject({
      at: 0,
      same: [1],
      certainty: "certain",
    });
    expect(await judgedAnswer(knowing(answers), "tea?", texts)).toMatchObject({
      at: 0,
      same: [],
      certainty: "possible",
    });
  });

  it("says what of the question is found, and nothing where there is nothing", async () => {
    const judge = knowing({});
    expect(await judgedAnswer(judge, "who?", [])).toBeUndefined();
    const answer = await judgedAnswer(
      judge,
      "Where does Priya park her bicycle?",
      told("Priya has a bicycle"),
    );
    expect(answer).toMatchObject({ certainty: "nothing", signs: { words: 2 / 3, unseen: 1 / 3, next: 0 } });
  });
});
