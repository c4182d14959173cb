import { canonical, type Json } from "../base/index.js";
import { fieldsOf, readField } from "./fields.js";
import type { MemoryRecord } from "./types.js";
import { changedWords, type WordChange } from "./words.js";

/** One field that differs between two versions of a memory. */
export interface FieldChange {
  readonly field: string;
  readonly from?: Json;
  readonly to?: Json;
  /** For texts: which words went and came. */
  readonly words?: readonly WordChange[];
}

const CONTESTED = "contested";

/** What differs between two versions of a record, field by field; where it came from is not what it says. */
export function recordChanges(from: MemoryRecord, to: MemoryRecord): FieldChange[] {
  const changes: FieldChange[] = [];
  const compare = (field: string, was: Json | undefined, is: Json | undefined) => {
    if (same(was, is)) return;
    changes.push({
      field,
      ...(was !== undefined && { from: was }),
      ...(is !== undefined && { to: is }),
      ...(typeof was === "string" && typeof is === "string" && { words: changedWords(was, is) }),
    });
  };
  for (const field of fieldsOf(from, to))
    if (field !== "salt") compare(field, readField(from, field), readField(to, field));
  const [before, after] = [from, to].map(({ contested }) => Object.keys(contested ?? {}).sort());
  compare(CONTESTED, listOf(before!), listOf(after!));
  return changes.sort((a, b) => rank(a.field) - rank(b.field) || (a.field < b.field ? -1 : 1));
}

const listOf = (names: readonly string[]): Json | undefined => (names.length > 0 ? names : undefined);

/** The value of a field with the conflict about it, as one text that can be compared; undefined where there is nothing. */
export function readContestedField(record: MemoryRecord, field: string): string | undefined {
  const value = field === "*" ? undefined : readField(record, field);
  const open = record.contested?.[field];
  if (value === undefined && open === undefined) return undefined;
  return `${value === undefined ? "" : canonical(value)} ${open === undefined ? "" : canonical(open as unknown as Json)}`;
}

const same = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && canonical(a) === canonical(b));

/** What people look at first comes first. */
const rank = (field: string): number => (field === "text" ? 0 : field === "triple" ? 1 : 2);
