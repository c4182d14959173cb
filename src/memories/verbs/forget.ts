import { PalimpsestError } from "../../core/base/index.js";
import { canonicalRecord, positionBetween } from "../../core/ledger/index.js";
import { cleanText, type Verdict } from "../../gate/index.js";
import type { Entry, Job } from "../../repo/index.js";
import { requireEntry } from "../../repo/index.js";
import { heldBack, holdChanges, refused, restore } from "../admit.js";
import type { ForgetOptions } from "../options.js";
import { orderedChildren } from "../placing.js";
import { weakerThanWriter } from "../rights.js";

/** Gone from now on, still in history. */
export async function forget(job: Job, id: string, options: ForgetOptions): Promise<Verdict> {
  const { context, draft } = job;
  const entry = await requireEntry(job, id, options.scope);
  const below = options.tree ? await entriesBelow(job, entry) : [];
  const refusal = [entry, ...below]
    .map(({ record }) => weakerThanWriter(context, record))
    .find((found) => found !== undefined);
  if (refusal && context.onQuarantine !== "include") {
    const { scope, id: memory } = entry.record;
    if (context.onQuarantine) return refused(draft, refusal, scope, memory);
    const staged = await holdChanges(job, [entry, ...below].map(gone), refusal);
    return heldBack(draft, refusal, staged, scope, memory);
  }
  if (!options.tree) await moveUp(job, entry);
  for (const old of [...below.reverse(), entry]) draft.forget(old);
  if (options.reason !== undefined) draft.addReason(cleanText(options.reason, context.rules.modes.message));
  return {
    verdict: "accepted",
    id: entry.record.id,
    scope: entry.record.scope,
    version: entry.version + 1,
    replaced: entry.hash,
    branch: draft.branch,
  };
}

/**
 * Forgets for a caller that can hear nothing but that it is done: what would wait for somebody of more trust is refused, and
 * nothing of the whole is done.
 */
export async function forgetOrRefuse(job: Job, entry: Entry): Promise<void> {
  const { context, draft } = job;
  const refusal = weakerThanWriter(context, entry.record);
  if (refusal)
    throw new PalimpsestError("REFUSED", refusal.reason ?? "Somebody of more trust wrote it.", {
      hint: "Nothing was changed. Ask somebody of that trust, or forget it by its id, which waits for them.",
    });
  await moveUp(job, entry);
  draft.forget(entry);
}

const gone = ({ record: { scope, id } }: Entry) => ({ scope, id, record: undefined });

/** Everything below a memory that the session sees, parents first. */
export async function entriesBelow(job: Job, entry: Entry): Promise<Entry[]> {
  const found: Entry[] = [];
  const waiting = [entry];
  for (let at = waiting.shift(); at; at = waiting.shift()) {
    const children = await orderedChildren(job, at.record.scope, at.record.id);
    found.push(...children);
    waiting.push(...children);
  }
  return found;
}

/** Children take the place of their parent among its siblings, in their order. */
export async function moveUp(job: Job, { record }: Entry): Promise<void> {
  const { scope, id } = record;
  const parent = record.parent === id ? undefined : record.parent;
  const children = await orderedChildren(job, scope, id);
  if (children.length === 0) return;
  const siblings = parent === undefined ? [] : await orderedChildren(job, scope, parent);
  const place = siblings.findIndex((entry) => entry.record.id === id);
  const next = siblings[place + 1]?.record.position;
  let last = record.position;
  for (const child of children) {
    last =
      parent === undefined
        ? undefined
        : positionBetween(last, next !== undefined && last !== undefined && next <= last ? undefined : next);
    const { parent: _, position: __, ...rest } = child.record;
    const moved = canonicalRecord({
      ...rest,
      ...(parent !== undefined && { parent }),
      ...(last !== undefined && { position: last }),
    });
    await restore(job, moved, "modify");
  }
}
