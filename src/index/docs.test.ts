import fc from "fast-check";
import { expect, it } from "vitest";
import { type Hash, hashValue } from "../core/base/hash.js";
import type { MemoryId, Scope } from "../core/base/names.js";
import { Docs } from "./docs.js";
import type { Doc } from "./document.js";

const name = fc.constantFrom("ann", "bo\nb", "çelik 👍");
const shape = fc.record({
  id: fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }) as fc.Arbitrary<MemoryId>,
  scope: fc.constantFrom("shared", "project/a") as fc.Arbitrary<Scope>,
  sensitivity: fc.constantFrom("normal", "private", "confidential"),
  version: fc.nat(),
  created: fc.nat({ max: 4e12 }),
  updated: fc.nat({ max: 4e12 }),
  commit: fc.option(
    fc.nat(40).map((at) => hashValue("commit", at)),
    { nil: undefined },
  ),
  author: fc.record({ kind: fc.constantFrom("user", "operator", "agent", "system"), id: name }),
  expires: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat({ max: 4e12 })),
  session: fc.option(name, { nil: undefined }),
  turn: fc.option(fc.nat(), { nil: undefined }),
  speaker: fc.option(name, { nil: undefined }),
  role: fc.option(name, { nil: undefined }),
  said: fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -4e12, max: 4e12 })),
  language: fc.constantFrom("en", "de"),
  traits: fc.nat(255),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.fround),
  length: fc.nat(1200),
  saying: fc.nat(0xffff_ffff),
}) as fc.Arbitrary<Omit<Doc, "hash">>;

const NUMBERS = ["version", "created", "expires", "turn", "said", "confidence", "saying"] as const;
const NAMES = ["session", "speaker", "role", "language"] as const;

it("Q2 what a view knows of many memories is what was said of them, whether they lie in columns or not", () => {
  fc.assert(
    fc.property(fc.array(shape, { minLength: 40, maxLength: 60 }), fc.nat(8_999), (shapes, written) => {
      const docs = new Docs();
      const model: Doc[] = [];
      // Some of these lie in columns and some do not.
      for (let at = 0; at < 9_000; at++) {
        const doc = { ...shapes[at % shapes.length]!, hash: hashValue("memory", at) };
        docs.push(doc);
        model.push(doc);
      }
      const commit: Hash = hashValue("commit", "later");
      docs.setCommit(written, commit);
      model[written] = { ...model[written]!, commit };
      expect(docs.length).toBe(model.length);
      for (let at = 0; at < model.length; at += 61) expect(docs.at(at)).toEqual(model[at]);
      expect(docs.at(written)).toEqual(model[written]);
      for (let at = 0; at < model.length; at += 97) {
        expect([docs.idOf(at), docs.hashOf(at)]).toEqual([model[at]!.id, model[at]!.hash]);
        for (const column of NUMBERS) expect(docs.number(column, at)).toBe(model[at]![column] ?? Number.NaN);
        for (const column of NAMES) expect(docs.name(column, at)).toBe(model[at]![column]);
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
});
