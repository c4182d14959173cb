import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Hash, hashValue } from "../base/hash.js";
import { canonical, type Json, type JsonObject } from "../base/json.js";
import type { MemoryId, Scope } from "../base/names.js";
import { type Timestamp, timestamp } from "../base/time.js";
import { type MergeResult, mergeRecords, type Setter, type Side } from "./merge.js";
import { encodeObject } from "./objects.js";
import { canonicalRecord, fieldsOf, readField, withField } from "./record.js";
import type { Author, MemoryRecord, Term, Trust } from "./types.js";
import { mostSensitive, sensitivityOf, trustRank } from "./types.js";

/*
 * A small model of a history: a version is a record, or its absence, and who set each of its fields.
 */
interface Version {
  readonly record?: MemoryRecord;
  /** Fields that are not listed were set, or left out, by the first writer. */
  readonly setters: ReadonlyMap<string, Setter>;
  readonly first: Setter;
  readonly goneBy?: Setter;
}
/** What somebody does to a version: sets fields (undefined removes one), forgets it, or leaves it as it is. */
type Patch = ReadonlyMap<string, Json | undefined>;
type Deed = Patch | "forget" | "nothing";

const SETTER: Setter = {
  commit: hashValue("commit", 0),
  author: { kind: "user", id: "root" },
  trust: "agent",
};
const NEVER: Version = { setters: new Map(), first: SETTER };
const times = new Map<Hash, Timestamp>([[SETTER.commit!, timestamp(0)]]);
const timeOf = (commit: Hash): Timestamp => times.get(commit)!;
let commits = 0;

function setter(trust: Trust, time: number, author: Author = { kind: "agent", id: trust }): Setter {
  const commit = hashValue("commit", ++commits);
  times.set(commit, timestamp(time));
  return { commit, author, trust };
}

const hashOf = (record: MemoryRecord): Hash => encodeObject("memory", record).hash;
const plain = (fields: Partial<MemoryRecord> = {}): MemoryRecord =>
  canonicalRecord({
    scope: "shared" as Scope,
    id: "mem-1" as MemoryId,
    type: "fact",
    text: "base",
    origin: { source: "chat", channel: "library", trust: "agent", actor: "root" },
    ...fields,
  });
const version = (record: MemoryRecord, first: Setter = SETTER): Version => ({
  record,
  setters: new Map(),
  first,
});
const setBy = ({ setters, first }: Version, field: string): Setter => setters.get(field) ?? first;

function edit(from: Version, deed: Deed, by: Setter): Version {
  if (deed === "nothing" || (deed === "forget" && !from.record)) return from;
  if (deed === "forget") return { setters: new Map(), first: by, goneBy: by };
  const before = from.record ?? plain();
  const setters = new Map(from.setters);
  let record: MemoryRecord = before;
  const contested = { ...before.contested };
  for (const [field, value] of deed) {
    const same = canonical([value ?? 0]) === canonical([readField(before, field) ?? 0]) && !contested[field];
    if (same) continue;
    record = withField(record, field, value);
    setters.set(field, by);
    delete contested[field];
  }
  if (from.record && record === before) return from;
  delete contested["*"];
  const origin = { source: "tool", channel: "library", trust: by.trust, actor: by.author.id };
  const first = from.record ? from.first : by;
  return { record: canonicalRecord({ ...record, origin, contested }), setters, first };
}

function sideOf(side: Version): Side {
  const { record, goneBy } = side;
  if (record) return { record, hash: hashOf(record), setBy: (field) => setBy(side, field) };
  return goneBy && { goneBy };
}

function merge(base: Version, ours: Version, theirs: Version): MergeResult {
  const from = sideOf(base);
  return mergeRecords({
    base: from && "record" in from ? from : undefined,
    ours: sideOf(ours),
    theirs: sideOf(theirs),
    timeOf,
  });
}

/** Written anew from the rule: higher trust, then the later commit, then the smaller value. */
function stronger<T extends Term | Setter>(a: T, b: T): T {
  if (trustRank(a.trust) !== trustRank(b.trust)) return trustRank(a.trust) > trustRank(b.trust) ? a : b;
  const [atA, atB] = [a, b].map(({ commit }) => (commit ? timeOf(commit) : "~"));
  if (atA !== atB) return atA! > atB! ? a : b;
  if (a.commit !== b.commit) return (a.commit ?? "~") < (b.commit ?? "~") ? a : b;
  const [keyA, keyB] = [a, b].map((term) => valueKey(term as Term) + canonical(term));
  return keyA! < keyB! ? a : b;
}
const valueKey = ({ deleted, value }: Term): string =>
  deleted ? "deleted" : value === undefined ? "absent" : canonical(value);

/** The merged version as a history knows it: a value set alike on both sides is the stronger setter's. */
function mergeVersions(base: Version, ours: Version, theirs: Version): Version {
  const { record } = merge(base, ours, theirs);
  const best = (found: readonly Setter[]) => found.reduce((a, b) => stronger(a, b));
  if (!record) {
    const gone = [ours, theirs].flatMap(({ goneBy }) => goneBy ?? []);
    return gone.length > 0 ? { setters: new Map(), first: SETTER, goneBy: best(gone) } : NEVER;
  }
  const sides = [ours, theirs].filter((side) => side.record);
  // A removed attribute is in no record any more; that somebody removed it is still known.
  const fields = new Set([...fieldsOf(record), ...sides.flatMap((side) => [...side.setters.keys()])]);
  const setters = [...fields].map((field): [string, Setter] => {
    const shown = canonical([readField(record, field) ?? 0]);
    const open = (side: Version) => side.record?.contested?.[field] !== undefined;
    const agree = sides.filter(
      (side) =>
        canonical([readField(side.record!, field) ?? 0]) === shown && (!open(side) || sides.every(open)),
    );
    return [field, agree.length > 0 ? best(agree.map((side) => setBy(side, field))) : SETTER];
  });
  return { record, setters: new Map(setters), first: best(sides.map((side) => side.first)) };
}

/* Values are few, so that sides often agree, meet and cross. */
const VALUES: Record<string, readonly (Json | undefined)[]> = {
  type: ["fact", "identity"],
  text: ["base", "one", "two", "three"],
  triple: [
    undefined,
    { subject: "a", predicate: "b", object: "c" },
    { subject: "a", predicate: "b", object: "d" },
  ],
  category: [undefined, "bio", "work"],
  tier: [undefined, "canon"],
  topic: [undefined, "language"],
  sensitivity: [undefined, "private", "confidential"],
  valid: [undefined, { from: timestamp(0) }, { from: timestamp(0), to: timestamp(9) }],
  tags: [undefined, ["x"], ["y"], ["x", "y"], ["x", "z"], ["w", "y", "z"]],
  confidence: [undefined, 0, 0.3, 0.5],
  salt: [undefined, "00", "aa", "ff"],
  place: [
    undefined,
    { parent: "p", position: "a0" },
    { parent: "p", position: "a1" },
    { parent: "q", position: "a0" },
  ],
  life: [
    undefined,
    { lifetime: "session", session: "s", expiresAt: timestamp(5) },
    { lifetime: "temporary", expiresAt: timestamp(5) },
    { lifetime: "temporary", expiresAt: timestamp(6) },
  ],
  "attributes.TODO": [undefined, null, "A", "B", { absent: true }],
  "attributes.constructor": [undefined, "x"],
};
const RULED = ["tags", "confidence", "sensitivity", "salt"];

const patch: fc.Arbitrary<Patch> = fc
  .uniqueArray(
    fc
      .constantFrom(...Object.keys(VALUES))
      .chain((field) =>
        fc.constantFrom(...VALUES[field]!).map((value): [string, Json | undefined] => [field, value]),
      ),
    { selector: ([field]) => field, maxLength: 8 },
  )
  .map((entries) => new Map(entries));
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 8, arbitrary: patch },
  { weight: 1, arbitrary: fc.constant("forget" as const) },
  { weight: 1, arbitrary: fc.constant("nothing" as const) },
);
const writer: fc.Arbitrary<Setter> = fc
  .tuple(fc.constantFrom<Trust>("external", "agent", "user", "operator"), fc.nat(2), fc.nat(2))
  .map(([trust, time, who]) => setter(trust, time, { kind: "agent", id: `agent-${who}` }));
const write = fc.tuple(deed, writer);
/** A first version: from a patch, perhaps with conflicts (also about its deletion) that nobody has resolved. */
const start: fc.Arbitrary<Version> = fc
  .tuple(patch, fc.option(fc.tuple(write, write)))
  .map(([first, fork]) => {
    const root = edit(version(plain()), first, SETTER);
    if (!fork) return root;
    const [a, b] = fork.map(([what, by]) => edit(root, what, by)) as [Version, Version];
    const merged = mergeVersions(root, a, b);
    return merged.record ? merged : root;
  });

interface Meeting {
  readonly base: Version;
  readonly ours: Version;
  readonly theirs: Version;
}
/** Two sides of one base; sometimes there was nothing before, sometimes a side took a third one in already. */
const meeting: fc.Arbitrary<Meeting> = fc
  .record({ base: fc.option(start, { nil: NEVER }), ours: write, theirs: write, third: fc.option(write) })
  .map(({ base, ours, theirs, third }) => {
    const [a, c] = [ours, theirs].map(([what, by]) => edit(base, what, by)) as [Version, Version];
    const other = third && edit(base, third[0], third[1]);
    return { base, ours: other ? mergeVersions(base, a, other) : a, theirs: c };
  });

const TIMES = process.env.PAL_TORTURE ? 20 : 1;
const text = (result: MergeResult | Version): string => (result.record ? canonical(result.record) : "gone");
const check = (runs: number, law: (meeting: Meeting) => void) =>
  fc.assert(fc.property(meeting, law), { numRuns: runs * TIMES });

/** What a version says of a field: its value, or those of its terms. */
function saidOf({ record }: { readonly record?: MemoryRecord }, field: string): Set<string> {
  const terms = record?.contested?.[field]?.terms;
  if (terms) return new Set(terms.map(valueKey));
  const value = record && readField(record, field);
  return new Set([valueKey({ ...SETTER, ...(value !== undefined && { value }) })]);
}
const equal = (a: Set<string>, b: Set<string>): boolean =>
  canonical([...a].sort()) === canonical([...b].sort());

describe("G1 what only one side changed is that side's", () => {
  it("G1 merge(b, a, a) = a, merge(b, b, x) = x, merge(b, x, b) = x", () => {
    check(80, ({ base, ours }) => {
      expect(text(merge(base, ours, ours))).toBe(text(ours));
      expect(text(merge(base, base, ours))).toBe(text(ours));
      expect(text(merge(base, ours, base))).toBe(text(ours));
    });
  });

  it("G1 a field that one side changed takes that side's value and is never contested", () => {
    check(100, ({ base, ours, theirs }) => {
      const merged = merge(base, ours, theirs);
      if (!base.record || !ours.record || !theirs.record) return;
      for (const field of fieldsOf(base.record, ours.record, theirs.record)) {
        // Where both sides wrote, the safer of the two holds: see G6.
        if (field === "sensitivity") continue;
        const [was, mine, yours] = [base, ours, theirs].map((side) => saidOf(side, field)) as [
          Set<string>,
          Set<string>,
          Set<string>,
        ];
        // Of an open conflict who said what counts too; here it is about settled fields.
        if (was.size > 1 || mine.size > 1 || yours.size > 1) continue;
        if (equal(yours, was) || equal(mine, yours))
          expect([field, saidOf(merged, field)]).toEqual([field, mine]);
        else if (equal(mine, was)) expect([field, saidOf(merged, field)]).toEqual([field, yours]);
      }
    });
  });
});

describe("G2 a merge does not know which side is which", () => {
  it("G2 merge(a, b) = merge(b, a), byte for byte", () => {
    check(200, ({ base, ours, theirs }) => {
      const [one, two] = [merge(base, ours, theirs), merge(base, theirs, ours)];
      expect(text(two)).toBe(text(one));
      expect(two.contested).toEqual(one.contested);
    });
  });

  it("G2 the order of keys in the records does not matter", () => {
    check(40, ({ base, ours, theirs }) => {
      const turned = (side: Version): Version =>
        side.record
          ? { ...side, record: Object.fromEntries(Object.entries(side.record).reverse()) as never }
          : side;
      expect(text(merge(turned(base), turned(ours), theirs))).toBe(text(merge(base, ours, theirs)));
    });
  });
});

describe("G3 nothing that a side changed is dropped", () => {
  it("G3 it is shown, or it is a term", () => {
    check(200, ({ base, ours, theirs }) => {
      const merged = merge(base, ours, theirs);
      if (!ours.record || !theirs.record) return;
      for (const field of fieldsOf(ours.record, theirs.record))
        for (const side of [ours, theirs]) {
          if (RULED.includes(field)) continue;
          const [was, now, result] = [base, side, merged].map((at) => saidOf(at, field)) as [
            Set<string>,
            Set<string>,
            Set<string>,
          ];
          if (equal(now, was)) continue;
          const other = saidOf(side === ours ? theirs : ours, field);
          const due = [...now].filter((value) => !was.has(value) || (now.size === 1 && !equal(other, now)));
          for (const value of due)
            expect([field, [...result]]).toEqual([field, expect.arrayContaining([value])]);
        }
    });
  });

  it("G3 a changed record is never lost to a deletion", () => {
    check(100, ({ base, ours, theirs }) => {
      const merged = merge(base, ours, theirs);
      for (const [kept, other] of [
        [ours, theirs],
        [theirs, ours],
      ] as const)
        if (kept.record && !other.record) {
          const untouched = base.record && text(kept) === text(base);
          const wasOpen = kept.record.contested?.["*"] !== undefined;
          if (!untouched && !wasOpen) expect(merged.record?.text).toBe(kept.record.text);
        }
    });
  });
});

describe("G4 the result is a record like any other", () => {
  it("G4 it is in canonical form, and lists what is contested", () => {
    check(100, ({ base, ours, theirs }) => {
      const { record, contested } = merge(base, ours, theirs);
      expect(contested).toEqual(Object.keys(record?.contested ?? {}).sort());
      if (!record) return;
      expect(canonicalRecord(record)).toStrictEqual(record);
      expect([record.scope, record.id]).toEqual(["shared", "mem-1"]);
    });
  });

  it("G4 a contest has two terms or more, one for each value, in order; one of them is shown", () => {
    check(100, ({ base, ours, theirs }) => {
      const { record } = merge(base, ours, theirs);
      for (const [field, { terms }] of Object.entries(record?.contested ?? {})) {
        const keys = terms.map(valueKey);
        expect(keys).toEqual([...new Set(keys)].sort());
        if (field === "*") expect(terms).toEqual([expect.objectContaining({ deleted: true })]);
        else {
          expect(terms.length).toBeGreaterThan(1);
          const shown = terms.reduce((a, b) => stronger(a, b));
          expect(saidOf({ record: { ...record, contested: {} } as MemoryRecord }, field)).toEqual(
            new Set([valueKey(shown)]),
          );
        }
        for (const term of terms)
          expect(Object.keys(term).sort()).toEqual(expect.arrayContaining(["author", "commit", "trust"]));
      }
    });
  });
});

/** Two sides that differ from the base in what is given. */
function meet(
  base: Partial<MemoryRecord>,
  ours: Partial<MemoryRecord>,
  theirs: Partial<MemoryRecord>,
  by: readonly [Setter, Setter] = [setter("agent", 1), setter("agent", 2)],
): MergeResult {
  const side = (fields: Partial<MemoryRecord>, who: Setter) =>
    version(plain({ ...base, ...fields, origin: { ...plain().origin, trust: who.trust, actor: "x" } }), who);
  const result = merge(version(plain(base)), side(ours, by[0]), side(theirs, by[1]));
  expect(text(merge(version(plain(base)), side(theirs, by[1]), side(ours, by[0])))).toBe(text(result));
  return result;
}

describe("G5 the shown value: higher trust, then the later commit, then the smaller value", () => {
  const [early, late] = [setter("agent", 1), setter("agent", 2)];
  it.each([
    ["user over agent, though earlier", setter("user", 1), setter("agent", 9), "ours"],
    ["operator over user", setter("operator", 1), setter("user", 1), "ours"],
    ["agent over external", setter("external", 9), setter("agent", 1), "theirs"],
    ["the later of equals", early, late, "theirs"],
    [
      "an uncommitted write is later than all",
      { author: early.author, trust: "agent" as const },
      late,
      "ours",
    ],
  ])("G5 %s", (_, mine, yours, shown) => {
    const { record, contested } = meet({ text: "base" }, { text: "ours" }, { text: "theirs" }, [mine, yours]);
    expect([record?.text, contested]).toEqual([shown, ["text"]]);
  });
  it("G5 that of the smaller commit hash when all else is equal, then the smaller value", () => {
    const [one, two] = [setter("agent", 5), setter("agent", 5)].sort((a, b) =>
      a.commit! < b.commit! ? -1 : 1,
    );
    if (one!.commit !== two!.commit) {
      expect(meet({}, { text: "b" }, { text: "a" }, [one!, two!]).record?.text).toBe("b");
      expect(meet({}, { text: "a" }, { text: "b" }, [two!, one!]).record?.text).toBe("b");
    }
    expect(meet({}, { text: "b" }, { text: "a" }, [one!, one!]).record?.text).toBe("a");
    expect(meet({}, { text: "a" }, { text: "b" }, [one!, one!]).record?.text).toBe("a");
  });
  it("G5 a contest says what was, and who says what", () => {
    const { record } = meet({ text: "base" }, { text: "b" }, { text: "a" }, [early, late]);
    expect(record?.contested).toStrictEqual({
      text: {
        base: "base",
        terms: [
          { value: "a", ...late },
          { value: "b", ...early },
        ],
      },
    });
  });
  it("G5 added on both sides: there was no base", () => {
    const { record } = merge(
      NEVER,
      version(plain({ text: "a" }), early),
      version(plain({ text: "b" }), late),
    );
    expect(record).toMatchObject({
      text: "b",
      contested: { text: { terms: [{ value: "a" }, { value: "b" }] } },
    });
    expect(record?.contested?.text).not.toHaveProperty("base");
  });
});

describe("G6 fields with a meeting point are never contested", () => {
  it("G6 tags merge as sets", () => {
    const { record, contested } = meet(
      { tags: ["a", "b", "c"] },
      { tags: ["b", "c", "x"] },
      { tags: ["a", "c", "y"] },
    );
    expect([record?.tags, contested]).toEqual([["c", "x", "y"], []]);
    expect(meet({ tags: ["a", "b"] }, { tags: ["a"] }, { tags: ["b"] }).record).not.toHaveProperty("tags");
    expect(meet({ tags: ["a"] }, { tags: [] }, { tags: ["a", "b"] }).record?.tags).toEqual(["b"]);
  });
  it("G6 confidence is the max of what changed", () => {
    expect(meet({ confidence: 0.9 }, { confidence: 0.2 }, { confidence: 0.4 }).record?.confidence).toBe(0.4);
    expect(meet({ confidence: 0.5 }, { confidence: 1 }, { confidence: 0.4 }).record).not.toHaveProperty(
      "confidence",
    );
  });
  it("G6 the more sensitive side wins, the smaller salt stays", () => {
    const { record, contested } = meet(
      { sensitivity: "private", salt: "aa" },
      { sensitivity: "normal", salt: "cc" },
      { sensitivity: "confidential", salt: "bb" },
    );
    expect([record?.sensitivity, record?.salt, contested]).toEqual(["confidential", "bb", []]);
  });
  it("G6 a merge of two changes shows neither side's secrets, nor in a conflict those of the base", () => {
    check(80, ({ base, ours, theirs }) => {
      const { record } = merge(base, ours, theirs);
      if (!record || !ours.record || !theirs.record) return;
      const isOneSide = [ours, theirs].some((side) => canonical(side.record!) === canonical(record));
      if (isOneSide) return;
      const levels = [ours.record, theirs.record];
      if (base.record && Object.keys(record.contested ?? {}).some((field) => field !== "*"))
        levels.push(base.record);
      const safest = levels.map(sensitivityOf).reduce((a, b) => mostSensitive(a, b));
      expect(mostSensitive(safest, sensitivityOf(record))).toBe(sensitivityOf(record));
    });
  });
});

describe("G7 what belongs together is one value, what does not is several", () => {
  it("G7 parent and position are one value", () => {
    const { record, contested } = meet(
      { parent: "p" as MemoryId, position: "a0" },
      { parent: "q" as MemoryId, position: "a0" },
      { parent: "p" as MemoryId, position: "a5" },
    );
    expect(contested).toEqual(["place"]);
    expect([record?.parent, record?.position]).toEqual(["p", "a5"]);
  });
  it("G7 lifetime, session and end are one value", () => {
    const { record, contested } = meet(
      {},
      { lifetime: "temporary", expiresAt: timestamp(5) },
      { lifetime: "session", session: "s", expiresAt: timestamp(6) },
    );
    expect(contested).toEqual(["life"]);
    expect(record).toMatchObject({ lifetime: "session", session: "s", expiresAt: timestamp(6) });
  });
  it("G7 each attribute is a field of its own", () => {
    const { record, contested } = meet(
      { attributes: { TITLE: "a", TODO: "open" } },
      { attributes: { TITLE: "b", TODO: "open" } },
      { attributes: { TITLE: "a", TODO: "done", constructor: "new" } as JsonObject },
    );
    expect(contested).toEqual([]);
    expect(record?.attributes).toEqual({ TITLE: "b", TODO: "done", constructor: "new" });
  });
  it("G7 null, absent and any object are different values of an attribute", () => {
    const values: (Json | undefined)[] = [null, undefined, { absent: true }, "absent"];
    for (const mine of values)
      for (const yours of values) {
        if (mine === yours) continue;
        const { contested } = meet(
          { attributes: { k: 1 } },
          { attributes: { k: mine } },
          { attributes: { k: yours } },
        );
        expect(contested).toEqual(["attributes.k"]);
      }
  });
  it("G7 a contested attribute that is shown as absent stays contested", () => {
    const first = meet({ attributes: { k: 1 } }, { attributes: {} }, { attributes: { k: 2 } }, [
      setter("user", 1),
      setter("agent", 1),
    ]);
    expect(first.record).not.toHaveProperty("attributes");
    const base = version(first.record!);
    const a = edit(base, new Map([["text", "a"]]), setter("agent", 3));
    const b = edit(base, new Map([["category", "b"]]), setter("agent", 3));
    expect(merge(base, a, b).contested).toEqual(["attributes.k"]);
  });
});

describe("G8 deletions", () => {
  const base = version(plain());
  const [ada, bob] = [setter("user", 1), setter("agent", 2)];
  const changed = edit(base, new Map([["text", "new"]]), ada);
  const gone = edit(base, "forget", bob);
  it("G8 deleted and unchanged is deleted", () => {
    expect(merge(base, gone, base)).toEqual({ contested: [] });
    expect(merge(base, base, gone)).toEqual({ contested: [] });
  });
  it("G8 deleted on both sides is gone", () => {
    expect(merge(base, gone, edit(base, "forget", ada))).toEqual({ contested: [] });
  });
  it("G8 deleted and changed keeps the changed record, contested", () => {
    const { record, contested } = merge(base, changed, gone);
    expect(contested).toEqual(["*"]);
    expect(record).toStrictEqual({
      ...changed.record,
      contested: { "*": { terms: [{ deleted: true, ...bob }] } },
    });
  });
  it("G8 added and deleted elsewhere, unseen by the other side, is kept", () => {
    expect(text(merge(NEVER, changed, gone))).toBe(text(changed));
    expect(text(merge(NEVER, NEVER, changed))).toBe(text(changed));
    expect(text(merge(NEVER, NEVER, NEVER))).toBe("gone");
  });
  it("G8 a contested deletion says nothing of the content: unchanged but for it is unchanged", () => {
    const open = mergeVersions(base, changed, gone);
    expect(text(merge(changed, open, edit(changed, "forget", ada)))).toBe("gone");
    const later = edit(changed, new Map([["text", "newer"]]), ada);
    expect(text(merge(changed, open, later))).toBe(text(merge(base, gone, later)));
  });
  it("G8 who has decided to keep it is asked again when another side deletes it", () => {
    const open = mergeVersions(base, changed, gone);
    const kept: Version = { ...open, record: changed.record! };
    expect(merge(open, kept, edit(open, "forget", bob)).contested).toEqual(["*"]);
    expect(merge(open, kept, open).contested).toEqual([]);
  });
});

describe("G8 a deletion that was settled and one that came later are two", () => {
  it("G8 the later one is heard, though the base had one too", () => {
    const base = version(plain());
    const write = (from: Version, value: string) =>
      edit(from, new Map([["text", value]]), setter("agent", 3));
    const open = mergeVersions(base, write(base, "new"), edit(base, "forget", setter("agent", 1)));
    const again = mergeVersions(open, write(open, "kept"), edit(open, "forget", setter("agent", 2)));
    const other = edit(open, new Map([["category", "kept"]]), setter("agent", 3));
    expect(merge(open, again, other).record?.contested?.["*"]).toEqual(again.record?.contested?.["*"]);
    expect(merge(open, other, again).contested).toEqual(["*"]);
  });
});

describe("G9 a resolution stays resolved", () => {
  const base = version(plain());
  const [a, b] = ["one", "two"].map((value, n) => edit(base, new Map([["text", value]]), setter("agent", n)));
  const open = mergeVersions(base, a!, b!);
  const resolve = (value: string) => edit(open, new Map([["text", value]]), setter("user", 5));
  it.each(["one", "two", "three"])("G9 resolved to %s, against the unresolved", (value) => {
    const aside = edit(open, new Map([["category", "aside"]]), setter("agent", 9));
    for (const merged of [merge(open, resolve(value), aside), merge(open, aside, resolve(value))])
      expect([merged.record?.text, merged.record?.category, merged.contested]).toEqual([value, "aside", []]);
  });
  it("G9 two different resolutions are a new conflict, whichever values they chose", () => {
    for (const [x, y] of [
      ["one", "two"],
      ["one", "three"],
      ["three", "four"],
    ] as const) {
      const { record } = merge(open, resolve(x), resolve(y));
      expect(saidOf({ record: record! }, "text")).toEqual(new Set([`"${x}"`, `"${y}"`]));
    }
    expect(merge(open, resolve("one"), resolve("one")).contested).toEqual([]);
  });
  it("G9 a resolution counts even if a history names the old commit as the one that set the value", () => {
    const chosen: Version = { ...resolve("one"), setters: new Map([["text", a!.setters.get("text")!]]) };
    expect(saidOf(merge(open, chosen, resolve("three")), "text")).toEqual(new Set(['"one"', '"three"']));
  });
  it("G9 two sides that each threw out what the other kept keep it all", () => {
    const terms = ["1", "2", "3", "4"].map((value, n): Term => ({ value, ...setter("agent", n) }));
    const say = (...of: number[]) =>
      version(
        plain({ text: of.join(), contested: { text: { base: "base", terms: of.map((n) => terms[n]!) } } }),
      );
    const { record } = merge(say(0, 1, 2, 3), say(0, 1), say(2, 3));
    expect(record?.contested?.text?.terms).toEqual(terms);
    expect(saidOf(merge(say(0, 1, 2, 3), say(0, 1), say(1, 2)), "text")).toEqual(new Set(['"2"']));
  });
  it("G9 a value that came from a third side meanwhile is still heard", () => {
    const third = edit(base, new Map([["text", "three"]]), setter("agent", 7));
    const more = mergeVersions(base, open, third);
    expect(more.record?.contested?.text?.terms.length).toBe(3);
    expect(saidOf(merge(open, resolve("one"), more), "text")).toEqual(new Set(['"one"', '"three"']));
  });
  it("G9 the base of the older conflict stays", () => {
    const [x, y] = ["x", "y"].map((value) => edit(open, new Map([["text", value]]), setter("agent", 8)));
    const third = edit(base, new Map([["text", "three"]]), setter("agent", 7));
    expect(merge(base, open, third).record?.contested?.text?.base).toBe("base");
    expect(merge(open, x!, y!).record?.contested?.text?.base).toBe("base");
  });
});

describe("G10 a term without a commit was set by the commit that made its record", () => {
  it("G10 it is named when the record is merged again", () => {
    const [made, other] = [setter("agent", 1), setter("agent", 2)];
    const { commit: _, ...uncommitted } = made;
    const first = meet({}, { text: "mine" }, { text: "theirs" }, [uncommitted, other]).record!;
    expect(first.contested?.text?.terms[0]).toStrictEqual({ value: "mine", ...uncommitted });
    const base = version(first, made);
    const x = edit(base, new Map([["category", "x"]]), other);
    const y = edit(base, new Map([["tags", ["y"]]]), other);
    expect(merge(base, x, y).record?.contested?.text?.terms).toStrictEqual([
      { value: "mine", ...made },
      { value: "theirs", ...other },
    ]);
  });
});

describe("G11 the origin of what was changed on both sides is the merge", () => {
  const base = version(plain());
  const make = (field: string, value: string, trust: Trust) =>
    edit(base, new Map([[field, value]]), setter(trust, 1));
  const a = make("text", "a", "user");
  const b = make("category", "b", "external");
  const c = make("attributes.k", "c", "operator");
  const from = (...sides: Version[]) => sides.map((side) => hashOf(side.record!)).sort();
  it("G11 derivedFrom names both records, trust is the lower", () => {
    expect(merge(base, a, b).record?.origin).toStrictEqual({
      source: "merge",
      channel: "merge",
      trust: "external",
      derivedFrom: from(a, b),
    });
  });
  it("G11 it is flattened through earlier merges", () => {
    const ab = mergeVersions(base, a, b);
    expect(merge(base, ab, c).record?.origin.derivedFrom).toEqual(from(a, b, c));
  });
  it("G11 a later version stands for the one it replaced", () => {
    const ab = mergeVersions(base, a, b);
    const later = edit(a, new Map([["text", "later"]]), setter("user", 2));
    expect(merge(a, ab, later).record?.origin.derivedFrom).toEqual(from(b, later));
  });
  it("G11 a caller's word `merge` is not a merge", () => {
    const said = version(
      plain({ text: "x", origin: { ...plain().origin, source: "merge", derivedFrom: from(c) } }),
    );
    expect(merge(base, said, a).record?.origin.derivedFrom).toEqual(from(said, a));
  });
  it("G11 trust is never raised above a side that has its say; one side's own version keeps its origin", () => {
    check(150, ({ base: was, ours, theirs }) => {
      const { record } = merge(was, ours, theirs);
      if (!record || !ours.record || !theirs.record) return;
      const origins = [ours, theirs].map((side) => side.record!.origin);
      if (origins.some((origin) => canonical(origin) === canonical(record.origin))) return;
      expect(record.origin.source).toBe("merge");
      expect(trustRank(record.origin.trust)).toBe(Math.min(...origins.map(({ trust }) => trustRank(trust))));
    });
  });
});

/** The subsets of n clones, as bits. */
const subsets = (n: number): number[] => Array.from({ length: 2 ** n }, (_, bits) => bits);

/**
 * The state after merging a set of clones, by set. Where two sets meet, what both have merged is their base,
 * as a history would find it; where that is a deletion, the version that was deleted.
 */
function clones(base: Version, edits: readonly Version[]): Version[] {
  const states: Version[] = [base];
  for (const [n, made] of edits.entries())
    for (const bits of subsets(n))
      states[bits | (1 << n)] = bits === 0 ? made : mergeVersions(base, states[bits]!, made);
  return states;
}

describe("G12 any number of clones converge, in whatever order and grouping they merge", () => {
  const law = (count: number, root: fc.Arbitrary<Version>, runs: number) =>
    fc.assert(
      fc.property(root, fc.array(write, { minLength: count, maxLength: count }), (base, writes) => {
        // Each clone has a writer of its own: of two equal records nobody can say which one it is.
        const named = writes.map(
          ([what, by], n) => [what, { ...by, author: { ...by.author, id: `clone-${n}` } }] as const,
        );
        const states = clones(
          base,
          named.map(([what, by]) => edit(base, what, by)),
        );
        for (const s of subsets(count))
          for (const t of subsets(count)) {
            if (s > t) continue;
            const meet = states[s & t]!;
            const merged = merge(meet.record ? meet : base, states[s]!, states[t]!);
            expect(text(merged)).toBe(text(states[s | t]!));
          }
      }),
      { numRuns: runs * TIMES },
    );
  const settled = patch.map((first) => edit(version(plain()), first, SETTER));
  it("G12 three clones of one record", () => law(3, settled, 40));
  it("G12 four clones of one record", () => law(4, settled, 5));
  it("G12 three clones of a record with open conflicts", () => law(3, start, 40));
  it("G12 three clones that each wrote the same id", () => law(3, fc.constant(NEVER), 25));
});
