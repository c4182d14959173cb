import { execFileSync, spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDuplicate } from "../_situation.js";
import { differenceOf } from "./difference.js";
import { read } from "./reading.js";
import { relationOf } from "./relation.js";
import { ratioBound, sequenceRatio } from "./sequence-ratio.js";

const python = spawnSync("python3", ["--version"]).status === 0;

describe("A18 the sequence ratio is that of Python's difflib", () => {
  it("A18 of known pairs", () => {
    expect(sequenceRatio("abcd", "bcde")).toBe(0.75);
    expect(sequenceRatio("", "")).toBe(1);
    expect(
      sequenceRatio("private Thread currentThread;", "private volatile Thread currentThread;"),
    ).toBeCloseTo(0.8656716417910447, 12);
  });
  it.runIf(python)("A18 of any pair, long ones included", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "é", "😀"), maxLength: 40 });
    const long = fc.string({
      unit: fc.constantFrom("a", "b", "c", "d", "e", " "),
      minLength: 190,
      maxLength: 260,
    });
    const pairs = [...fc.sample(fc.tuple(letters, letters), 300), ...fc.sample(fc.tuple(long, long), 30)];
    const script =
      "import json,sys,difflib\nfor a,b in json.load(sys.stdin): print(difflib.SequenceMatcher(None,a,b).ratio())";
    const out = execFileSync("python3", ["-c", script], { input: JSON.stringify(pairs), encoding: "utf8" });
    const expected = out.trim().split("\n").map(Number);
    expect(pairs.map(([a, b]) => sequenceRatio(a, b))).toEqual(expected);
  });
  it("A18 the bound is never below it", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(ratioBound(a, b) + 1e-9).toBeGreaterThanOrEqual(sequenceRatio(a, b));
      }),
    );
  });
});

describe("A19 near texts that say the same are duplicates, in any order", () => {
  it.each([
    [
      "Burst mode enforces 1 tool call per tick in the runtime",
      "In burst mode only 1 tool call is allowed per tick",
    ],
    ["The user is allergic to walnuts", "The user has a walnut allergy"],
    ["Prefers   pnpm over npm", "prefers pnpm over npm."],
    ["Maria is the maintainer of the search service", "The search service is maintained by Maria"],
    ["Das Team trifft sich montags um zehn", "das Team trifft sich montags um 10"],
  ])("A19 %s = %s", (a, b) => expect(isDuplicate(a, b)).toBe(true));
});

describe("A20 numbers, negation, names, dates, paths, direction and objects that differ are not duplicates", () => {
  it.each([
    ["numbers", "The cache holds 100 entries per node", "The cache holds 1000 entries per node"],
    ["numbers", "fact 1", "fact 2"],
    ["negation", "Uploads are allowed on weekends", "Uploads are not allowed on weekends"],
    ["opposites", "Telemetry is enabled by default", "Telemetry is disabled by default"],
    ["dates", "The review takes place on Monday", "The review takes place on Tuesday"],
    ["paths", "The flags live in conf/a.yaml", "The flags live in conf/b.yaml"],
    ["paths", "Staging runs in eu-west-1", "Staging runs in eu-west-2"],
    ["names", "The owner of the parser is Lena", "The owner of the parser is Lina"],
    ["names", "Marco likes green tea a lot", "Lena likes green tea a lot"],
    ["direction", "The user prefers tea to coffee", "The user prefers coffee to tea"],
    ["object", "The user likes jazz", "The user likes techno"],
    ["object", "The user uses vim for notes", "The user uses emacs for notes"],
    ["change", "The team lead is Anna", "Anna stepped down as the team lead"],
  ] as const)("A20 %s: %s / %s", (kind, a, b) => {
    expect(differenceOf(read(a), read(b))).toBe(kind);
    expect(isDuplicate(a, b)).toBe(false);
  });
});

describe("A21 a text that denies, changes or turns round an older one is told apart from one that adds to it", () => {
  it.each([
    ["contradicts", "The user likes coffee", "The user does not like coffee"],
    ["contradicts", "Logs are kept for 30 days", "Logs are kept for 90 days"],
    ["contradicts", "Sofia is older than Lena", "Lena is older than Sofia"],
    ["updates", "The user lives in Bonn", "The user moved from Bonn to Graz"],
    ["updates", "The build uses webpack", "We migrated the build from webpack to Vite last week"],
    ["free", "The user likes jazz", "The user likes techno"],
    ["free", "Marco likes coffee", "Lena does not like coffee"],
    ["free", "fact 1", "fact 2"],
    ["free", "Task 12 is done", "Task 13 is done"],
    ["free", "The user lives in Germany", "The user lives in Berlin"],
    ["free", "Telemetry is off unless it is switched on", "Telemetry is disabled by default"],
  ] as const)("A21 %s: %s / %s", (relation, old, fresh) =>
    expect(relationOf(read(old), read(fresh))).toBe(relation),
  );

  it("A16 every code point can be read and compared without a throw", () => {
    for (let from = 0; from < 0x110000; from += 0x2000) {
      let text = "";
      for (let code = from; code < from + 0x2000; code++)
        if (code < 0xd800 || code > 0xdfff) text += String.fromCodePoint(code);
      const reading = read(text);
      expect(differenceOf(reading, reading)).toBeUndefined();
      relationOf(read("The user likes tea"), reading);
    }
  });
});
