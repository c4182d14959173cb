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
    ["The night ferry carries 40 cars per crossing", "Per crossing the night ferry carries only 40 cars"],
    ["Parcels are delivered before noon", "The parcels get delivered before noon"],
    ["Prefers   window seats over aisle seats", "prefers window seats over aisle seats."],
    ["Ivo is the translator of the handbook", "The handbook is translated by Ivo"],
    ["Das Team trifft sich montags um zehn", "das Team trifft sich montags um 10"],
  ])("A19 %s = %s", (a, b) => expect(isDuplicate(a, b)).toBe(true));
});

describe("A20 numbers, negation, names, dates, paths, direction and objects that differ are not duplicates", () => {
  it.each([
    ["numbers", "The cache holds 100 entries per node", "The cache holds 1000 entries per node"],
    ["numbers", "fact 1", "fact 2"],
    ["negation", "Uploads are allowed on weekends", "Uploads are not allowed on weekends"],
    ["opposites", "Night mode is enabled on the kiosk", "Night mode is disabled on the kiosk"],
    ["dates", "The market opens early on Friday", "The market opens early on Sunday"],
    ["paths", "The flags live in conf/a.yaml", "The flags live in conf/b.yaml"],
    ["paths", "Backups go to bucket-7a every night", "Backups go to bucket-7b every night"],
    ["names", "The keys of the shed are with Petra", "The keys of the shed are with Pieter"],
    ["names", "Tomas repairs old clocks at home", "Nadia repairs old clocks at home"],
    ["direction", "The ferry goes from Split to Ancona", "The ferry goes from Ancona to Split"],
    ["object", "Our neighbour grows tomatoes", "Our neighbour grows pumpkins"],
    ["object", "The studio uses charcoal for sketches", "The studio uses pastels for sketches"],
    [
      "change",
      "The archive opens to visitors in spring",
      "From now on the archive opens to visitors in spring",
    ],
  ] as const)("A20 %s: %s / %s", (kind, a, b) => {
    expect(differenceOf(read(a), read(b))).toBe(kind);
    expect(isDuplicate(a, b)).toBe(false);
  });
});

describe("A141 what is said of another thing that both know is no duplicate", () => {
  it.each([
    ["My mother is allergic to nuts.", "My father is allergic to nuts."],
    ["The staging server runs Debian.", "The production server runs Debian."],
    ["Our landlord is Mr Krause.", "Our plumber is Mr Krause."],
    ["Meine Mutter ist gegen Nüsse allergisch.", "Meine Schwester ist gegen Nüsse allergisch."],
    ["La voiture de Léa est bleue.", "La maison de Léa est bleue."],
    ["El coche de Ana es azul.", "La casa de Ana es azul."],
  ])("A141 %s / %s", (one, other) => {
    expect(isDuplicate(one, other)).toBe(false);
    expect(isDuplicate(other, one)).toBe(false);
  });
  it.each([
    ["我妈妈对花生过敏", "我妹妹对花生过敏"],
    ["我的母亲住在上海的郊区", "我的姐姐住在上海的郊区"],
    ["小明的爷爷每天早上打太极拳", "小明的外公每天早上打太极拳"],
    ["我爸爸和妈妈都会说德语", "我爸爸和姐姐都会说德语"],
    ["私の母はピーナッツアレルギーです", "私の妹はピーナッツアレルギーです"],
    ["父は東京に住んでいます", "姉は東京に住んでいます"],
    ["お父さんは毎朝公園を走ります", "お母さんは毎朝公園を走ります"],
  ])("A182 relatives in Chinese and Japanese: %s / %s", (one, other) => {
    expect(isDuplicate(one, other)).toBe(false);
    expect(isDuplicate(other, one)).toBe(false);
  });
  it.each([
    ["我妈妈对花生过敏", "我母亲对花生过敏"],
    ["父は東京に住んでいます", "お父さんは東京に住んでいます"],
  ])("A182 another word for the same relative is no other one: %s / %s", (one, other) => {
    expect(isDuplicate(one, other)).toBe(true);
  });
  it("A141 what is said of any may be the same", () => {
    expect(isDuplicate("A man is playing a guitar on stage.", "A person is playing a guitar on stage.")).toBe(
      true,
    );
  });
});

describe("A21 a text that denies, changes or turns round an older one is told apart from one that adds to it", () => {
  it.each([
    ["contradicts", "The kiosk accepts coins", "The kiosk does not accept coins"],
    ["contradicts", "A library card is valid for 12 months", "A library card is valid for 24 months"],
    ["contradicts", "The mill is taller than the church", "The church is taller than the mill"],
    ["updates", "The bakery is in Elm Street", "The bakery moved from Elm Street to the square"],
    [
      "updates",
      "The orchestra plays from paper scores",
      "The orchestra switched from paper scores to tablets",
    ],
    ["free", "Our neighbour grows tomatoes", "Our neighbour grows pumpkins"],
    ["free", "Tomas repairs clocks", "Nadia does not repair clocks"],
    ["free", "fact 1", "fact 2"],
    ["free", "Task 12 is done", "Task 13 is done"],
    ["free", "The studio is in Portugal", "The studio is in Porto"],
    ["free", "The heater stays off unless somebody asks", "The heater is switched off at night"],
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
      relationOf(read("Our neighbour grows tomatoes"), reading);
    }
  });
});

describe("A39 who does it to whom is told by the places of the words", () => {
  it.each([
    ["direction", "We use tabs, not spaces", "We use spaces, not tabs"],
    ["direction", "Use pnpm instead of npm", "Use npm instead of pnpm"],
    ["direction", "The dog is older than the cat", "The cat is older than the dog"],
    ["direction", "Deploy staging before production", "Deploy production before staging"],
    ["object", "Service A calls service B", "Service B calls service A"],
    ["object", "Paul is Mary's boss", "Mary is Paul's boss"],
    [
      "object",
      "Python is for the backend and Go for workers",
      "Go is for the backend and Python for workers",
    ],
  ])("A39 %s: %s / %s", (difference, a, b) => {
    expect(differenceOf(read(a), read(b))).toBe(difference);
    expect(differenceOf(read(b), read(a))).toBe(difference);
  });
  it.each([
    ["On Monday we deploy to production", "We deploy to production on Monday"],
    ["After lunch Tom goes to the gym", "Tom goes to the gym after lunch"],
    ["Ann likes tea and coffee", "Ann likes coffee and tea"],
    ["Paul is married to Mary", "Mary is married to Paul"],
    ["Today it is not blue", "It is not blue today"],
    ["Blue is Ann's favourite colour", "Ann's favourite colour is blue"],
  ])("A39 the same: %s / %s", (a, b) => expect(differenceOf(read(a), read(b))).toBeUndefined());
});
