import type { Hash } from "../base/index.js";
import type { Doc } from "./document.js";

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
  readonly lists: OpenList[] = [];
  readonly byHash = new Map<Hash, number>();
  /** Terms of each memory as `term * 256 + weight`, one after the other. */
  readonly forward: number[] = [];
  readonly forwardStarts: number[] = [0];

  add(doc: Doc, partition: number, terms: ReadonlyMap<string, number>): number {
    const number = this.docs.length;
    this.docs.push(doc);
    this.partitions.push(partition);
    this.byHash.set(doc.hash, number);
    for (const [term, weight] of terms) {
      let at = this.terms.get(term);
      if (at === undefined) {
        at = this.lists.length;
        this.terms.set(term, at);
        this.lists.push({ docs: [], weights: [] });
      }
      const list = this.lists[at]!;
      list.docs.push(number);
      list.weights.push(weight);
      this.forward.push(at * 256 + weight);
    }
    this.forwardStarts.push(this.forward.length);
    return number;
  }

  list(term: string): OpenList | undefined {
    const at = this.terms.get(term);
    return at === undefined ? undefined : this.lists[at];
  }
}

/** An open part and how many of its memories count. */
export interface Layer {
  readonly open: Open;
  /** Number of its first memory in the view. */
  readonly start: number;
  readonly size: number;
}
