import { describe, expect, it } from "vitest";
import { isGeneratedId, parseId } from "./names.js";
import { type Clock, idGenerator, type Random, systemClock, systemRandom } from "./ports.js";

const UUID_V7 = /^mem-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Reproducible bytes: good enough to tell two draws apart, and the same in every run. */
const seeded = (seed: number): Random => {
  let state = seed;
  return (count) =>
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    });
};
const take = (count: number, next: () => string): string[] => Array.from({ length: count }, next);
const increasing = (ids: readonly string[]): boolean => ids.every((id, at) => at === 0 || ids[at - 1]! < id);

describe("F18 a generated id is `mem-` and a UUIDv7", () => {
  it("F18 has the shape, the time in front, and is a valid id", () => {
    const id = idGenerator(() => 0x018f_6b2e_7c1a, seeded(1))();
    expect(id).toMatch(UUID_V7);
    expect(id.startsWith("mem-018f6b2e-7c1a-7")).toBe(true);
    expect(isGeneratedId(id)).toBe(true);
    expect(parseId(id)).toBe(id);
  });

  it.each([
    ["before 1970", -86_400_000],
    ["at 1970", 0],
    ["between milliseconds", 1_700_000_000_000.75],
    ["after the year 10889", 8_640_000_000_000_000],
    ["that is broken", Number.NaN],
  ])("F18 keeps the shape with a clock %s", (_, now) => {
    const ids = take(
      100,
      idGenerator(() => now, seeded(1)),
    );
    for (const id of ids) expect(id).toMatch(UUID_V7);
    expect(increasing(ids)).toBe(true);
  });

  it("F18 holds with the bytes of all zeros and all ones", () => {
    for (const byte of [0x00, 0xff])
      expect(
        idGenerator(
          () => 1e12,
          (count) => new Uint8Array(count).fill(byte),
        )(),
      ).toMatch(UUID_V7);
  });
});

describe("F19 the ids of one generator are unique and strictly increasing", () => {
  const clocks: [string, () => Clock][] = [
    ["stands still", () => () => 1_700_000_000_000],
    [
      "goes back",
      () => {
        let now = 1_700_000_000_000;
        return () => now--;
      },
    ],
    [
      "jumps back and forth",
      () => {
        let tick = 0;
        return () => 1_700_000_000_000 + ((tick++ * 7919) % 1000);
      },
    ],
    ["is the system's", () => systemClock],
  ];

  it.each(clocks)("F19 100,000 ids while the clock %s", (_, clock) => {
    const ids = take(100_000, idGenerator(clock(), systemRandom()));
    expect(new Set(ids).size).toBe(100_000);
    expect(increasing(ids)).toBe(true);
  });

  it("F19 with bytes that never change the counter alone keeps ids apart", () => {
    const ids = take(
      10_000,
      idGenerator(
        () => 1e12,
        (count) => new Uint8Array(count).fill(0xff),
      ),
    );
    expect(increasing(ids)).toBe(true);
  });
});

describe("F20 clock and randomness decide the ids entirely", () => {
  it("F20 the same clock and bytes give the same ids", () => {
    const run = (): string[] =>
      take(
        1000,
        idGenerator(() => 1_700_000_000_000, seeded(42)),
      );
    expect(run()).toEqual(run());
  });

  it("F20 other bytes give other ids", () => {
    const first = (seed: number): string => idGenerator(() => 1_700_000_000_000, seeded(seed))();
    expect(first(1)).not.toBe(first(2));
  });

  it("F20 the bytes that were given are not changed", () => {
    const bytes = new Uint8Array(10).fill(0xff);
    idGenerator(
      () => 1e12,
      () => bytes,
    )();
    expect(bytes).toEqual(new Uint8Array(10).fill(0xff));
  });
});

describe("F21 the system's randomness gives as many fresh bytes as asked for", () => {
  it.each([0, 1, 10, 16, 4095, 4096, 4097, 100_000])("F21 %i bytes", (count) => {
    const random = systemRandom();
    random(7);
    const bytes = random(count);
    expect(bytes.length).toBe(count);
    if (count > 100) expect(new Set(bytes).size).toBeGreaterThan(32);
  });

  it("F21 no draw repeats another, also across the refilling of the pool", () => {
    const random = systemRandom();
    const draws = Array.from({ length: 2000 }, () => Buffer.from(random(16)).toString("hex"));
    expect(new Set(draws).size).toBe(2000);
  });

  it("F21 a draw stays as it was when more are made", () => {
    const random = systemRandom();
    const first = random(16);
    const copy = Uint8Array.from(first);
    for (let at = 0; at < 1000; at++) random(16);
    expect(Uint8Array.from(first)).toEqual(copy);
  });
});
