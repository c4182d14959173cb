import { copyJson, type Hash, hashValue, type JsonObject, latePattern } from "../base/index.js";
import { laneOf } from "./lanes.js";
import type { Lifetime, MemoryRecord, Origin, Sensitivity, Tier, Triple } from "./types.js";

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** Bytes order, the same on every machine and in every locale. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The one form of a record: defaults, empty lists and empty objects left out, tags sorted and unique.
 * Equal beliefs must be equal bytes, whatever way they were written, and share nothing with the caller's
 * objects, which may change.
 */
export function canonicalRecord(fields: MemoryRecord): MemoryRecord {
  const record: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const given = (fields as unknown as Record<string, unknown>)[name];
    if (given === undefined) continue;
    const copy = copyJson(given);
    const value = name === "origin" ? withoutEmpty(copy as object) : copy;
    if (!isEmpty(value)) record[name] = value;
  }
  if (record.tier === "register" || laneOf(fields.type) !== "belief") delete record.tier;
  if (record.lifetime === "permanent") delete record.lifetime;
  if (record.sensitivity === "normal") delete record.sensitivity;
  if (record.confidence === 1) delete record.confidence;
  if (record.tags)
    record.tags = Object.freeze([...new Set(record.tags as readonly string[])].sort(byCodeUnit));
  return Object.freeze(record) as unknown as MemoryRecord;
}

function withoutEmpty(origin: object): object {
  if (!Object.values(origin).some(isEmpty)) return origin;
  return Object.freeze(Object.fromEntries(Object.entries(origin).filter(([, item]) => !isEmpty(item))));
}

/** A record with its defaults spelled out, as readers see it. */
export interface FullRecord extends MemoryRecord {
  readonly attributes: JsonObject;
  readonly tags: readonly string[];
  readonly lifetime: Lifetime;
  readonly confidence: number;
  readonly sensitivity: Sensitivity;
  readonly tier?: Tier;
  readonly origin: Origin;
}

export function expandRecord(record: MemoryRecord): FullRecord {
  const full = {
    attributes: {},
    tags: [],
    lifetime: "permanent" as const,
    confidence: 1,
    sensitivity: "normal" as const,
    ...record,
  };
  return laneOf(record.type) === "belief" ? { ...full, tier: record.tier ?? "register" } : full;
}

/** The documents' hash: what is said, without where, when, by whom. Equal data is equal everywhere and always. */
export function contentHash(record: MemoryRecord): Hash {
  const { id, type, text, triple, attributes, category, tags } = record;
  return hashValue("content", { id, type, text, triple, attributes, category, tags });
}

/** Merkle hash of a tree: a changed leaf changes every ancestor, though no ancestor is rewritten. */
export const treeHash = (content: Hash, children: readonly Hash[]): Hash =>
  hashValue("tree", { content, children });

const HUMP = latePattern("gu")`([\p{Ll}\p{N}])(\p{Lu})`;

/** A triple as a sentence a person can read: `works_at` and `worksAt` become "works at". */
export function sentence({ subject, predicate, object }: Triple): string {
  const verb = predicate
    .replace(HUMP(), "$1 $2")
    .replace(/[_\s]+/gu, " ")
    .trim();
  const words = verb === predicate ? verb : verb.toLowerCase();
  return [subject.trim(), words, object.trim()].filter((part) => part !== "").join(" ");
}
