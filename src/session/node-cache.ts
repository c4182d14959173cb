import type { Hash } from "../base/index.js";
import { EMPTY_NODE, EMPTY_ROOT, type Made, madeBy } from "../merkle/index.js";
import { Cache } from "./cache.js";

/** Those of some hundred commits of one memory each. */
const MOST_LEFT = 2_048;

/** Nodes in RAM, by their hashes. */
export class NodeCache {
  readonly #nodes = new Cache<Uint8Array>(48 << 20, (bytes) => bytes.length + 200);
  /** Of states that were left behind, oldest first. */
  #left: Hash[] = [];

  get(hash: Hash): Uint8Array | undefined {
    return hash === EMPTY_ROOT ? EMPTY_NODE : this.#nodes.get(hash);
  }

  set(hash: Hash, bytes: Uint8Array): void {
    this.#nodes.set(hash, bytes);
  }

  /** Those of a state. */
  add(nodes: ReadonlyMap<Hash, Uint8Array>): void {
    for (const [hash, bytes] of nodes) this.#nodes.set(hash, bytes);
  }

  /**
   * Takes what commits made. What they replaced stays for a while, for who reads the state of a moment ago; were all
   * of it kept, it would soon drive out what is in use.
   */
  renew(steps: readonly Made[]): void {
    for (const { gone } of steps) for (const hash of gone) this.#left.push(hash);
    this.add(madeBy(steps));
    if (this.#left.length <= 2 * MOST_LEFT) return;
    for (const hash of this.#left.splice(0, this.#left.length - MOST_LEFT)) this.#nodes.delete(hash);
  }
}
