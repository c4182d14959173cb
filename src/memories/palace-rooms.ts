import { type Hash, type MemoryId, parseScope, type Scope } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import { type Doc, facet, Scene, select, type View } from "../index/index.js";
import type { At, Context, Reader } from "../repo/index.js";
import { DRAWER, parsePlace, ROOM, samePlaceName } from "./places.js";
import { byPlace, type Room, roomOf } from "./tree.js";

/** A room in the numbers of its view. Only its drawers are looked at; what lies in them can be many. */
export interface RoomDocs {
  readonly doc: Doc;
  readonly drawers: readonly { readonly doc: Doc; readonly inside: readonly number[] }[];
  /** What lies in the room and in no drawer. */
  readonly inside: readonly number[];
}

/** The rooms that a session sees, with their drawers. What lies in drawers is counted and not read. */
export async function roomsAt({ context, reader, tip, now }: At, scope?: string): Promise<Room[]> {
  const only = scope === undefined ? undefined : parseScope(scope);
  const found = await context.views.use(context.branch, tip, (view) => roomDocs(view, context, now, only));
  const hashes = found.flatMap(({ doc, drawers }) => [doc.hash, ...drawers.map((one) => one.doc.hash)]);
  const records = await reader.values("memory", hashes);
  const rooms = found.flatMap((one) => {
    const room = recordOf(reader, records, one.doc.hash);
    return room
      ? [{ record: room, room: withDrawers(room, one, (hash) => recordOf(reader, records, hash)) }]
      : [];
  });
  return rooms.sort((a, b) => byPlace(a.record, b.record)).map(({ room }) => room);
}

function recordOf(
  reader: Reader,
  records: ReadonlyMap<Hash, MemoryRecord>,
  hash: Hash,
): MemoryRecord | undefined {
  const record = records.get(hash);
  if (!record) reader.damaged.add(hash);
  return record;
}

export function roomDocs(view: View, { sight }: Context, now: string, only: Scope | undefined): RoomDocs[] {
  const time = Date.parse(now);
  const scenes = new Map<Scope, Scene>();
  const inside = (scope: Scope, id: MemoryId, ...facets: string[]): number[] => {
    const scene = scenes.get(scope) ?? new Scene(view, sight, time, scope);
    scenes.set(scope, scene);
    return view.mayHold(facet.byParent(id)) ? select(scene, [facet.byParent(id), ...facets]) : [];
  };
  return select(new Scene(view, sight, time, only), [facet.byType(ROOM)]).map((number) => {
    const doc = view.doc(number);
    const drawers = new Set(inside(doc.scope, doc.id, facet.byType(DRAWER)));
    return {
      doc,
      drawers: [...drawers].map((one) => {
        const drawer = view.doc(one);
        return { doc: drawer, inside: inside(doc.scope, drawer.id) };
      }),
      inside: inside(doc.scope, doc.id).filter((one) => !drawers.has(one)),
    };
  });
}

function withDrawers(
  room: MemoryRecord,
  { drawers, inside: others }: RoomDocs,
  read: (hash: Hash) => MemoryRecord | undefined,
): Room {
  const records = drawers.flatMap(({ doc, inside }) => {
    const record = read(doc.hash);
    return record ? [{ record, entries: inside.length }] : [];
  });
  return roomOf(
    room,
    records.toSorted((a, b) => byPlace(a.record, b.record)),
    others.length,
  );
}

/** The records that a place means: rooms of this name, or drawers of theirs; in several scopes there may be several. */
export function idsOfPlace(rooms: readonly Room[], place: string): { scope: Scope; id: MemoryId }[] {
  const { room, drawer } = parsePlace(place);
  const meant = rooms.filter(({ name }) => samePlaceName(name, room));
  if (drawer === undefined) return meant.map(({ scope, id }) => ({ scope, id }));
  return meant.flatMap(({ scope, drawers }) =>
    drawers.filter(({ name }) => samePlaceName(name, drawer)).map(({ id }) => ({ scope, id })),
  );
}

/** Everything below some records: the facets of which each memory there holds exactly one. */
export function facetsBelow(
  view: View,
  { sight }: Context,
  now: number,
  tops: readonly { readonly scope: Scope; readonly id: MemoryId }[],
): string[] {
  const facets = new Set<string>();
  const waiting = [...tops];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const { scope, id } = at;
    const term = facet.byParent(id);
    if (facets.has(term) || !view.mayHold(term)) continue;
    facets.add(term);
    for (const doc of select(new Scene(view, sight, now, scope), [term]))
      waiting.push({ scope, id: view.idOf(doc) });
  }
  return [...facets];
}
