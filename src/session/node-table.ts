import { grown, type Hash, HashSet, hashFromBytes, writeHash } from "../base/index.js";

const BLOCK = 1 << 18;
const HASH = 32;

/**
 * Nodes under their hashes, side by side in a few large blocks. As values of their own they would be what the garbage
 * collector copies and marks most: every commit makes some, and they live just long enough to cost it.
 */
export class NodeTable {
  readonly #numbers = new HashSet();
  readonly #blocks: Buffer[] = [];
  /** Where each begins, its hash first, counted over all blocks, and how long it is. */
  #starts = new Uint32Array(64);
  #lengths = new Uint32Array(64);
  #isGone = new Uint8Array(64);
  #used = 0;
  #gone = 0;

  /** Bytes taken; and of them those of nodes that are not gone. */
  get used(): number {
    return this.#used;
  }
  get live(): number {
    return this.#used - this.#gone;
  }

  get(hash: Hash): Uint8Array | undefined {
    const number = this.#numbers.numberOf(hash);
    return number === undefined ? undefined : this.#nodeAt(number);
  }

  add(hash: Hash, node: Uint8Array): void {
    const size = HASH + node.length;
    const number = this.#numbers.size;
    if (size > BLOCK || !this.#numbers.add(hash)) return;
    if (number === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#lengths = grown(this.#lengths);
      this.#isGone = grown(this.#isGone);
    }
    // What is left of a block counts as taken, and by nobody.
    const left = this.#blocks.length * BLOCK - this.#used;
    if (size > left) {
      this.#used += left;
      this.#gone += left;
      this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK));
    }
    const block = this.#blocks.at(-1)!;
    const at = this.#used % BLOCK;
    writeHash(hash, block, at);
    block.set(node, at + HASH);
    this.#starts[number] = this.#used;
    this.#lengths[number] = node.length;
    this.#used += size;
  }

  /** It can still be read, but is not worth keeping. */
  leave(hash: Hash): void {
    const number = this.#numbers.numberOf(hash);
    if (number === undefined || this.#isGone[number] === 1) return;
    this.#isGone[number] = 1;
    this.#gone += HASH + this.#lengths[number]!;
  }

  /** A table of those that are not gone. */
  withoutGone(): NodeTable {
    const kept = new NodeTable();
    for (let number = 0; number < this.#numbers.size; number++)
      if (this.#isGone[number] === 0) kept.add(this.#hashAt(number), this.#nodeAt(number));
    return kept;
  }

  #nodeAt(number: number): Uint8Array {
    const start = this.#starts[number]! + HASH;
    const at = start % BLOCK;
    return this.#blocks[Math.floor(start / BLOCK)]!.subarray(at, at + this.#lengths[number]!);
  }

  #hashAt(number: number): Hash {
    const start = this.#starts[number]!;
    return hashFromBytes(this.#blocks[Math.floor(start / BLOCK)]!, start % BLOCK);
  }
}
