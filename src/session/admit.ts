import type { MemoryId, Scope } from "../base/index.js";
import { judge, type Neighbourhood, type Refusal, recheck, refuse, type Verdict } from "../gate/index.js";
import { type Counters, canonicalRecord, laneOf, type MemoryRecord, type Op } from "../ledger/index.js";
import { asPrivate, saysTheSame } from "./build-record.js";
import type { Context } from "./context.js";
import type { Draft } from "./draft.js";
import type { Entry } from "./entries.js";
import { placed } from "./placing.js";

/** A verdict before its commit is known. */
export type Judged = Omit<Verdict, "commit">;

/**
 * The one way by which something new gets into a draft: placing, the gate, and the event. `fresh` says that the id was
 * just generated; then the gate may find that the text renews another memory.
 */
export async function admit(
  context: Context,
  draft: Draft,
  record: MemoryRecord,
  op: Op,
  before: Entry | undefined,
  fresh: boolean,
): Promise<Judged> {
  const placedRecord = await placed(context, draft, record);
  if ("verdict" in placedRecord) return refused(draft, placedRecord, record.scope, record.id);
  if (!fresh && (await (await draft.reader.erased()).forbids(placedRecord)))
    return refused(draft, ERASED, record.scope, record.id);
  const judgement = judge(placedRecord, {
    writer: context.sight,
    rules: context.rules,
    near: await surroundings(context, draft, placedRecord),
    target: before?.record,
  });
  if ("refusal" in judgement) return refused(draft, judgement.refusal, record.scope, record.id);
  const { renews, found } = judgement;
  if (renews !== undefined && fresh) return renewed(context, draft, judgement.record, renews);
  const ready = judgement.isPrivate ? asPrivate(context, judgement.record) : judgement.record;
  const where = {
    id: ready.id,
    scope: ready.scope,
    branch: draft.branch,
    ...(found && { found }),
    ...(renews !== undefined && { against: renews }),
  };
  if (before && saysTheSame(before.record, ready))
    return {
      verdict: "duplicate",
      ...where,
      version: before.version,
      hash: before.hash,
      of: ready.id,
      similarity: 1,
      check: "duplicate",
      reason: "Duplicate: this memory already says exactly this.",
      hint: "Nothing needs to be done.",
    };
  const entry = await draft.write(op, ready, context.author, fresh);
  if (!before && laneOf(ready.type) === "belief") draft.surroundings.countBelief(context);
  return {
    verdict: before ? "updated" : "accepted",
    ...where,
    version: entry.version,
    hash: entry.hash,
    ...(before && { replaced: before.hash }),
    ...(ready.contested && { contested: Object.keys(ready.contested) }),
  };
}

/**
 * Puts back, moves or brings over what was admitted when it was written. Rules may have changed since, or been others
 * where it comes from: what must not be kept is cut out. Nothing is left out but what was erased.
 */
export async function restore(
  context: Context,
  draft: Draft,
  record: MemoryRecord,
  op: Op,
  from?: Counters,
): Promise<void> {
  const checked = recheck(record, context.rules);
  if (await (await draft.reader.erased()).forbids(checked)) return;
  await draft.write(op, checked, context.author, false, from);
}

export function refused(draft: Draft, refusal: Refusal, scope: Scope, id?: MemoryId): Judged {
  const about = refusal.of ?? id;
  return { ...refusal, ...(about !== undefined && { id: about }), scope, branch: draft.branch };
}

const ERASED: Refusal = refuse(
  "ERASED",
  "erased",
  "This very text was erased under this id, and does not come back.",
  "Write another text, or take it out of what you read it from.",
);

/** The text says that things changed: it becomes the next version of the memory it speaks of. */
async function renewed(context: Context, draft: Draft, record: MemoryRecord, of: MemoryId): Promise<Judged> {
  const old = (await draft.entry(record.scope, of)) as Entry;
  const { triple: _, contested: __, ...kept } = old.record;
  return admit(context, draft, canonicalRecord({ ...kept, ...record, id: of }), "modify", old, false);
}

/** Only beliefs are compared with others; documents and messages quote the world as it is. */
async function surroundings(context: Context, draft: Draft, record: MemoryRecord): Promise<Neighbourhood> {
  const { scope, type } = record;
  if (laneOf(type) !== "belief" || !context.sight.sees(scope)) return NOTHING_NEAR;
  return draft.surroundings.of(context, record, draft.now);
}

export const NOTHING_NEAR: Neighbourhood = {
  nearest: [],
  slot: [],
  count: 0,
  frequency: () => 0,
  injectedCount: 0,
  injected: [],
  served: () => undefined,
  recentBeliefs: () => 0,
};
