import type { Hash, Timestamp } from "../core/base/index.js";
import { asSaid, fieldsAside, type MemoryRecord } from "../core/ledger/index.js";
import type { Reader } from "../repo/index.js";

/** A record with what was said of it in the place of what could not stand. */
export async function saidRecord(reader: Reader, record: MemoryRecord): Promise<MemoryRecord> {
  const fields = fieldsAside(record);
  if (fields.length === 0) return record;
  const terms = fields.flatMap((field) => record.contested?.[field]?.terms ?? []);
  const commits = await reader.values(
    "commit",
    terms.flatMap(({ commit }) => commit ?? []),
  );
  return asSaid(record, (commit: Hash) => commits.get(commit)?.time as Timestamp);
}
