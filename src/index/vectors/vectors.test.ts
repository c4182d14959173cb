import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosineSimilarity, packVectors, quantizeVector, VectorIndex } from "./vector-index.js";

const component = fc.double({ min: -1, max: 1, noNaN: true });
const vectorOf = (dimensions: number) =>
  fc.array(component, { minLength: dimensions, maxLength: dimensions });

describe("cosineSimilarity", () => {
  it("Y1 is 0 for what is missing, empty, without length or of unequal length", () => {
    for (const [a, b] of [
      [undefined, [1]],
      [[1], null],
      [[], []],
      [
        [0, 0],
        [1, 2],
      ],
      [[1, 2], [1]],
      [[Number.NaN], [1]],
      [[Number.POSITIVE_INFINITY], [1]],
    ] as const)
      expect(cosineSimilarity(a, b)).toBe(0);
  });

  it("Y2 is the cosine of any two lists of numbers, typed or plain: symmetric, within -1 and 1, blind to length", () => {
    expect(cosineSimilarity([1, 0], new Float32Array([1, 1]))).toBeCloseTo(Math.SQRT1_2, 7);
    expect(cosineSimilarity(new Int8Array([3, 4]), [-3, -4])).toBeCloseTo(-1, 12);
    fc.assert(
      fc.property(
        vectorOf(5),
        vectorOf(5),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (a, b, factor) => {
          const cosine = cosineSimilarity(a, b);
          expect(Math.abs(cosine)).toBeLessThanOrEqual(1);
          expect(cosineSimilarity(b, a)).toBe(cosine);
          const longer = a.map((x) => x * factor);
          if (longer.every((x, at) => x !== 0 || a[at] === 0))
            expect(cosineSimilarity(longer, b)).toBeCloseTo(cosine, 6);
        },
      ),
    );
  });
});

/** What the index says, computed as plainly as possible. */
function plain(docs: ReadonlyMap<number, Int8Array>, query: readonly number[], mask?: Uint8Array): number[] {
  const size = query.length;
  const highest = Math.max(-1, ...docs.keys());
  return Array.from({ length: highest + 1 }, (_, doc) => {
    const vectors = docs.get(doc);
    if (!vectors || vectors.length === 0 || (mask && !mask[doc])) return 0;
    const each = Array.from({ length: vectors.length / size }, (_, at) =>
      cosineSimilarity(vectors.subarray(at * size, (at + 1) * size), query),
    );
    return Math.max(...each);
  });
}

describe("VectorIndex", () => {
  it("Y3 answers for every document the cosine of its nearest vector, 0 without any, with their sum and the nearest, whatever was added and removed before", () => {
    const step = fc.record({
      doc: fc.nat(12),
      vectors: fc.array(vectorOf(40), { maxLength: 4 }),
      remove: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        vectorOf(40),
        fc.uint8Array({ maxLength: 13 }),
        fc.nat(8),
        (steps, query, mask, limit) => {
          const index = new VectorIndex(40);
          const docs = new Map<number, Int8Array>();
          let highest = -1;
          for (const { doc, vectors, remove } of steps) {
            if (remove) {
              expect(index.remove(doc)).toBe((docs.get(doc)?.length ?? 0) > 0);
              docs.set(doc, new Int8Array());
            } else {
              const packed = packVectors(vectors);
              index.set(doc, packed);
              docs.set(doc, packed);
              highest = Math.max(highest, doc);
            }
          }
          for (const [doc, vectors] of docs) {
            expect(index.vectorsOf(doc)).toEqual(vectors);
            expect(index.has(doc)).toBe(vectors.length > 0);
          }
          const again = VectorIndex.fromImage(index.image())!;
          for (const within of [undefined, mask]) {
            const expected = plain(docs, query, within).slice(0, highest + 1);
            const found = index.similar(query, within);
            expect(found.length).toBe(highest + 1);
            expected.forEach((cosine, doc) => {
              expect(Math.abs(found[doc]! - cosine)).toBeLessThan(1e-3);
              if (!within) expect(Math.abs(index.cosine(doc, query) - cosine)).toBeLessThan(1e-3);
            });
            expect(again.similar(query, within)).toEqual(found);
            const { cosines, sum, nearest } = index.compare(query, limit, within);
            if (query.every((one) => one === 0)) return;
            expect(cosines).toEqual(found);
            expect(sum).toBeCloseTo(
              found.reduce((all, one) => all + one, 0),
              5,
            );
            const seen = [...found.keys()].filter((doc) => index.has(doc) && (!within || within[doc]));
            const enough = seen.map((doc) => found[doc]!).sort((a, b) => b - a)[limit - 1] ?? -2;
            expect([...nearest]).toEqual(limit === 0 ? [] : seen.filter((doc) => found[doc]! >= enough));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("Y4 a query of another length, of zeros, or with what is no number, is like nothing", () => {
    const index = new VectorIndex(3);
    index.set(0, new Int8Array([1, 2, 3]));
    for (const query of [
      [1, 2],
      [0, 0, 0],
      [Number.NaN, 1, 1],
      [Number.POSITIVE_INFINITY, 1, 1],
    ])
      expect([...index.similar(query)]).toEqual([0]);
    expect(index.similar([1, 2, 3])[0]).toBeCloseTo(1, 3);
  });

  it("Y5 vectors of another length than the index's are refused", () => {
    const index = new VectorIndex(3);
    expect(() => index.set(0, new Int8Array(4))).toThrow(/3 dimensions/);
    expect(() => index.set(-1, new Int8Array(3))).toThrow();
    expect(() => new VectorIndex(0)).toThrow(/0 dimensions/);
  });

  it("Y6 sums do not overflow, however large the components and many the dimensions", () => {
    for (const dimensions of [384, 1536, 4096]) {
      const index = new VectorIndex(dimensions);
      index.set(0, new Int8Array(dimensions).fill(127));
      index.set(1, new Int8Array(dimensions).fill(-127));
      const [same, opposite] = index.similar(new Float32Array(dimensions).fill(1e30));
      expect(same).toBeCloseTo(1, 4);
      expect(opposite).toBeCloseTo(-1, 4);
    }
  });

  it("Y7 bytes that are no image are refused, and an image may lie anywhere in a buffer", () => {
    const index = new VectorIndex(33);
    index.set(2, new Int8Array(66).fill(5));
    const image = index.image();
    const moved = new Uint8Array(image.length + 3).subarray(3);
    moved.set(image);
    expect(VectorIndex.fromImage(moved)!.vectorsOf(2)).toEqual(new Int8Array(66).fill(5));
    const wrong = [image.slice(0, 8), image.slice(1), image.slice(0, -1), new Uint8Array(64)];
    const other = image.slice();
    new Int32Array(other.buffer)[4] = 99;
    for (const bytes of [...wrong, other]) expect(VectorIndex.fromImage(bytes)).toBeUndefined();
  });

  it("Y8 int8 keeps the direction: the cosine with the original is at least 0.9999 for 384 dimensions", () => {
    const gauss = fc.array(
      fc.tuple(fc.double({ min: 1e-9, max: 1, noNaN: true }), component).map(([u, v]) => {
        return Math.sqrt(-2 * Math.log(u)) * Math.cos(Math.PI * v);
      }),
      { minLength: 384, maxLength: 384 },
    );
    const random = fc.sample(gauss, { numRuns: 50, seed: 1 });
    for (const vector of random)
      if (new Set(vector).size > 100)
        expect(cosineSimilarity(quantizeVector(vector), vector)).toBeGreaterThan(0.9999);
  });
});
