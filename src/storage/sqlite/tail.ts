import { type EachPlace, placeOf } from "./place.js";

const NONE: readonly number[] = [];
/** Entries there is room for at first. */
const ROOM = 1024;
/** Chains of so many are made in no time. */
const FEW_ENTRIES = 1024;
/** So many looks are answered by scanning instead: most processes look up a few things and end. */
const SCANS = 32;

/**
 * What the index does not have in `lookup` yet: prefix -> places, for the rows above the indexed mark. It may know more
 * than it must (rows that were merged or removed meanwhile): a place is only ever a hint.
 * Numbers side by side, chained by a hash table, because each commit adds to it: a value of its own for each entry would
 * keep the garbage collector busy.
 */
export class Tail {
  /** Rows up to here are in here or in `lookup`. */
  upTo: number;
  /** Of rows above this mark it knows exactly what lies in the file, and nothing besides. */
  #exactAbove: number;
  #count = 0;
  /** So many of them are in the hash table. */
  #chained = 0;
  #scans = 0;
  #prefixes = new Float64Array(ROOM);
  #places = new Float64Array(ROOM);
  /** The entry before with the same low bits of its prefix; 0 is none, so entries count from 1. */
  #before = new Int32Array(ROOM);
  #last = new Int32Array(ROOM);

  constructor(indexed: number) {
    this.upTo = indexed;
    this.#exactAbove = indexed;
  }

  /** Entries, the measure of when a merge pays. */
  get size(): number {
    return this.#count;
  }

  get exactAbove(): number {
    return this.#exactAbove;
  }

  readonly add = (prefix: number, place: number): void => {
    if (this.#count === this.#places.length) this.#resize(this.#count * 2);
    this.#prefixes[this.#count] = prefix;
    this.#places[this.#count++] = place;
  };

  /** Many at once; with `isPartlyKnown` only what lies behind the rows it knows. */
  addAll(prefixes: Float64Array, places: Float64Array, isPartlyKnown = false): void {
    if (isPartlyKnown) {
      const from = firstPlace(this.upTo + 1);
      places.forEach((place, at) => {
        if (place >= from) this.add(prefixes[at]!, place);
      });
      return;
    }
    let room = this.#places.length;
    while (room < this.#count + places.length) room *= 2;
    if (room > this.#places.length) this.#resize(room);
    this.#prefixes.set(prefixes, this.#count);
    this.#places.set(places, this.#count);
    this.#count += places.length;
  }

  find(prefix: number): readonly number[] {
    if (this.#count - this.#chained > FEW_ENTRIES && this.#scans++ < SCANS) return this.#scan(prefix);
    // Not before: who only writes never needs the chains.
    while (this.#chained < this.#count) this.#chain(this.#chained++);
    let found: number[] | undefined;
    for (let at = this.#last[this.#bucket(prefix)]!; at > 0; at = this.#before[at - 1]!) {
      if (this.#prefixes[at - 1] !== prefix) continue;
      if (found) found.push(this.#places[at - 1]!);
      else found = [this.#places[at - 1]!];
    }
    return found?.reverse() ?? NONE;
  }

  #scan(prefix: number): readonly number[] {
    const prefixes = this.#prefixes.subarray(0, this.#count);
    const found: number[] = [];
    for (let at = prefixes.indexOf(prefix); at >= 0; at = prefixes.indexOf(prefix, at + 1))
      found.push(this.#places[at]!);
    return found;
  }

  /** The entries of the rows with after < seq <= upTo. */
  each(after: number, upTo: number, each: EachPlace): void {
    const [from, to] = [firstPlace(after + 1), firstPlace(upTo + 1)];
    for (let at = 0; at < this.#count; at++) {
      const place = this.#places[at]!;
      if (place >= from && place < to) each(this.#prefixes[at]!, place);
    }
  }

  /** Something of rows up to `seq` may have been taken away: they have to be read before they are merged. */
  doubt(seq: number): void {
    this.#exactAbove = Math.max(this.#exactAbove, seq);
  }

  /** Forgets what `lookup` has by now. */
  prune(indexed: number): void {
    this.upTo = Math.max(this.upTo, indexed);
    const from = firstPlace(indexed + 1);
    let kept = 0;
    for (let at = 0; at < this.#count; at++) {
      if (this.#places[at]! < from) continue;
      this.#prefixes[kept] = this.#prefixes[at]!;
      this.#places[kept++] = this.#places[at]!;
    }
    this.#count = kept;
    let room = ROOM;
    while (room < kept * 2) room *= 2;
    this.#resize(Math.min(room, this.#places.length));
  }

  #resize(room: number): void {
    if (room !== this.#places.length) {
      this.#prefixes = resized(this.#prefixes, this.#count, room);
      this.#places = resized(this.#places, this.#count, room);
      this.#before = new Int32Array(room);
      this.#last = new Int32Array(room);
    } else this.#last.fill(0);
    this.#chained = 0;
  }

  #chain(at: number): void {
    const bucket = this.#bucket(this.#prefixes[at]!);
    this.#before[at] = this.#last[bucket]!;
    this.#last[bucket] = at + 1;
  }

  /** Prefixes are of hashes, so that any of their bits will do. */
  #bucket(prefix: number): number {
    return prefix & (this.#last.length - 1);
  }
}

const firstPlace = (seq: number): number => placeOf(seq, 0, 0);

function resized(numbers: Float64Array<ArrayBuffer>, count: number, room: number): Float64Array<ArrayBuffer> {
  const next = new Float64Array(room);
  next.set(numbers.subarray(0, count));
  return next;
}
