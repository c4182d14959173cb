import { expect, it } from "vitest";
import { openStore } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

async function told(texts: readonly string[]) {
  const pal = (await openStore(memoryStorage())).session({ agent: "orion", trust: "user" });
  for (const text of texts) await pal.remember(text);
  return async (question: string): Promise<string | undefined> => {
    const { answered, citations } = await pal.recall(question, { mode: "lexical" });
    return answered ? citations[0]?.text : undefined;
  };
}

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

it.each([
  [
    ["Lena hat eine Katze namens Mimi.", "Lena mag keinen Koriander."],
    "was mag lena nicht",
    "wo wohnt lena?",
  ],
  [["Mehmet leitet das Einkaufsteam."], "wer leitet das Einkaufsteam?", "Ist Mehmet verheiratet?"],
])("RC6 in German, whatever its capitals: %s", async (facts, asked, never) => {
  const ask = await told(facts);
  expect(facts).toContain(await ask(asked));
  expect(await ask(never)).toBeUndefined();
});
