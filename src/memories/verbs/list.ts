import { type Json, type MemoryId, parseScope } from "../../core/base/index.js";
import { facet, Scene, select, type View, type Wanted } from "../../index/index.js";
import type { At, Context } from "../../repo/index.js";
import { gather, memoriesOf } from "../memories.js";
import type { Memory } from "../memory.js";
import type { ListFilter } from "../options.js";
import { facetsBelow, idsOfPlace, roomsAt } from "../places.js";

/** Memories the session sees at a commit, oldest first. */
export async function list(at: At, filter: ListFilter): Promise<Memory[]> {
  const { context, reader, tip, now } = at;
  const { views, branch, sight } = context;
  const only = filter.scope === undefined ? undefined : parseScope(filter.scope);
  const time = Date.parse(now);
  const places = await placesOf(at, filter);
  const gathered = await views.use(branch, tip, (view) => {
    const scene = new Scene(view, sight, time, only);
    const facets = [...facetsOf(filter), ...placesIn(view, context, time, places)];
    return gather(view, select(scene, facets, filter.limit), context, time);
  });
  return memoriesOf(reader, gathered);
}

/** The rooms and drawers that `in` names; undefined when it names none and all places will do. */
export async function placesOf(
  at: At,
  { in: place, scope }: Pick<ListFilter, "in" | "scope">,
): Promise<ReturnType<typeof idsOfPlace> | undefined> {
  return place === undefined ? undefined : idsOfPlace(await roomsAt(at, scope), place);
}

export const placesIn = (
  view: View,
  context: Context,
  now: number,
  places: Awaited<ReturnType<typeof placesOf>>,
): Wanted[] => (places === undefined ? [] : [facetsBelow(view, context, now, places)]);

/** Filters are terms of the index like words. */
export function facetsOf(filter: Omit<ListFilter, "scope" | "limit" | "in">): string[] {
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
