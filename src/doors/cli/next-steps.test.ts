import { expect, it } from "vitest";
import { nextSteps } from "./next-steps.js";

it("C319 of several findings with one command the next steps name it once, and say what it is for", () => {
  const readOnly = [
    "The directory cannot be written.",
    "The file cannot be written.",
    "A small write failed.",
  ];
  const steps = nextSteps(3, [
    { what: "1 contested field", command: "pal conflicts" },
    ...readOnly.map((what) => ({ what, command: "pal doctor" })),
  ]);
  expect(steps.map(({ command }) => command)).toEqual([
    "pal conflicts",
    "pal doctor",
    "pal search <question>",
  ]);
  for (const { does } of steps) expect(does).toMatch(/^[a-z]/);
});
