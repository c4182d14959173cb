import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashValue } from "../base/hash.js";
import { canonical } from "../base/json.js";
import { encodeObject, type Kinds } from "./objects.js";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const hash = fc.nat().map((n) => hashValue("memory", n));
const author = fc.record({ kind: fc.constantFrom("user", "operator", "agent", "system"), id: text });
const time = fc.constantFrom("2026-01-01T00:00:00.000Z", "1999-12-31T23:59:59.999Z");
const maybe = { requiredKeys: [] as [] };
const event = fc
  .tuple(
    fc.record({ op: fc.constantFrom("add", "modify", "forget", "observe"), scope: hash, id: hash }),
    fc.record({ before: hash, after: hash }, maybe),
  )
  .map((parts) => Object.assign({}, ...parts));
const commit = fc
  .tuple(
    fc.record({ v: fc.constant(1), parents: fc.array(hash, { maxLength: 3 }), root: hash, changeset: hash }),
    fc.record({ generation: fc.nat(), time, author, branch: text }),
    fc.record({ note: hash }, maybe),
  )
  .map((parts) => Object.assign({}, ...parts));
const move = fc
  .tuple(fc.record({ name: text }), fc.record({ before: hash, after: hash }, maybe))
  .map((parts) => Object.assign({}, ...parts));
const operation = fc
  .tuple(
    fc.record({ v: fc.constant(1), verb: text, refs: fc.array(move, { maxLength: 3 }), time, author }),
    fc.record({ session: text, note: hash }, maybe),
  )
  .map((parts) => Object.assign({}, ...parts));

/** Also with what needs escapes, and with fields nobody knows. */
const said = fc.oneof(
  text,
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom('"', "\\", "\u0001", "\u{1f600}", "\ue000"),
);
const more = {
  tags: fc.array(said, { maxLength: 3 }),
  attributes: fc.dictionary(text, fc.jsonValue(), { maxKeys: 3 }),
};
const parts = {
  category: said,
  parent: said,
  topic: said,
  tier: said,
  salt: said,
  session: said,
  position: said,
};
const others = { confidence: fc.double({ noNaN: true }), valid: fc.record({ from: time }), unknown: said };
const triple = fc.record({ subject: said, predicate: said, object: said });
const origin = fc
  .tuple(
    fc.record({ channel: said, source: said, trust: said }),
    fc.record({ actor: said, uri: said, turn: fc.nat(), session: said }, maybe),
  )
  .map((all) => Object.assign({}, ...all));
const contested = fc.dictionary(text, fc.record({ terms: fc.array(fc.record({ value: said, author })) }), {
  maxKeys: 2,
});
const memory = fc
  .tuple(
    fc.record({ type: said, text: said, scope: said, id: said, origin }),
    fc.record(
      { ...more, ...parts, ...others, triple, contested, expiresAt: time, lifetime: said, sensitivity: said },
      maybe,
    ),
  )
  .map((all) => Object.assign({}, ...all));

describe("what is spelled out is the canonical form", () => {
  it.each([
    ["changeset", fc.array(event, { maxLength: 4 }).map((events) => ({ events }))],
    ["commit", commit],
    ["operation", operation],
    ["memory", memory],
  ] as const)("%s", (kind, values) => {
    fc.assert(
      fc.property(values as fc.Arbitrary<Kinds[typeof kind]>, (value) => {
        const { bytes, hash: found } = encodeObject(kind, value);
        expect(Buffer.from(bytes).toString()).toBe(canonical(value));
        expect(found).toBe(hashValue(kind, value));
      }),
    );
  });

  it("a memory that lacks a field, or whose text holds half a character, as the canonical form has it", () => {
    const whole = { id: "a", origin: {}, scope: "shared", text: "b", type: "fact" };
    for (const name of Object.keys(whole)) {
      const { [name as "id"]: _, ...rest } = whole;
      expect(Buffer.from(encodeObject("memory", rest as never).bytes).toString()).toBe(canonical(rest));
    }
    const half = { ...whole, text: "\ud83d" };
    expect(() => encodeObject("memory", half as never)).toThrow(/lone surrogate/);
  });
});
