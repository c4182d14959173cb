import { type Hash, PalimpsestError, type Timestamp } from "../core/base/index.js";
import {
  type Author,
  encodeObject,
  type MemoryRecord,
  mergeRecords,
  type Present,
  type Setter,
  type Side,
  type StateChange,
  stateDiff,
  type Tip,
  weakest,
} from "../core/ledger/index.js";
import {
  assertWritable,
  erasedAmong,
  holdChanges,
  outOfCircle,
  readIfWhole,
  restore,
  trustOf,
  weakerThanForgetter,
  weakerThanWriter,
} from "../memories/index.js";
import type { Draft, Entry, Job, Reader } from "../repo/index.js";
import { rowAt } from "../repo/index.js";
import { contestedTerms } from "./merging.js";
import { ReturnedTopics } from "./returned-topics.js";
import type { Conflict, HeldBack, MergeResult } from "./verbs/merge.js";

/** What a replay did to a draft. */
export type Replayed = Omit<MergeResult, "commit">;

/**
 * Brings the difference between two states into a draft, memory by memory, as a three-way merge with what is
 * there now: undoing is the way from an operation's end to its start. It touches only what the session sees,
 * and what others changed meanwhile survives, contested where it cannot be joined.
 */
export async function replay(job: Job, from: Tip, to: Tip): Promise<Replayed> {
  const { context, draft } = job;
  const { reader } = draft;
  const { changes } = await reader.read([from, to], (source) =>
    stateDiff(from.commit.root, to.commit.root, source),
  );
  const result = { added: 0, modified: 0, removed: 0, conflicts: [] as Conflict[], held: [] as HeldBack[] };
  const topics = new ReturnedTopics(context, draft, to);
  for (const change of changes) {
    const was = await readIfWhole(reader, change.before);
    const wanted = await readIfWhole(reader, change.after);
    // What was erased is brought back by nobody.
    if (change.after !== undefined && !wanted) continue;
    const versions = [was, wanted].filter((record) => record !== undefined);
    if (versions.length === 0 || !versions.every((record) => context.sight.seesRecord(record))) continue;
    const { scope, id } = versions[0] as MemoryRecord;
    const now = await draft.entry(scope, id);
    if (now && !context.sight.seesRecord(now.record)) continue;
    const merged = await mergeChange(job, change, was, wanted, now);
    if (merged.record && now && sameRecord(merged.record, now)) continue;
    if (!merged.record && !now) continue;
    assertWritable(context, now?.record, merged.record);
    const refusal = now
      ? weakerThanWriter(context, now.record)
      : await weakerThanForgetter({ context, reader, tip: draft.start }, scope, id);
    if (refusal) {
      const staged = await holdChanges(job, [{ scope, id, record: merged.record }], refusal);
      if (typeof staged !== "string")
        throw new PalimpsestError("REFUSED", staged.reason, { hint: staged.hint });
      result.held.push({ id, scope, staged, reason: refusal.reason });
      continue;
    }
    if (!merged.record) draft.forget(now as Entry);
    else {
      if (!now) await topics.note(merged.record);
      await restore(job, await outOfCircle(draft, merged.record), now ? "modify" : "add");
    }
    result[!merged.record ? "removed" : now ? "modified" : "added"]++;
    for (const field of merged.contested)
      result.conflicts.push({
        id,
        scope,
        field,
        terms: merged.record ? contestedTerms(merged.record, field, context) : [],
      });
  }
  result.conflicts.push(...(await topics.settle()));
  const { held, ...done } = { ...result, ...(await erasedAmong(context, changes)) };
  return held.length > 0 ? { ...done, held } : done;
}

const sameRecord = (record: MemoryRecord, entry: Entry): boolean =>
  encodeObject("memory", record).hash === entry.hash;

/** One memory on its way from what it was to what is wanted, joined with what is there now. */
export async function mergeChange(
  { context, draft }: Job,
  change: StateChange,
  was: MemoryRecord | undefined,
  wanted: MemoryRecord | undefined,
  now: Entry | undefined,
) {
  const mine: Setter = {
    author: context.author,
    trust: wanted ? weakest(context.trust, wanted.origin.trust) : context.trust,
  };
  const theirs: Setter | undefined = now && {
    ...(now.commit && { commit: now.commit }),
    author: now.author,
    trust: now.record.origin.trust,
  };
  const times = await termTimes(draft.reader, [was, wanted, now?.record], now);
  return mergeRecords({
    base: was && present(was, change.before as Hash, () => mine),
    ours: now
      ? present(now.record, now.hash, () => theirs as Setter)
      : gone(was, await lastAuthor(draft, change)),
    theirs: wanted ? present(wanted, change.after as Hash, () => mine) : gone(was, mine),
    timeOf: (commit) => times.get(commit) ?? draft.now,
  });
}

const present = (record: MemoryRecord, hash: Hash, setBy: Present["setBy"]): Present => ({
  record,
  hash,
  setBy,
});
const gone = (was: MemoryRecord | undefined, goneBy: Setter): Side => (was ? { goneBy } : undefined);

/** Who forgot what is no longer there. */
async function lastAuthor(draft: Draft, { scope, id }: StateChange): Promise<Setter> {
  const row = await rowAt(draft.reader, draft.start, scope, id, undefined);
  const author: Author = row?.author ?? draft.start.commit.author;
  return { author, trust: trustOf(author), ...(row && { commit: row.commit }) };
}

/** When the commits named in open conflicts were made, so that the pure merge need not ask. */
async function termTimes(
  reader: Reader,
  records: readonly (MemoryRecord | undefined)[],
  now: Entry | undefined,
): Promise<Map<Hash, Timestamp>> {
  const commits = new Set<Hash>(now?.commit ? [now.commit] : []);
  for (const record of records)
    for (const { terms } of Object.values(record?.contested ?? {}))
      for (const { commit } of terms) if (commit) commits.add(commit);
  const found = await reader.values("commit", [...commits]);
  return new Map([...found].map(([hash, { time }]) => [hash, time]));
}
