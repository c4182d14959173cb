import { cleanText, quarantine, type Refusal } from "../../gate/index.js";
import { canonicalRecord, type MemoryRecord, positionBetween, trustRank } from "../../ledger/index.js";
import { type Judged, refused, restore } from "../admit.js";
import type { Context } from "../context.js";
import type { Draft } from "../draft.js";
import type { Entry } from "../entries.js";
import { requireEntry } from "../find.js";
import { holdForget } from "../hold-back.js";
import { orderedChildren } from "../placing.js";

export interface ForgetOptions {
  readonly scope?: string;
  readonly reason?: string;
  /** Take everything below along; otherwise children move up into its place. */
  readonly tree?: boolean;
}

/** Gone from now on, still in history. */
export async function forget(
  context: Context,
  draft: Draft,
  id: string,
  options: ForgetOptions,
): Promise<Judged> {
  const entry = await requireEntry(context, draft, id, options.scope);
  const refusal = weakerForgets(context, entry.record);
  if (refusal && context.onQuarantine !== "include") {
    const staged = context.onQuarantine ? undefined : holdForget(context, draft, entry.record, refusal);
    return {
      ...refused(draft, refusal, entry.record.scope, entry.record.id),
      ...(staged !== undefined && { staged }),
    };
  }
  if (options.tree) await forgetBelow(context, draft, entry);
  else await moveUp(context, draft, entry);
  draft.forget(entry);
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

/** What a stronger writer said is not taken away by a weaker one. */
function weakerForgets({ trust, rules }: Context, { id, origin }: MemoryRecord): Refusal | undefined {
  if (rules.off.has("trust") || trustRank(trust) >= trustRank(origin.trust)) return undefined;
  return {
    ...quarantine(
      "WEAKER_WRITER",
      "trust",
      `This memory was written with the trust of "${origin.trust}", this session has that of "${trust}".`,
      "It waits for somebody of that trust to decide: see `review`.",
    ),
    against: id,
  };
}

async function forgetBelow(context: Context, draft: Draft, entry: Entry): Promise<void> {
  const waiting = [entry];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const children = await orderedChildren(context, draft, at.record.scope, at.record.id);
    waiting.push(...children);
    if (at !== entry) draft.forget(at);
  }
}

/** Children take the place of their parent among its siblings, in their order. */
async function moveUp(context: Context, draft: Draft, { record }: Entry): Promise<void> {
  const { scope, id } = record;
  const parent = record.parent === id ? undefined : record.parent;
  const children = await orderedChildren(context, draft, scope, id);
  if (children.length === 0) return;
  const siblings = parent === undefined ? [] : await orderedChildren(context, draft, scope, parent);
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
    await restore(context, draft, moved, "modify");
  }
}
