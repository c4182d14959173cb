import fc from "fast-check";
import { expect, it } from "vitest";
import { JOURNAL, NODES, placeOf, seqOf } from "./place.js";
import { Tail } from "./tail.js";

const entry = fc.record({
  prefix: fc.nat(40),
  seq: fc.integer({ min: 1, max: 600 }),
  what: fc.constantFrom(JOURNAL, NODES),
  isLate: fc.boolean(),
});

it("S88 whatever is not in the index is found in RAM, however it came there and whatever was merged", () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 300 }), fc.array(fc.nat(600)), (entries, marks) => {
      const tail = new Tail(0);
      const all: { prefix: number; place: number }[] = [];
      let indexed = 0;
      entries.forEach(({ prefix, seq, what, isLate }, slot) => {
        const place = placeOf(seq, slot % 256, what);
        all.push({ prefix, place });
        if (isLate) tail.addLater((each) => each(prefix, place));
        else tail.add(prefix, place);
        const mark = slot % 20 === 0 ? marks[slot / 20] : undefined;
        if (mark === undefined || mark <= indexed) return;
        indexed = mark;
        tail.prune(indexed);
      });
      for (const { prefix, place } of all)
        if (seqOf(place) > indexed) expect(tail.find(prefix)).toContain(place);
      for (const place of tail.find(7)) expect(all).toContainEqual({ prefix: 7, place });
    }),
  );
});

it("S88 parts that were merged whole are forgotten", () => {
  const tail = new Tail(0);
  for (let seq = 1; seq <= 1_000; seq++) tail.add(seq, placeOf(seq, 0, JOURNAL));
  tail.prune(1_000);
  expect(tail.size).toBeLessThan(128);
  expect(tail.find(5)).toEqual([]);
  tail.prune(1_023);
  expect(tail.size).toBe(0);
});
