import { seqOf } from "./place.js";

const NONE: readonly number[] = [];

/**
 * The part of the index that is not yet in `lookup`: prefix -> places, for the rows above the indexed mark.
 * It may know more than it must (rows that were merged or removed meanwhile): a place is only ever a hint.
 */
export class Tail {
  /** Rows up to here are in the map or in `lookup`. */
  upTo: number;
  #places = new Map<number, number | number[]>();
  #size = 0;

  constructor(indexed: number) {
    this.upTo = indexed;
  }

  /** Entries, the measure of when a merge pays. */
  get size(): number {
    return this.#size;
  }

  readonly add = (prefix: number, place: number): void => {
    const known = this.#places.get(prefix);
    if (known === undefined) this.#places.set(prefix, place);
    else if (typeof known === "number") this.#places.set(prefix, [known, place]);
    else known.push(place);
    this.#size++;
  };

  find(prefix: number): readonly number[] {
    const known = this.#places.get(prefix);
    if (known === undefined) return NONE;
    return typeof known === "number" ? [known] : known;
  }

  /** Forgets what `lookup` has by now. */
  prune(indexed: number): void {
    const old = this.#places;
    this.#places = new Map();
    this.#size = 0;
    this.upTo = Math.max(this.upTo, indexed);
    if (this.upTo === indexed) return;
    for (const [prefix, known] of old)
      for (const place of typeof known === "number" ? [known] : known)
        if (seqOf(place) > indexed) this.add(prefix, place);
  }
}
