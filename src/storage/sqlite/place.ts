import type { Hash } from "../../core/base/index.js";

/**
 * Where the index points: a row of `journal` or `nodes`, the slot of an object in its chunk, and what is meant.
 * Packed in one number (43 bits of seq, 8 of slot, 2 of what), because SQLite and Map are fastest with those.
 * For touch rows the slot is 0: the row is searched, and many events of one link in a row cost one entry.
 */
export const JOURNAL = 0;
export const NODES = 1;
export const TOUCH_ID = 2;
export const TOUCH_LINK = 3;
export type What = typeof JOURNAL | typeof NODES | typeof TOUCH_ID | typeof TOUCH_LINK;

/** The two that hold objects. */
export type ObjectTable = typeof JOURNAL | typeof NODES;

export const MAX_SLOTS = 256;

export const placeOf = (seq: number, slot: number, what: What): number => (seq * MAX_SLOTS + slot) * 4 + what;
export const seqOf = (place: number): number => Math.floor(place / (MAX_SLOTS * 4));
export const slotOf = (place: number): number => Math.floor(place / 4) % MAX_SLOTS;
export const whatOf = (place: number): What => (place % 4) as What;

/** 48 bits of a hash: only a hint, the full hash is compared where the place points. */
export const prefixOf = (hash: Hash): number => Number.parseInt(hash.slice(0, 12), 16);
export const prefixAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 8) | bytes[at + 1]!) * 2 ** 32 +
  (((bytes[at + 2]! << 24) | (bytes[at + 3]! << 16) | (bytes[at + 4]! << 8) | bytes[at + 5]!) >>> 0);

export type EachPlace = (prefix: number, place: number) => void;

/** Entries gathered for the index: two flat lists, because there may be hundreds of thousands. */
export class Entries {
  readonly prefixes: number[] = [];
  readonly places: number[] = [];
  readonly add = (prefix: number, place: number): void => {
    this.prefixes.push(prefix);
    this.places.push(place);
  };
}
