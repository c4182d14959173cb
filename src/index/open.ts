import type { Hash } from "../core/base/index.js";
import { lexicon } from "../language/index.js";
import { Docs } from "./docs.js";
import type { Doc, TermCounter } from "./document.js";
import { NO_SAYING } from "./saying.js";

/** The most that a count of words, weighted by fields, can be. */
const MOST = 255;

/** From so many memories on, remembering where their words are pays for the room it takes. */
const MANY = 256;

/** The memories that hold a term, ascending, and how much it counts in each. */
export interface OpenList {
  readonly docs: Uint32Array;
  readonly weights: Uint8Array;
}

/**
 * The part of a view that grows: what was written since it was frozen. Nothing is ever taken out of it, so that a fork
 * can go on reading its first so many memories.
 */
export class Open implements TermCounter {
  readonly docs = new Docs();
  /** Number of the partition of each memory. */
  readonly partitions: number[] = [];
  readonly terms = new Map<string, number>();
  /** By the number of a word of one term: 1 + number of that term, once there are many memories. */
  #places = new Int32Array(0);
  #edition = 0;
  /**
   * The list of each term as a chain through `forward`, from the youngest memory to the oldest: 1 + where it goes on, 0
   * where it ends. Arrays of its own for each term would take several times the room. Made when somebody asks: while
   * many memories are added nobody does, and freezing needs none.
   */
  #youngest = new Uint32Array(256);
  #older = new Uint32Array(64);
  #holders = new Uint32Array(64);
  #amounts = new Uint32Array(256);
  #linked = 0;
  /** Made when somebody asks, as lists are. */
  readonly #byHash = new Map<Hash, number>();
  #hashed = 0;
  readonly #bySaying = new Map<number, number[]>();
  #heard = 0;
  /** For a memory that was taken out and came back the same: where it was before, as a fork may still read it there. */
  readonly #earlier = new Map<number, number>();
  /** Terms of each memory as `term * 256 + weight`, one after the other. */
  forward = new Uint32Array(64);
  readonly forwardStarts: number[] = [0];

  /** Weights of the memory that is being read, by term, and which terms it has. */
  #weights = new Float32Array(256);
  readonly #met: number[] = [];
  readonly #names: string[] = [];

  /** Notes a word of the memory that `add` is about to add. */
  countWord(word: number, weight: number): void {
    if (this.#edition !== lexicon.edition) {
      this.#places.fill(0);
      this.#edition = lexicon.edition;
    }
    const place = word < this.#places.length ? this.#places[word]! : 0;
    if (place > 0) this.#count(place - 1, weight);
    else this.#lookUp(word, weight);
  }

  markTerm(term: string): void {
    const at = this.#numberOf(term);
    if (this.#weights[at] === 0) this.#count(at, 1);
  }

  #count(at: number, weight: number): void {
    if (this.#weights[at] === 0) this.#met.push(at);
    this.#weights[at]! += weight;
  }

  #lookUp(word: number, weight: number): void {
    const tokens = lexicon.tokensOf(word);
    for (const { term } of tokens) this.#count(this.#numberOf(term), weight);
    if (tokens.length !== 1 || this.docs.length < MANY) return;
    if (word >= this.#places.length) {
      const grown = new Int32Array(word * 2);
      grown.set(this.#places);
      this.#places = grown;
    }
    this.#places[word] = this.#numberOf(tokens[0]!.term) + 1;
  }

  #numberOf(term: string): number {
    const known = this.terms.get(term);
    if (known !== undefined) return known;
    const at = this.terms.size;
    this.terms.set(term, at);
    this.#names.push(term);
    if (at >= this.#weights.length) {
      const grown = new Float32Array(at * 2);
      grown.set(this.#weights);
      this.#weights = grown;
    }
    return at;
  }

  add(doc: Doc, partition: number): number {
    const number = this.docs.length;
    this.docs.push(doc);
    this.partitions.push(partition);
    const start = this.forwardStarts[number]!;
    const end = start + this.#met.length;
    if (end > this.forward.length) {
      this.forward = longer(this.forward, end * 2);
    }
    for (let at = start; at < end; at++) {
      const term = this.#met[at - start]!;
      this.forward[at] = term * 256 + Math.min(MOST, Math.round(this.#weights[term]!));
      this.#weights[term] = 0;
    }
    this.#met.length = 0;
    this.forwardStarts.push(end);
    return number;
  }

  /** The youngest memory with this hash that is accepted. */
  find(hash: Hash, accepts: (number: number) => boolean): number | undefined {
    for (; this.#hashed < this.docs.length; this.#hashed++) this.#noteHash(this.#hashed);
    let at = this.#byHash.get(hash);
    while (at !== undefined && !accepts(at)) at = this.#earlier.get(at);
    return at;
  }

  #noteHash(number: number): void {
    const hash = this.docs.hashOf(number);
    const earlier = this.#byHash.get(hash);
    if (earlier !== undefined) this.#earlier.set(number, earlier);
    this.#byHash.set(hash, number);
  }

  /** Those that say the same word for word; see `sayingOf`. */
  whoSays(saying: number): readonly number[] {
    for (; this.#heard < this.docs.length; this.#heard++) {
      const own = this.docs.number("saying", this.#heard);
      const known = this.#bySaying.get(own);
      if (known) known.push(this.#heard);
      else if (own !== NO_SAYING) this.#bySaying.set(own, [this.#heard]);
    }
    return this.#bySaying.get(saying) ?? [];
  }

  /** Counts the terms of a memory in another part, which is about to add it. */
  copyTerms(number: number, target: Open): void {
    for (let at = this.forwardStarts[number]!; at < this.forwardStarts[number + 1]!; at++) {
      const packed = this.forward[at]!;
      target.#count(target.#numberOf(this.#names[packed >>> 8]!), packed & 255);
    }
  }

  /** Those of the first so many memories that hold a term, `start` added to their numbers. */
  list(term: string, size: number, start: number): OpenList {
    let at = this.amount(term, size);
    const [docs, weights] = [new Uint32Array(at), new Uint8Array(at)];
    this.eachHolder(term, size, (doc, weight) => {
      docs[--at] = start + doc;
      weights[at] = weight;
    });
    return { docs, weights };
  }

  /** Names those of the first so many memories that hold a term, the youngest first. */
  eachHolder(term: string, size: number, take: (doc: number, weight: number) => void): void {
    for (let place = this.#last(term, size); place >= 0; place = this.#older[place]! - 1)
      take(this.#holders[place]!, this.forward[place]! & 255);
  }

  /** How many of the first so many memories hold a term. */
  amount(term: string, size: number): number {
    let place = this.#last(term, size);
    if (place >= 0 && size === this.docs.length) return this.#amounts[this.terms.get(term)!]!;
    let amount = 0;
    for (; place >= 0; place = this.#older[place]! - 1) amount++;
    return amount;
  }

  holds(number: number, term: string): boolean {
    const wanted = this.terms.get(term);
    if (wanted === undefined) return false;
    for (let at = this.forwardStarts[number]!; at < this.forwardStarts[number + 1]!; at++)
      if (this.forward[at]! >>> 8 === wanted) return true;
    return false;
  }

  /** Where the youngest of the first so many memories notes a term; -1 if none does. */
  #last(term: string, size: number): number {
    for (; this.#linked < this.docs.length; this.#linked++) this.#link(this.#linked);
    const at = this.terms.get(term);
    let place = at === undefined || at >= this.#youngest.length ? -1 : this.#youngest[at]! - 1;
    while (place >= 0 && this.#holders[place]! >= size) place = this.#older[place]! - 1;
    return place;
  }

  #link(number: number): void {
    if (this.#older.length < this.forward.length) {
      this.#older = longer(this.#older, this.forward.length);
      this.#holders = longer(this.#holders, this.forward.length);
    }
    if (this.#youngest.length < this.terms.size) {
      this.#youngest = longer(this.#youngest, this.#weights.length);
      this.#amounts = longer(this.#amounts, this.#weights.length);
    }
    for (let place = this.forwardStarts[number]!; place < this.forwardStarts[number + 1]!; place++) {
      const term = this.forward[place]! >>> 8;
      this.#older[place] = this.#youngest[term]!;
      this.#youngest[term] = place + 1;
      this.#holders[place] = number;
      this.#amounts[term]!++;
    }
  }
}

function longer(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const made = new Uint32Array(length);
  made.set(array);
  return made;
}

/** An open part and how many of its memories count. */
export interface Layer {
  readonly open: Open;
  /** Number of its first memory in the view. */
  readonly start: number;
  readonly size: number;
}
