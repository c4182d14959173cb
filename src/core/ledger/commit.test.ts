import { describe, expect, it } from "vitest";
import { type Hash, hashValue } from "../base/hash.js";
import { type BranchName, MAIN, type MemoryId, type Scope } from "../base/names.js";
import { timestamp } from "../base/time.js";
import { EMPTY_ROOT } from "../merkle/node.js";
import {
  buildCommit,
  CHECKPOINT_EVERY,
  type Counters,
  countersBefore,
  GENESIS,
  GENESIS_CHANGESET,
  GENESIS_TIP,
  isCheckpoint,
  parentLink,
  type Tip,
  touchOf,
} from "./commit.js";
import { decodeObject, encodeObject } from "./objects.js";
import type { Author, Commit, LedgerEvent, MemoryRecord, Sensitivity, Touch } from "./types.js";

const hash = (name: string): Hash => hashValue("id", name);
const ada: Author = { kind: "user", id: "ada" };
const tipAt = (generation: number, time: number, name = `${generation}`): Tip => {
  const commit: Commit = { ...GENESIS_TIP.commit, generation, time: timestamp(time) };
  return { hash: hash(name), commit };
};
const make = (parents: readonly Tip[], now: number, extra: { events?: LedgerEvent[]; note?: Hash } = {}) =>
  buildCommit({
    parents,
    root: hash("root"),
    events: extra.events ?? [],
    now: timestamp(now),
    author: ada,
    branch: MAIN,
    note: extra.note,
  });

describe("E6 every store starts with the same genesis commit", () => {
  it("E6 empty root, generation 0, 1970, author system", () => {
    expect(decodeObject("commit", GENESIS.bytes)).toStrictEqual({
      v: 1,
      parents: [],
      root: EMPTY_ROOT,
      changeset: GENESIS_CHANGESET.hash,
      generation: 0,
      time: "1970-01-01T00:00:00.000Z",
      author: { kind: "system", id: "palimpsest" },
      branch: "main",
    });
    expect(decodeObject("changeset", GENESIS_CHANGESET.bytes)).toStrictEqual({ events: [] });
    expect(GENESIS_TIP.hash).toBe(GENESIS.hash);
  });
});

describe("E7 generation is one more than the highest parent's, time is never before a parent's", () => {
  it.each([
    [[3], [100], 200, 4, 200],
    [[3], [300], 200, 4, 300],
    [[3, 7], [100, 50], 70, 8, 100],
    [[9, 7], [10, 500], 70, 10, 500],
    [[0], [0], 0, 1, 0],
  ])("E7 parents of generations %j at %j, clock %i", (generations, times, now, generation, time) => {
    const parents = generations.map((at, n) => tipAt(at, times[n]!, `${n}`));
    const { tip } = make(parents, now);
    expect(tip.commit).toMatchObject({
      generation,
      time: timestamp(time),
      parents: parents.map((p) => p.hash),
    });
  });

  it("E7 the tip, the commit's bytes and the changeset belong together", () => {
    const events: LedgerEvent[] = [{ op: "add", scope: hash("s"), id: hash("i"), after: hash("r") }];
    const { tip, commit, changeset } = make([GENESIS_TIP], 5, { events });
    expect(tip.hash).toBe(commit.hash);
    expect(decodeObject("commit", commit.bytes)).toStrictEqual(tip.commit);
    expect(tip.commit.changeset).toBe(changeset.hash);
    expect(decodeObject("changeset", changeset.bytes)).toStrictEqual({ events });
    expect(encodeObject("commit", tip.commit)).toEqual(commit);
  });

  it("E7 a note is named only when there is one", () => {
    expect(make([GENESIS_TIP], 5).tip.commit).not.toHaveProperty("note");
    expect(make([GENESIS_TIP], 5, { note: hash("n") }).tip.commit.note).toBe(hash("n"));
  });

  it("E7 the order of events and everything else is in the hash (D29, D30)", () => {
    const [one, two] = ["1", "2"].map((n) => ({
      op: "add" as const,
      scope: hash("s"),
      id: hash(n),
      after: hash(n),
    }));
    const base = {
      parents: [GENESIS_TIP],
      root: hash("r"),
      events: [one!, two!],
      now: timestamp(5),
      author: ada,
    };
    const variants = [
      { ...base, branch: MAIN },
      { ...base, branch: MAIN, events: [two!, one!] },
      { ...base, branch: "other" as BranchName },
      { ...base, branch: MAIN, author: { kind: "agent" as const, id: "ada" } },
      { ...base, branch: MAIN, now: timestamp(6) },
      { ...base, branch: MAIN, root: hash("x") },
      { ...base, branch: MAIN, note: hash("n") },
      { ...base, branch: MAIN, parents: [tipAt(0, 0)] },
    ];
    expect(new Set(variants.map((variant) => buildCommit(variant).commit.hash)).size).toBe(variants.length);
    expect(buildCommit(variants[0]!).commit.hash).toBe(buildCommit(variants[0]!).commit.hash);
  });
});

describe("nodes are kept where a commit enters a new block of 256 generations", () => {
  it.each([
    [0, 0, false],
    [1, 0, false],
    [255, 254, false],
    [256, 255, true],
    [257, 256, false],
    [511, 510, false],
    [512, 511, true],
    [300, 200, true],
    [700, 100, true],
    [400, 260, false],
  ])("generation %i after %i: %s", (generation, parent, expected) => {
    expect(isCheckpoint(generation, parent)).toBe(expected);
  });
  it("at most 255 changesets lie between two", () => {
    expect(CHECKPOINT_EVERY).toBe(256);
    const kept = Array.from({ length: 2000 }, (_, n) => n + 1).filter((n) => isCheckpoint(n, n - 1));
    expect(kept).toEqual([256, 512, 768, 1024, 1280, 1536, 1792]);
  });
});

const record = (sensitivity?: Sensitivity): MemoryRecord => ({
  scope: "shared" as Scope,
  id: "i" as MemoryId,
  type: "fact",
  text: "x",
  parent: "p" as MemoryId,
  origin: { source: "tool", channel: "library", trust: "agent" },
  ...(sensitivity && { sensitivity }),
});

/** Plays events of one key in order, as a session does. */
function play(
  steps: readonly [
    op: LedgerEvent["op"],
    before: string | undefined,
    after: string | undefined,
    level?: Sensitivity,
  ][],
): Touch[] {
  const rows: Touch[] = [];
  for (const [n, [op, before, after, level]] of steps.entries()) {
    const event: LedgerEvent = {
      op,
      scope: hash("s"),
      id: hash("i"),
      ...(before !== undefined && { before: hash(before) }),
      ...(after !== undefined && { after: hash(after) }),
    };
    const prior = countersBefore(rows.toReversed(), event.before);
    rows.push(
      touchOf(event, after === undefined ? undefined : record(level), tipAt(n + 1, (n + 1) * 1000), prior),
    );
  }
  return rows;
}

describe("E9 version = 1 + the version that the value came from", () => {
  it("E9 from 1, +1 per update and delete", () => {
    const rows = play([
      ["add", undefined, "a"],
      ["modify", "a", "b"],
      ["observe", "b", "c"],
      ["forget", "c", undefined],
    ]);
    expect(rows.map((row) => row.version)).toEqual([1, 2, 3, 4]);
    expect(new Set(rows.map((row) => row.created))).toEqual(new Set([timestamp(1000)]));
    expect(rows.map((row) => row.time)).toEqual([1000, 2000, 3000, 4000].map(timestamp));
    expect(rows.at(-1)).not.toHaveProperty("record");
  });

  it("E9 of two lines each counts on from its own value", () => {
    const rows = play([
      ["add", undefined, "a"],
      ["modify", "a", "b"],
      ["modify", "b", "c"],
      ["modify", "a", "x"],
      ["modify", "x", "y"],
    ]);
    expect(rows.map((row) => row.version)).toEqual([1, 2, 3, 2, 3]);
  });

  it("E9 a key that comes back after a forget counts on, but is created anew", () => {
    const rows = play([
      ["add", undefined, "a"],
      ["forget", "a", undefined],
      ["add", undefined, "a"],
      ["modify", "a", "b"],
    ]);
    expect(rows.map((row) => row.version)).toEqual([1, 2, 3, 4]);
    expect(rows.map((row) => row.created)).toEqual([1000, 1000, 3000, 3000].map(timestamp));
  });

  it("E9 without earlier rows it is the first", () => {
    expect(countersBefore([], undefined)).toBeUndefined();
    expect(countersBefore(play([["add", undefined, "a"]]), hash("unknown"))).toBeUndefined();
    const [row] = play([["modify", "lost", "b"]]);
    expect(row).toMatchObject({ version: 1, created: timestamp(1000) });
  });
});

describe("E10 a touch row carries what readers ask of an event", () => {
  it("E10 the sensitivity of a forget is that of the forgotten version", () => {
    const rows = play([
      ["add", undefined, "a", "private"],
      ["modify", "a", "b", "confidential"],
      ["forget", "b", undefined],
      ["add", undefined, "c"],
    ]);
    expect(rows.map((row) => row.sensitivity)).toEqual(["private", "confidential", "confidential", "normal"]);
  });

  it("E10 key, commit, author, operation, record and links", () => {
    const tip = make([tipAt(6, 10)], 20).tip;
    const event: LedgerEvent = { op: "add", scope: hash("s"), id: hash("i"), after: hash("r") };
    const prior: Counters | undefined = undefined;
    expect(touchOf(event, record(), tip, prior)).toStrictEqual({
      scope: hash("s"),
      id: hash("i"),
      op: "add",
      record: hash("r"),
      commit: tip.hash,
      generation: 7,
      time: timestamp(20),
      author: ada,
      version: 1,
      created: timestamp(20),
      sensitivity: "normal",
      links: [parentLink("shared" as Scope, "p" as MemoryId)],
    });
  });
});
