import fc from "fast-check";
import type { Drawable } from "./lanes.js";

const NAMES = [
  "main",
  "work",
  "branch",
  "commit",
  "merge",
  "checkout",
  "order",
  "title",
  "cherry-pick",
  "1.2",
  "LR",
  "a-",
  "switch.x",
];

interface Choice {
  readonly parents: readonly number[];
  readonly branch: number;
  readonly tagged: boolean;
  readonly message: string;
}

const choice: fc.Arbitrary<Choice> = fc.record({
  parents: fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.nat(40)) },
    { weight: 3, arbitrary: fc.tuple(fc.nat(40), fc.nat(40)) },
    { weight: 1, arbitrary: fc.array(fc.nat(40), { maxLength: 4 }) },
  ),
  branch: fc.nat(NAMES.length - 1),
  tagged: fc.boolean(),
  message: fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), fc.constant('"; %%{init: {}}%% <b>\n```')),
});

/** Any directed acyclic graph, children first, with branches at tips and elsewhere: worse than stores can make. */
export const histories: fc.Arbitrary<Drawable[]> = fc
  .tuple(fc.array(choice, { maxLength: 24 }), fc.array(fc.nat(23), { maxLength: 6 }))
  .map(([choices, heads]) => {
    const hash = (index: number) =>
      (index * 2_654_435_761).toString(16).padStart(64, "0").split("").reverse().join("");
    const at = new Map(
      heads.map((head, index) => [head % Math.max(1, choices.length), NAMES[index] as string]),
    );
    return choices
      .map(({ parents, branch, tagged, message }, index) => ({
        commit: hash(index),
        links:
          index === 0 ? [] : [...new Set(parents.map((back) => hash(Math.max(0, index - 1 - (back % 6)))))],
        branch: NAMES[branch] as string,
        branches: at.has(index) ? [at.get(index) as string] : [],
        tags: tagged ? [`v${index}`] : [],
        time: new Date(Date.UTC(2026, 0, 1) + index * index * 1000).toISOString(),
        message,
      }))
      .reverse();
  });
