import type { MemoryRecord, Term } from "../ledger/index.js";
import type { Entry } from "./entries.js";

/** Where a deletion stands against a change. */
export const DELETION = "*";

/** The terms of a contested field as they can be taken. One without a commit was set by whatever made the record. */
export function contestedTerms(
  record: Pick<MemoryRecord, "contested" | "text" | "origin">,
  field: string,
  { commit, author }: Pick<Entry, "author"> & { readonly commit?: Entry["commit"] },
): readonly Term[] {
  const terms = (record.contested?.[field]?.terms ?? []).map((term) =>
    term.commit || !commit ? term : { ...term, commit },
  );
  if (field !== DELETION) return terms;
  // Against a deletion stands what is there.
  const kept: Term = {
    value: record.text,
    ...(commit && { commit }),
    author,
    trust: record.origin.trust,
  };
  return [...terms, kept];
}
