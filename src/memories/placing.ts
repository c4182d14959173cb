import { type MemoryId, quote, type Scope } from "../core/base/index.js";
import { byCodeUnit, canonicalRecord, type MemoryRecord, positionBetween } from "../core/ledger/index.js";
import { type Refusal, refuse } from "../gate/index.js";
import type { Draft, Entry, Holder, Job } from "../repo/index.js";

/** Puts a record below its parent: the parent must be there, not below the record itself; it goes to the end. */
export async function placed({ context, draft }: Job, record: MemoryRecord): Promise<MemoryRecord | Refusal> {
  const { parent, scope, id } = record;
  if (parent === undefined) return record;
  const above = await draft.entry(scope, parent);
  if (!above || !context.sight.seesRecord(above.record))
    return refuse(
      "PARENT_MISSING",
      "parent",
      `There is no memory ${quote(parent)} in ${scope} to put this below.`,
      "Write the parent first; parent and child live in one scope.",
    );
  if (await isBelow(draft, scope, parent, id))
    return refuse(
      "PARENT_CYCLE",
      "parent",
      `${JSON.stringify(parent)} is, or lies below, the memory that would go below it.`,
      "Choose a parent outside this memory's own tree.",
    );
  if (record.position !== undefined) return record;
  const last = await draft.lastPlace(scope, parent, context.sight.clearance, id);
  return canonicalRecord({ ...record, position: positionBetween(last || undefined, undefined) });
}

/** Children a session sees, in their order. */
export async function orderedChildren(
  { context, draft }: Job,
  scope: Scope,
  parent: MemoryId,
): Promise<Entry[]> {
  const children = [...(await draft.children(scope, parent)).values()];
  return inOrder(children.filter((entry) => context.sight.seesRecord(entry.record)));
}

export const inOrder = <T extends Holder>(entries: readonly T[]): T[] =>
  entries.toSorted(
    (a, b) =>
      byCodeUnit(a.record.position ?? "", b.record.position ?? "") || byCodeUnit(a.record.id, b.record.id),
  );

/** A record as it is to be put back, out of any circle that its place would close: then it goes to the top. */
export async function outOfCircle(draft: Draft, record: MemoryRecord): Promise<MemoryRecord> {
  const { scope, id, parent } = record;
  if (parent === undefined || !(await isBelow(draft, scope, parent, id))) return record;
  const { parent: _, position: __, ...rest } = record;
  return canonicalRecord(rest);
}

async function isBelow(draft: Draft, scope: Scope, start: MemoryId, id: MemoryId): Promise<boolean> {
  const seen = new Set<MemoryId>();
  for (let at: MemoryId | undefined = start; at !== undefined && !seen.has(at); ) {
    if (at === id) return true;
    seen.add(at);
    // Far below the top it is cheaper to ask whether anything hangs below `id` at all.
    if (seen.size === 32 && (await draft.children(scope, id)).size === 0) return false;
    at = (await draft.entry(scope, at))?.record.parent;
  }
  return false;
}
