import { type Json, type JsonObject, type MemoryId, parseScope } from "../../base/index.js";
import type { Tip } from "../../ledger/index.js";
import { facet, Scene, select } from "../../view/index.js";
import type { Context } from "../context.js";
import { gather, memoriesOf } from "../memories.js";
import type { Memory } from "../memory.js";
import type { Reader } from "../reader.js";

export interface ListFilter {
  readonly scope?: string;
  readonly type?: string;
  readonly tier?: string;
  readonly category?: string;
  readonly topic?: string;
  readonly tag?: string;
  readonly parent?: string;
  /** Only what lives as long as this session. */
  readonly session?: string;
  /** Every attribute named must have exactly this value. */
  readonly attributes?: JsonObject;
  readonly limit?: number;
}

/** Memories the session sees at a commit, oldest first. */
export async function list(
  context: Context,
  reader: Reader,
  tip: Tip,
  now: string,
  filter: ListFilter,
): Promise<Memory[]> {
  const { views, branch, sight } = context;
  const only = filter.scope === undefined ? undefined : parseScope(filter.scope);
  const time = Date.parse(now);
  const gathered = await views.use(branch, tip, (view) => {
    const scene = new Scene(view, sight, time, only);
    return gather(view, select(scene, facetsOf(filter), filter.limit), context, time);
  });
  return memoriesOf(reader, gathered);
}

/** Filters are terms of the index like words. */
export function facetsOf(filter: Omit<ListFilter, "scope" | "limit">): string[] {
  const { type, tier, category, topic, tag, parent, session, attributes } = filter;
  return [
    ...(type === undefined ? [] : [facet.byType(type)]),
    ...(tier === undefined ? [] : [facet.byTier(tier)]),
    ...(category === undefined ? [] : [facet.byCategory(category)]),
    ...(topic === undefined ? [] : [facet.byTopic(topic)]),
    ...(tag === undefined ? [] : [facet.byTag(tag)]),
    ...(parent === undefined ? [] : [facet.byParent(parent as MemoryId)]),
    ...(session === undefined ? [] : [facet.bySession(session)]),
    ...Object.entries(attributes ?? {}).map(([name, value]) => facet.byAttribute(name, value as Json)),
  ];
}
