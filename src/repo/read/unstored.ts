import type { Hash } from "../../core/base/index.js";
import type { Made } from "../../core/merkle/index.js";

/**
 * What the commits of this process did to the nodes of the state that was stored last. Most commits store none, and
 * one that does would have to fold or compare states to find what is to be stored with it.
 */
export class Unstored {
  /** The stored state, and the one the steps led to. */
  #from: Hash | undefined;
  #to: Hash | undefined;
  #steps: Made[] = [];

  /** Commits on top of `start` are durable, up to `root`. */
  advance(start: Hash, steps: readonly Made[], root: Hash): void {
    if (start !== this.#to) this.#from = undefined;
    if (this.#from === undefined) this.#steps = [];
    else this.#steps.push(...steps);
    this.#to = root;
  }

  /** The state `from` was stored, and these steps were taken after it. */
  restart(from: Hash, steps: readonly Made[], root: Hash): void {
    this.#from = from;
    this.#steps = [...steps];
    this.#to = root;
  }

  forget(): void {
    this.#from = undefined;
    this.#to = undefined;
    this.#steps = [];
  }

  /** The state that was stored, and the steps from there to this one. */
  leadingTo(root: Hash): { readonly from: Hash; readonly steps: readonly Made[] } | undefined {
    return this.#to === root && this.#from !== undefined
      ? { from: this.#from, steps: this.#steps }
      : undefined;
  }
}
