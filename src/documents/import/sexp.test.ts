import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dotted, Name, readSexp, Struct } from "./snap.js";

describe("D70 Lisp data", () => {
  it("D70 lists, pairs, texts, numbers, names and structures are read as data", () => {
    expect(readSexp('; a comment\n(:A "b \\"c\\" \\\\" (1 -2.5 3e2 1.5d0) nil #| x |# (x . y))')).toEqual([
      new Name("A"),
      'b "c" \\',
      [1, -2.5, 300, 1.5],
      new Name("NIL"),
      new Dotted([new Name("X")], new Name("Y")),
    ]);
    expect(readSexp('("k" . #S(PKG::OBJECT :ID "i" :LIST #(1 2)))')).toEqual(
      new Dotted(["k"], new Struct("OBJECT", [new Name("ID"), "i", new Name("LIST"), [1, 2]])),
    );
    expect(readSexp("(a . (b c))")).toEqual([new Name("A"), new Name("B"), new Name("C")]);
    expect(readSexp("  ; nothing\n")).toBeUndefined();
    expect(readSexp("|mixed Case|")).toEqual(new Name("mixed Case"));
  });

  it("D70 what would be evaluated, and what is broken, is refused", () => {
    for (const bad of [
      "#.(delete-file x)",
      "(a #.(+ 1 2))",
      "'(a)",
      "`a",
      "(,a)",
      "#'f",
      '#p"/x"',
      "(a",
      "a)",
      "(a . )",
      "(. a)",
      '"open',
      "a b",
      "(a . b c)",
      "#S(1)",
    ])
      expect(() => readSexp(bad), bad).toThrowError(expect.objectContaining({ code: "INVALID_FILE" }));
  });

  it("D70 any text ends in data or a typed error, at any depth (B10)", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom("(", ")", " ", ".", '"', "\\", "a", "1", "#", "S", "|", ";", "\n", ":", "'"),
        ),
        (parts) => {
          try {
            readSexp(parts.join(""));
          } catch (error) {
            expect(error).toMatchObject({ code: "INVALID_FILE" });
          }
        },
      ),
    );
    expect(readSexp("(".repeat(100_000) + ")".repeat(100_000))).toBeInstanceOf(Array);
  });
});
