import {
  type Hash,
  isBlank,
  type MemoryId,
  PalimpsestError,
  parseScope,
  quote,
  type Scope,
} from "../core/base/index.js";
import { byCodeUnit, type MemoryRecord } from "../core/ledger/index.js";
import type { MemoryInput, Verdict } from "../gate/index.js";
import { type Doc, facet, Scene, select, type View } from "../index/index.js";
import { type At, type Context, type Entry, isExpired, type Job, type Reader } from "../repo/index.js";
import { admit, wasHeldUnseen } from "./admit.js";
import { newRecord } from "./build-record.js";
import { orderedChildren } from "./placing.js";

/** Types of the records that a palace is made of. What lies in a drawer may be of any type. */
export const PALACE = "palace";
export const ROOM = "room";
export const DRAWER = "drawer";

/** The record that all rooms of a scope lie under. */
export const PALACE_ID = "palace" as MemoryId;
/** Who the agent is: L0. */
export const IDENTITY_ID = "palace/identity" as MemoryId;
/** The settings of the palace, as YAML. */
export const CONFIG_ID = "palace/config" as MemoryId;

/** The attribute that holds the name of a room or drawer: ids stay when it changes. */
export const TITLE = "TITLE";

/** Where something lies: in a room, or in one of its drawers. */
export interface Place {
  readonly room: string;
  readonly drawer?: string;
}

/** Reads `room` or `room/drawer`. Names are data: they hold any character but a slash, and no line breaks. */
export function parsePlace(text: unknown): Place {
  const parts = typeof text === "string" ? text.split("/") : [];
  const [room, drawer] = parts;
  if (parts.length > 2 || room === undefined)
    throw new PalimpsestError("INVALID_NAME", `Not a place in the palace: ${quote(text)}.`, {
      hint: "Name a room, or a room and a drawer, as in projects/website.",
    });
  return drawer === undefined
    ? { room: parsePlaceName(room) }
    : { room: parsePlaceName(room), drawer: parsePlaceName(drawer) };
}

const LONGEST = 128;

export function parsePlaceName(text: unknown): string {
  const name = typeof text === "string" ? text.normalize("NFC").trim() : "";
  if (
    !isBlank(name) &&
    [...name].length <= LONGEST &&
    name.isWellFormed() &&
    !/[/\p{Cc}\u2028\u2029]/u.test(name)
  )
    return name;
  throw new PalimpsestError("INVALID_NAME", `Not a name of a room or drawer: ${quote(text)}.`, {
    hint: `A name is one line of 1-${LONGEST} characters without a slash.`,
  });
}

export const placeText = ({ room, drawer }: Place): string =>
  drawer === undefined ? room : `${room}/${drawer}`;

/** The same name gives the same id on every branch and in every clone, so that two who make a room meet in it. */
export const roomId = (name: string): MemoryId => `palace/${idPart(name)}` as MemoryId;
export const drawerId = (room: MemoryId, name: string): MemoryId => `${room}/${idPart(name)}` as MemoryId;

/** Names are found whatever their case or form of writing. */
export const samePlaceName = (a: string, b: string): boolean => idPart(a) === idPart(b);

const idPart = (name: string): string => name.normalize("NFC").trim().toLowerCase().replace(/\s+/gu, " ");

/** A named place for what is known about one thing. */
export interface Drawer {
  readonly id: MemoryId;
  readonly name: string;
  /** What the drawer says of itself: a sentence, or a whole page. */
  readonly description: string;
  /** How many memories lie in it. */
  readonly entries: number;
}

/** A named collection of drawers. */
export interface Room {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly name: string;
  readonly description: string;
  readonly drawers: readonly Drawer[];
  /** Memories that lie in the room itself and in no drawer. */
  readonly entries: number;
}

type Placed = Pick<MemoryRecord, "id" | "type" | "text" | "attributes" | "position">;

/** The name of a room or drawer; one that came from elsewhere may have none, then the end of its id is its name. */
export function nameOf({ id, attributes }: Pick<Placed, "id" | "attributes">): string {
  const title = attributes?.[TITLE];
  return typeof title === "string" && title.trim() !== "" ? title : (id.split("/").at(-1) as string);
}

/** What it says of itself; a text that only repeats the name says nothing. */
export const descriptionOf = (record: Placed): string => (record.text === nameOf(record) ? "" : record.text);

/** A memory without text, or a place that says nothing but its name: where things are, and nothing that is known. */
export const saysNothing = (record: Placed): boolean =>
  isBlank(record.text) ||
  record.type === PALACE ||
  ((isRoom(record) || isDrawer(record)) && descriptionOf(record) === "");

export const isRoom = ({ type }: Pick<Placed, "type">): boolean => type === ROOM;
export const isDrawer = ({ type }: Pick<Placed, "type">): boolean => type === DRAWER;

/** The order in which siblings are shown. */
export const byPlace = (a: Pick<Placed, "id" | "position">, b: Pick<Placed, "id" | "position">): number =>
  byCodeUnit(a.position ?? "", b.position ?? "") || byCodeUnit(a.id, b.id);

/** A room and its drawers in order, from their records. */
export const roomOf = (
  room: Placed & { readonly scope: Scope },
  drawers: readonly { readonly record: Placed; readonly entries: number }[],
  entries: number,
): Room => ({
  id: room.id,
  scope: room.scope,
  name: nameOf(room),
  description: descriptionOf(room),
  drawers: drawers.map(({ record, entries: count }) => ({
    id: record.id,
    name: nameOf(record),
    description: descriptionOf(record),
    entries: count,
  })),
  entries,
});

/** The room or drawer of a name, as a draft has it. */
export async function findPlace(job: Job, scope: Scope, { room, drawer }: Place): Promise<Entry | undefined> {
  const found = await findRoom(job, scope, room);
  return !found || drawer === undefined ? found : findDrawer(job, found, drawer);
}

async function findRoom(job: Job, scope: Scope, name: string): Promise<Entry | undefined> {
  const isIt = ({ record }: Entry): boolean => isRoom(record) && samePlaceName(nameOf(record), name);
  // Nearly always it has the id that its name gives; only one that was renamed has to be looked for.
  const usual = await visible(job, scope, roomId(name));
  if (usual && isIt(usual)) return usual;
  return (await orderedChildren(job, scope, PALACE_ID)).find(isIt);
}

export async function findDrawer(
  job: Job,
  { record: { scope, id } }: Entry,
  name: string,
): Promise<Entry | undefined> {
  const isIt = ({ record }: Entry): boolean =>
    isDrawer(record) && record.parent === id && samePlaceName(nameOf(record), name);
  const usual = await visible(job, scope, drawerId(id, name));
  if (usual && isIt(usual)) return usual;
  return (await orderedChildren(job, scope, id)).find(isIt);
}

async function visible(job: Job, scope: Scope, id: MemoryId): Promise<Entry | undefined> {
  const { draft } = job;
  const { sight } = job.context;
  const entry = await draft.entry(scope, id);
  return entry && sight.seesRecord(entry.record) && !isExpired(entry, draft.now) ? entry : undefined;
}

export async function requirePlace(job: Job, scope: Scope, place: Place): Promise<Entry> {
  const found = await findPlace(job, scope, place);
  if (found) return found;
  throw new PalimpsestError("NOT_FOUND", `There is no ${JSON.stringify(placeText(place))} in the palace.`, {
    hint: "See `pal palace rooms`; make it with `pal palace new <room/drawer>`.",
  });
}

/** The room or drawer of a name, made if it is not there; or why it cannot be. */
export async function ensurePlace(job: Job, scope: Scope, { room, drawer }: Place): Promise<Entry | Verdict> {
  const found = (await findRoom(job, scope, room)) ?? (await makeRoom(job, scope, room));
  if ("verdict" in found || drawer === undefined) return found;
  const inside = await findDrawer(job, found, drawer);
  return (
    inside ?? make(job, scope, drawerId(found.record.id, drawer), placeInput(drawer, DRAWER, found.record.id))
  );
}

async function makeRoom(job: Job, scope: Scope, name: string): Promise<Entry | Verdict> {
  const { context, draft } = job;
  // Of a scope out of sight nothing is looked up: the gate says that it is not seen.
  const top = context.sight.sees(scope) ? await draft.entry(scope, PALACE_ID) : undefined;
  if (!top) {
    const made = await make(job, scope, PALACE_ID, { type: PALACE, text: "Memory palace" });
    if ("verdict" in made) return made;
  }
  return make(job, scope, roomId(name), placeInput(name, ROOM, PALACE_ID));
}

const placeInput = (name: string, type: string, parent: MemoryId): MemoryInput => ({
  type,
  text: name,
  parent,
  attributes: { [TITLE]: name },
});

/** Under the id that follows from its name; if that is in use, for it was renamed or is hidden, under a fresh one. */
async function make(job: Job, scope: Scope, wanted: MemoryId, input: MemoryInput): Promise<Entry | Verdict> {
  const { context, draft } = job;
  const there = context.sight.sees(scope) ? await draft.entry(scope, wanted) : undefined;
  const isTaken = there
    ? !isExpired(there, draft.now)
    : context.sight.sees(scope) && (await wasHeldUnseen(job, scope, wanted));
  const id = isTaken ? context.newId() : wanted;
  const record = await newRecord(context, { ...input, scope }, id, draft.now, draft.reader);
  const judged = await admit(job, record, there && id === wanted ? "modify" : "add", undefined, false);
  return judged.verdict === "accepted" ? ((await draft.entry(scope, id)) as Entry) : judged;
}

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
