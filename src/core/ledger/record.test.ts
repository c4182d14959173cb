import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../base/errors.js";
import { type Hash, hashValue } from "../base/hash.js";
import { canonical, type Json } from "../base/json.js";
import type { MemoryId, Scope } from "../base/names.js";
import type { Timestamp } from "../base/time.js";
import { linksOf, parentLink, topicLink } from "./commit.js";
import { decodeObject, encodeObject } from "./objects.js";
import { canonicalRecord, contentHash, expandRecord, sentence, treeHash } from "./record.js";
import type { MemoryRecord, Sensitivity } from "./types.js";
import { clears, isSensitivity, isTrust, laneOf, mostSensitive, trustRank, weakest } from "./types.js";

const hash = (name: string): Hash => hashValue("id", name);
const hashOf = (record: MemoryRecord): Hash => encodeObject("memory", record).hash;

const minimal: MemoryRecord = {
  scope: "shared" as Scope,
  id: "mem-1" as MemoryId,
  type: "fact",
  text: "Prefers Python",
  origin: { source: "tool", channel: "library", trust: "agent" },
};
const full: MemoryRecord = {
  ...minimal,
  triple: { subject: "Ada", predicate: "prefers", object: "Python" },
  attributes: { TITLE: "Languages", TODO: "DONE", nested: { list: [1, null, []], empty: {} } },
  category: "bio",
  tags: ["backend", "python"],
  parent: "mem-0" as MemoryId,
  position: "a1",
  tier: "canon",
  topic: "language",
  lifetime: "session",
  session: "s-1",
  expiresAt: "2026-03-01T00:00:00.000Z" as Timestamp,
  confidence: 0.5,
  sensitivity: "private",
  valid: { from: "2020-01-01T00:00:00.000Z" as Timestamp },
  salt: "00112233445566778899aabbccddeeff",
  origin: {
    source: "chat",
    channel: "mcp",
    trust: "user",
    actor: "orion",
    session: "s-1",
    turn: 3,
    uri: "file:///a",
    evidence: "she said so",
    derivedFrom: [hash("x")],
    movedFrom: "agent/orion" as Scope,
  },
  contested: {
    text: {
      base: "old",
      terms: [{ value: "new", commit: hash("c"), author: { kind: "user", id: "ada" }, trust: "user" }],
    },
  },
};

/** The same value with the keys of every object in another order. */
function shuffled<T>(value: T): T {
  if (Array.isArray(value)) return value.map(shuffled) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  ) as T;
}

function unfrozen(value: unknown, path = "record"): string[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.entries(value).flatMap(([key, item]) => unfrozen(item, `${path}.${key}`));
  return Object.isFrozen(value) ? below : [path, ...below];
}

describe("R1 a field equal to its default is left out, as are empty lists and objects", () => {
  const noise = {
    confidence: 1,
    tier: "register",
    lifetime: "permanent",
    sensitivity: "normal",
    tags: [],
    attributes: {},
    valid: {},
    contested: {},
    triple: undefined,
    category: undefined,
    parent: undefined,
  };
  it.each(Object.keys(noise))("R1 %s", (field) => {
    const record = canonicalRecord({
      ...minimal,
      [field]: noise[field as keyof typeof noise],
    } as MemoryRecord);
    expect(record).toStrictEqual(minimal);
  });

  it("R1 all together", () => {
    expect(canonicalRecord({ ...minimal, ...noise } as unknown as MemoryRecord)).toStrictEqual(minimal);
  });

  it("R1 an object is empty when all it holds is undefined", () => {
    const record = { ...minimal, attributes: { a: undefined }, valid: { from: undefined } };
    expect(canonicalRecord(record as unknown as MemoryRecord)).toStrictEqual(minimal);
  });

  it("R1 undefined and empty parts of the origin are left out", () => {
    const origin = { ...minimal.origin, actor: undefined, derivedFrom: [], turn: 0 };
    expect(canonicalRecord({ ...minimal, origin } as unknown as MemoryRecord).origin).toStrictEqual({
      ...minimal.origin,
      turn: 0,
    });
  });

  it("R1 what is not the default stays, also when it is falsy", () => {
    const record = canonicalRecord({
      ...minimal,
      confidence: 0,
      attributes: { a: null, b: false, c: "", d: {} },
    });
    expect(record).toMatchObject({ confidence: 0, attributes: { a: null, b: false, c: "", d: {} } });
    expect(canonicalRecord(full)).toStrictEqual(full);
  });

  it("R1 the form of a form is itself", () => {
    for (const record of [minimal, full])
      expect(canonicalRecord(canonicalRecord(record))).toStrictEqual(canonicalRecord(record));
  });
});

describe("R2 tags are sorted by code unit and unique", () => {
  it("R2 order and repetition do not matter", () => {
    const record = canonicalRecord({ ...minimal, tags: ["b", "a", "é", "Z", "b", "a", "😀", "\uffee"] });
    expect(record.tags).toEqual(["Z", "a", "b", "é", "😀", "\uffee"]);
  });

  it("R2 any two orders of one set are one record", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", minLength: 1 })), fc.nat(), (tags, turn) => {
        const at = tags.length > 0 ? turn % tags.length : 0;
        const other = [...tags.slice(at), ...tags.slice(0, at), ...tags.slice(0, 1)];
        expect(canonical(canonicalRecord({ ...minimal, tags: other }))).toBe(
          canonical(canonicalRecord({ ...minimal, tags })),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe("R3 only beliefs have a tier", () => {
  it.each(["note", "headline", "message", "step"])("R3 %s has none", (type) => {
    expect(canonicalRecord({ ...minimal, type, tier: "canon" })).not.toHaveProperty("tier");
    expect(expandRecord(canonicalRecord({ ...minimal, type }))).not.toHaveProperty("tier");
  });
  it.each(["fact", "identity", "observation"])("R3 %s may be canon", (type) => {
    expect(canonicalRecord({ ...minimal, type, tier: "canon" }).tier).toBe("canon");
  });
  it("R3 the type fixes the lane", () => {
    expect(["fact", "identity", "observation", "message", "step", "note", "room"].map(laneOf)).toEqual([
      "belief",
      "belief",
      "belief",
      "message",
      "message",
      "document",
      "document",
    ]);
  });
});

describe("R4 a record is frozen all the way down and shares nothing with what it was made of", () => {
  it("R4 every part is frozen", () => {
    expect(unfrozen(canonicalRecord(structuredClone(full)))).toEqual([]);
    expect(unfrozen(decodeObject("memory", encodeObject("memory", full).bytes))).toEqual([]);
  });

  it("R4 the caller's own objects stay theirs (D3, D4)", () => {
    const attributes = { TAGS: ["a"] };
    const tags = ["b", "a"];
    const record = canonicalRecord({ ...minimal, attributes, tags });
    const before = hashOf(record);
    attributes.TAGS.push("c");
    tags.push("c");
    expect(record.attributes).toEqual({ TAGS: ["a"] });
    expect(hashOf(record)).toBe(before);
    expect(tags).toEqual(["b", "a", "c"]);
  });

  it("R4 what JSON cannot say is refused, not stored", () => {
    for (const value of [Number.NaN, 1n, "\ud800", new Date(0), () => 1])
      expect(() => canonicalRecord({ ...minimal, attributes: { value: value as Json } })).toThrow(
        PalimpsestError,
      );
  });
});

describe("R5 same data, same hash", () => {
  it("R5 the order of keys does not matter, nor does the day", () => {
    for (const record of [minimal, full]) {
      expect(encodeObject("memory", canonicalRecord(shuffled(record)))).toEqual(
        encodeObject("memory", canonicalRecord(record)),
      );
      expect(contentHash(canonicalRecord(shuffled(record)))).toBe(contentHash(canonicalRecord(record)));
    }
  });

  it("R5 a record read back is the record that was written", () => {
    const record = canonicalRecord({ ...full, attributes: { zero: -0, big: 1e21, "": [] } });
    expect(decodeObject("memory", encodeObject("memory", record).bytes)).toStrictEqual(record);
  });

  it("R5 also when its bytes are a view into a larger buffer", () => {
    const { bytes } = encodeObject("memory", full);
    const pool = new Uint8Array(bytes.length + 20).fill(0x7b);
    pool.set(bytes, 10);
    expect(decodeObject("memory", pool.subarray(10, 10 + bytes.length))).toStrictEqual(full);
  });
});

const changed: Record<string, Partial<MemoryRecord>> = {
  id: { id: "mem-2" as MemoryId },
  type: { type: "identity" },
  text: { text: "Prefers python" },
  triple: { triple: { subject: "Ada", predicate: "prefers", object: "Rust" } },
  attributes: { attributes: { TITLE: "Other" } },
  category: { category: "work" },
  tags: { tags: ["backend"] },
  scope: { scope: "agent/orion" as Scope },
  parent: { parent: "mem-9" as MemoryId },
  position: { position: "a2" },
  tier: { tier: "register" },
  topic: { topic: "other" },
  lifetime: { lifetime: "temporary" },
  session: { session: "s-2" },
  expiresAt: { expiresAt: "2027-03-01T00:00:00.000Z" as Timestamp },
  confidence: { confidence: 0.6 },
  sensitivity: { sensitivity: "confidential" },
  valid: { valid: { to: "2021-01-01T00:00:00.000Z" as Timestamp } },
  salt: { salt: "ff112233445566778899aabbccddeeff" },
  origin: { origin: { ...full.origin, evidence: "someone else said so" } },
  contested: { contested: { category: { terms: full.contested!.text!.terms } } },
};
const CONTENT = ["id", "type", "text", "triple", "attributes", "category", "tags"];

describe("R6 content covers exactly id, type, text, triple, attributes, category, tags", () => {
  it.each(Object.keys(changed))("R6 %s", (field) => {
    const other = canonicalRecord({ ...full, ...changed[field] });
    expect(contentHash(other) !== contentHash(full)).toBe(CONTENT.includes(field));
  });
  it("R6 an absent field is absent, not empty", () => {
    expect(contentHash(canonicalRecord({ ...minimal, tags: [], attributes: {} }))).toBe(contentHash(minimal));
    expect(contentHash(minimal)).toBe(
      hashValue("content", { id: minimal.id, type: minimal.type, text: minimal.text }),
    );
  });
});

describe("R7 the record's hash covers every field (D30)", () => {
  it("R7 the list of fields is complete", () => {
    expect(Object.keys(changed).sort()).toEqual(Object.keys(full).sort());
  });
  it.each(Object.keys(changed))("R7 %s", (field) => {
    expect(hashOf(canonicalRecord({ ...full, ...changed[field] }))).not.toBe(hashOf(full));
  });
  it.each(Object.keys(full.origin))("R7 origin.%s", (part) => {
    const { [part as keyof MemoryRecord["origin"]]: _, ...origin } = full.origin;
    expect(hashOf({ ...full, origin } as MemoryRecord)).not.toBe(hashOf(full));
  });
});

describe("R8 text is kept byte for byte", () => {
  it("R8 two normal forms are two texts", () => {
    const [nfc, nfd] = ["Zo\u00eb", "Zoe\u0308"].map((text) => canonicalRecord({ ...minimal, text }));
    expect(contentHash(nfc!)).not.toBe(contentHash(nfd!));
    expect(hashOf(nfc!)).not.toBe(hashOf(nfd!));
    expect(nfd!.text).toBe("Zoe\u0308");
  });
  it.each(["Version 1\n", "  blanks  ", "tab\tand\r\n", "\ufeffmark", "|CHILDREN:", '"\\', "日本語 😀"])(
    "R8 %j comes back as it went in",
    (text) => {
      const { bytes } = encodeObject("memory", canonicalRecord({ ...minimal, text }));
      expect(decodeObject("memory", bytes).text).toBe(text);
    },
  );
});

describe("R9 the Merkle hash of a tree changes with every leaf, and with their order", () => {
  const tree = (leaf: string): Hash => {
    const of = (name: string) =>
      contentHash(canonicalRecord({ ...minimal, id: name as MemoryId, text: name }));
    const inner = treeHash(of("b"), [treeHash(hash(leaf), []), treeHash(of("d"), [])]);
    return treeHash(of("a"), [inner, treeHash(of("e"), [])]);
  };
  it("R9 a changed leaf changes the root, an equal one does not", () => {
    expect(tree("x")).toBe(tree("x"));
    expect(tree("x")).not.toBe(tree("y"));
  });
  it("R9 order and depth count", () => {
    const [a, b, c] = ["a", "b", "c"].map(hash) as [Hash, Hash, Hash];
    expect(treeHash(a, [b, c])).not.toBe(treeHash(a, [c, b]));
    expect(treeHash(a, [b])).not.toBe(treeHash(a, [treeHash(b, [])]));
    expect(treeHash(a, [])).not.toBe(a);
  });
});

describe("R10 readers see the defaults spelled out", () => {
  it("R10 a minimal belief", () => {
    expect(expandRecord(minimal)).toStrictEqual({
      ...minimal,
      attributes: {},
      tags: [],
      lifetime: "permanent",
      confidence: 1,
      sensitivity: "normal",
      tier: "register",
    });
  });
  it("R10 what is said is kept, and the way back leads to the same record", () => {
    expect(expandRecord(full)).toStrictEqual(full);
    for (const record of [minimal, full]) expect(canonicalRecord(expandRecord(record))).toStrictEqual(record);
  });
});

describe("R11 a triple reads as a sentence", () => {
  it.each([
    ["Ada", "works_at", "Babbage & Co", "Ada works at Babbage & Co"],
    ["Ada", "worksAt", "Babbage & Co", "Ada works at Babbage & Co"],
    ["Ada", "works at", "Babbage & Co", "Ada works at Babbage & Co"],
    ["Ada", "WORKS_AT", "x", "Ada works at x"],
    ["user", "prefers", "Python", "user prefers Python"],
    ["Zoë", "lebtÜber", "東京", "Zoë lebt über 東京"],
    ["Ζωή", "ζει_στην", "Αθήνα", "Ζωή ζει στην Αθήνα"],
    [" Ada ", "__likes__", " tea ", "Ada likes tea"],
    ["it", "has2Wheels", "", "it has2 wheels"],
  ])("R11 %s %s %s", (subject, predicate, object, text) => {
    expect(sentence({ subject, predicate, object })).toBe(text);
  });
});

describe("R12 links name a record's parent and topic within its scope", () => {
  it("R12 one link each, and none without", () => {
    expect(linksOf(minimal)).toEqual([]);
    expect(linksOf(full)).toEqual([parentLink(full.scope, full.parent!), topicLink(full.scope, full.topic!)]);
  });
  it("R12 the scope and the sort of link are part of it", () => {
    const other = "agent/orion" as Scope;
    const links = [full.scope, other].flatMap((scope) => [
      parentLink(scope, "x" as MemoryId),
      topicLink(scope, "x"),
    ]);
    expect(new Set(links).size).toBe(4);
  });
});

describe("R13 trust and sensitivity are ordered", () => {
  it("R13 external < agent < user < operator", () => {
    const order = ["external", "agent", "user", "operator"] as const;
    expect(order.map(trustRank)).toEqual([0, 1, 2, 3]);
    expect(weakest("operator", "agent", "user")).toBe("agent");
    expect(["user", "system", undefined, "toString"].map(isTrust)).toEqual([true, false, false, false]);
  });
  it("R13 a clearance shows what is at or below it", () => {
    const order: readonly Sensitivity[] = ["normal", "private", "confidential"];
    for (const [at, clearance] of order.entries())
      expect(order.map((level) => clears(clearance, level))).toEqual(order.map((_, level) => level <= at));
    expect(mostSensitive("private", "normal")).toBe("private");
    expect(mostSensitive("private", "confidential")).toBe("confidential");
    expect([isSensitivity("private"), isSensitivity("secret")]).toEqual([true, false]);
  });
});
