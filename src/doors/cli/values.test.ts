import { expect, it } from "vitest";
import { Options } from "./options.js";
import { attributesOf, durationOf, wordsOf } from "./values.js";

it("C25 times to live: 30s, 15m, 2h, 7d, 1w and ISO 8601", () => {
  const hours = 3_600_000;
  expect(["500ms", "30s", "15m", "2h", "7d", "1w", "1.5h", " 2 H "].map(durationOf)).toEqual([
    500,
    30_000,
    900_000,
    2 * hours,
    168 * hours,
    168 * hours,
    1.5 * hours,
    2 * hours,
  ]);
  expect(["PT2H", "P7D", "P1DT12H", "P1W", "PT90S"].map(durationOf)).toEqual([
    2 * hours,
    168 * hours,
    36 * hours,
    168 * hours,
    90_000,
  ]);
  for (const bad of ["", "5", "h", "P", "PT", "P1Y", "P1M", "-2h", "2 hours", "1h30m"])
    expect(durationOf(bad)).toBeUndefined();
});

it("C25 attributes: the value is JSON if it can be, else text, and never a number that changed", () => {
  expect(
    attributesOf(["n=1", "b=true", "z=null", 'q="1"', "l=[1,2]", 'o={"a":1}', "t=plain text", "e=", "x=a=b"]),
  ).toEqual({ n: 1, b: true, z: null, q: "1", l: [1, 2], o: { a: 1 }, t: "plain text", e: "", x: "a=b" });
  expect(attributesOf(["zip=01234", "big=12345678901234567890", "inf=1e999"])).toEqual({
    zip: "01234",
    big: "12345678901234567890",
    inf: "1e999",
  });
  expect(attributesOf([])).toBeUndefined();
  for (const bad of ["novalue", "=x", ""]) expect(() => attributesOf([bad])).toThrow(/not K=V/);
});

it("C20 tags may be repeated and take commas", () => {
  expect(wordsOf(["a,b", " c , ", "d"])).toEqual(["a", "b", "c", "d"]);
});

it("C5 a count is a whole number from 1", () => {
  const count = (limit: string) => new Options({ limit }).count("limit");
  expect(count("20")).toBe(20);
  for (const bad of ["0", "-1", "1.5", "x", "", "1e3"])
    expect(() => count(bad)).toThrow(/whole number from 1/);
});
