import { describe, expect, it } from "vitest";
import { ERRORS, type ErrorCode, PalimpsestError, quote } from "./errors.js";

describe("F29 every error carries a code, a message and a hint", () => {
  it("F29 is an Error with the hint of its code", () => {
    const error = new PalimpsestError("NOT_FOUND", "There is no memory x.");
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("PalimpsestError");
    expect(error.code).toBe("NOT_FOUND");
    expect(error.message).toBe("There is no memory x.");
    expect(error.hint).toBe(ERRORS.NOT_FOUND.hint);
    expect(error.data).toBeUndefined();
    expect("cause" in error).toBe(false);
  });

  it("F29 a hint of its own, data and cause are kept", () => {
    const cause = new Error("disk");
    const error = new PalimpsestError("STORE_IO", "It failed.", { hint: "Wait.", data: { at: 1 }, cause });
    expect(error.hint).toBe("Wait.");
    expect(error.data).toEqual({ at: 1 });
    expect(error.cause).toBe(cause);
  });

  it("F29 the JSON form has code, message, hint, and data when there is some", () => {
    const hint = ERRORS.AMBIGUOUS.hint;
    const bare = new PalimpsestError("AMBIGUOUS", "Two.");
    expect(bare.toJSON()).toStrictEqual({ code: "AMBIGUOUS", message: "Two.", hint });
    const full = new PalimpsestError("AMBIGUOUS", "Two.", { data: { candidates: ["a", "b"] } });
    expect(JSON.parse(JSON.stringify({ error: full }))).toStrictEqual({
      error: { code: "AMBIGUOUS", message: "Two.", hint, data: { candidates: ["a", "b"] } },
    });
  });

  it("F29 the JSON form holds no stack and no cause", () => {
    const text = JSON.stringify(
      new PalimpsestError("STORE_IO", "It failed.", { cause: new Error("secret") }),
    );
    expect(text).not.toContain("secret");
    expect(text).not.toContain("errors.test");
  });
});

describe("F30 every code has a hint and an exit status", () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])("F30 %s", (code) => {
    const { exit, hint } = ERRORS[code];
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect([1, 2, 3]).toContain(exit);
    expect(hint).toMatch(/^[A-Z`].*\.$/);
  });
});

describe("F31 a message quotes a refused value shortly, whatever it is", () => {
  it.each([
    ["text", '"text"'],
    ["a\nb\0", '"a\\nb\\u0000"'],
    ["\ud83d", '"\\ud83d"'],
    [7, "number"],
    [7n, "bigint"],
    [undefined, "undefined"],
    [null, "object"],
    [Symbol("s"), "symbol"],
  ])("F31 quotes %o as %s", (value, text) => {
    expect(quote(value)).toBe(text);
  });

  it("F31 cuts a long text without leaving half a character", () => {
    for (const text of ["x".repeat(10_000), "😀".repeat(1000), `x${"😀".repeat(1000)}`]) {
      expect(quote(text).length).toBeLessThanOrEqual(81);
      expect(quote(text).isWellFormed()).toBe(true);
      expect(quote(text).endsWith('…"')).toBe(true);
    }
  });
});
