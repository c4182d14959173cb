import type { Hash } from "../../core/base/index.js";
import { EMPTY_NODE, EMPTY_ROOT, type Made, madeBy } from "../../core/merkle/index.js";
import { Blocks, NodeTable } from "./node-table.js";

/** Bytes of each of two generations. */
const GENERATION = 24 << 20;

/** Nodes in RAM, by their hashes: what was used lately, in two generations as in `Cache`. */
export class NodeCache {
  readonly #pool = new Blocks();
  #young = new NodeTable(this.#pool);
  #old = new NodeTable(this.#pool);

  get(hash: Hash): Uint8Array | undefined {
    if (hash === EMPTY_ROOT) return EMPTY_NODE;
    const found = this.#young.get(hash);
    if (found !== undefined) return found;
    const older = this.#old.get(hash);
    if (older !== undefined) this.set(hash, older);
    return older;
  }

  set(hash: Hash, bytes: Uint8Array): void {
    this.#young.add(hash, bytes);
    if (this.#young.used > GENERATION) this.#makeRoom();
  }

  /** Those that were just made of a state. */
  add(nodes: ReadonlyMap<Hash, Uint8Array>): void {
    for (const [hash, bytes] of nodes) this.#young.add(hash, bytes);
    if (this.#young.used > GENERATION) this.#makeRoom();
  }

  /**
   * Takes what commits made. What they replaced can be read until room is needed, by who reads the state of a moment ago;
   * were it kept like the rest, it would soon drive out what is in use.
   */
  renew(steps: readonly Made[]): void {
    this.add(madeBy(steps));
    for (const { gone } of steps) for (const hash of gone) this.#young.leave(hash);
  }

  #makeRoom(): void {
    if (this.#young.live * 2 < this.#young.used) {
      this.#young = this.#young.withoutGone();
      return;
    }
    this.#old.release();
    this.#old = this.#young;
    this.#young = new NodeTable(this.#pool);
  }
}
