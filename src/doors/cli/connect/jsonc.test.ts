import fc from "fast-check";
import { expect, it } from "vitest";
import { memberAt, NotJson, removeMember, setMember } from "./jsonc.js";

const PATH = ["mcpServers", "palimpsest"];
const ENTRY = { command: "pal", args: ["mcp"] };

it.each([
  [
    "",
    '{\n  "mcpServers": {\n    "palimpsest": {\n      "command": "pal",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
  ],
  [
    '{\n\t// mine\n\t"a": 1, // one\n\t/* servers */ "mcpServers": {\n\t\t"x": {}, // the first\n\t},\n}\n',
    '{\n\t// mine\n\t"a": 1, // one\n\t/* servers */ "mcpServers": {\n\t\t"x": {}, // the first\n\t\t"palimpsest": {\n\t\t\t"command": "pal",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t},\n\t},\n}\n',
  ],
])("CP40 adds a member and moves nothing else: %j", (before, after) => {
  expect(setMember(before, PATH, ENTRY)).toBe(after);
});

it("CP40 keeps the line ends of the file", () => {
  const text = setMember('{\r\n  "a": 1\r\n}\r\n', PATH, ENTRY);
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
});

it.each(["{", "[]", "null", '{"a" 1}', '{"mcpServers": []}', '{"a": 1} x', "{a: 1}", '{"a": undefined}'])(
  "CP41 what is not a JSON object, or has something else in our place, is refused: %s",
  (text) => {
    expect(() => setMember(text, PATH, ENTRY)).toThrow(/./);
    if (text !== '{"mcpServers": []}') expect(() => removeMember(text, PATH)).toThrow();
  },
);

it("CP41 says what is wrong", () => {
  expect(() => setMember("[]", PATH, ENTRY)).toThrow(NotJson);
});

/** JSON as people write it: comments and blanks anywhere, sometimes a trailing comma. */
const gap = fc.constantFrom("", " ", "\n  ", " /* c */ ", " // d\n", '\n\t// e, } " \n');
const scalar = fc.oneof(
  fc.constantFrom("null", "true", "-1.5e3"),
  fc.string().map((text) => JSON.stringify(text)),
);
const { value, object } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie("object"), list(tie("value"))),
  object: members(
    fc.tuple(
      fc.string().map((text) => JSON.stringify(`k${text}`)),
      tie("value"),
    ),
  ),
}));
function list(item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(gap, item, gap), { maxLength: 3 }), gap, fc.boolean())
    .map(
      ([items, last, trails]) =>
        `[${items.map((parts) => parts.join("")).join(",")}${trails && items.length > 0 ? "," : ""}${last}]`,
    );
}
function members(member: fc.Arbitrary<[string, string]>, first = ""): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(gap, member, gap, gap, gap), { maxLength: 3 }), gap, fc.boolean())
    .map(([items, last, trails]) => {
      const said = items.map(([a, [key, one], b, c, d]) => `${a}${key}${b}:${c}${one}${d}`);
      const all = [...(first === "" ? [] : [first]), ...said];
      return `{${all.join(",")}${trails && all.length > 0 ? "," : ""}${last}}`;
    });
}
const servers = members(fc.tuple(fc.constantFrom('"x"', '"y"'), value));
const files = fc.oneof(
  object,
  fc
    .tuple(servers, gap, gap)
    .chain(([inner, a, b]) => members(fc.tuple(fc.constant('"z"'), value), `${a}"mcpServers":${b}${inner}`)),
);
/** What is left when blanks are taken away: everything that could be lost. */
const comments = (text: string): string[] => text.match(/\/\* c \*\/|\/\/ [de][^\n]*/g) ?? [];

it("CP42 whatever the file, the entry is set, everything else is as it was, and taking it out undoes it", () => {
  fc.assert(
    fc.property(files, (text) => {
      const after = setMember(text, PATH, ENTRY);
      expect(memberAt(after, PATH)).toEqual(ENTRY);
      expect(setMember(after, PATH, ENTRY)).toBe(after);
      expect(comments(after)).toEqual(comments(text));
      const back = removeMember(after, PATH);
      expect(memberAt(back, PATH)).toBeUndefined();
      expect(comments(back)).toEqual(comments(text));
      const { mcpServers: mine = {}, ...rest } = memberAt(back, []) as { mcpServers?: object };
      const { mcpServers: old = {}, ...others } = memberAt(text, []) as { mcpServers?: object };
      expect([mine, rest]).toEqual([old, others]);
      if (Object.keys(old).length > 0) expect(back.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
    }),
    { numRuns: 600 },
  );
});

it("CP42 a file of megabytes with a text of megabytes is no trouble", () => {
  const many = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [`k${at}`, { at, text: "x".repeat(20) }]),
  );
  const text = JSON.stringify({ long: 'say "x"\n'.repeat(200_000), many, mcpServers: {} }, undefined, 2);
  const after = setMember(text, PATH, ENTRY);
  expect(after.length).toBeGreaterThan(text.length);
  expect(JSON.parse(removeMember(after, PATH))).toEqual(JSON.parse(text));
});
