import { crc32 } from "node:zlib";
import type { OpenBlob } from "../storage/index.js";
import { ImageDamage } from "./image-damage.js";

/** Small, so that a few bytes from the middle of a column cost little. */
const BLOCK = 1 << 14;

export const checksSize = (size: number): number => 4 * Math.ceil(size / BLOCK);

/** A crc32 of each block of what these pieces, of this size together, make one after the other. */
export function checksOf(pieces: readonly Uint8Array[], size: number): Buffer {
  const checks = Buffer.alloc(checksSize(size));
  let done = 0;
  for (const piece of pieces)
    for (let from = 0; from < piece.length; ) {
      const to = Math.min(piece.length, from + BLOCK - (done % BLOCK));
      const place = 4 * Math.floor(done / BLOCK);
      checks.writeUInt32LE(crc32(piece.subarray(from, to), checks.readUInt32LE(place)), place);
      done += to - from;
      from = to;
    }
  return checks;
}

/** The end of a blob, from `start` on. No byte of it is handed out that was not checked. */
export class CheckedBytes {
  readonly #blob: OpenBlob;
  readonly #start: number;
  readonly #checks: Buffer;
  readonly #blocks = new Map<number, Uint8Array>();

  constructor(blob: OpenBlob, start: number, checks: Buffer) {
    this.#blob = blob;
    this.#start = start;
    this.#checks = checks;
  }

  /** What begins at a multiple of 8 lies at one in its buffer as well. */
  read(from: number, to: number): Uint8Array {
    const first = from - (from % BLOCK);
    const bytes = to <= first + BLOCK ? this.#block(first) : this.#checked(first, to);
    return bytes.subarray(from - first, to - first);
  }

  /** Whoever wants a little mostly wants its neighbours next. */
  #block(first: number): Uint8Array {
    const known = this.#blocks.get(first);
    if (known) return known;
    const read = this.#checked(first, first + BLOCK);
    this.#blocks.set(first, read);
    return read;
  }

  #checked(first: number, to: number): Uint8Array {
    const end = Math.min(Math.ceil(to / BLOCK) * BLOCK, this.#blob.size - this.#start);
    const bytes = this.#bytes(this.#start + first, this.#start + end);
    for (let at = 0; at < bytes.length; at += BLOCK)
      if (crc32(bytes.subarray(at, at + BLOCK)) !== this.#checks.readUInt32LE((4 * (first + at)) / BLOCK))
        throw new ImageDamage();
    return bytes;
  }

  #bytes(from: number, to: number): Uint8Array {
    try {
      const bytes = this.#blob.read(from, to);
      if (bytes.length === to - from) return bytes;
    } catch {
      // As good as damaged: it is made again either way.
    }
    throw new ImageDamage();
  }

  close(): void {
    this.#blocks.clear();
    this.#blob.close();
  }
}
