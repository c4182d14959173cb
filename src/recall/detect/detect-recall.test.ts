import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectRecall } from "./detect-recall.js";

/** Prompts of our own; the labelled corpora are for measuring only. */
const RECALL: Readonly<Record<string, readonly string[]>> = {
  "the documents' patterns": [
    "what did we do?",
    "what's the status of the importer?",
    "last time we talked about sharding, what was the plan?",
    "what did ezra do?",
    "has allegro finished",
  ],
  English: [
    "Why did we drop Redis?",
    "What's my wife's name again?",
    "When is my next dentist appointment?",
    "What is our convention for branch names?",
    "Continue where we stopped yesterday",
    "Who is on call this week?",
    "Use the same format as last time",
    "Was the flaky test ever fixed?",
    "hey, what came of the call with the vendor?",
    "Bring me up to speed on the redesign",
    "Who approved the budget?",
    "Is Nora still on holiday?",
  ],
  German: [
    "Was haben wir letzte Woche vereinbart?",
    "Wie weit ist das Refactoring?",
    "Wer kümmert sich um die Rechnung?",
    "Wie hieß nochmal der Kollege aus dem Einkauf?",
    "Welches Notizbuch benutze ich?",
    "Fass zusammen, was wir über den Kunden wissen",
  ],
  French: [
    "Qu'avons-nous décidé hier ?",
    "Quel est mon restaurant préféré ?",
    "Pourquoi a-t-on choisi Postgres ?",
    "Est-ce que le fournisseur a répondu ?",
    "Fais-moi un point sur la refonte",
  ],
  Spanish: [
    "¿Qué decidimos ayer sobre la caché?",
    "¿Cuál es mi color favorito?",
    "¿En qué quedamos la última vez?",
    "¿Dónde está la llave de la oficina?",
    "¿A quién le presté la bici?",
  ],
  Chinese: [
    "我最喜欢的颜色是什么？",
    "迁移进展如何？",
    "上周我们讨论了什么？",
    "合同签了没有？",
    "她叫什么来着？",
  ],
};
const OTHER: Readonly<Record<string, readonly string[]>> = {
  English: [
    "What did Python 3 change?",
    "How do I undo the last commit in git?",
    "What is the status code for Not Found?",
    "Translate: what did we decide yesterday?",
    'Print "issue 456" to the console',
    "Why does my code throw a TypeError?",
    "Has anyone ever walked on Mars?",
    "Write a poem about last summer",
    "We decided to use Postgres. Update the docs accordingly",
    "Remember to add a newline at the end of the file",
    "I get an error when I run this, what could be the reason?",
    "What happens if I force push?",
  ],
  German: [
    "Was ist der Unterschied zwischen TCP und UDP?",
    "Schreibe ein Gedicht über gestern",
    "Merk dir bitte: der Server heißt jetzt atlas",
    "Wir haben uns für Svelte entschieden, bitte stell das Projekt um",
    "Erklär mir das bitte noch einmal einfacher",
  ],
  French: [
    "Écris une fonction qui trie une liste",
    "Quand est tombé le mur de Berlin ?",
    "Souviens-toi que je préfère les réponses courtes",
    "On a choisi Vue ; mets à jour le README",
  ],
  Spanish: [
    "Escribe una función que ordene una lista",
    "¿Qué significa HTTP 404?",
    "Recuerda que prefiero tabuladores",
    "Resume el siguiente párrafo: ayer fuimos al mercado.",
  ],
  Chinese: [
    "写一首关于夏天的诗",
    "如何在Python中反转字符串？",
    "明天九点提醒我开会",
    "请记住，我喜欢四个空格",
  ],
};

describe.each(Object.entries(RECALL))("RC1 a recall question is known as one: %s", (_, prompts) => {
  it.each(prompts)("%s", (prompt) => {
    expect(detectRecall(prompt)).toMatchObject({ recall: true });
  });
});

describe.each(Object.entries(OTHER))("RC2 any other prompt is let pass: %s", (_, prompts) => {
  it.each(prompts)("%s", (prompt) => {
    expect(detectRecall(prompt)).toMatchObject({ recall: false, layers: [] });
  });
});

it("RC3 the score decides from one half on, its signs are named, and layers are suggested", () => {
  const asked = detectRecall("Is issue 456 fixed yet?");
  expect(asked.score).toBeGreaterThan(0.5);
  expect(asked.signs).toContain("+ issue");
  expect(asked.layers).toEqual(["L1", "L3"]);
  expect(detectRecall("How do we deploy the website?").layers).toContain("L4");
  for (const open of ["How large may the header be?", "What is the timeout of the gateway?"])
    expect(detectRecall(open)).toMatchObject({ recall: false, asks: true });
  for (const no of [
    "Can you list the ports?",
    "How do I open a port?",
    "Open the port",
    "你能帮我写一个函数吗？",
  ])
    expect(detectRecall(no)).toMatchObject({ recall: false, asks: false });
});

it("RC4 any text of any length is judged, always alike, in time that does not grow with it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
      const { recall, score } = detectRecall(text);
      expect(recall).toBe(score > 0.5);
      expect(detectRecall(text).score).toBe(score);
    }),
  );
  for (const part of ["what did we ", "a/", "#1 ", "((((", "\u0000", "did the the the "])
    detectRecall(part.repeat(100_000));
});
