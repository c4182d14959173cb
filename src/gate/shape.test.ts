import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ErrorCode, PalimpsestError } from "../core/base/errors.js";
import { hashValue } from "../core/base/hash.js";
import { canonical } from "../core/base/json.js";
import type { MemoryInput } from "./shape.js";
import { checkShape } from "./shape.js";

const check = (input: unknown, change = false): void => checkShape(input as MemoryInput, { change });
function codeOf(input: unknown, change = false): ErrorCode | "accepted" {
  try {
    check(input, change);
    return "accepted";
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    expect(error.message).toMatch(/\.$/);
    expect(error.message.length).toBeLessThan(300);
    expect(error.hint).not.toBe("");
    return error.code;
  }
}
const HASH = hashValue("memory", 1);

const GOOD: Record<keyof MemoryInput, readonly unknown[]> = {
  text: ["x", " x ", "a\tb\r\nc", "日本語", "😀", "e\u0301", "\u200bx", "a".repeat(100_000)],
  id: ["a", "notes/2026/a b.md", "é", "x".repeat(512)],
  scope: ["shared", "agent/orion", "project/a.b_c-d@e+f", "team/東京"],
  type: ["fact", "note", "headline", "my-type_2"],
  triple: [{ subject: "a", predicate: "b", object: "c" }],
  attributes: [{}, { TITLE: "a", nested: { list: [1, null, { a: [] }] } }, { constructor: 1, toString: "x" }],
  category: ["bio", "work/technical", "x".repeat(128), "😀".repeat(128)],
  tags: [[], ["a", "b"], ["two words"], Array.from({ length: 100 }, (_, n) => `t${n}`)],
  parent: ["a", "notes/2026"],
  in: ["projects", "projects/the website"],
  position: ["a0", "Zz", "a0V"],
  tier: ["register", "canon"],
  topic: ["backend-language", "x".repeat(256)],
  lifetime: ["permanent", "session", "temporary"],
  ttl: [1, 0.5, 86_400_000],
  expiresAt: ["2026-03-01", "2026-03-01T12:00:00Z"],
  confidence: [0, 0.5, 1, -0],
  sensitivity: ["normal", "private", "confidential"],
  source: ["chat", "manual", "tool", "operator"],
  evidence: ["she said so", "two\nlines"],
  uri: ["https://example.org/a?b#c", "file:///x"],
  turn: [0, 1, Number.MAX_SAFE_INTEGER],
  speaker: ["Ann", "user", "Zoë O'Neil", "x".repeat(128)],
  conversation: ["Ann", "user", "Zoë O'Neil", "x".repeat(128)],
  derivedFrom: [[], [HASH], [HASH, HASH]],
  valid: [{}, { from: "2020-01-01" }, { to: "2020-01-01" }, { from: "2020-01-01", to: "2020-01-01" }],
};

const proto = JSON.parse('{"__proto__":{"polluted":1}}') as object;
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const deep = JSON.parse(`${'{"a":'.repeat(200)}1${"}".repeat(200)}`) as object;
const holes = [HASH, HASH, HASH];
delete holes[1];

const BAD: Record<keyof MemoryInput, readonly unknown[]> = {
  text: [
    "",
    " ",
    "\n\t",
    "\u00a0\u3000",
    "\u200b\u200d\ufeff",
    "\u2060\u00ad",
    "\u3164",
    "\u2800",
    "\u034f",
    "\ud800",
    "a\udc00b",
    5,
  ],
  id: ["", " a", "a ", "a\0b", "a\nb", "\u0085", "x".repeat(513), "x".repeat(10_000), "\ud800", 5],
  scope: [
    "",
    "Shared",
    "shared/x",
    "agent",
    "agent/",
    "/x",
    "Agent/x",
    "agent/a b",
    "agent/a/b",
    "agent/../x",
    "*",
    "agent/*",
    5,
  ],
  type: ["", "Fact", "two words", "1st", "x".repeat(65), "ñ", "__proto__", 5],
  triple: [
    {},
    [],
    "a b c",
    { subject: "a", predicate: "b" },
    { subject: "a", predicate: "", object: "c" },
    { subject: "a", predicate: "b", object: "c", more: 1 },
    { subject: 1, predicate: 2, object: 3 },
  ],
  attributes: [
    [],
    "a",
    5,
    proto,
    cyclic,
    deep,
    { a: Number.NaN },
    { a: Number.POSITIVE_INFINITY },
    { a: "\ud800" },
    { a: 1n },
    { a: new Date(0) },
    { a: [undefined] },
    { a: proto },
    { a: "x".repeat(70_000) },
    new Map(),
  ],
  category: ["", " ", "\u200b", "a\nb", "a\u2028b", "a\0b", "x".repeat(129), "\ud800", 5, ["a"]],
  tags: [
    "a",
    {},
    [""],
    ["a", 5],
    [["a"]],
    ["a\nb"],
    ["a\u0000"],
    ["x".repeat(129)],
    Array(101).fill("a"),
    Array(1),
    new Set(["a"]),
  ],
  parent: ["", " a", "a\0b", "x".repeat(10_000), 5],
  in: ["", "a\nb", "x".repeat(261), 5],
  position: ["", "0", "a", "a00", "a0V0", "a-", 5],
  tier: ["", "logs", "Canon", "toString", 5, ["canon"]],
  topic: ["", "\u200b", "a\tb", "a\0b", "x".repeat(257), 5],
  lifetime: ["", "forever", 5],
  ttl: [0, -1, Number.NaN, Number.POSITIVE_INFINITY, "1000", 1n],
  expiresAt: ["", "tomorrow", "2026-02-30", "2026-03-01T24:00:00Z", 5, new Date(0)],
  confidence: [-0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY, "0.5", true],
  sensitivity: ["", "secret", 5],
  source: ["", "Chat", "two words", 5],
  evidence: ["", "a\0b", "x".repeat(4097), 5],
  uri: ["", "a\nb", "x".repeat(2049), 5],
  turn: [-1, 0.5, Number.NaN, 2 ** 53, "1"],
  speaker: ["", " ", "two\nlines", "x".repeat(129), "\ud800", 5],
  conversation: ["", " ", "two\nlines", "x".repeat(129), "\ud800", 5],
  derivedFrom: ["", HASH, [HASH.slice(1)], [HASH.toUpperCase()], [5], holes, new Set([HASH])],
  valid: [
    "2020",
    [],
    new Date(0),
    { from: "x" },
    { from: null },
    { from: 5 },
    { until: "2020-01-01" },
    { from: "2021-01-01", to: "2020-01-01" },
  ],
};
const FIELDS = Object.keys(GOOD) as (keyof MemoryInput)[];
const withField = (field: string, value: unknown) =>
  field === "text"
    ? { text: value }
    : { text: "x", ...(OF_MESSAGES.has(field) && { type: "message" }), [field]: value };

/** Fields that only messages have. */
const OF_MESSAGES: ReadonlySet<string> = new Set(["speaker", "conversation"]);

describe("A1 each field has its grammar; what is malformed is refused with a code", () => {
  it.each(FIELDS)("A1 %s takes what is good", (field) => {
    for (const value of GOOD[field])
      expect([value, codeOf(withField(field, value))]).toEqual([value, "accepted"]);
    expect(codeOf({ text: "x", [field]: field === "text" ? "x" : undefined })).toBe("accepted");
  });
  it.each(FIELDS)("A1 %s refuses what is not", (field) => {
    const own: Partial<Record<keyof MemoryInput, ErrorCode>> = {
      text: "INVALID_TEXT",
      id: "INVALID_ID",
      parent: "INVALID_ID",
      scope: "INVALID_SCOPE",
      expiresAt: "INVALID_TIME",
    };
    const codes = field === "valid" ? ["INVALID_FIELD", "INVALID_TIME"] : [own[field] ?? "INVALID_FIELD"];
    for (const value of [...BAD[field], null, Symbol("x"), () => 1]) {
      const code = codeOf(withField(field, value));
      expect([field, value, [...codes, field === "attributes" && "INVALID_VALUE"].includes(code)]).toEqual([
        field,
        value,
        true,
      ]);
    }
  });
});

describe("A1 only what was said has a speaker and a conversation", () => {
  it.each(["fact", "note", undefined])("A1 %s has none", (type) => {
    expect(codeOf({ text: "x", type, speaker: "Ann" })).toBe("INVALID_FIELD");
    expect(codeOf({ text: "x", type, conversation: "monday" })).toBe("INVALID_FIELD");
  });
});

describe("A2 a memory has a text or a triple", () => {
  it.each([{}, { tags: ["a"] }, { text: undefined }, { triple: undefined }])("A2 %j has neither", (input) => {
    expect(codeOf(input)).toBe("INVALID_TEXT");
  });
  it("A2 a triple alone is enough", () => {
    expect(codeOf({ triple: { subject: "a", predicate: "b", object: "c" } })).toBe("accepted");
  });
  it.each([null, undefined, "text", 5, true, [], ["text"], () => 1, Symbol("x"), 1n])(
    "A2 %s is no memory",
    (input) => {
      expect(codeOf(input)).toBe("INVALID_FIELD");
    },
  );
});

describe("A3 control characters are refused in beliefs and kept in what is quoted", () => {
  const TEXTS = ["a\u0000b", "\u001b[31mred", "bell\u0007", "del\u007f", "next\u0085line", "csi\u009b"];
  it.each(["fact", "identity", "observation", undefined])("A3 %s refuses them", (type) => {
    for (const text of TEXTS) expect(codeOf({ text, type })).toBe("INVALID_TEXT");
  });
  it.each(["note", "headline", "message", "step"])("A3 %s keeps them", (type) => {
    for (const text of TEXTS) expect(codeOf({ text, type })).toBe("accepted");
  });
  it("A3 nothing to see is no text in any lane", () => {
    for (const type of ["fact", "note", "message"])
      for (const text of ["", "\n", "\u200b", "\u0000"]) expect(codeOf({ text, type })).toBe("INVALID_TEXT");
  });
});

describe("A4 an unknown field is refused, not ignored", () => {
  it.each(["txet", "trust", "origin", "salt", "contested", "session", "hash", "constructor", "toString", ""])(
    "A4 %j",
    (field) => expect(codeOf({ text: "x", [field]: "y" })).toBe("INVALID_FIELD"),
  );
  it("A4 also __proto__, and one with a very long name", () => {
    expect(codeOf(JSON.parse('{"text":"x","__proto__":{"tier":"canon"}}'))).toBe("INVALID_FIELD");
    expect(codeOf({ text: "x", [`${"x".repeat(63)}😀`.repeat(1000)]: 1 })).toBe("INVALID_FIELD");
  });
  it("A4 what is inherited is checked like what is its own", () => {
    expect(codeOf(Object.create({ text: 5 }))).toBe("INVALID_TEXT");
    expect(codeOf(Object.assign(Object.create({ tier: "logs" }), { text: "x" }))).toBe("INVALID_FIELD");
  });
});

describe("A5 a change may leave everything out, and null takes a field away", () => {
  it("A5 what is given is checked as in a new memory", () => {
    expect(codeOf({}, true)).toBe("accepted");
    // Who said something never changes.
    for (const field of FIELDS.filter((name) => !OF_MESSAGES.has(name))) {
      for (const value of GOOD[field]) expect(codeOf({ [field]: value }, true)).toBe("accepted");
      for (const value of BAD[field]) expect(codeOf({ [field]: value }, true)).not.toBe("accepted");
    }
  });
  it("A5 null is for changes only", () => {
    for (const field of FIELDS.filter((name) => name !== "text")) {
      expect(codeOf({ [field]: null }, true)).toBe("accepted");
      expect(codeOf({ text: "x", [field]: null })).not.toBe("accepted");
    }
  });
});

describe("A160 a tier is a belief's", () => {
  it.each(["note", "headline", "message"])("A160 given for a %s it is refused, new or changed", (type) => {
    for (const change of [false, true])
      expect(codeOf({ text: "x", type, tier: "canon" }, change)).toBe("INVALID_FIELD");
    expect(codeOf({ text: "x", type })).toBe("accepted");
  });
  it("A160 given for a belief it is welcome", () => {
    expect(codeOf({ text: "x", type: "fact", tier: "canon" })).toBe("accepted");
    expect(codeOf({ text: "x", tier: "register" })).toBe("accepted");
  });
});

describe("A6 whatever is given, the answer is yes or a PalimpsestError, and nothing is changed", () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
    key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "subject", "from", "to")),
    maxDepth: 3,
  });
  const before = Object.getOwnPropertyNames(Object.prototype).join();
  const copy = (value: unknown): string => {
    try {
      return canonical(value);
    } catch {
      return fc.stringify(value);
    }
  };
  it("A6 in any field", () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS), anything, fc.boolean(), (field, value, change) => {
        const input = withField(field, value);
        const was = copy(input);
        codeOf(input, change);
        expect(copy(input)).toBe(was);
      }),
      { numRuns: 1000 },
    );
    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
  it("A6 in place of all", () => {
    fc.assert(
      fc.property(anything, (value) => void codeOf(value)),
      { numRuns: 300 },
    );
  });
  it("A6 an input that is frozen all the way down is as good as any", () => {
    const input = Object.freeze({
      text: "x",
      tags: Object.freeze(["b", "a"]),
      attributes: Object.freeze({ a: 1 }),
    });
    expect(codeOf(input)).toBe("accepted");
  });
  it("A6 a long text of any sort is answered in time", () => {
    const start = performance.now();
    for (const unit of ["a", " ", "\u200b", "😀", "a\n"])
      for (const field of ["text", "category", "evidence", "uri", "id"])
        codeOf(withField(field, unit.repeat(300_000)));
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
