import { cleanText } from "../../gate/index.js";
import { canonicalRecord, positionBetween } from "../../ledger/index.js";
import { type Judged, restore } from "../admit.js";
import type { Context } from "../context.js";
import type { Draft } from "../draft.js";
import type { Entry } from "../entries.js";
import { requireEntry } from "../find.js";
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
