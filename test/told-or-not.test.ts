import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { memoryStorage, openStore } from "../src/index.js";

/**
 * Sixty small memories and what was asked of them, written before anything was fitted: `+` is told, `?` is asked of the fact
 * with that number, mostly in other words, `!` is asked of the same people and things and was never told. Every second world was
 * looked at while the rules were made, the others are only for proof.
 */
interface World {
  readonly facts: string[];
  readonly asked: { readonly question: string; readonly fact: number }[];
  readonly never: string[];
}

function worldsIn(text: string): World[] {
  const worlds: World[] = [];
  for (const line of text.split("\n")) {
    const [sign, rest] = [line[0], line.slice(2)];
    if (sign === "#") worlds.push({ facts: [], asked: [], never: [] });
    const world = worlds.at(-1)!;
    if (sign === "+") world.facts.push(rest);
    if (sign === "!") world.never.push(rest);
    const [question = "", fact] = rest.split(" | ");
    if (sign === "?") world.asked.push({ question, fact: Number(fact) - 1 });
  }
  return worlds;
}

const WORLDS = worldsIn(readFileSync(new URL("told-worlds.txt", import.meta.url), "utf8"));

it.each([
  ["looked at", 0, 0.86, 0.84],
  ["kept apart", 1, 0.75, 0.75],
])(
  "RC118 told in other words it is answered, never told it is declined: the worlds %s",
  async (_, turn, told, declined) => {
    const answers: boolean[] = [];
    const refusals: boolean[] = [];
    for (const { facts, asked, never } of WORLDS.filter((_world, at) => at % 2 === turn)) {
      const store = await openStore(memoryStorage());
      const pal = store.session({ agent: "orion", trust: "user" });
      await pal.rememberMany(facts);
      const ask = (question: string) => pal.recall(question, { mode: "lexical" });
      for (const { question, fact } of asked) {
        const { answered, citations } = await ask(question);
        answers.push(answered && citations[0]?.text === facts[fact]);
      }
      for (const question of never) refusals.push(!(await ask(question)).answered);
      await store.close();
    }
    const share = (list: readonly boolean[]): number => list.filter(Boolean).length / list.length;
    expect(share(answers)).toBeGreaterThanOrEqual(told);
    expect(share(refusals)).toBeGreaterThanOrEqual(declined);
  },
);
