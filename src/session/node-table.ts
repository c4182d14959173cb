import { grown, type Hash, HashSet, hashBytes } from "../base/index.js";
import { isSlab } from "../merkle/index.js";

const BLOCK = 1 << 18;
/** Numbers that say where a node lies: the block, the place in it, the length. */
const PLACE = 3;

/**
 * Nodes under their hashes, side by side in a few large blocks. As values of their own they would be what the garbage
 * collector copies and marks most: every commit makes some, and they live just long enough to cost it.
 */
export class NodeTable {
  readonly #numbers = new HashSet();
  readonly #blocks: Buffer[] = [];
  #places = new Uint32Array(64 * PLACE);
  #isGone = new Uint8Array(64);
  /** The block that nodes are copied to, and how much of it is filled. */
  #open = -1;
  #filled = BLOCK;
  /** The slab that the last node was taken with. */
  #slab = -1;
  #slabOf: ArrayBufferLike | undefined;
  #used = 0;
  #live = 0;

  /** Bytes of all blocks; and of the nodes in them that are not gone. */
  get used(): number {
    return this.#used;
  }
  get live(): number {
    return this.#live;
  }

  get(hash: Hash): Uint8Array | undefined {
    const number = this.#numbers.numberOf(hash);
    return number === undefined ? undefined : this.#nodeAt(number);
  }

  /** Keeps a copy. */
  add(hash: Hash, node: Uint8Array): void {
    if (node.length > BLOCK || !this.#numbers.add(hash)) return;
    if (this.#filled + node.length > BLOCK) {
      this.#open = this.#addBlock(Buffer.allocUnsafeSlow(BLOCK));
      this.#filled = 0;
    }
    this.#blocks[this.#open]!.set(node, this.#filled);
    this.#place(this.#open, this.#filled, node.length);
    this.#filled += node.length;
  }

  /** Keeps one that was just made where it lies, and with it the slab of those made beside it. */
  take(hash: Hash, node: Uint8Array): void {
    const { buffer } = node;
    if (buffer !== this.#slabOf && !isSlab(buffer)) {
      this.add(hash, node);
      return;
    }
    if (!this.#numbers.add(hash)) return;
    if (buffer !== this.#slabOf) {
      this.#slabOf = buffer;
      this.#slab = this.#addBlock(Buffer.from(buffer as ArrayBuffer));
    }
    this.#place(this.#slab, node.byteOffset, node.length);
  }

  /** It can still be read, but is not worth keeping. */
  leave(hash: Hash): void {
    const number = this.#numbers.numberOf(hash);
    if (number === undefined || this.#isGone[number] === 1) return;
    this.#isGone[number] = 1;
    this.#live -= this.#places[number * PLACE + 2]!;
  }

  /** A table of those that are not gone, all copied: what lay beside them can go. */
  withoutGone(): NodeTable {
    const kept = new NodeTable();
    for (let number = 0; number < this.#numbers.size; number++) {
      if (this.#isGone[number] === 1) continue;
      const node = this.#nodeAt(number);
      kept.add(hashBytes("node", node), node);
    }
    return kept;
  }

  #addBlock(block: Buffer): number {
    this.#used += block.length;
    return this.#blocks.push(block) - 1;
  }

  /** Of the hash that was added last. */
  #place(block: number, start: number, length: number): void {
    const number = this.#numbers.size - 1;
    const at = number * PLACE;
    if (number === this.#isGone.length) {
      this.#places = grown(this.#places);
      this.#isGone = grown(this.#isGone);
    }
    this.#places[at] = block;
    this.#places[at + 1] = start;
    this.#places[at + 2] = length;
    this.#live += length;
  }

  #nodeAt(number: number): Uint8Array {
    const at = number * PLACE;
    const start = this.#places[at + 1]!;
    return this.#blocks[this.#places[at]!]!.subarray(start, start + this.#places[at + 2]!);
  }
}
