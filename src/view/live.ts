import type { MemoryId } from "../base/index.js";

/** A live memory on its way into a frozen part: its number in the view, where it goes, what the order is made of. */
export interface Live {
  readonly doc: number;
  readonly place: number;
  readonly created: number;
  /** Of a frozen memory only when it is needed: those are in order among themselves. */
  id: MemoryId | undefined;
}
