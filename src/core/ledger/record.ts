import { copyJson, type Hash, hashValue, type Json, type JsonObject, latePattern } from "../base/index.js";
import type { Lifetime, MemoryRecord, Origin, Sensitivity, Tier, Triple } from "./types.js";
import { laneOf } from "./types.js";

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** Bytes order, the same on every machine and in every locale. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The one form of a record: defaults, empty lists and empty objects left out, tags sorted and unique.
 * Equal beliefs must be equal bytes, whatever way they were written, and share nothing with the caller's
 * objects, which may change. Every write makes one, so its fields are spelled out, in the order of the canonical form:
 * an object that is put together by computed names costs several times as much.
 */
export function canonicalRecord(fields: MemoryRecord): MemoryRecord {
  const record = {} as { -readonly [K in keyof MemoryRecord]: MemoryRecord[K] };
  const attributes = said(fields.attributes);
  const category = said(fields.category);
  const confidence = said(fields.confidence);
  const contested = said(fields.contested);
  const expiresAt = said(fields.expiresAt);
  const lifetime = said(fields.lifetime);
  const parent = said(fields.parent);
  const position = said(fields.position);
  const salt = said(fields.salt);
  const sensitivity = said(fields.sensitivity);
  const session = said(fields.session);
  const tags = said(fields.tags);
  const tier = laneOf(fields.type) === "belief" ? said(fields.tier) : undefined;
  const topic = said(fields.topic);
  const triple = said(fields.triple);
  const valid = said(fields.valid);
  if (attributes !== undefined) record.attributes = attributes;
  if (category !== undefined) record.category = category;
  if (confidence !== undefined && confidence !== 1) record.confidence = confidence;
  if (contested !== undefined) record.contested = contested;
  if (expiresAt !== undefined) record.expiresAt = expiresAt;
  record.id = copyJson(fields.id);
  if (lifetime !== undefined && lifetime !== "permanent") record.lifetime = lifetime;
  record.origin = canonicalOrigin(fields.origin);
  if (parent !== undefined) record.parent = parent;
  if (position !== undefined) record.position = position;
  if (salt !== undefined) record.salt = salt;
  record.scope = copyJson(fields.scope);
  if (sensitivity !== undefined && sensitivity !== "normal") record.sensitivity = sensitivity;
  if (session !== undefined) record.session = session;
  if (tags !== undefined) record.tags = Object.freeze([...new Set(tags)].sort(byCodeUnit));
  record.text = copyJson(fields.text);
  if (tier !== undefined && tier !== "register") record.tier = tier;
  if (topic !== undefined) record.topic = topic;
  if (triple !== undefined) record.triple = triple;
  record.type = copyJson(fields.type);
  if (valid !== undefined) record.valid = valid;
  return Object.freeze(record);
}

/** A copy, unless there is nothing in it. */
function said<T>(value: T | undefined): T | undefined {
  if (value === undefined) return undefined;
  const copy = copyJson(value);
  return isEmpty(copy) ? undefined : copy;
}

function canonicalOrigin(fields: Origin): Origin {
  const origin = {} as { -readonly [K in keyof Origin]: Origin[K] };
  const actor = said(fields.actor);
  const derivedFrom = said(fields.derivedFrom);
  const evidence = said(fields.evidence);
  const movedFrom = said(fields.movedFrom);
  const session = said(fields.session);
  const turn = said(fields.turn);
  const uri = said(fields.uri);
  if (actor !== undefined) origin.actor = actor;
  origin.channel = copyJson(fields.channel);
  if (derivedFrom !== undefined) origin.derivedFrom = derivedFrom;
  if (evidence !== undefined) origin.evidence = evidence;
  if (movedFrom !== undefined) origin.movedFrom = movedFrom;
  if (session !== undefined) origin.session = session;
  origin.source = copyJson(fields.source);
  origin.trust = copyJson(fields.trust);
  if (turn !== undefined) origin.turn = turn;
  if (uri !== undefined) origin.uri = uri;
  return Object.freeze(origin);
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

const NO_ATTRIBUTES: JsonObject = Object.freeze({});
const NO_TAGS: readonly string[] = Object.freeze([]);

export function expandRecord(record: MemoryRecord): FullRecord {
  const full = {
    attributes: NO_ATTRIBUTES,
    tags: NO_TAGS,
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

/**
 * A record seen as independent fields, the unit of merge, conflict and blame. Values that only make sense
 * together are one field: `place` (parent and position), `life` (lifetime, session, expiry). Each attribute is
 * a field of its own, so that one side's TODO and the other's TITLE do not meet.
 */
const SIMPLE = [
  "type",
  "text",
  "triple",
  "category",
  "tier",
  "topic",
  "sensitivity",
  "valid",
  "tags",
  "confidence",
  "salt",
] as const;
const GROUPS = { place: ["parent", "position"], life: ["lifetime", "session", "expiresAt"] } as const;
const ATTRIBUTE = "attributes.";

type Draft = { -readonly [K in keyof MemoryRecord]: MemoryRecord[K] };

export function fieldsOf(...records: readonly MemoryRecord[]): string[] {
  const names = new Set<string>([...SIMPLE, ...Object.keys(GROUPS)]);
  for (const record of records) {
    for (const key of Object.keys(record.attributes ?? {})) names.add(ATTRIBUTE + key);
    // A contested attribute may be shown as absent; it is still a field.
    for (const field of Object.keys(record.contested ?? {}))
      if (field.startsWith(ATTRIBUTE)) names.add(field);
  }
  return [...names];
}

export function readField(record: MemoryRecord, field: string): Json | undefined {
  if (field.startsWith(ATTRIBUTE)) {
    // Own properties only: an attribute may be called "constructor".
    const key = field.slice(ATTRIBUTE.length);
    return record.attributes && Object.hasOwn(record.attributes, key) ? record.attributes[key] : undefined;
  }
  const group = GROUPS[field as keyof typeof GROUPS];
  if (!group) return record[field as keyof MemoryRecord] as Json | undefined;
  const parts = group.map((name) => [name, record[name]] as const).filter(([, value]) => value !== undefined);
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

/** A copy of `record` with one field set, or removed when `value` is undefined. */
export function withField(record: MemoryRecord, field: string, value: Json | undefined): MemoryRecord {
  const draft = { ...record } as Draft & Record<string, unknown>;
  if (field.startsWith(ATTRIBUTE)) {
    const key = field.slice(ATTRIBUTE.length);
    const { [key]: _, ...rest } = draft.attributes ?? {};
    draft.attributes = value === undefined ? rest : { ...rest, [key]: value };
    return draft;
  }
  const group = GROUPS[field as keyof typeof GROUPS] as readonly string[] | undefined;
  for (const name of group ?? [field]) delete draft[name];
  if (group) Object.assign(draft, value);
  else if (value !== undefined) draft[field] = value;
  return draft;
}
