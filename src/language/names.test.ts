import { expect, it } from "vitest";
import { nameWords, tailOf } from "./query.js";

it("T14 names of speakers are known from the memory; roles are no names", () => {
  expect([...nameWords(["Ada Lovelace", "user", "Assistant", ""])]).toEqual(["ada", "lovelace"]);
});

it("T16 a long question asks with its last lines, any other with all of it", () => {
  expect(tailOf("short\nbut\nof\nmany\nlines")).toBe("short\nbut\nof\nmany\nlines");
  const talk = `${"What a day it was. ".repeat(20)}\nA: so?\nB: I see.\nA: when do we leave?`;
  expect(tailOf(talk)).toBe("A: so?\nB: I see.\nA: when do we leave?");
});
