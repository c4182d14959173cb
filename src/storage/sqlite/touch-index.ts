import type { Touch } from "../../core/ledger/index.js";
import {
  eachTouch,
  type TouchLayout,
  type TouchWanted,
  touchAt,
  touchLayout,
  touchMatcher,
  touchReader,
} from "../touch-codec.js";
import { type EachPlace, placeOf, prefixAt, prefixOf, TOUCH_ID, TOUCH_LINK } from "./place.js";

/** How many events a row holds. */
export const countEvents = (bytes: Buffer): number => bytes.readUInt16BE(touchLayout(bytes).events - 2);

/** A row of many events, looked through once: which of them carry an id or a link is then known by its prefix. */
export class TouchIndex {
  readonly #bytes: Buffer;
  readonly #at: TouchLayout;
  readonly #byPrefix = new Map<number, number[]>();

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#at = touchLayout(bytes);
    const add = (position: number, head: number) => {
      const prefix = prefixAt(bytes, position);
      const known = this.#byPrefix.get(prefix);
      if (!known) this.#byPrefix.set(prefix, [head]);
      else if (known.at(-1) !== head) known.push(head);
    };
    eachTouch(bytes, this.#at.events, (head, id, links, count) => {
      add(id, head);
      for (let n = 0; n < count; n++) add(links + n * 32, head);
    });
  }

  find(wanted: NonNullable<TouchWanted>): Touch[] {
    const [bytes, at] = [this.#bytes, this.#at];
    const isWanted = touchMatcher(bytes, at.scopes, wanted);
    const read = touchReader(bytes, at);
    const found: Touch[] = [];
    for (const head of this.#byPrefix.get(prefixOf("link" in wanted ? wanted.link : wanted.id)) ?? []) {
      const place = touchAt(bytes, head);
      if (isWanted(...place)) found.push(read(...place));
    }
    return found;
  }
}

/**
 * What the index needs to know of a row: the ids and links in it, each once. A new process does this for each row that
 * nobody noted yet before its first look-up, while its code is cold: hence loops, and a set only where there can be a second one.
 */
export function eachTouchKey(bytes: Buffer, seq: number, each: EachPlace): void {
  let { events: head } = touchLayout(bytes);
  const events = bytes.readUInt16BE(head - 2);
  const ids = events > 1 ? new Set<number>() : undefined;
  let seen: Set<number> | undefined;
  for (let left = events; left > 0; left--) {
    const [, id, links, count] = touchAt(bytes, head);
    if (isNew(ids, prefixAt(bytes, id))) each(prefixAt(bytes, id), placeOf(seq, 0, TOUCH_ID));
    if (events > 1 || count > 1) seen ??= new Set();
    for (let n = 0; n < count; n++) {
      const link = prefixAt(bytes, links + n * 32);
      if (isNew(seen, link)) each(link, placeOf(seq, 0, TOUCH_LINK));
    }
    head = links + count * 32;
  }
}

function isNew(seen: Set<number> | undefined, prefix: number): boolean {
  if (seen?.has(prefix)) return false;
  seen?.add(prefix);
  return true;
}
