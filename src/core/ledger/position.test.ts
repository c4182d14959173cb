import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPosition, positionBetween } from "./position.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LEAST = `A${"0".repeat(26)}`;
const MOST = `z${"z".repeat(26)}`;

/** Any valid position: integer parts of all lengths, with the ends of the scale well represented. */
const position = fc
  .tuple(
    fc.constantFrom(..."AabcdYZyz"),
    fc.array(fc.constantFrom("0", "1", "V", "y", "z"), { minLength: 27, maxLength: 27 }),
    fc.string({ unit: fc.constantFrom(...DIGITS), maxLength: 4 }),
    fc.boolean(),
  )
  .map(([head, digits, fraction, plain]) => {
    const code = head.charCodeAt(0);
    const length = code >= 97 ? code - 96 : 91 - code;
    return head + digits.slice(0, length).join("") + (plain ? "" : fraction.replace(/0+$/, ""));
  })
  .filter((text) => text !== LEAST);

function expectBetween(low: string | undefined, high: string | undefined): string {
  const between = positionBetween(low, high);
  expect(isPosition(between), between).toBe(true);
  if (low !== undefined) expect(low < between, `${low} < ${between}`).toBe(true);
  if (high !== undefined) expect(between < high, `${between} < ${high}`).toBe(true);
  return between;
}

describe("P1 between any two positions, and before and after each, there is another one", () => {
  it("P1 everything generated here is a position", () => {
    fc.assert(fc.property(position, (text) => isPosition(text)));
  });
  it("P1 between two", () => {
    fc.assert(
      fc.property(position, position, (x, y) => {
        fc.pre(x !== y);
        const [low, high] = [x, y].sort();
        expectBetween(low, high);
      }),
      { numRuns: 1000 },
    );
  });
  it("P1 before and after one", () => {
    fc.assert(
      fc.property(position, (x) => {
        expectBetween(undefined, x);
        expectBetween(x, undefined);
      }),
      { numRuns: 500 },
    );
  });
  it.each([`${LEAST}1`, `A${"0".repeat(25)}1`, `${LEAST}V`, `A${"0".repeat(25)}1V`])(
    "P1 before the least, %s, and before that, and so on",
    (start) => {
      let at = start;
      for (let n = 0; n < 50; n++) at = expectBetween(undefined, at);
    },
  );
  it("P1 after the greatest, and after that, and so on", () => {
    let at = MOST;
    for (let n = 0; n < 50; n++) at = expectBetween(at, undefined);
    expect(at.length).toBeLessThan(27 + 20);
  });
  it("P1 a random walk of inserts keeps a strict order", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 200 }), (places) => {
        const list: string[] = [];
        for (const place of places) {
          const at = place % (list.length + 1);
          list.splice(at, 0, expectBetween(list[at - 1], list[at]));
        }
        expect(list).toEqual([...new Set(list)].sort());
      }),
      { numRuns: 50 },
    );
  });
});

describe("P2 positions stay short", () => {
  it("P2 100,000 appends need at most 8 characters", () => {
    let last: string | undefined;
    let longest = 0;
    let ordered = true;
    for (let n = 0; n < 100_000; n++) {
      const next = positionBetween(last, undefined);
      ordered &&= last === undefined || last < next;
      longest = Math.max(longest, next.length);
      last = next;
    }
    expect(ordered).toBe(true);
    expect(longest).toBeLessThanOrEqual(8);
  });
  it("P2 20,000 prepends need at most 8 characters", () => {
    let first: string | undefined;
    let longest = 0;
    let ordered = true;
    for (let n = 0; n < 20_000; n++) {
      const next = positionBetween(undefined, first);
      ordered &&= first === undefined || next < first;
      longest = Math.max(longest, next.length);
      first = next;
    }
    expect(ordered).toBe(true);
    expect(longest).toBeLessThanOrEqual(8);
  });
  it.each(["low", "high"])("P2 2,000 inserts at one gap, at its %s end, need about 400 at most", (end) => {
    let [low, high] = ["a0", "a1"];
    for (let n = 0; n < 2000; n++) {
      const next = expectBetween(low, high);
      if (end === "low") high = next;
      else low = next;
    }
    expect(Math.max(low.length, high.length)).toBeLessThan(410);
  });
});

describe("P3 order is that of the bytes", () => {
  it("P3 the first is a0, its neighbours are a1 and Zz", () => {
    expect(positionBetween(undefined, undefined)).toBe("a0");
    expect(positionBetween("a0", undefined)).toBe("a1");
    expect(positionBetween(undefined, "a0")).toBe("Zz");
    expect(positionBetween("az", undefined)).toBe("b00");
    expect(positionBetween("a0", "a1")).toBe("a0V");
  });
  it("P3 text order and byte order agree", () => {
    fc.assert(
      fc.property(position, position, (x, y) => x < y === Buffer.compare(Buffer.from(x), Buffer.from(y)) < 0),
    );
  });
});

describe("P4 only positions are positions", () => {
  const junk = [
    "",
    "0",
    "a",
    "b0",
    "A0",
    "a00",
    "a0V0",
    "a-",
    "a 0",
    "a0\n",
    "ä0",
    "a0é",
    LEAST,
    `a0${"1".repeat(1100)}`,
  ];
  it("P4 junk is none", () => {
    const others = [5, null, undefined, {}, ["a0"]];
    expect([...junk, ...others].filter(isPosition)).toEqual([]);
  });
  it("P4 positions out of order are refused", () => {
    expect(() => positionBetween("a1", "a0")).toThrow(RangeError);
    expect(() => positionBetween("a1", "a1")).toThrow(RangeError);
  });
});
