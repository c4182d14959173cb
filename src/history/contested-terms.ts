import { isAside, type MemoryRecord, readField, type Term } from "../core/ledger/index.js";
import type { Entry } from "../repo/index.js";

/** Where a deletion stands against a change. */
export const DELETION = "*";

/** The terms of a contested field as they can be taken. One without a commit was set by whatever made the record. */
export function contestedTerms(
  record: MemoryRecord,
  field: string,
  { commit, author }: Pick<Entry, "author"> & { readonly commit?: Entry["commit"] },
): readonly Term[] {
  const terms = (record.contested?.[field]?.terms ?? []).map((term) =>
    term.commit || !commit ? term : { ...term, commit },
  );
  if (field !== DELETION && !isAside(record, field)) return terms;
  // Against a deletion, and against what could not stand, stands what is there.
  const shown = field === DELETION ? record.text : readField(record, field);
  const kept: Term = {
    ...(shown !== undefined && { value: shown }),
    ...(commit && { commit }),
    author,
    trust: record.origin.trust,
  };
  return [...terms, kept];
}
