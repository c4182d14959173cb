import type { Touch } from "../../ledger/index.js";
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

/** What the index needs to know of a row: the ids and links in it, each once. */
export function eachTouchKey(bytes: Buffer, seq: number, each: EachPlace): void {
  const { events } = touchLayout(bytes);
  const addId = once(placeOf(seq, 0, TOUCH_ID), each);
  const addLink = once(placeOf(seq, 0, TOUCH_LINK), each);
  eachTouch(bytes, events, (_head, id, links, count) => {
    addId(prefixAt(bytes, id));
    for (let n = 0; n < count; n++) addLink(prefixAt(bytes, links + n * 32));
  });
}

/** Most rows have one event: what they say first needs no set to be told apart. */
function once(place: number, each: EachPlace): (prefix: number) => void {
  let first = -1;
  let others: Set<number> | undefined;
  return (prefix) => {
    if (prefix === first || others?.has(prefix)) return;
    if (first === -1) first = prefix;
    else {
      others ??= new Set();
      others.add(prefix);
    }
    each(prefix, place);
  };
}
