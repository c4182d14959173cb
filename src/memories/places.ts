import { isBlank, type MemoryId, PalimpsestError, quote } from "../core/base/index.js";

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
