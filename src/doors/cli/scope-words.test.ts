import { expect, it } from "vitest";
import { scopeMeant, seen } from "./scope-words.js";

const sight = seen(["shared", "agent/orion", "project/site"], "project/site", "site");

it.each([
  [undefined, {}],
  ["memex", { scope: "shared" }],
  ["shared", { scope: "shared" }],
  ["orion", { scope: "agent/orion" }],
  ["agent/orion", { scope: "agent/orion" }],
  ["project", { scope: "project/site" }],
  ["permanent", { lifetime: "permanent" }],
  ["session", { lifetime: "session" }],
  ["temporary", { lifetime: "temporary" }],
  ["work/technical", { category: "work/technical" }],
  ["vega", { category: "vega" }],
  ["agent/vega", { scope: "agent/vega" }],
  ["user/7", { scope: "user/7" }],
  ["team/red", { scope: "team/red" }],
] as const)("J9 %s", (word, meant) => {
  expect(scopeMeant(word, sight)).toEqual(meant);
});

it("J9 to whoever sees everything a bare word is an agent's name", () => {
  const { scope } = scopeMeant("vega", seen(["*"], "shared", undefined));
  expect(scope).toBe("agent/vega");
});

it("C432 at the command line a bare word is an agent's name, seen or not", () => {
  expect(scopeMeant("vega", sight, "agent")).toEqual({ scope: "agent/vega" });
  expect(scopeMeant("work/technical", sight, "agent")).toEqual({ category: "work/technical" });
});

it("J9 without a project, project is an error", () => {
  expect(() => scopeMeant("project", seen(["shared"], "shared", undefined))).toThrow(
    /not started inside a project/,
  );
});

it("J10 patterns see what they match and nothing else", () => {
  const { sees } = seen(["project/*", "user/a*z", "shared"], "shared", undefined);
  expect(["project/x", "project/", "user/az", "user/abcz", "shared"].map(sees)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(["agent/x", "user/a", "user/za", "shared2", "xproject/y"].map(sees)).toEqual(Array(5).fill(false));
  expect(seen(["*"], "shared", undefined).sees("any/thing")).toBe(true);
  expect(seen(["a*a"], "shared", undefined).sees("a")).toBe(false);
});
