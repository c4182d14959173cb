import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical, hashValue } from "../base/index.js";
import { encodeObject, type Kinds } from "./index.js";

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

describe("R15 what is spelled out is the canonical form", () => {
  it.each([
    ["changeset", fc.array(event, { maxLength: 4 }).map((events) => ({ events }))],
    ["commit", commit],
    ["operation", operation],
  ] as const)("R15 %s", (kind, values) => {
    fc.assert(
      fc.property(values as fc.Arbitrary<Kinds[typeof kind]>, (value) => {
        const { bytes, hash: found } = encodeObject(kind, value);
        expect(Buffer.from(bytes).toString()).toBe(canonical(value));
        expect(found).toBe(hashValue(kind, value));
      }),
    );
  });
});
