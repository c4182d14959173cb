import type { Hash } from "../base/index.js";
import type { Doc } from "./document.js";

/** The most that a count of words, weighted by fields, can be. */
const MOST = 255;

/** The memories that hold a term, by their numbers within the part, and how much it counts in each. */
export interface OpenList {
  readonly docs: number[];
  readonly weights: number[];
}

/**
 * The part of a view that grows: what was written since it was frozen. Nothing is ever taken out of it, so that a fork
 * can go on reading its first so many memories.
 */
export class Open {
  readonly docs: Doc[] = [];
  /** Number of the partition of each memory. */
  readonly partitions: number[] = [];
  readonly terms = new Map<string, number>();
  /** Made when somebody asks: while many memories are added nobody does, and freezing needs none. */
  readonly #lists: OpenList[] = [];
  #listed = 0;
  readonly #byHash = new Map<Hash, number>();
  /** For a memory that was taken out and came back the same: where it was before, as a fork may still read it there. */
  readonly #earlier = new Map<number, number>();
  /** Terms of each memory as `term * 256 + weight`, one after the other. */
  readonly forward: number[] = [];
  readonly forwardStarts: number[] = [0];

  /** Weights of the memory that is being read, by term, and which terms it has. */
  #weights = new Float32Array(1024);
  #met: number[] = [];
  readonly #names: string[] = [];

  /** Notes a term of the memory that `add` is about to add. */
  count(term: string, weight: number): void {
    let at = this.terms.get(term);
    if (at === undefined) {
      at = this.terms.size;
      this.terms.set(term, at);
      this.#names.push(term);
      if (at >= this.#weights.length) {
        const grown = new Float32Array(at * 2);
        grown.set(this.#weights);
        this.#weights = grown;
      }
    }
    if (this.#weights[at] === 0) this.#met.push(at);
    this.#weights[at]! += weight;
  }

  add(doc: Doc, partition: number): number {
    const number = this.docs.length;
    this.docs.push(doc);
    this.partitions.push(partition);
    const earlier = this.#byHash.get(doc.hash);
    if (earlier !== undefined) this.#earlier.set(number, earlier);
    this.#byHash.set(doc.hash, number);
    for (const at of this.#met) {
      const weight = Math.min(MOST, Math.round(this.#weights[at]!));
      this.#weights[at] = 0;
      this.forward.push(at * 256 + weight);
    }
    this.#met = [];
    this.forwardStarts.push(this.forward.length);
    return number;
  }

  /** The youngest memory with this hash that is accepted. */
  find(hash: Hash, accepts: (number: number) => boolean): number | undefined {
    let at = this.#byHash.get(hash);
    while (at !== undefined && !accepts(at)) at = this.#earlier.get(at);
    return at;
  }

  /** Counts the terms of a memory in another part, which is about to add it. */
  copyTerms(number: number, target: Open): void {
    for (let at = this.forwardStarts[number]!; at < this.forwardStarts[number + 1]!; at++) {
      const packed = this.forward[at]!;
      target.count(this.#names[Math.floor(packed / 256)]!, packed % 256);
    }
  }

  list(term: string): OpenList | undefined {
    const at = this.terms.get(term);
    if (at === undefined) return undefined;
    for (; this.#listed < this.docs.length; this.#listed++) this.#enlist(this.#listed);
    return this.#lists[at];
  }

  #enlist(number: number): void {
    for (let i = this.forwardStarts[number]!; i < this.forwardStarts[number + 1]!; i++) {
      const at = Math.floor(this.forward[i]! / 256);
      while (this.#lists.length <= at) this.#lists.push({ docs: [], weights: [] });
      const { docs, weights } = this.#lists[at]!;
      docs.push(number);
      weights.push(this.forward[i]! % 256);
    }
  }
}

/** An open part and how many of its memories count. */
export interface Layer {
  readonly open: Open;
  /** Number of its first memory in the view. */
  readonly start: number;
  readonly size: number;
}
