import { describe, expect, it } from "vitest";
import { openStore } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";
import { ASKED, FACTS, NEVER_TOLD, WORLDS } from "./_everyday.js";

async function told(texts: readonly string[]) {
  const pal = (await openStore(memoryStorage())).session({ agent: "orion", trust: "user" });
  for (const text of texts) await pal.remember(text);
  return async (question: string): Promise<string | undefined> => {
    const { answered, citations } = await pal.recall(question, { mode: "lexical" });
    return answered ? citations[0]?.text : undefined;
  };
}

const half = <T>(list: readonly T[], turn: number): T[] => list.filter((_, at) => at % 2 === turn);

describe.each([
  ["looked at", 0],
  ["kept apart", 1],
])("RC6 what was told is told again, what was not is declined: the half %s", (_, turn) => {
  it("RC6 among everything that was told", async () => {
    const ask = await told(Object.values(FACTS));
    const answers = await Promise.all(
      half(ASKED, turn).map(async ([question, fact]) => (await ask(question)) === FACTS[fact]),
    );
    expect(answers.filter(Boolean).length).toBeGreaterThanOrEqual(16);
    const made = await Promise.all(half(NEVER_TOLD, turn).map(ask));
    expect(made.filter((answer) => answer !== undefined).length).toBeLessThanOrEqual(1);
  });
  it("RC6 alone in its memory", async () => {
    let right = 0;
    let wrong = 0;
    for (const [fact, text] of Object.entries(FACTS)) {
      const ask = await told([text]);
      for (const [question, about] of half(ASKED, turn))
        if (about === fact && (await ask(question)) === text) right++;
      for (const question of half(NEVER_TOLD, turn)) if ((await ask(question)) !== undefined) wrong++;
    }
    expect(right).toBeGreaterThanOrEqual(16);
    expect(wrong).toBeLessThanOrEqual(3);
  });
});

it.each([
  [
    "Das Thema des Editors ist Gruvbox.",
    "Weißt du noch, welches Thema der Editor hat?",
    "Wie heißt mein Hund?",
  ],
  [
    "Le thème de l'éditeur est Gruvbox.",
    "Te souviens-tu du thème de l'éditeur ?",
    "Te souviens-tu de mon chien ?",
  ],
  [
    "El tema del editor es Gruvbox.",
    "¿Recuerdas cuál es el tema del editor?",
    "¿Recuerdas cómo se llama mi perro?",
  ],
  ["编辑器的主题是深色。", "你还记得编辑器的主题是什么吗？", "你还记得我的狗叫什么名字吗？"],
  ["小李不喜欢香菜", "小李不喜欢什么？", "小李的狗叫什么？"],
])("RC6 in other languages: %s", async (text, asked, never) => {
  const ask = await told([text]);
  expect(await ask(asked)).toBe(text);
  expect(await ask(never)).toBeUndefined();
});

describe.each([
  ["looked at", 0],
  ["kept apart", 1],
])("RC7 of a name only what was told of it is told: the worlds %s", (_, turn) => {
  it.each(half(WORLDS, turn))("RC7 $facts.0", async ({ facts, asked, never }) => {
    const ask = await told(facts);
    const answers = await Promise.all(asked.map(ask));
    expect(answers.filter((answer) => answer !== undefined).length).toBeGreaterThanOrEqual(8);
    const made = await Promise.all(never.map(ask));
    expect(made.filter((answer) => answer !== undefined).length).toBeLessThanOrEqual(2);
  });
  it.each(half(WORLDS, turn))("RC77 asked in small letters: $facts.0", async ({ facts, asked, never }) => {
    const ask = await told(facts);
    const small = (questions: readonly string[]) =>
      Promise.all(questions.map((question) => ask(question.toLowerCase())));
    const isTold = (answer: string | undefined) => answer !== undefined;
    expect((await small(asked)).filter(isTold).length).toBeGreaterThanOrEqual(8);
    expect((await small(never)).filter(isTold).length).toBeLessThanOrEqual(2);
  });
});

it.each([
  [
    ["Lena hat eine Katze namens Mimi.", "Lena mag keinen Koriander."],
    "was mag lena nicht",
    "wo wohnt lena?",
  ],
  [["Mehmet leitet das Einkaufsteam."], "wer leitet das Einkaufsteam?", "Ist Mehmet verheiratet?"],
])("RC77 in German, whatever its capitals: %s", async (facts, asked, never) => {
  const ask = await told(facts);
  expect(facts).toContain(await ask(asked));
  expect(await ask(never)).toBeUndefined();
});
