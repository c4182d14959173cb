import type { Hash } from "../base/index.js";
import { canonical, type Json, type Timestamp } from "../base/index.js";
import { type Setter, shownTerm } from "./merge.js";
import { canonicalRecord, readField, withField } from "./record.js";
import type { MemoryRecord } from "./types.js";

/**
 * What was said but cannot stand beside what others said elsewhere (a circle of moves, a second holder of a topic) is set
 * aside: it stays a term of a contest, and the record shows something that is none of the terms. A merge goes on
 * from what was said, so that the order of merges decides nothing.
 */
export function setAside(
  record: MemoryRecord,
  field: string,
  shown: Json | undefined,
  setter: Setter,
): MemoryRecord {
  const value = readField(record, field);
  const term = { ...(value !== undefined && { value }), ...setter };
  return canonicalRecord({
    ...withField(record, field, shown),
    contested: { ...record.contested, [field]: record.contested?.[field] ?? { terms: [term] } },
  });
}

/** Is what was said of a field something else than what is shown? */
export function isAside(record: MemoryRecord, field: string): boolean {
  const terms = record.contested?.[field]?.terms ?? [];
  const shown = keyOf(readField(record, field));
  return terms.length > 0 && terms.every(({ deleted, value }) => !deleted && keyOf(value) !== shown);
}

export const fieldsAside = (record: MemoryRecord): string[] =>
  Object.keys(record.contested ?? {}).filter((field) => isAside(record, field));

/** The record as it was before anything of it was set aside. */
export function asSaid(record: MemoryRecord, timeOf: (commit: Hash) => Timestamp): MemoryRecord {
  let shown = record;
  for (const field of fieldsAside(record)) {
    const { [field]: open, ...others } = shown.contested ?? {};
    const terms = open?.terms ?? [];
    shown = withField(shown, field, shownTerm(terms, timeOf).value);
    // One who is alone was not contested.
    if (terms.length === 1) shown = { ...shown, contested: others };
  }
  return shown === record ? record : canonicalRecord(shown);
}

const keyOf = (value: Json | undefined): string => (value === undefined ? "" : canonical(value));
