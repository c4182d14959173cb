import { isBlank, type MemoryId, type Scope } from "../core/base/index.js";
import { byCodeUnit, type MemoryRecord } from "../core/ledger/index.js";
import { DRAWER, PALACE, ROOM, TITLE } from "./places.js";

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

export type Placed = Pick<MemoryRecord, "id" | "type" | "text" | "attributes" | "position">;

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
