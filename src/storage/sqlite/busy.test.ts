import { expect, it } from "vitest";
import { longestWait } from "./connection.js";

it("S215 waits grow with the tries, and are short for who has waited for a second", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 1000].map((tries) => longestWait(tries, 10))).toEqual([
    2, 4, 8, 16, 32, 50, 50, 50,
  ]);
  expect(longestWait(40, 1_001)).toBeLessThan(longestWait(2, 0));
});
