import { type MemoryId, parseScope, type Scope } from "../../core/base/index.js";
import { canonicalRecord, type MemoryRecord, weakest } from "../../core/ledger/index.js";
import { isInjected, type Refusal, refuse, type Verdict } from "../../gate/index.js";
import type { Context, Draft, Job } from "../../repo/index.js";
import { type Entry, isExpired, requireEntry } from "../../repo/index.js";
import { heldBack, hiddenHolder, holdChanges, judgeMoved, refused, restore } from "../admit.js";
import type { MoveOptions } from "../options.js";
import { weakerThanWriter } from "../rights.js";
import { entriesBelow, moveUp } from "./forget.js";

/**
 * To another scope: forgotten there and added here under the same id, in one commit. All of it is judged before anything
 * is written, so that a tree comes whole or stays.
 */
export async function move(job: Job, id: string, to: string, options: MoveOptions): Promise<Verdict> {
  const { context, draft } = job;
  const scope = parseScope(to);
  const entry = await requireEntry(job, id, options.from);
  const { id: memory } = entry.record;
  if (scope === entry.record.scope) return isThere(draft, entry);
  const about = (verdict: Verdict): Verdict => ({ ...verdict, id: memory });
  const leaving = [entry, ...(options.tree ? await entriesBelow(job, entry) : [])];
  const arriving: MemoryRecord[] = [];
  const ended: Entry[] = [];
  let waits: Refusal | undefined;
  for (const { record } of leaving) {
    const wanted = movedRecord(context, record, scope, record.id === memory);
    const judged = await judgeMoved(job, wanted, arriving.filter(isInjected).length);
    const taken = context.sight.sees(scope) ? await holderOf(job, wanted) : hiddenHolder();
    const against = [judged.refusal, taken, weakerThanWriter(context, record)].flatMap((one) => one ?? []);
    const refusal = against.find(isFinal);
    if (refusal) return about(refused(draft, stays(refusal, record.scope), scope));
    waits ??= against[0];
    arriving.push(judged.record);
    ended.push(...(context.sight.sees(scope) ? await endedOwner(draft, wanted) : []));
  }
  if (waits && context.onQuarantine !== "include") {
    if (context.onQuarantine) return about(refused(draft, waits, scope));
    const gone = [...ended, ...leaving].map(({ record }) => ({
      scope: record.scope,
      id: record.id,
      record: undefined,
    }));
    const come = arriving.map((record) => ({ scope, id: record.id, record }));
    const staged = await holdChanges(job, [...come, ...gone.reverse()], waits);
    return about(heldBack(draft, waits, staged, scope, memory));
  }
  for (const old of ended) {
    await moveUp(job, old);
    draft.forget(old);
  }
  if (!options.tree) await moveUp(job, entry);
  for (const record of arriving) await restore(job, record, "add");
  for (const old of leaving.reverse()) draft.forget(old);
  const { version, hash } = (await draft.entry(scope, memory)) as Entry;
  return { verdict: "accepted", id: memory, scope, version, hash, branch: draft.branch };
}

/** A text that this scope holds already stays where it is, and the caller hears so; a hidden holder shows nothing of itself. */
const isFinal = ({ verdict, code }: Refusal): boolean =>
  verdict !== "quarantined" || code === "HIDDEN_HOLDER";

/** A caller that repeats what is known is done; a caller that moves it has it still where it was. */
const stays = (refusal: Refusal, from: Scope): Refusal => ({
  ...refusal,
  ...(refusal.verdict === "duplicate" && {
    hint: `It is still in ${from}: forget it there if one is enough, or change it to say more clearly what differs.`,
  }),
  verdict: "rejected",
});

/** Parent and child live in one scope, so what moves alone, or on top of its tree, lies under nothing at first. */
function movedRecord({ trust }: Context, record: MemoryRecord, scope: Scope, isTop: boolean): MemoryRecord {
  const { parent, position, contested, ...rest } = record;
  const { place: _, ...kept } = contested ?? {};
  return canonicalRecord({
    ...rest,
    ...(!isTop && { parent, position }),
    contested: kept,
    scope,
    origin: { ...record.origin, trust: weakest(trust, record.origin.trust), movedFrom: record.scope },
  } as MemoryRecord);
}

/** Why it cannot come here: its id or its topic is held by another memory. */
async function holderOf(
  { context, draft }: Job,
  { scope, id, topic }: MemoryRecord,
): Promise<Refusal | undefined> {
  const there = await draft.entry(scope, id);
  const owner = topic === undefined ? undefined : await draft.topicHolder(scope, topic);
  if ([there, owner].some((held) => held && !context.sight.seesRecord(held.record))) return hiddenHolder();
  if (owner && !isExpired(owner, draft.now))
    return takenBy(scope, "TOPIC_TAKEN", "topic", topic as string, owner.record.id);
  return there && !isExpired(there, draft.now) ? takenBy(scope, "NAME_TAKEN", "id", id, id) : undefined;
}

/** A topic has one holder: one that ended there, under another id, is forgotten when another comes. */
async function endedOwner(draft: Draft, { scope, id, topic }: MemoryRecord): Promise<Entry[]> {
  const owner = topic === undefined ? undefined : await draft.topicHolder(scope, topic);
  return owner && owner.record.id !== id && isExpired(owner, draft.now) ? [owner] : [];
}

const takenBy = (
  scope: Scope,
  code: "TOPIC_TAKEN" | "NAME_TAKEN",
  check: "topic" | "id",
  name: string,
  of: MemoryId,
): Refusal => ({
  ...refuse(
    code,
    check,
    `The ${check} ${JSON.stringify(name)} belongs to another memory in ${scope}.`,
    "Change that memory to say what this one says and forget this one, or forget that one first.",
  ),
  of,
});

const isThere = (draft: Draft, { record: { id, scope }, version, hash }: Entry): Verdict => ({
  verdict: "duplicate",
  id,
  scope,
  version,
  hash,
  of: id,
  similarity: 1,
  check: "scope",
  reason: `It lives in ${scope} already.`,
  hint: "Nothing needs to be done.",
  branch: draft.branch,
});
