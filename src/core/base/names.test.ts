import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "./errors.js";
import {
  idKey,
  isGeneratedId,
  MAIN,
  type MemoryId,
  parseBranch,
  parseId,
  parseName,
  parseScope,
  type Scope,
  SHARED,
  scopeKey,
  shortId,
  toName,
  topicId,
} from "./names.js";

interface Golden {
  readonly scopeKeys: Readonly<Record<string, string>>;
  readonly idKeys: Readonly<Record<string, string>>;
  readonly topicIds: Readonly<Record<string, string>>;
}
const golden = JSON.parse(
  readFileSync(new URL("../../../test/golden/hash-v1.json", import.meta.url), "utf8"),
) as Golden;

const refusal = (code: ErrorCode) => expect.objectContaining({ code });
const NOT_TEXT: unknown[] = [undefined, null, 7, 7n, {}, ["shared"], Symbol("s"), () => "shared"];

describe("F11 a scope is `shared` or kind/name", () => {
  it.each([
    "shared",
    "agent/orion",
    "project/site",
    "user/7",
    "agent/a.b_c-d@e+f",
    "agent/Zoë",
    "team/東京",
    "agent/हिन्दी",
    "x/y",
    `${"k".repeat(32)}/x`,
    `agent/${"x".repeat(128)}`,
    `agent/${"𠮷".repeat(128)}`,
  ])("F11 accepts %s", (text) => {
    expect(parseScope(text)).toBe(text);
  });

  it.each([
    ["empty", ""],
    ["no name", "agent"],
    ["an empty name", "agent/"],
    ["an empty kind", "/orion"],
    ["a slash alone", "/"],
    ["two slashes", "agent/orion/x"],
    ["an upper-case kind", "Agent/orion"],
    ["a digit in the kind", "agent2/orion"],
    ["a kind that is too long", `${"k".repeat(33)}/x`],
    ["a name that is too long", `agent/${"x".repeat(129)}`],
    ["a long name of two-unit characters", `agent/${"𠮷".repeat(129)}`],
    ["a name that is not NFC", "agent/Zoe\u0308"],
    ["below shared", "shared/x"],
    ["Shared", "Shared"],
    ["a blank", "agent/or ion"],
    ["a blank around", " agent/orion"],
    ["a line feed behind", "agent/orion\n"],
    ["NUL", "agent/a\0b"],
    ["an emoji", "agent/😀"],
    ["a lone surrogate", "agent/\ud83d"],
    ["a pattern", "agent/*"],
    ["a colon", "agent/c:d"],
    ["a backslash", "agent/a\\b"],
    ["a bidirectional override", "agent/a\u202eb"],
  ])("F11 refuses %s", (_, text) => {
    expect(() => parseScope(text)).toThrow(refusal("INVALID_SCOPE"));
  });

  it("F11 refuses what is no text", () => {
    for (const value of NOT_TEXT) expect(() => parseScope(value)).toThrow(refusal("INVALID_SCOPE"));
  });

  it("F11 the shared scope is a scope", () => {
    expect(parseScope(SHARED)).toBe("shared");
  });
});

describe("F12 an id is 1-512 bytes without control characters or outer blanks", () => {
  it.each([
    "a",
    "notes/2026/a b.md",
    "../../etc/passwd",
    "C:\\x",
    "é",
    "e\u0301",
    "😀",
    "a\u00a0b",
    "x".repeat(512),
    "é".repeat(256),
    "😀".repeat(128),
  ])("F12 accepts %s", (text) => {
    expect(parseId(text)).toBe(text);
  });

  it.each([
    ["empty", ""],
    ["one blank", " "],
    ["a blank before", " a"],
    ["a blank behind", "a "],
    ["a no-break space behind", "a\u00a0"],
    ["an ideographic space before", "\u3000a"],
    ["an em space behind", "a\u2003"],
    ["a byte order mark before", "\ufeffa"],
    ["a line separator behind", "a\u2028"],
    ["a tab inside", "a\tb"],
    ["a line feed inside", "a\nb"],
    ["NUL inside", "a\0b"],
    ["DEL", "a\x7fb"],
    ["a C1 control", "a\x9bb"],
    ["next line", "a\x85"],
    ["a lone surrogate", "a\ud83db"],
    ["513 bytes", "x".repeat(513)],
    ["514 bytes in 257 characters", "é".repeat(257)],
    ["516 bytes in 129 emoji", "😀".repeat(129)],
    ["10,000 characters", "x".repeat(10_000)],
  ])("F12 refuses %s", (_, text) => {
    expect(() => parseId(text)).toThrow(refusal("INVALID_ID"));
  });

  it("F12 refuses what is no text", () => {
    for (const value of NOT_TEXT) expect(() => parseId(value)).toThrow(refusal("INVALID_ID"));
  });
});

describe("F13 a name is the name part of a scope", () => {
  it("F13 a name and a scope of that name are valid together", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 140 }), (text) => {
        const valid = (parse: () => unknown): boolean => {
          try {
            parse();
            return true;
          } catch {
            return false;
          }
        };
        expect(valid(() => parseName(text))).toBe(valid(() => parseScope(`agent/${text}`)));
      }),
    );
  });

  it.each(["orion", "a.b_c-d@e+f", "Zoë", "東京", "7", "x".repeat(128)])("F13 accepts %s", (text) => {
    expect(parseName(text)).toBe(text);
  });

  it.each([
    ["empty", ""],
    ["too long", "x".repeat(129)],
    ["not NFC", "Zoe\u0308"],
    ["a slash", "a/b"],
    ["a blank", "a b"],
    ["a line feed", "a\n"],
    ["an emoji", "😀"],
  ])("F13 refuses %s", (_, text) => {
    expect(() => parseName(text)).toThrow(refusal("INVALID_NAME"));
  });

  it("F13 refuses what is no text", () => {
    for (const value of NOT_TEXT) expect(() => parseName(value)).toThrow(refusal("INVALID_NAME"));
  });
});

describe("F14 any text from outside becomes a valid name", () => {
  it.each([
    ["Claude Code", "Claude-Code"],
    ["a/b\\c:d", "a-b-c-d"],
    ["a \t\n b", "a-b"],
    ["Zoe\u0308", "Zoë"],
    ["😀", "-"],
    ["\ud83d", "-"],
    ["", "unnamed"],
    ["orion@host+1.2_3-4", "orion@host+1.2_3-4"],
  ])("F14 %j becomes %j", (text, name) => {
    expect(toName(text)).toBe(name);
  });

  it("F14 always gives a valid name and leaves a valid one alone", () => {
    const long = fc.string({ unit: fc.constantFrom("𠮷", "a", " ", "é", "e\u0301", "😀"), maxLength: 400 });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), long), (text) => {
        const name = toName(text);
        expect(parseName(name)).toBe(name);
        expect(toName(name)).toBe(name);
      }),
      { numRuns: 1000 },
    );
  });

  it("F14 cuts a long name between characters, not inside one", () => {
    expect(toName("𠮷".repeat(200))).toBe("𠮷".repeat(128));
    expect(toName(`a${"𠮷".repeat(200)}`)).toBe(`a${"𠮷".repeat(127)}`);
  });
});

describe("F15 a branch name is safe as a file name, in a URL and in a diagram", () => {
  it.each([
    "main",
    "a",
    "7",
    "fix-1.2_x",
    "Main",
    "x".repeat(100),
    "console",
    "nullable",
    "com",
    "com10",
    "my-con",
    "lockstep.locks",
  ])("F15 accepts %s", (text) => {
    expect(parseBranch(text)).toBe(text);
    expect(encodeURIComponent(text)).toBe(text);
  });

  it.each([
    ["empty", ""],
    ["a leading dot", ".a"],
    ["a leading dash", "-a"],
    ["a leading underscore", "_a"],
    ["a trailing dot", "a."],
    ["two dots", "a..b"],
    ["dots alone", ".."],
    [".lock", "a.lock"],
    [".LOCK", "a.LOCK"],
    ["a slash", "a/b"],
    ["a backslash", "a\\b"],
    ["a colon", "a:b"],
    ["a blank", "a b"],
    ["a line feed behind", "a\n"],
    ["NUL", "a\0"],
    ["a percent sign", "a%2fb"],
    ["another script", "ветка"],
    ["101 characters", "x".repeat(101)],
    ["a bracket", "a[b]"],
  ])("F15 refuses %s", (_, text) => {
    expect(() => parseBranch(text)).toThrow(refusal("INVALID_NAME"));
  });

  it.each(["CON", "con", "NUL", "nUl", "AUX", "PRN", "COM1", "com9", "LPT1", "lpt9", "nul.txt", "Con.a.b"])(
    "F15 refuses the device name %s",
    (text) => {
      expect(() => parseBranch(text)).toThrow(refusal("INVALID_NAME"));
    },
  );

  it("F15 refuses what is no text", () => {
    for (const value of NOT_TEXT) expect(() => parseBranch(value)).toThrow(refusal("INVALID_NAME"));
  });

  it("F15 the first branch has a valid name", () => {
    expect(parseBranch(MAIN)).toBe("main");
  });
});

describe("F16 the keys of the state are hashes of scope and id", () => {
  it.each(Object.entries(golden.scopeKeys))("F16 golden key of the scope %s", (scope, key) => {
    expect(scopeKey(parseScope(scope))).toBe(key);
  });

  it.each(Object.entries(golden.idKeys))("F16 golden key of the id %s", (id, key) => {
    expect(idKey(parseId(id))).toBe(key);
  });

  it("F16 a scope and an id of one text have different keys", () => {
    expect(scopeKey("shared" as Scope)).not.toBe(idKey("shared" as MemoryId));
  });
});

describe("F17 the id of a topic follows from the topic alone", () => {
  it.each(Object.entries(golden.topicIds))("F17 golden id of the topic %j", (topic, id) => {
    expect(topicId(topic)).toBe(id);
    expect(parseId(id)).toBe(id);
  });

  it("F17 a topic that is not well-formed text is refused", () => {
    expect(() => topicId("\ud83d")).toThrow(refusal("INVALID_VALUE"));
  });
});

describe("F22 an id that nobody chose is shown by eight characters, one that somebody chose whole", () => {
  const generated = "mem-018f6b2e-7c1a-7abc-89de-0123456789ab";

  it("F22 shows the last 8 characters of a generated id", () => {
    expect(isGeneratedId(generated)).toBe(true);
    expect(shortId(generated)).toBe("456789ab");
  });

  it("F22 shows a derived id by its beginning, and what was kept of a conversation by its end", () => {
    expect(shortId("topic-0123456789abcdef0123456789abcdef")).toBe("topic-01234567");
    expect(shortId(`said-claude-s1-${generated.slice(4)}`)).toBe("456789ab");
  });

  it.each([
    "notes/2026/a-very-long-path-that-is-not-generated.md",
    `mem-${"-".repeat(36)}`,
    `${generated}0`,
    generated.toUpperCase(),
    "mem-x",
  ])("F22 shows %s whole", (id) => {
    expect(shortId(id)).toBe(id);
  });
});
