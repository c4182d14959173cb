import { describe, expect, it } from "vitest";
import { resolveHash, resolveId } from "./resolve.js";

describe("F23 an exact id or hash always wins", () => {
  it("F23 even when it is also a part of others", () => {
    const ids = ["note-1-draft", "note-1", "my-note-1", "note-1-final"];
    expect(resolveId("note-1", ids)).toBe("note-1");
    expect(resolveId("note-1", [...ids].reverse())).toBe("note-1");
    expect(resolveHash("abcdef01", ["abcdef0123", "abcdef0145", "abcdef01"])).toBe("abcdef01");
  });

  it("F23 even when it is shorter than any accepted part", () => {
    expect(resolveId("a", ["ab", "a", "ba"])).toBe("a");
  });
});

describe("F24 an id is found by 6 first or last characters, a hash by 7 first", () => {
  const ids = ["mem-aaaaaa-000001", "mem-bbbbbb-000002", "topic-abc"];

  it.each([
    ["mem-aa", "mem-aaaaaa-000001"],
    ["000002", "mem-bbbbbb-000002"],
    ["topic-", "topic-abc"],
    ["ic-abc", "topic-abc"],
  ])("F24 %s finds %s", (given, id) => {
    expect(resolveId(given, ids)).toBe(id);
  });

  it.each(["mem-a", "00002", "", "aaaaaa", "no such id"])("F24 %j finds no id", (given) => {
    expect(resolveId(given, ids)).toBeUndefined();
  });

  it("F24 a hash is found by its beginning only", () => {
    const hashes = ["0123456789abcdef", "fedcba9876543210"];
    expect(resolveHash("0123456", hashes)).toBe(hashes[0]);
    expect(resolveHash("012345", hashes)).toBeUndefined();
    expect(resolveHash("9abcdef", hashes)).toBeUndefined();
  });

  it("F24 among nothing nothing is found", () => {
    expect(resolveId("anything", [])).toBeUndefined();
    expect(resolveHash("0123456789", new Set<string>())).toBeUndefined();
  });

  it("F24 a candidate that is listed twice, or fits at both ends, is one candidate", () => {
    expect(resolveId("abcabc", ["abcabc-abcabc", "abcabc-abcabc"])).toBe("abcabc-abcabc");
  });
});

describe("F25 a part that fits several is refused and lists them", () => {
  it("F25 lists the candidates in order", () => {
    expect(() => resolveId("note-1", ["note-12", "my-note-1", "note-11"])).toThrow(
      expect.objectContaining({
        code: "AMBIGUOUS",
        data: { candidates: ["my-note-1", "note-11", "note-12"] },
      }),
    );
  });

  it("F25 lists hashes too", () => {
    expect(() => resolveHash("abcdef0", ["abcdef02", "abcdef01", "0bcdef02"])).toThrow(
      expect.objectContaining({ code: "AMBIGUOUS", data: { candidates: ["abcdef01", "abcdef02"] } }),
    );
  });

  it("F25 lists at most 20 and says how many there are", () => {
    const ids = Array.from({ length: 50 }, (_, at) => `note-number-${at}`);
    expect(() => resolveId("note-number", ids)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining("50"),
        data: { candidates: [...ids].sort().slice(0, 20) },
      }),
    );
  });
});
