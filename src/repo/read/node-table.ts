import { grown, type Hash, HashSet } from "../../core/base/index.js";
import { newNode } from "../../core/merkle/index.js";

const BLOCK = 1 << 18;
/** Blocks that wait to be filled again; those beyond are let go. */
const SPARE = 96;
/** Numbers that say where a node lies: the block, the place in it, the length. */
const PLACE = 3;

/**
 * Blocks that are used again. Memory outside the heap is what makes the garbage collector look through everything, and
 * commits would ask for megabytes of it every second.
 */
export class Blocks {
  readonly #spare: Buffer[] = [];

  take(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
  }

  giveBack(blocks: readonly Buffer[]): void {
    for (const block of blocks) if (this.#spare.length < SPARE) this.#spare.push(block);
  }
}

/**
 * Nodes under their hashes, side by side in a few large blocks. As values of their own they would be what the garbage
 * collector copies and marks most: every commit makes some, and they live just long enough to cost it.
 */
export class NodeTable {
  readonly #numbers = new HashSet();
  readonly #pool: Blocks;
  readonly #blocks: Buffer[] = [];
  #places = new Uint32Array(64 * PLACE);
  #isGone = new Uint8Array(64);
  /** How much of the last block is filled. */
  #filled = BLOCK;
  #live = 0;

  constructor(pool: Blocks) {
    this.#pool = pool;
  }

  /** Bytes of all blocks; and of the nodes in them that are not gone. */
  get used(): number {
    return this.#blocks.length * BLOCK;
  }
  get live(): number {
    return this.#live;
  }

  /** A copy: the block will hold others. */
  get(hash: Hash): Uint8Array | undefined {
    const number = this.#numbers.numberOf(hash);
    if (number === undefined) return undefined;
    const stored = this.#nodeAt(number);
    const node = newNode(stored.length);
    node.set(stored);
    return node;
  }

  /** Keeps a copy. */
  add(hash: Hash, node: Uint8Array): void {
    if (node.length <= BLOCK && this.#numbers.add(hash)) this.#append(node);
  }

  /** It can still be read, but is not worth keeping. */
  leave(hash: Hash): void {
    const number = this.#numbers.numberOf(hash);
    if (number === undefined || this.#isGone[number] === 1) return;
    this.#isGone[number] = 1;
    this.#live -= this.#places[number * PLACE + 2]!;
  }

  /** A table of those that are not gone; this one is of no use then. */
  withoutGone(): NodeTable {
    const kept = new NodeTable(this.#pool);
    for (let number = 0; number < this.#numbers.size; number++) {
      if (this.#isGone[number] === 1) continue;
      kept.#numbers.addFrom(this.#numbers, number);
      kept.#append(this.#nodeAt(number));
    }
    this.release();
    return kept;
  }

  /** Nothing of it is read any more. */
  release(): void {
    this.#pool.giveBack(this.#blocks.splice(0));
  }

  /** The node of the hash that was added last. */
  #append(node: Uint8Array): void {
    if (this.#filled + node.length > BLOCK) {
      this.#blocks.push(this.#pool.take());
      this.#filled = 0;
    }
    const number = this.#numbers.size - 1;
    const at = number * PLACE;
    if (number === this.#isGone.length) {
      this.#places = grown(this.#places);
      this.#isGone = grown(this.#isGone);
    }
    this.#blocks.at(-1)!.set(node, this.#filled);
    this.#places[at] = this.#blocks.length - 1;
    this.#places[at + 1] = this.#filled;
    this.#places[at + 2] = node.length;
    this.#filled += node.length;
    this.#live += node.length;
  }

  #nodeAt(number: number): Uint8Array {
    const at = number * PLACE;
    const start = this.#places[at + 1]!;
    return this.#blocks[this.#places[at]!]!.subarray(start, start + this.#places[at + 2]!);
  }
}
