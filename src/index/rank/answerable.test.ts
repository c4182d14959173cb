import { describe, expect, it } from "vitest";
import { parseQuery } from "../../language/query.js";
import { ANSWERABLE_LEXICAL, judge, plainCorpus, setScene } from "./index.js";

const corpus = plainCorpus(
  Array.from({ length: 30 }, (_, at) => ({
    text:
      at === 7 ? "My sister Clara plays the violin in Vienna" : `We talked about the garden, number ${at}`,
  })),
);
const likely = (question: string, memory = corpus) => {
  const { scene, candidates } = setScene(memory, parseQuery(question), {});
  return judge(scene, candidates).answerable;
};

describe("W12 how likely a question can be answered", () => {
  it("W12 what the memory speaks of is likelier than what it does not, and nothing near is 0", () => {
    expect(likely("Where does Clara play the violin?")).toBeGreaterThan(ANSWERABLE_LEXICAL.threshold);
    expect(likely("Which submarine explored the Mariana trench near the garden?")).toBeLessThan(
      ANSWERABLE_LEXICAL.threshold,
    );
    expect(likely("zebra")).toBe(0);
  });
  it("W15 of a dialogue, or in a script without spaces, it is left open", () => {
    expect(likely(`${"We spoke of many things, and of the sea. ".repeat(9)} And the garden?`)).toBe(0.5);
    expect(likely("花园 garden 在哪里")).toBe(0.5);
    expect(likely("在哪里")).toBe(0);
  });
  it("W18 one fact alone answers what is asked in other words, and not what it only touches", () => {
    const alone = plainCorpus([{ text: "The editor theme is gruvbox dark" }]);
    const { threshold } = ANSWERABLE_LEXICAL;
    expect(likely("Which theme does the editor use?", alone)).toBeGreaterThan(threshold);
    expect(likely("Do you remember the editor theme?", alone)).toBeGreaterThan(threshold);
    expect(likely("Which editor wrote the review of my novel?", alone)).toBeLessThan(threshold);
  });
  it.each([
    [
      "The editor theme is gruvbox dark",
      "What do people normally want to use as their editor theme nowadays?",
      "What do people normally want to use as their editor font nowadays?",
    ],
    [
      "La copie de sauvegarde est à Francfort",
      "Où trouve-t-on actuellement la copie de sauvegarde ?",
      "Où trouve-t-on actuellement le numéro de la copie du contrat ?",
    ],
    [
      "La copia de seguridad está en Fráncfort",
      "¿Dónde se guarda actualmente la copia de seguridad normalmente?",
      "¿Dónde se guarda actualmente la llave del despacho?",
    ],
  ])("W18 words that stand in questions about anything weigh little: %s", (fact, asked, never) => {
    const alone = plainCorpus([{ text: fact }]);
    const { threshold } = ANSWERABLE_LEXICAL;
    expect(likely(asked, alone)).toBeGreaterThan(threshold);
    expect(likely(never, alone)).toBeLessThan(threshold);
  });
  it("W59 what has no vector yet is judged by words alone", () => {
    const memory = plainCorpus([{ text: "The staging cluster runs in Frankfurt" }]);
    const answers = (question: string, near: (doc: number) => number | undefined) => {
      const nearness = {
        ...{ mean: 0.1, max: 0.1, near, tail: near, nearest: [0] },
        ...{ knowsLanguage: true, knowsLanguageOf: () => true },
      };
      const { scene, candidates } = setScene(memory, parseQuery(question), { nearness });
      return !judge(scene, candidates).abstain;
    };
    expect(answers("where is staging hosted?", () => undefined)).toBe(true);
    expect(answers("where is staging hosted?", () => 0)).toBe(false);
    expect(answers("Which submarine explored the trench?", () => undefined)).toBe(false);
  });
  it("W19 a name fits all that is told of it: what else is asked has to fit too, unless a turn of a talk or a second name tells", () => {
    const facts = ["Tom is allergic to peanuts", "Tom met Clara in Leeds", "Maya drives a Fiat"];
    const told = plainCorpus(facts.map((text) => ({ text })));
    const { threshold } = ANSWERABLE_LEXICAL;
    expect(likely("What is Tom allergic to?", told)).toBeGreaterThan(threshold);
    expect(likely("What is the phone number of Tom?", told)).toBeLessThan(threshold);
    expect(likely("How does Tom know Clara?", told)).toBeGreaterThan(threshold);
    const talk = plainCorpus(facts.map((text) => ({ text, session: "s1" })));
    expect(likely("When did we visit Maya?", told)).toBeLessThan(threshold);
    expect(likely("When did we visit Maya?", talk)).toBeGreaterThan(threshold);
    const { scene, candidates } = setScene(told, parseQuery("When did we visit Maya?"), {
      isSameMatter: true,
    });
    expect(judge(scene, candidates)).toMatchObject({ abstain: false });
  });
});
