import fc from "fast-check";
import { expect, it } from "vitest";
import { JOURNAL, NODES, placeOf, seqOf } from "./place.js";
import { Tail } from "./tail.js";

const entry = fc.record({
  prefix: fc.nat(40),
  seq: fc.integer({ min: 1, max: 600 }),
  what: fc.constantFrom(JOURNAL, NODES),
});

it("whatever is not in the index is found in RAM, whatever was merged", () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 3_000 }), fc.array(fc.nat(600)), (entries, marks) => {
      const tail = new Tail(0);
      const all: { prefix: number; place: number }[] = [];
      let indexed = 0;
      entries.forEach(({ prefix, seq, what }, slot) => {
        const place = placeOf(seq, slot % 256, what);
        all.push({ prefix, place });
        tail.add(prefix, place);
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

it("what was merged is forgotten, and its room is given back", () => {
  const tail = new Tail(0);
  for (let seq = 1; seq <= 10_000; seq++) tail.add(seq * 2 ** 20, placeOf(seq, 0, JOURNAL));
  tail.prune(9_990);
  expect(tail.size).toBe(10);
  expect(tail.find(5 * 2 ** 20)).toEqual([]);
  for (let seq = 10_001; seq <= 20_000; seq++) tail.add(seq * 2 ** 20, placeOf(seq, 0, JOURNAL));
  for (const seq of [9_991, 10_000, 10_001, 20_000])
    expect(tail.find(seq * 2 ** 20)).toEqual([placeOf(seq, 0, JOURNAL)]);
  tail.prune(20_000);
  expect(tail.size).toBe(0);
});

it("places of one prefix come in the order of their rows, and rows hand out what they have", () => {
  const tail = new Tail(0);
  for (let seq = 1; seq <= 50; seq++) tail.add(seq % 2, placeOf(seq, 3, NODES));
  const odd = Array.from({ length: 25 }, (_, n) => placeOf(2 * n + 1, 3, NODES));
  expect(tail.find(1)).toEqual(odd);
  const given: number[] = [];
  tail.each(10, 20, (prefix, place) => given.push(prefix, seqOf(place)));
  expect(given).toEqual(Array.from({ length: 10 }, (_, n) => [(n + 11) % 2, n + 11]).flat());
});

it("the first looks and later ones find the same among thousands, also after a merge", () => {
  const tail = new Tail(0);
  const seqs = Array.from({ length: 5_000 }, (_, n) => n + 1);
  const found = () => [7, 8, 4_999].map((prefix) => tail.find(prefix));
  tail.addAll(
    Float64Array.from(seqs, (seq) => (seq % 1_000 === 0 ? 7 : seq + 1_000)),
    Float64Array.from(seqs, (seq) => placeOf(seq, 0, JOURNAL)),
  );
  const places = (...of: number[]) => of.map((seq) => placeOf(seq, 0, JOURNAL));
  for (let look = 0; look < 5; look++)
    expect(found()).toEqual([places(1_000, 2_000, 3_000, 4_000, 5_000), [], places(3_999)]);
  tail.prune(1_500);
  for (let look = 0; look < 20; look++)
    expect(found()).toEqual([places(2_000, 3_000, 4_000, 5_000), [], places(3_999)]);
  const fresh = new Tail(0);
  for (const seq of seqs) fresh.add(7, placeOf(seq, 0, JOURNAL));
  fresh.prune(4_990);
  expect(fresh.find(7)).toEqual(places(...seqs.slice(4_990)));
});

it("of entries that were noted only those of rows it does not know enter it", () => {
  const tail = new Tail(0);
  for (const seq of [1, 2, 3]) tail.add(7, placeOf(seq, 0, JOURNAL));
  tail.upTo = 3;
  const places = Float64Array.from([2, 3, 4, 5], (seq) => placeOf(seq, 0, JOURNAL));
  tail.addAll(new Float64Array(4).fill(7), places, true);
  expect([tail.size, tail.find(7).map(seqOf)]).toEqual([5, [1, 2, 3, 4, 5]]);
});
