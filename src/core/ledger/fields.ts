import type { Json } from "../base/index.js";
import type { MemoryRecord } from "./types.js";

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
