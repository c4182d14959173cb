import fc from "fast-check";
import { type Hash, hashValue } from "../core/base/hash.js";
import type { MemoryId, Scope } from "../core/base/names.js";
import { timestamp } from "../core/base/time.js";
import { canonicalRecord } from "../core/ledger/record.js";
import type { MemoryRecord, Sensitivity } from "../core/ledger/types.js";
import type { Held } from "./document.js";
import type { Viewer } from "./scene.js";

/** Small worlds in which everything meets everything: few words, scopes, tags and times. */
const WORDS = [
  "tea",
  "coffee",
  "likes",
  "runs",
  "running",
  "Berlin",
  "getUserById",
  "the",
  "and",
  "blue",
  "Ann",
];
export const SCOPES = ["shared", "agent/a", "project/p"] as Scope[];
const START = Date.UTC(2026, 0, 1);

export const NOW = START + 50_000;

const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 })
  .map((words) => words.join(" "));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

export interface Sketch {
  readonly scope: Scope;
  readonly number: number;
  readonly type: string;
  readonly text: string;
  readonly tags: string[] | undefined;
  readonly topic: string | undefined;
  readonly parent: number | undefined;
  readonly todo: string | undefined;
  readonly sensitivity: Sensitivity;
  readonly expires: number | undefined;
  readonly created: number;
  readonly session: string | undefined;
  readonly turn: number;
  readonly speaker: string;
}

export const memory: fc.Arbitrary<Sketch> = fc.record({
  scope: fc.constantFrom(...SCOPES),
  number: fc.nat(30),
  type: fc.constantFrom("fact", "note", "message"),
  text,
  tags: maybe(fc.subarray(["x", "y"])),
  topic: maybe(fc.constantFrom("drink", "place")),
  parent: maybe(fc.nat(5)),
  todo: maybe(fc.constantFrom("OPEN", "APPROVED")),
  sensitivity: fc.constantFrom<Sensitivity>("normal", "private", "confidential"),
  expires: maybe(fc.integer({ min: 0, max: 100_000 })),
  created: fc.nat(20),
  session: maybe(fc.constantFrom("s1", "s2")),
  turn: fc.nat(9),
  speaker: fc.constantFrom("Ann", "Bob"),
});

export const idOf = (number: number): MemoryId => `memory-${String(number).padStart(4, "0")}` as MemoryId;

let serial = 0;

export function held(sketch: Sketch): Held {
  const isMessage = sketch.type === "message";
  const record = canonicalRecord({
    scope: sketch.scope,
    id: idOf(sketch.number),
    type: sketch.type,
    text: sketch.text,
    ...(sketch.tags && { tags: sketch.tags }),
    ...(sketch.topic && { topic: sketch.topic }),
    ...(sketch.parent !== undefined && { parent: idOf(sketch.parent) }),
    ...(sketch.todo && { attributes: { TODO: sketch.todo } }),
    ...(sketch.expires !== undefined && { expiresAt: timestamp(START + sketch.expires) }),
    sensitivity: sketch.sensitivity,
    origin: {
      source: "test",
      channel: "library",
      trust: "agent",
      ...(isMessage &&
        sketch.session && { session: sketch.session, turn: sketch.turn, actor: sketch.speaker }),
    },
  } satisfies MemoryRecord);
  return {
    record,
    hash: hashValue("memory", [record, serial++]) as Hash,
    version: 1,
    created: new Date(START + sketch.created * 1000).toISOString(),
    updated: new Date(START + sketch.created * 1000).toISOString(),
    commit: hashValue("commit", sketch.created),
    author: { kind: "agent", id: "a" },
  };
}

export const viewer: fc.Arbitrary<Viewer> = fc
  .record({
    scopes: fc.subarray(SCOPES, { minLength: 1 }),
    clearance: fc.constantFrom<Sensitivity>("normal", "private", "confidential"),
  })
  .map(({ scopes, clearance }) => ({ clearance, sees: (scope: Scope) => scopes.includes(scope) }));

const RANK = { normal: 0, private: 1, confidential: 2 };

/** The plain truth of what a viewer sees, oldest first. */
export const seenBy = (all: readonly Held[], { clearance, sees }: Viewer, now = NOW): Held[] =>
  all
    .filter(({ record }) => sees(record.scope) && RANK[record.sensitivity ?? "normal"] <= RANK[clearance])
    .filter(({ record }) => record.expiresAt === undefined || Date.parse(record.expiresAt) > now)
    .sort(
      (a, b) =>
        compare(a.created, b.created) ||
        compare(a.record.scope, b.record.scope) ||
        compare(a.record.id, b.record.id),
    );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
