import { readFileSync } from "node:fs";
import fc from "fast-check";
import { canonicalize } from "json-canonicalize";
import { describe, expect, it } from "vitest";
import { canonical, deepFreeze, parseFrozen, sameJson } from "./json.js";

interface Golden {
  readonly numbers: readonly { readonly ieee754: string; readonly canonical: string }[];
  readonly refusedNumbers: readonly string[];
  readonly documents: readonly {
    readonly name: string;
    readonly input: string;
    readonly canonical: string;
    readonly hex: string;
  }[];
}
const golden = JSON.parse(
  readFileSync(new URL("../../../test/golden/rfc8785.json", import.meta.url), "utf8"),
) as Golden;

const double = (bits: string): number => Buffer.from(bits, "hex").readDoubleBE(0);
const json = fc.jsonValue({ stringUnit: "binary", maxDepth: 4 });
/** The one key our form refuses and RFC 8785 does not. */
const holdsProto = (value: unknown): boolean => JSON.stringify(value).includes('"__proto__":');

describe("F1 canonical JSON is RFC 8785", () => {
  it.each(golden.numbers)("F1 Appendix B: $ieee754 is $canonical", ({ ieee754, canonical: expected }) => {
    expect(canonical(double(ieee754))).toBe(expected);
  });

  it.each(golden.documents)("F1 published document: $name", ({ input, canonical: expected, hex }) => {
    const text = canonical(JSON.parse(input));
    expect(text).toBe(expected);
    expect(Buffer.from(text).toString("hex")).toBe(hex);
  });

  it("F1 agrees with an independent implementation on arbitrary JSON", () => {
    fc.assert(
      fc.property(json, (value) => {
        fc.pre(!holdsProto(value));
        expect(canonical(value)).toBe(canonicalize(value));
      }),
      { numRuns: 1000 },
    );
  });

  it("F1 agrees with an independent implementation on arbitrary numbers", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(canonical(value)).toBe(canonicalize(value));
        expect(Number(canonical(value))).toBe(value === 0 ? 0 : value);
      }),
      { numRuns: 2000 },
    );
  });

  it("F1 is a fixed point: the form of what the form says is the form", () => {
    fc.assert(
      fc.property(json, (value) => {
        fc.pre(!holdsProto(value));
        const text = canonical(value);
        expect(canonical(JSON.parse(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

describe("F2 key order and absent properties never matter", () => {
  it("F2 any order of keys gives one form", () => {
    const entries = fc.uniqueArray(fc.tuple(fc.string({ unit: "binary" }), json), {
      selector: ([key]) => key,
    });
    const shuffled = entries.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        fc.pre(!holdsProto(one) && !one.some(([key]) => key === "__proto__"));
        expect(canonical(Object.fromEntries(other))).toBe(canonical(Object.fromEntries(one)));
      }),
    );
  });

  it("F2 integer-like keys are sorted as text, not as numbers", () => {
    expect(canonical({ 10: 1, 9: 2, b: 3, a: 4 })).toBe('{"10":1,"9":2,"a":4,"b":3}');
  });

  it("F2 a property that is undefined counts as absent", () => {
    expect(canonical({ a: undefined, b: { c: undefined }, d: 1 })).toBe('{"b":{},"d":1}');
  });

  it("F2 minus zero is zero", () => {
    expect(canonical([-0, { a: -0 }])).toBe('[0,{"a":0}]');
  });

  it("F2 sameJson compares by the canonical form", () => {
    expect(sameJson({ a: 1, b: [0] }, { b: [-0], a: 1, c: undefined })).toBe(true);
    expect(sameJson([1, 2], [2, 1])).toBe(false);
    expect(sameJson(undefined, undefined)).toBe(true);
    expect(sameJson(undefined, null)).toBe(false);
    expect(sameJson(null, undefined)).toBe(false);
  });

  it("F2 an object without a prototype is plain JSON", () => {
    expect(canonical(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
  });
});

class Point {
  x = 1;
}

describe("F3 what JSON cannot say exactly is refused, never repaired (B10)", () => {
  const sparse: unknown[] = [1];
  sparse[2] = 3;
  const refused: [string, unknown][] = [
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["a lone high surrogate", "a\ud83d"],
    ["a lone low surrogate", "\ude00a"],
    ["surrogates in the wrong order", "\ude00\ud83d"],
    ["a lone surrogate in a key", { "\ud83d": 1 }],
    ["a bigint", 1n],
    ["undefined", undefined],
    ["undefined in an array", [1, undefined]],
    ["a hole in an array", sparse],
    ["a function", () => 1],
    ["a function as a property", { f() {} }],
    ["a symbol", Symbol("s")],
    ["a Date", new Date(0)],
    ["a Map", new Map([["a", 1]])],
    ["a Set", new Set([1])],
    ["a class instance", new Point()],
    ["a boxed string", Object("text")],
    ["bytes", new Uint8Array(2)],
    ["an Error", new Error("e")],
    ["an own __proto__ key", JSON.parse('{"__proto__":{"admin":true}}')],
    ["a nested own __proto__ key", JSON.parse('{"a":[{"__proto__":1}]}')],
  ];

  it.each(refused)("F3 refuses %s", (_, value) => {
    for (const held of [value, [value], { deep: [{ value }] }]) {
      // As a property, undefined is absent (F2) and not refused.
      if (value === undefined && !Array.isArray(held) && held !== undefined) continue;
      expect(() => canonical(held)).toThrow(expect.objectContaining({ code: "INVALID_VALUE" }));
    }
  });

  it.each(golden.refusedNumbers)("F3 refuses the number %s", (bits) => {
    expect(() => canonical(double(bits))).toThrow(expect.objectContaining({ code: "INVALID_VALUE" }));
  });

  it("F3 toJSON is not asked: a value says itself what it is", () => {
    expect(() => canonical({ toJSON: () => "disguise" })).toThrow(/type function/);
  });

  it("F3 a surrogate pair is a character and stays", () => {
    expect(canonical({ "😀": "😀" })).toBe('{"😀":"😀"}');
  });
});

describe("F4 depth is bounded", () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { value };
    return value;
  };

  it("F4 100 levels are written, 101 refused", () => {
    expect(canonical(nested(100))).toContain("1");
    expect(() => canonical(nested(101))).toThrow(expect.objectContaining({ code: "INVALID_VALUE" }));
  });

  it("F4 a value that contains itself is refused", () => {
    const list: unknown[] = [];
    list.push(list);
    const a: Record<string, unknown> = {};
    a.b = { a };
    for (const value of [list, a])
      expect(() => canonical(value)).toThrow(expect.objectContaining({ code: "INVALID_VALUE" }));
  });

  it("F4 one value in two places is no cycle", () => {
    const shared = { x: 1 };
    expect(canonical([shared, shared])).toBe('[{"x":1},{"x":1}]');
  });
});

it("F5 two normal forms of one text are two values", () => {
  expect(canonical("é")).not.toBe(canonical("e\u0301"));
  expect(canonical({ é: 1, "e\u0301": 2 })).toBe('{"e\u0301":2,"é":1}');
});

describe("F6 a frozen value is frozen all the way down", () => {
  const allFrozen = (value: unknown): boolean =>
    typeof value !== "object" ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(allFrozen));

  it("F6 freezes any JSON value and returns it", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(deepFreeze(value)).toBe(value);
        expect(allFrozen(value)).toBe(true);
      }),
    );
  });

  it("F6 reads any JSON text as a frozen value", () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);
        expect(parseFrozen(text)).toEqual(JSON.parse(text));
        expect(allFrozen(parseFrozen(text))).toBe(true);
      }),
    );
  });

  it("F6 goes on below what was frozen before", () => {
    const value = Object.freeze({ list: Object.freeze([{ open: { yes: true } }]) });
    expect(allFrozen(deepFreeze(value))).toBe(true);
  });

  it("F6 ends on a cycle", () => {
    const a: Record<string, unknown> = {};
    a.a = a;
    expect(Object.isFrozen(deepFreeze(a))).toBe(true);
  });
});
