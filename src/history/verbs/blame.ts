import {
  type Hash,
  idKey,
  type Json,
  PalimpsestError,
  quote,
  scopeKey,
  type Timestamp,
} from "../../core/base/index.js";
import { type Author, fieldsOf, readField } from "../../core/ledger/index.js";
import { provenance, setterOf } from "../../memories/index.js";
import type { AtTip } from "../../repo/index.js";
import { findKey, headLookup } from "../../repo/index.js";

/** Who made us believe one field of a memory. */
export interface BlameItem {
  readonly field: string;
  readonly value?: Json;
  readonly commit: Hash;
  readonly time: Timestamp;
  readonly author: Author;
  readonly contested?: true;
}

export async function blame(
  { context, reader, tip }: AtTip,
  idOrTopic: string,
  scope?: string,
): Promise<BlameItem[]> {
  const state = headLookup(reader, tip);
  const key = await findKey(context, state, idOrTopic, scope);
  const record = key && (await state.record(key.scope, key.id));
  const setters = key && (await provenance(reader, tip, scopeKey(key.scope), idKey(key.id)));
  if (!record || !setters) throw new PalimpsestError("NOT_FOUND", `There is no memory ${quote(idOrTopic)}.`);
  return fieldsOf(record).flatMap((field) => {
    const value = readField(record, field);
    const open = record.contested?.[field] !== undefined;
    if ((value === undefined && !open) || field === "salt") return [];
    const { commit, time, author } = setterOf(setters, field);
    return [
      {
        field,
        ...(value !== undefined && { value }),
        commit,
        time,
        author,
        ...(open && { contested: true as const }),
      },
    ];
  });
}
