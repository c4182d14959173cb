import { type MemoryId, type Scope, topicId } from "../../core/base/index.js";
import { canonicalRecord, type MemoryRecord, type Op } from "../../core/ledger/index.js";
import {
  checkShape,
  judge,
  type MemoryChange,
  type MemoryInput,
  NOTHING_NEAR,
  type Refusal,
  refuse,
  type Verdict,
} from "../../gate/index.js";
import type { Draft, Entry, Job } from "../../repo/index.js";
import { isExpired } from "../../repo/index.js";
import { admit, hiddenHolder, refusalOf, refused } from "../admit.js";
import { changedRecord, checkEnd, newRecord, scopeOf } from "../build-record.js";
import { ensurePlace, findPlace, parsePlace } from "../places.js";

/**
 * Adds a memory, or renews the one that has its id or its topic. What is read where others wrote it (`isRead`) may have
 * no text if it is a document, and may have ended meanwhile; it is history then.
 */
export async function remember(
  job: Job,
  memory: MemoryInput,
  op: "add" | "observe" = "add",
  isRead = false,
): Promise<Verdict> {
  const { context, draft } = job;
  checkShape(memory, { read: isRead });
  if (!isRead) checkEnd(memory, draft.now);
  const scope = scopeOf(context, memory);
  if (!context.sight.sees(scope)) return refused(draft, await whyNot(job, memory), scope);
  const isNew = memory.id === undefined && memory.topic === undefined;
  const target = isNew ? NEW : await targetOf(job, scope, memory);
  if ("verdict" in target) return refused(draft, target, scope);
  const { id, holder } = target;
  const input = memory.in === undefined ? memory : await inPalace(job, scope, memory, holder === undefined);
  if ("verdict" in input) return input;
  if (holder && !isExpired(holder, draft.now)) {
    // What is renewed without a type keeps its own, and only a belief has a tier.
    if (input.tier !== undefined)
      checkShape({ tier: input.tier, type: holder.record.type }, { change: true });
    return renew(job, holder, changeOf(input), "modify", memory.topic);
  }
  const made = newRecord(context, input, id ?? context.newId(), draft.now, draft.reader);
  const record = made instanceof Promise ? await made : made;
  const verdict = await admit(job, record, holder ? "modify" : op, undefined, id === undefined);
  const loser = memory.topic === undefined ? undefined : await loserOf(draft, scope, memory.topic, verdict);
  return loser ? renew(job, loser, changeOf(input), "modify", memory.topic) : verdict;
}

/** A caller that repeats the text of the memory that lost the topic means that memory. */
async function loserOf(
  draft: Draft,
  scope: Scope,
  topic: string,
  verdict: Verdict,
): Promise<Entry | undefined> {
  if (verdict.verdict !== "duplicate" || verdict.of === undefined) return undefined;
  const entry = await draft.entry(scope, verdict.of);
  return entry && hasLost(entry.record, topic) ? entry : undefined;
}

/** Names the parent that `in` means. A place that is not there is made, unless the memory would be refused anyway. */
async function inPalace(
  job: Job,
  scope: Scope,
  { in: text, ...input }: MemoryInput,
  isNew: boolean,
): Promise<MemoryInput | Verdict> {
  const { context, draft } = job;
  const place = parsePlace(text as string);
  if (isNew && !(await findPlace(job, scope, place))) {
    const id = (input.id ?? "unplaced") as MemoryId;
    const record = await newRecord(context, input, id, draft.now, draft.reader);
    const refusal = await refusalOf(job, record);
    if (refusal) return refusal;
  }
  const found = await ensurePlace(job, scope, place);
  return "verdict" in found ? found : { ...input, parent: found.record.id };
}

/** Applies a change to a live entry; under a topic that it had lost it has it again. */
export async function renew(
  job: Job,
  entry: Entry,
  change: MemoryChange,
  op: Op,
  topic?: string,
): Promise<Verdict> {
  const { context, draft } = job;
  const record = topic === undefined ? entry.record : withTopic(entry.record, topic);
  const next = await changedRecord(context, record, change, draft.now, draft.reader);
  return admit(job, next, op, entry, false);
}

const NEW = { id: undefined, holder: undefined };

/** Which memory an input is about: the one named, else the holder of its topic, else a new one. */
async function targetOf(
  { context, draft }: Job,
  scope: Scope,
  input: MemoryInput,
): Promise<{ id: MemoryId | undefined; holder: Entry | undefined } | Refusal> {
  const { topic } = input;
  const id = (input.id ?? (topic === undefined ? undefined : topicId(topic))) as MemoryId | undefined;
  const named = id === undefined ? undefined : await draft.entry(scope, id);
  const owner = topic === undefined ? undefined : await draft.topicHolder(scope, topic);
  if ([named, owner].some((entry) => entry && !context.sight.seesRecord(entry.record))) return hiddenHolder();
  if (topic === undefined) return { id, holder: named };
  if (input.id === undefined) return { id: owner?.record.id ?? id, holder: owner ?? named };
  if (owner && owner.record.id !== id) return topicTaken(scope, topic);
  if (named && named.record.topic !== topic && !hasLost(named.record, topic))
    return refuse(
      "TOPIC_FIXED",
      "topic",
      "The topic of a memory never changes.",
      "Forget the memory and write it anew under the topic.",
    );
  return { id, holder: named };
}

export const topicTaken = (scope: Scope, topic: string): Refusal =>
  refuse(
    "TOPIC_TAKEN",
    "topic",
    `The topic ${JSON.stringify(topic)} belongs to another memory in ${scope}.`,
    "Leave out the id to renew that memory, or choose another topic.",
  );

/** A memory whose topic went to another one has it again once nobody else holds it and somebody writes under it. */
function withTopic(record: MemoryRecord, topic: string): MemoryRecord {
  if (record.topic !== undefined) return record;
  const { topic: _, ...contested } = record.contested ?? {};
  return canonicalRecord({ ...record, topic, contested });
}

const hasLost = ({ topic: own, contested }: MemoryRecord, topic: string): boolean =>
  own === undefined &&
  contested?.topic?.terms.some((term) => "value" in term && term.value === topic) === true;

/** Input as a change of an existing memory; where it lives does not change. */
function changeOf(input: MemoryInput): MemoryChange {
  const { id: _, scope: __, topic: ___, speaker: ____, conversation: _____, ...change } = input;
  return change;
}

/** What the gate says about a write to a scope out of sight, where nothing may be looked up. */
async function whyNot({ context, draft }: Job, input: MemoryInput): Promise<Refusal> {
  const id = (input.id ?? "unplaced") as MemoryId;
  const record = await newRecord(context, input, id, draft.now, draft.reader);
  const judgement = judge(record, {
    writer: { id: context.author.id, trust: context.trust, sees: context.sight.sees },
    rules: context.rules,
    near: NOTHING_NEAR,
  });
  return judgement.refusal ?? hiddenHolder();
}
