import { grown, type Hash, HashSet, hashFromBytes, hashToBytes } from "../core/base/index.js";

const HASH = 32;

/**
 * Nodes by number, each with those of them that it names. A long run of writes leaves hundreds of thousands, which as
 * strings would take ten times the room.
 */
export class NodeGraph {
  readonly #numbers = new HashSet();
  #hashes = new Uint8Array(64 * HASH);
  /** Where the names of each node begin, and how many there are. */
  #starts = new Uint32Array(64);
  #counts = new Uint32Array(64);
  #names = new Uint32Array(64);
  #named = 0;

  get size(): number {
    return this.#numbers.size;
  }

  add(hash: Hash): void {
    const number = this.size;
    if (!this.#numbers.add(hash)) return;
    if (number === this.#starts.length) {
      this.#hashes = grown(this.#hashes);
      this.#starts = grown(this.#starts);
      this.#counts = grown(this.#counts);
    }
    this.#hashes.set(hashToBytes(hash), number * HASH);
  }

  has(hash: Hash): boolean {
    return this.#numbers.has(hash);
  }
  numberOf(hash: Hash): number | undefined {
    return this.#numbers.numberOf(hash);
  }
  hashOf(number: number): Hash {
    return hashFromBytes(this.#hashes, number * HASH);
  }

  /** Says what a node names; what is no node of these is left out. */
  link(number: number, names: readonly Hash[]): void {
    this.#starts[number] = this.#named;
    for (const name of names) {
      const named = this.numberOf(name);
      if (named === undefined) continue;
      if (this.#named === this.#names.length) this.#names = grown(this.#names);
      this.#names[this.#named++] = named;
    }
    this.#counts[number] = this.#named - this.#starts[number];
  }

  namedBy(number: number): Uint32Array {
    const start = this.#starts[number] as number;
    return this.#names.subarray(start, start + (this.#counts[number] as number));
  }
}
