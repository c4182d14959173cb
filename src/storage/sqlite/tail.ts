import { type EachPlace, seqOf } from "./place.js";

const NONE: readonly number[] = [];
/** Rows of one part of the tail. */
const ROWS = 128;
/** Own transactions whose entries may wait. */
const MOST_WAITING = 64;

interface Part {
  readonly places: Map<number, number | number[]>;
  size: number;
}

/**
 * What the index does not have in `lookup` yet: prefix -> places, for the rows above the indexed mark. It lies in parts
 * of neighbouring rows, so that what was merged goes as a whole and nothing is copied. It may know more than it must
 * (rows that were merged or removed meanwhile): a place is only ever a hint.
 */
export class Tail {
  /** Rows up to here are in the parts or in `lookup`. */
  upTo: number;
  readonly #parts = new Map<number, Part>();
  #waiting: ((each: EachPlace) => void)[] = [];

  constructor(indexed: number) {
    this.upTo = indexed;
  }

  /** Entries, the measure of when a merge pays. */
  get size(): number {
    this.#catchUp();
    let size = 0;
    for (const part of this.#parts.values()) size += part.size;
    return size;
  }

  readonly add = (prefix: number, place: number): void => {
    const part = this.#partOf(seqOf(place));
    const known = part.places.get(prefix);
    if (known === undefined) part.places.set(prefix, place);
    else if (typeof known === "number") part.places.set(prefix, [known, place]);
    else known.push(place);
    part.size++;
  };

  /** Entries that are taken in when somebody looks: many at once cost a fraction of one after each commit. */
  addLater(entries: (each: EachPlace) => void): void {
    if (this.#waiting.push(entries) === MOST_WAITING) this.#catchUp();
  }

  find(prefix: number): readonly number[] {
    this.#catchUp();
    let found: readonly number[] = NONE;
    for (const { places } of this.#parts.values()) {
      const known = places.get(prefix);
      if (known === undefined) continue;
      const these = typeof known === "number" ? [known] : known;
      found = found === NONE ? these : [...found, ...these];
    }
    return found;
  }

  /** Forgets parts that `lookup` has whole by now. */
  prune(indexed: number): void {
    this.#catchUp();
    this.upTo = Math.max(this.upTo, indexed);
    for (const at of this.#parts.keys()) if ((at + 1) * ROWS <= indexed + 1) this.#parts.delete(at);
  }

  #catchUp(): void {
    if (this.#waiting.length === 0) return;
    for (const entries of this.#waiting) entries(this.add);
    this.#waiting = [];
  }

  #partOf(seq: number): Part {
    const at = Math.floor(seq / ROWS);
    const known = this.#parts.get(at);
    if (known) return known;
    const part: Part = { places: new Map(), size: 0 };
    this.#parts.set(at, part);
    return part;
  }
}
