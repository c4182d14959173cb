import { grown, type Hash, HashSet } from "../../core/base/index.js";
import type { Kinds } from "../../core/ledger/index.js";
import { EMPTY_NODE, EMPTY_ROOT, type Made, madeBy, newNode } from "../../core/merkle/index.js";

/**
 * Keeps what was used lately, up to about so many values, in two generations: when the young one is full the old
 * one is dropped whole. Nothing is ever moved one by one, so a write of thousands costs no eviction each.
 */
export class Cache<V> {
  #young = new Map<Hash, V>();
  #old = new Map<Hash, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most / 2;
  }

  get(hash: Hash): V | undefined {
    const found = this.#young.get(hash);
    if (found !== undefined) return found;
    const older = this.#old.get(hash);
    if (older !== undefined) this.set(hash, older);
    return older;
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }

  set(hash: Hash, value: V): void {
    this.#young.set(hash, value);
    if (this.#young.size <= this.#most) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}

type Value = Kinds[keyof Kinds];

/** Objects of the ledger in RAM, by their hashes. */
export class ValueCache {
  readonly #read = new Cache<Value>(20_000);
  /**
   * What was just written here: readers that follow a commit ask for it at once, and hardly anybody later. What lived as
   * long as what is read would be most of what the garbage collector has to look through again and again.
   */
  readonly #written = new Cache<Value>(192);

  get(hash: Hash): Value | undefined {
    return this.#written.get(hash) ?? this.#read.get(hash);
  }

  set(hash: Hash, value: Value): void {
    this.#read.set(hash, value);
  }

  /** Takes what was just committed. */
  remember(hash: Hash, value: Value): void {
    this.#written.set(hash, value);
  }

  clear(): void {
    this.#read.clear();
    this.#written.clear();
  }
}

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
