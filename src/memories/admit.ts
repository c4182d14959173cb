import {
  idKey,
  type Json,
  type JsonObject,
  type MemoryId,
  type Scope,
  scopeKey,
} from "../core/base/index.js";
import {
  type Counters,
  clears,
  laneOf,
  type MemoryRecord,
  type Op,
  sensitivityOf,
  stagingRef,
} from "../core/ledger/index.js";
import {
  type Judgement,
  judge,
  type KnownVerdict,
  type Neighbourhood,
  NOTHING_NEAR,
  quarantine,
  type Refusal,
  recheck,
  refuse,
  type Verdict,
} from "../gate/index.js";
import {
  type Context,
  commitInfo,
  type Draft,
  type Entry,
  type Held,
  type Job,
  tooManyWait,
  waitingMeta,
} from "../repo/index.js";
import { asPrivate, nextVersion, saysTheSame } from "./build-record.js";
import { placed } from "./placing.js";
import { concernOf, type StagedNote, sameWaiting, stagedId } from "./staging.js";

/**
 * The one way by which something new gets into a draft: placing, the gate, and the event. `fresh` says that the id was
 * just generated; then the gate may find that the text renews another memory.
 */
export async function admit(
  job: Job,
  record: MemoryRecord,
  op: Op,
  before: Entry | undefined,
  fresh: boolean,
): Promise<Verdict> {
  const { context, draft } = job;
  const placedRecord = record.parent === undefined ? record : await placed(job, record);
  if ("verdict" in placedRecord) return refused(draft, placedRecord, record.scope, record.id);
  const gone = fresh ? undefined : await goneThere(job, placedRecord, before);
  if (gone) return refused(draft, gone, record.scope, record.id);
  // To an observation its evidence is what it says.
  const saysNothingNew = (said: MemoryRecord): boolean =>
    before !== undefined &&
    !(op === "observe" && said.origin.evidence !== before.record.origin.evidence) &&
    saysTheSame(before.record, said);
  // A writer that repeats what is there changes nothing, however little it is trusted.
  const place = { id: record.id, scope: record.scope, branch: draft.branch };
  if (before && saysNothingNew(placedRecord)) return alreadySaid(before, place);
  const near = surroundings(job, placedRecord);
  const judgement = judgedBy(
    context,
    placedRecord,
    before?.record,
    near instanceof Promise ? await near : near,
  );
  const { renews, beside, found, refusal } = judgement;
  if (refusal?.verdict === "quarantined" && context.onQuarantine === undefined) {
    const staged = await holdBack(job, ready(context, judgement), refusal, fresh);
    return heldBack(draft, refusal, staged, record.scope, record.id);
  }
  if (refusal && !(refusal.verdict === "quarantined" && context.onQuarantine === "include"))
    return refused(draft, refusal, record.scope, record.id);
  if (renews !== undefined && fresh) return renewed(job, judgement.record, renews);
  const written = ready(context, judgement);
  const where = {
    ...place,
    ...(found && { found }),
    ...beside,
  };
  if (before && saysNothingNew(written)) return alreadySaid(before, where);
  const { author } = context;
  const entry = fresh ? draft.add(op, written, author) : await draft.write(op, written, author);
  if (refusal) return refused(draft, refusal, written.scope, written.id);
  if (!before && laneOf(written.type) === "belief") draft.surroundings.countBelief(context);
  const { version, hash } = entry;
  // What nearly every write is answered, without putting it together from parts.
  if (!before && !found && !beside && !written.contested)
    return { verdict: "accepted", id: place.id, scope: place.scope, branch: place.branch, version, hash };
  return {
    verdict: before ? "updated" : "accepted",
    ...where,
    version,
    hash,
    ...(before && { replaced: before.hash, ...replacedText(before.record, written) }),
    ...(written.contested && { contested: Object.keys(written.contested) }),
  };
}

/** A writer that replaces the text of a belief hears what is no longer to be seen. */
const replacedText = (old: MemoryRecord, { text }: MemoryRecord): { readonly replacedText?: string } =>
  old.text !== text && laneOf(old.type) === "belief" ? { replacedText: old.text } : {};

const alreadySaid = (
  { version, hash }: Entry,
  where: Pick<KnownVerdict, "id" | "scope" | "branch" | "found" | "against">,
): Verdict => ({
  verdict: "duplicate",
  ...where,
  version,
  hash,
  of: where.id,
  similarity: 1,
  check: "duplicate",
  reason: "Duplicate: this memory already says exactly this.",
  hint: "Nothing needs to be done.",
});

/** Why the gate would turn a new record away, before anything is written for it. What would wait is not turned away. */
export async function refusalOf(job: Job, record: MemoryRecord): Promise<Verdict | undefined> {
  const { context, draft } = job;
  const { refusal } = judgedBy(context, record, undefined, await surroundings(job, record));
  return refusal && refusal.verdict !== "quarantined" ? refused(draft, refusal, record.scope) : undefined;
}

/**
 * What the gate says of a record that is to come from another scope, and what it would be here, before anything is
 * written. `injected` of those that come with it go into every prompt. It is compared with what is here only: those that
 * come together stood side by side before.
 */
export async function judgeMoved(job: Job, record: MemoryRecord, injected: number): Promise<Judgement> {
  const { context } = job;
  const gone = await goneThere(job, record, undefined);
  if (gone) return { record, refusal: gone };
  const near = await surroundings(job, record);
  const judgement = judgedBy(context, record, undefined, {
    ...near,
    injectedCount: near.injectedCount + injected,
  });
  return { ...judgement, record: ready(context, judgement) };
}

/** Would a new record be for everybody in its scope? What the gate finds personal is not. */
export const isOpen = (context: Context, record: MemoryRecord): boolean =>
  sensitivityOf(ready(context, judgedBy(context, record, undefined, NOTHING_NEAR))) === "normal";

const judgedBy = (
  context: Context,
  record: MemoryRecord,
  target: MemoryRecord | undefined,
  near: Neighbourhood,
): Judgement =>
  judge(record, {
    writer: { id: context.author.id, trust: context.trust, sees: context.sight.sees },
    rules: context.rules,
    vouchers: context.onQuarantine === "include" ? "later" : context.vouchers,
    near,
    target,
  });

const ready = (context: Context, { record, isPrivate }: Judgement): MemoryRecord =>
  isPrivate ? asPrivate(context, record) : record;

/**
 * Puts back, moves or brings over what was admitted when it was written. Rules may have changed since, or been others
 * where it comes from: what must not be kept is cut out. Nothing is left out but what was erased.
 */
export async function restore(
  { context, draft }: Job,
  record: MemoryRecord,
  op: Op,
  from?: Counters,
): Promise<void> {
  const checked = recheck(record, context.rules);
  if (await (await draft.reader.erased()).forbids(checked)) return;
  await draft.write(op, checked, context.author, from);
}

export function refused(draft: Draft, refusal: Refusal, scope: Scope, id?: MemoryId): Verdict {
  const where = { scope, branch: draft.branch };
  if (refusal.verdict === "duplicate") return { ...refusal, id: refusal.of, ...where };
  const about = refusal.of ?? id;
  return { ...refusal, ...(about !== undefined && { id: about }), ...where };
}

/** What was held back waits under a name; or is refused for good, where too much waits. */
export const heldBack = (
  draft: Draft,
  refusal: Refusal,
  staged: string | Refusal,
  scope: Scope,
  id: MemoryId,
): Verdict =>
  typeof staged === "string"
    ? { ...refused(draft, refusal, scope, id), staged }
    : refused(draft, staged, scope, id);

/**
 * A writer that meets a memory above its clearance learns that it may not write there, and nothing else. Nothing of it
 * waits: a decision would show the writer what is there.
 */
export const hiddenHolder = (): Refusal =>
  quarantine(
    "HIDDEN_HOLDER",
    "clearance",
    "This place is held by something the session may not see.",
    "Choose another id or topic, or ask somebody with a higher clearance.",
  );

const ERASED: Refusal = refuse(
  "ERASED",
  "erased",
  "This very text was erased under this id, and does not come back.",
  "Write another text, or take it out of what you read it from.",
);

/** What was erased does not come back, and where something was out of sight it is as if it still were. */
async function goneThere(
  job: Job,
  record: MemoryRecord,
  before: Entry | undefined,
): Promise<Refusal | undefined> {
  const { context, draft } = job;
  const { scope, id } = record;
  if (!context.sight.sees(scope)) return undefined;
  if (!before && (await wasHeldUnseen(job, scope, id))) return hiddenHolder();
  return (await (await draft.reader.erased()).forbids(record)) ? ERASED : undefined;
}

/**
 * Is nothing here that could be seen, and was there something that the session did not see? What is forgotten or erased
 * out of sight leaves its place taken: else its versions would count on, and a guess could be distinguished from the text itself.
 */
export async function wasHeldUnseen(job: Job, scope: Scope, id: MemoryId): Promise<boolean> {
  const { draft } = job;
  const { sight } = job.context;
  if (clears(sight.clearance, "confidential")) return false;
  const last = await draft.counters(scope, id);
  if (last) return !clears(sight.clearance, last.sensitivity);
  const place = { scope: scopeKey(scope), id: idKey(id) };
  if (!(await draft.reader.erased()).hasKey(place)) return false;
  const rows = await draft.reader.storage.touchOf(place.scope, place.id);
  return !rows.some(({ sensitivity }) => clears(sight.clearance, sensitivity));
}

/** The text says that things changed: it becomes the next version of the memory it speaks of. */
async function renewed(job: Job, record: MemoryRecord, of: MemoryId): Promise<Verdict> {
  const { draft } = job;
  const old = (await draft.entry(record.scope, of)) as Entry;
  return admit(job, nextVersion(old.record, record), "modify", old, false);
}

/** Only beliefs are compared with others; documents and messages quote the world as it is. */
function surroundings({ context, draft }: Job, record: MemoryRecord): Neighbourhood | Promise<Neighbourhood> {
  const { scope, type } = record;
  if (laneOf(type) !== "belief" || !context.sight.sees(scope)) return NOTHING_NEAR;
  return draft.surroundings.of(context, record, draft.now);
}

/** What was quarantined, and so waits for somebody of more trust. */
const QUARANTINED = "quarantined";

/**
 * Keeps a quarantined write aside and answers the name under which it waits. A new text that contradicts a memory waits
 * as the next version of that memory, so that both sides are one difference; taking both is still possible.
 */
async function holdBack(
  job: Job,
  record: MemoryRecord,
  refusal: Refusal,
  fresh: boolean,
): Promise<string | Refusal> {
  const { draft } = job;
  const other =
    refusal.against === undefined ? undefined : (await draft.entry(record.scope, refusal.against))?.record;
  const replaces = fresh && other !== undefined && refusal.check === "contradiction";
  const wanted = replaces ? nextVersion(other, record) : record;
  const data = replaces ? { proposed: record as unknown as Json } : undefined;
  return holdChanges(job, [{ scope: wanted.scope, id: wanted.id, record: wanted }], refusal, other, data);
}

/**
 * Keeps changes aside that belong together; without a record a memory would be forgotten. Answers why not where too much
 * waits already.
 */
export async function holdChanges(
  { context, draft }: Job,
  changes: Held["changes"],
  refusal: Refusal,
  other?: MemoryRecord,
  data?: JsonObject,
): Promise<string | Refusal> {
  const { author, trust } = context;
  const { code, check, against } = refusal;
  const id =
    (await sameWaiting(context, QUARANTINED, changes)) ?? stagedId(QUARANTINED, author, changes, undefined);
  const full = tooManyWait(context, await draft.waitingOf(author.id), stagingRef(draft.branch, id));
  if (full) return full;
  const staged: StagedNote = {
    about: other ? [concernOf(other)] : [],
    verdict: { code, check, ...(against !== undefined && { against }) },
    ...(data && { data }),
  };
  draft.hold({
    id,
    changes,
    info: commitInfo(
      context,
      "quarantine",
      { message: refusal.reason },
      { staged: { ...staged, trust } as unknown as JsonObject },
    ),
    meta: waitingMeta(QUARANTINED, context),
  });
  return id;
}
