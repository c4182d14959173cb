import { type Hash, isHash, PalimpsestError } from "../../core/base/index.js";
import {
  canonicalRecord,
  encodeObject,
  laneOf,
  type MemoryRecord,
  mergeRecords,
  type Setter,
} from "../../core/ledger/index.js";
import {
  checkShape,
  type MemoryChange,
  type MemoryInput,
  type Refusal,
  refuse,
  type Verdict,
} from "../../gate/index.js";
import type { Draft, Entry, Job } from "../../repo/index.js";
import { requireEntry } from "../../repo/index.js";
import { admit, refused } from "../admit.js";
import { changedRecord, checkEnd } from "../build-record.js";
import type { UpdateOptions } from "../options.js";
import { ensurePlace, parsePlace } from "../places.js";
import { renew } from "./remember.js";

/**
 * Changes what is named in `change`. Without `ifHash` the last writer wins, and its verdict says what it replaced. What is read
 * where others wrote it (`isRead`) may have no text.
 */
export async function update(
  job: Job,
  id: string,
  wanted: MemoryChange,
  options: UpdateOptions,
  isRead = false,
): Promise<Verdict> {
  const { draft } = job;
  const entry = await requireEntry(job, id, options.scope);
  checkChange(wanted, entry.record, isRead);
  checkEnd(wanted, draft.now);
  const change = await moved(job, entry, wanted);
  if ("verdict" in change) return change as Verdict;
  if (change.type && laneOf(change.type) !== laneOf(entry.record.type))
    return refused(draft, laneFixed(entry.record.type, change.type), entry.record.scope, entry.record.id);
  const { ifHash } = options;
  if (ifHash === undefined || ifHash === entry.hash) return renew(job, entry, change, "modify");
  return rebase(job, entry, change, ifHash);
}

/** A change that names a place in the palace is one of the parent; without a place it lies nowhere. */
async function moved(
  job: Job,
  { record }: Entry,
  { in: place, ...change }: MemoryChange,
): Promise<MemoryChange | Verdict> {
  if (place === undefined) return change;
  if (place === null) return { ...change, parent: null };
  const found = await ensurePlace(job, record.scope, parsePlace(place));
  return "verdict" in found ? found : { ...change, parent: found.record.id };
}

export function checkChange(change: MemoryChange, record: MemoryRecord, isRead = false): void {
  if (typeof change !== "object" || change === null)
    throw new PalimpsestError("INVALID_FIELD", "A change is given as an object of fields.");
  for (const field of ["id", "scope", "topic", "speaker", "conversation"])
    if (field in change)
      throw new PalimpsestError("INVALID_FIELD", `The field "${field}" of a memory never changes.`);
  if (change.text === null || change.type === null)
    throw new PalimpsestError("INVALID_FIELD", "A memory always has a text and a type.");
  checkShape({ ...change, type: change.type ?? record.type } as MemoryInput, { change: true, read: isRead });
}

export const laneFixed = (from: string, to: string): Refusal =>
  refuse(
    "LANE_FIXED",
    "type",
    `A memory of type "${from}" cannot become "${to}".`,
    "Forget it and write it anew with the other type.",
  );

/** The caller changed an older version: a three-way merge with that version as the base. */
async function rebase(job: Job, entry: Entry, change: MemoryChange, ifHash: string): Promise<Verdict> {
  const { context, draft } = job;
  const { record } = entry;
  const base = await knownVersion(draft, entry, ifHash);
  if (!base || !context.sight.seesRecord(base))
    return refused(
      draft,
      refuse(
        "UNKNOWN_VERSION",
        "version",
        `${JSON.stringify(ifHash)} is not a version of this memory.`,
        "Read it again and use the hash it shows.",
      ),
      record.scope,
      record.id,
    );
  const mine = await changedRecord(context, base, change, draft.now, draft.reader);
  const mineHash = encodeObject("memory", mine).hash;
  const theirs: Setter = {
    ...(entry.commit && { commit: entry.commit }),
    author: entry.author,
    trust: record.origin.trust,
  };
  const ours: Setter = { author: context.author, trust: mine.origin.trust };
  const merged = mergeRecords({
    base: { record: base, hash: ifHash as Hash, setBy: () => theirs },
    ours: { record: mine, hash: mineHash, setBy: () => ours },
    theirs: { record, hash: entry.hash, setBy: () => theirs },
    timeOf: () => entry.updated,
  }).record as MemoryRecord;
  return admit(job, withoutSource(merged, mineHash), "modify", entry, false);
}

/** The caller's own version was never stored, so nothing can be said to derive from it. */
function withoutSource(record: MemoryRecord, hash: Hash): MemoryRecord {
  const { origin } = record;
  const derivedFrom = origin.derivedFrom?.filter((source) => source !== hash) ?? [];
  return canonicalRecord({ ...record, origin: { ...origin, derivedFrom } });
}

async function knownVersion(draft: Draft, entry: Entry, hash: string): Promise<MemoryRecord | undefined> {
  if (!isHash(hash)) return undefined;
  const found = (await draft.reader.values("memory", [hash])).get(hash);
  return found && found.id === entry.record.id && found.scope === entry.record.scope ? found : undefined;
}
