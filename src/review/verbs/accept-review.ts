import { type Hash, type JsonObject, PalimpsestError } from "../../core/base/index.js";
import {
  canonicalRecord,
  laneOf,
  type MemoryRecord,
  stagingOf,
  trustRank,
  weakest,
} from "../../core/ledger/index.js";
import { type AutoAccept, quarantine, type Refusal, type Verdict } from "../../gate/index.js";
import { type Conflict, mergeChange, ReturnedTopics } from "../../history/index.js";
import {
  admit,
  changedRecord,
  checkChange,
  checkEnd,
  forget,
  isOwnDecision,
  laneFixed,
  refOfStaged,
  refused,
  requireStaged,
  type Staged,
  type StagedChange,
} from "../../memories/index.js";
import {
  type CommitNote,
  type Context,
  commit,
  type Draft,
  type Job,
  type RefPlan,
  withCommit,
} from "../../repo/index.js";
import type { AcceptOptions } from "../options.js";
import { ERASE } from "../options.js";
import { requestIn } from "./review.js";

export interface AcceptedItem {
  readonly id: string;
  readonly kind: string;
  /** False when the gate refused something: then nothing was written and the item goes on waiting. */
  readonly accepted: boolean;
  /** Absent when nothing had to be written. */
  readonly commit?: Hash;
  readonly verdicts: readonly Verdict[];
  /** Fields that somebody else changed meanwhile, left contested. */
  readonly conflicts: readonly Conflict[];
  /** What the item carried for the person who carries it out. */
  readonly data?: JsonObject;
}

/**
 * Brings what waits into the branch, in the name of the person who accepts it: a three-way merge with what is there now, through
 * the gate, with the trust of the one who accepts.
 */
export async function acceptReview(
  context: Context,
  id: string,
  options: AcceptOptions & CommitNote = {},
): Promise<AcceptedItem> {
  const { value, tip } = await commit(context, {
    verb: "accept",
    options,
    run: (job) => takeIn(job, id, options),
  });
  const verdicts = value.verdicts.map((verdict) => withCommit(verdict, tip));
  return { ...value, verdicts, ...(tip && { commit: tip.hash }) };
}

async function takeIn(
  job: Job,
  given: string,
  options: AcceptOptions,
): Promise<Omit<AcceptedItem, "commit">> {
  const { context, draft } = job;
  const refs = await draft.refsUnder(stagingOf(context.branch));
  const item = await requireStaged(context, given, refs);
  const verdicts: Verdict[] = [];
  const conflicts: Conflict[] = [];
  const topics = new ReturnedTopics(context, draft);
  for (const change of chosen(item, options.only)) {
    const { verdict, open } = await accept(job, topics, item, change, options);
    if (verdict) verdicts.push(verdict);
    conflicts.push(...open);
  }
  const answer = { id: item.id, kind: item.kind, ...(item.note.data && { data: item.note.data }) };
  const own = ownDecision(context, item);
  const isRefused = verdicts.some(({ verdict }) => verdict === "rejected" || verdict === "quarantined");
  if (isRefused || own) {
    draft.abandon();
    const scope = verdicts[0]?.scope ?? context.home;
    const answered = isRefused || !own ? verdicts : [refused(draft, own, scope)];
    return { ...answer, accepted: false, verdicts: answered, conflicts: [] };
  }
  conflicts.push(...(await topics.settle()));
  draft.addMeta({ accepted: item.tip.hash, proposedBy: item.by.id });
  draft.moveAnyway({ name: refOfStaged(item), expect: item.tip.hash, next: null });
  return { ...answer, accepted: true, verdicts, conflicts };
}

function ownDecision(context: Context, item: Staged): Refusal | undefined {
  if (!isOwnDecision(context, item)) return undefined;
  return quarantine(
    "UNVOUCHED",
    "review",
    `This was written by ${JSON.stringify(context.author.id)} and waits for somebody else to decide.`,
    "Leave it to a user, an operator or another agent.",
  );
}

function chosen({ changes }: Staged, only: readonly string[] | undefined): readonly StagedChange[] {
  if (only === undefined) return changes;
  const wanted = changes.filter(({ was, wanted }) => only.includes((wanted ?? was)?.id as string));
  if (wanted.length === new Set(only).size) return wanted;
  throw new PalimpsestError("NOT_FOUND", "The item does not change all of these memories.", {
    hint: "See `pal review show`; memories are named by their whole ids here.",
  });
}

async function accept(
  job: Job,
  topics: ReturnedTopics,
  item: Staged,
  { was, wanted, change: staged }: StagedChange,
  { edit, keepBoth }: AcceptOptions,
): Promise<{ readonly verdict?: Verdict; readonly open: readonly Conflict[] }> {
  const { context, draft } = job;
  const { scope, id } = (wanted ?? was) as MemoryRecord;
  const vouching: Context = {
    ...context,
    onQuarantine: "answer",
    vouchers: [{ id: item.by.id, trust: item.trust }],
    ...(item.note.verdict?.check === "contradiction" && {
      rules: { ...context.rules, off: new Set([...context.rules.off, "contradiction"]) },
    }),
  };
  const change = edit?.[id];
  const write = async (record: MemoryRecord, now: Awaited<ReturnType<Draft["entry"]>>) => {
    if (change) {
      checkChange(change, record);
      checkEnd(change, draft.now);
      if (change.type && laneOf(change.type) !== laneOf(record.type))
        return refused(draft, laneFixed(record.type, change.type), scope, id);
    }
    const edited = change ? await changedRecord(context, record, change, draft.now, draft.reader) : record;
    if (!now) await topics.note(edited);
    const origin = { ...record.origin, ...(change && { actor: edited.origin.actor }) };
    return admit(
      { context: vouching, draft },
      vouched(context, { ...edited, origin }),
      now ? "modify" : "add",
      now,
      false,
    );
  };
  const proposed = item.note.data?.proposed as unknown as MemoryRecord | undefined;
  if (keepBoth && proposed) return { verdict: await write(proposed, undefined), open: [] };
  const now = await draft.entry(scope, id);
  if (now && !context.sight.seesRecord(now.record)) return { open: [] };
  const merged = await mergeChange(job, staged, was, wanted, now);
  if (!merged.record)
    return now
      ? { verdict: await forget({ context: vouching, draft }, id, { scope }), open: [] }
      : { open: [] };
  const { contested } = merged.record;
  return {
    verdict: await write(merged.record, now),
    open: merged.contested.map((field) => ({ id, scope, field, terms: contested?.[field]?.terms ?? [] })),
  };
}

/** A user's acceptance is worth what the user's own word is; anybody weaker adds nothing to what a record is worth. */
function vouched({ trust, channel }: Context, record: MemoryRecord): MemoryRecord {
  const worth = trustRank(trust) >= trustRank("user") ? trust : weakest(trust, record.origin.trust);
  return canonicalRecord({ ...record, origin: { ...record.origin, channel, trust: worth } });
}

export interface Rejected {
  readonly id: string;
  readonly kind: string;
}

/** Takes an item off the list; the operation log says who and why, and undoing that brings it back. */
export async function rejectReview(context: Context, given: string): Promise<RefPlan<Rejected>> {
  const item = await requireStaged(context, given);
  if (item.by.id !== context.author.id && trustRank(context.trust) < trustRank(item.trust))
    throw new PalimpsestError(
      "REFUSED",
      `It was proposed with the trust of "${item.trust}", this session has that of "${context.trust}".`,
      { hint: "Leave it to whoever proposed it, or to somebody of that trust." },
    );
  return {
    moves: [{ name: refOfStaged(item), expect: item.tip.hash, next: null }],
    value: { id: item.id, kind: item.kind },
  };
}

/**
 * Need nobody look at a proposal? Only if a rule for its kind says so and everything in it is certain and trusted enough;
 * never where canon would come, go or change, and never what the gate itself held back.
 */
export function needsNobody(
  rules: readonly AutoAccept[],
  { kind, changes, note }: Pick<Staged, "kind" | "changes" | "note">,
  verdicts: readonly Verdict[],
): boolean {
  // Accepting a request to erase is an erasure, which no rule decides.
  if (kind === ERASE && requestIn(note)) return false;
  if (changes.length === 0 || verdicts.some(({ verdict }) => verdict === "quarantined")) return false;
  if (changes.some(({ was, wanted }) => was?.tier === "canon" || wanted?.tier === "canon")) return false;
  return rules.some(
    (rule) =>
      rule.kind === kind &&
      changes.every(
        ({ wanted }) =>
          wanted !== undefined &&
          (wanted.confidence ?? 1) >= (rule.confidence ?? 0) &&
          trustRank(wanted.origin.trust) >= trustRank(rule.trust ?? "agent"),
      ),
  );
}
