import type { Hash } from "../core/base/index.js";

const CHUNK = 1 << 20;
const LENGTH = 4;

interface Chunk {
  readonly bytes: Buffer;
  used: number;
  /** What of it is still wanted; when that is less than half, it is moved and the chunk let go. */
  live: number;
  readonly hashes: Hash[];
}

interface Place {
  readonly chunk: Chunk;
  readonly at: number;
}

/**
 * Nodes under their hashes, side by side: each on its own would take several times its size, because a few that stay keep
 * alive the memory of many that went.
 */
export class NodeHeap {
  readonly #places = new Map<Hash, Place>();
  #open = newChunk(CHUNK);

  get size(): number {
    return this.#places.size;
  }

  keys(): Iterable<Hash> {
    return this.#places.keys();
  }

  get(hash: Hash): Uint8Array | undefined {
    const place = this.#places.get(hash);
    return place && nodeAt(place);
  }

  set(hash: Hash, node: Uint8Array): void {
    if (this.#places.has(hash)) return;
    const size = LENGTH + node.length;
    if (this.#open.used + size > this.#open.bytes.length) this.#open = newChunk(Math.max(CHUNK, size));
    const chunk = this.#open;
    const at = chunk.used;
    chunk.bytes.writeUInt32LE(node.length, at);
    chunk.bytes.set(node, at + LENGTH);
    chunk.hashes.push(hash);
    chunk.used += size;
    chunk.live += size;
    this.#places.set(hash, { chunk, at });
  }

  delete(hash: Hash): void {
    const place = this.#places.get(hash);
    if (!place) return;
    this.#places.delete(hash);
    const { chunk } = place;
    chunk.live -= LENGTH + nodeAt(place).length;
    if (chunk !== this.#open && chunk.live * 2 < chunk.used) this.#move(chunk);
  }

  clear(): void {
    this.#places.clear();
    this.#open = newChunk(CHUNK);
  }

  #move(chunk: Chunk): void {
    for (const hash of chunk.hashes.splice(0)) {
      const place = this.#places.get(hash);
      if (place?.chunk !== chunk) continue;
      this.#places.delete(hash);
      this.set(hash, nodeAt(place));
    }
  }
}

const newChunk = (size: number): Chunk => ({
  bytes: Buffer.allocUnsafeSlow(size),
  used: 0,
  live: 0,
  hashes: [],
});

function nodeAt({ chunk: { bytes }, at }: Place): Uint8Array {
  const start = at + LENGTH;
  return bytes.subarray(start, start + bytes.readUInt32LE(at));
}
