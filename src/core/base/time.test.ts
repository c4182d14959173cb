import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTime, timestamp } from "./time.js";

const SHAPE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const FIRST = Date.parse("0000-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");
const moment = fc.integer({ min: FIRST, max: LAST });
const refusal = expect.objectContaining({ code: "INVALID_TIME" });

describe("F26 a time is written in one shape and sorts as text", () => {
  it("F26 every time of the years 0000 to 9999 has the shape and reads back", () => {
    fc.assert(
      fc.property(moment, (at) => {
        expect(timestamp(at)).toMatch(SHAPE);
        expect(parseTime(timestamp(at))).toBe(timestamp(at));
      }),
    );
  });

  it("F26 earlier is smaller as text", () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        expect(timestamp(a) < timestamp(b)).toBe(a < b);
      }),
    );
  });

  it("F26 the first, the last and 1970", () => {
    expect(timestamp(FIRST)).toBe("0000-01-01T00:00:00.000Z");
    expect(timestamp(LAST)).toBe("9999-12-31T23:59:59.999Z");
    expect(timestamp(0)).toBe("1970-01-01T00:00:00.000Z");
    expect(timestamp(-0)).toBe("1970-01-01T00:00:00.000Z");
  });

  it.each([
    FIRST - 1,
    LAST + 1,
    8_640_000_000_000_000,
    -8_640_000_000_000_000,
    8_640_000_000_000_001,
    Number.MAX_VALUE,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NaN,
  ])("F26 refuses %d milliseconds", (at) => {
    expect(() => timestamp(at)).toThrow(refusal);
  });
});

describe("F27 dates and RFC 3339 times are read", () => {
  it.each([
    ["2026-03-01", "2026-03-01T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0000-02-29", "0000-02-29T00:00:00.000Z"],
    ["0050-06-01", "0050-06-01T00:00:00.000Z"],
    ["2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01T12:00Z", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01t12:00:00z", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01 12:00:00Z", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01T12:00:00+02:00", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01T12:00:00-05:30", "2026-03-01T17:30:00.000Z"],
    ["2026-03-01T12:00:00+0530", "2026-03-01T06:30:00.000Z"],
    ["2026-03-01 12:00+01:00", "2026-03-01T11:00:00.000Z"],
    ["2026-03-01T00:30:00+01:00", "2026-02-28T23:30:00.000Z"],
    ["2026-03-01T12:00:00-00:00", "2026-03-01T12:00:00.000Z"],
    ["2026-12-31T23:59:59.999-23:59", "2027-01-01T23:58:59.999Z"],
  ])("F27 %s is %s", (text, time) => {
    expect(parseTime(text)).toBe(time);
  });

  it.each([
    ["2026-03-01T12:00", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01T12:00:00", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01 12:00:00.5", "2026-03-01T12:00:00.500Z"],
    // The hour that summer time skips in much of the world exists in UTC.
    ["2026-03-29T02:30:00", "2026-03-29T02:30:00.000Z"],
  ])("F27 %s has no zone and is UTC", (text, time) => {
    expect(parseTime(text)).toBe(time);
  });

  it.each([
    [".1", ".100"],
    [".12", ".120"],
    [".123", ".123"],
    [".1239", ".123"],
    [".999999", ".999"],
    [".999999999", ".999"],
  ])("F27 the fraction %s is %s", (fraction, kept) => {
    expect(parseTime(`2026-03-01T12:00:00${fraction}Z`)).toBe(`2026-03-01T12:00:00${kept}Z`);
  });
});

describe("F28 what calendar and clock do not have is refused", () => {
  it.each([
    "2026-02-30",
    "2026-02-29",
    "1900-02-29",
    "2026-04-31T10:00:00Z",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-01-32",
    "2026-03-01T24:00:00Z",
    "2026-03-01T25:00:00Z",
    "2026-03-01T12:60:00Z",
    "2026-03-01T12:00:60Z",
    "2026-03-01T12:00:00+24:00",
    "2026-03-01T12:00:00+01:60",
    "9999-12-31T23:59:59-01:00",
    "0000-01-01T00:00:00+01:00",
  ])("F28 refuses %s", (text) => {
    expect(() => parseTime(text)).toThrow(refusal);
  });

  it.each([
    "",
    "now",
    "yesterday",
    "2026",
    "2026-03",
    "20260301",
    "1/3/2026",
    "01.03.2026",
    "March 1, 2026",
    "2026-3-1",
    "12026-03-01",
    "+012026-03-01",
    "2026-03-01T",
    "2026-03-01T12",
    "2026-03-01Z",
    "2026-03-01T12:00:00.Z",
    "2026-03-01T12:00:00.1234567890Z",
    "2026-03-01T12:00:00 Z",
    "2026-03-01T12:00:00+1",
    "2026-03-01T12:00:00 UTC",
    " 2026-03-01",
    "2026-03-01\n",
    "٢٠٢٦-03-01",
    "1772323200000",
  ])("F28 refuses %j", (text) => {
    expect(() => parseTime(text)).toThrow(refusal);
  });

  it("F28 refuses what is no text", () => {
    for (const value of [undefined, null, 0, 1n, Number.NaN, new Date(0), {}, []])
      expect(() => parseTime(value)).toThrow(refusal);
  });

  it("F28 any other text is refused or read into the one shape", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}([+-]\d{2}:\d{2})?$/), (text) => {
        try {
          expect(parseTime(text)).toMatch(SHAPE);
        } catch (error) {
          expect(error).toEqual(refusal);
        }
      }),
    );
  });
});
