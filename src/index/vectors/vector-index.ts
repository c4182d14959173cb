import { PalimpsestError } from "../../core/base/index.js";
import { Block } from "./block.js";
import type { Numbers } from "./cosine.js";
import { largestOf, lengthOf, quantizeVector } from "./quantize.js";

/** 127 x the query's largest component x the count of products must fit 31 bits. */
const largestQuery = (stride: number): number => Math.min(8191, Math.floor((2 ** 31 - 1) / (127 * stride)));

/** magic, dimensions, documents, rows; each 32 bits. */
const HEADER = 16;
const MAGIC = 0x31564c50;

/** How near the documents are to a query. */
export interface Compared {
  readonly cosines: Float32Array;
  readonly sum: number;
  /** The nearest in no order; more than asked for where the last of them are equally near. */
  readonly nearest: Int32Array;
}

/**
 * Exact search over int8 vectors: one or more rows for each document, which is a small number that the caller chose.
 * A document is as near as its nearest row. Synchronous and without any state but the rows themselves.
 */
export class VectorIndex {
  readonly dimensions: number;
  readonly #block: Block;
  #rows = 0;
  #documents = 0;

  constructor(dimensions: number) {
    if (!Number.isSafeInteger(dimensions) || dimensions < 1)
      throw new PalimpsestError("INVALID_VALUE", `No vector has ${dimensions} dimensions.`);
    this.dimensions = dimensions;
    this.#block = new Block(dimensions);
  }

  get rows(): number {
    return this.#rows;
  }
  /** One more than the highest document ever set; the length of what `similar` answers. */
  get documents(): number {
    return this.#documents;
  }

  has(doc: number): boolean {
    return doc < this.#documents && this.#block.first[doc]! >= 0;
  }

  /** Gives a document its vectors, one after the other in `vectors`, in place of those it had. */
  set(doc: number, vectors: Int8Array): void {
    const count = vectors.length / this.dimensions;
    if (!Number.isSafeInteger(count) || !Number.isSafeInteger(doc) || doc < 0)
      throw new PalimpsestError(
        "INVALID_VALUE",
        `${vectors.length} components are no vectors of ${this.dimensions} dimensions.`,
      );
    this.remove(doc);
    this.#block.reserve(this.#rows + count, Math.max(doc + 1, this.#documents));
    this.#documents = Math.max(doc + 1, this.#documents);
    for (let at = 0; at < count; at++)
      this.#append(doc, vectors.subarray(at * this.dimensions, (at + 1) * this.dimensions));
  }

  remove(doc: number): boolean {
    if (!this.has(doc)) return false;
    const { first, next } = this.#block;
    while (first[doc]! >= 0) {
      const row = first[doc]!;
      first[doc] = next[row]!;
      this.#fill(row);
    }
    return true;
  }

  /** A copy of a document's vectors, one after the other; empty when it has none. */
  vectorsOf(doc: number): Int8Array {
    const { first, next, rows, stride } = this.#block;
    const found: number[] = [];
    for (let row = this.has(doc) ? first[doc]! : -1; row >= 0; row = next[row]!) found.unshift(row);
    const out = new Int8Array(found.length * this.dimensions);
    found.forEach((row, at) => {
      out.set(rows.subarray(row * stride, row * stride + this.dimensions), at * this.dimensions);
    });
    return out;
  }

  /**
   * The cosine of every document with the query; 0 for one without vectors, and for one that the mask (a byte for
   * each document, 0 is out) leaves out. A query of another length is like nothing.
   */
  similar(query: Numbers, mask?: Uint8Array): Float32Array {
    return this.compare(query, 0, mask).cosines;
  }

  /** The same, with their sum and the `limit` nearest. */
  compare(query: Numbers, limit: number, mask?: Uint8Array): Compared {
    const block = this.#block;
    const largest = query.length === this.dimensions ? largestOf(query) : 0;
    if (largest === 0)
      return { cosines: new Float32Array(this.#documents), sum: 0, nearest: new Int32Array() };
    const factor = largestQuery(block.stride) / largest;
    for (let at = 0; at < query.length; at++) block.query[at] = Math.round(query[at]! * factor);
    if (mask) {
      const known = Math.min(mask.length, this.#documents);
      block.mask.set(mask.subarray(0, known));
      block.mask.fill(0, known, this.#documents);
    }
    const scale = 1 / lengthOf(block.query);
    const found = block.run(this.#rows, this.#documents, { scale, masked: mask !== undefined, limit });
    return { cosines: block.cosines.slice(0, this.#documents), ...found };
  }

  /** The cosine of one document with the query; 0 without vectors, and for a query of another length. */
  cosine(doc: number, query: Numbers): number {
    const { first, next, rows, stride, inverse } = this.#block;
    const length = lengthOf(query);
    if (!this.has(doc) || query.length !== this.dimensions || !(length > 0)) return 0;
    let best = -1;
    for (let row = first[doc]!; row >= 0; row = next[row]!) {
      let sum = 0;
      for (let at = 0; at < this.dimensions; at++) sum += query[at]! * rows[row * stride + at]!;
      best = Math.max(best, (sum * inverse[row]!) / length);
    }
    return best;
  }

  /** All of it as bytes, in the byte order of the machine; the caller adds a checksum. */
  image(): Uint8Array {
    const { docOf, inverse, rows, stride } = this.#block;
    const count = this.#rows;
    const image = new Uint8Array(HEADER + count * (8 + stride));
    new Uint32Array(image.buffer, 0, 4).set([MAGIC, this.dimensions, this.#documents, count]);
    new Int32Array(image.buffer, HEADER, count).set(docOf.subarray(0, count));
    new Float32Array(image.buffer, HEADER + count * 4, count).set(inverse.subarray(0, count));
    new Int8Array(image.buffer, HEADER + count * 8).set(rows.subarray(0, count * stride));
    return image;
  }

  /** Reads an image back; undefined when the bytes are none of ours. */
  static fromImage(image: Uint8Array): VectorIndex | undefined {
    // Views need aligned bytes; what lies in the middle of a file may not be.
    const bytes = image.byteOffset % 4 === 0 ? image : image.slice();
    if (bytes.length < HEADER) return undefined;
    const [magic, dimensions = 0, documents = 0, count = 0] = new Uint32Array(
      bytes.buffer,
      bytes.byteOffset,
      4,
    );
    if (magic !== MAGIC || dimensions === 0) return undefined;
    const index = new VectorIndex(dimensions);
    const block = index.#block;
    if (bytes.length !== HEADER + count * (8 + block.stride)) return undefined;
    block.reserve(count, documents);
    const at = bytes.byteOffset + HEADER;
    block.inverse.set(new Float32Array(bytes.buffer, at + count * 4, count));
    block.rows.set(new Int8Array(bytes.buffer, at + count * 8, count * block.stride));
    const docs = new Int32Array(bytes.buffer, at, count);
    if (docs.some((doc) => doc < 0 || doc >= documents)) return undefined;
    docs.forEach((doc, row) => {
      index.#link(doc, row);
    });
    index.#rows = count;
    index.#documents = documents;
    return index;
  }

  #append(doc: number, vector: Int8Array): void {
    const { rows, stride, inverse } = this.#block;
    const row = this.#rows++;
    rows.fill(0, row * stride, (row + 1) * stride);
    rows.set(vector, row * stride);
    const length = lengthOf(vector);
    inverse[row] = length === 0 ? 0 : 1 / length;
    this.#link(doc, row);
  }

  #link(doc: number, row: number): void {
    const { docOf, next, first } = this.#block;
    docOf[row] = doc;
    next[row] = first[doc]!;
    first[doc] = row;
  }

  /** Moves the last row into the place of one that is gone. */
  #fill(row: number): void {
    const { rows, stride, inverse, docOf, next, first } = this.#block;
    const last = --this.#rows;
    if (row === last) return;
    rows.copyWithin(row * stride, last * stride, (last + 1) * stride);
    inverse[row] = inverse[last]!;
    const doc = docOf[last]!;
    docOf[row] = doc;
    next[row] = next[last]!;
    if (first[doc] === last) first[doc] = row;
    else
      for (let at = first[doc]!; ; at = next[at]!)
        if (next[at] === last) {
          next[at] = row;
          break;
        }
  }
}

/** Several vectors in int8, one after the other, as `set` takes them and storage keeps them. */
export function packVectors(vectors: readonly Numbers[]): Int8Array {
  const size = vectors[0]?.length ?? 0;
  const out = new Int8Array(vectors.length * size);
  vectors.forEach((vector, at) => {
    out.set(quantizeVector(vector), at * size);
  });
  return out;
}
