import { PalimpsestError, unreadable } from "../../core/base/index.js";
import { KERNEL } from "./kernel.js";

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

/** Where things lie in the one memory, and for how many rows and documents there is room. */
interface Plan {
  readonly rowRoom: number;
  readonly docRoom: number;
  readonly at: Readonly<Record<Region, number>>;
  readonly end: number;
}

type Region =
  | "query"
  | "heap"
  | "mask"
  | "cosines"
  | "first"
  | "picked"
  | "next"
  | "docOf"
  | "inverse"
  | "rows";

const PAGE = 65_536;
/** Low addresses are the kernel's own. */
const START = 1024;
/** As many nearest documents as can be asked for. */
const HEAP = 1024;

interface Kernel {
  pick(docOf: number, count: number, mask: number, picked: number): number;
  cosines(...args: readonly number[]): void;
  nearest(cosines: number, docs: number, limit: number, heap: number, found: number): number;
  settle(cosines: number, docs: number): number;
}

let compiled: WebAssembly.Module | undefined;

/**
 * Int8 rows and what belongs to them as typed arrays over one WebAssembly memory, which grows. Every region keeps its
 * place or moves upwards when there has to be more room, so growing needs no second copy.
 */
class Block {
  readonly stride: number;
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #kernel: Kernel;
  #plan: Plan;

  query!: Int16Array;
  mask!: Uint8Array;
  cosines!: Float32Array;
  /** Of a document: its first row, or -1. */
  first!: Int32Array;
  /** Of a row: the next row of its document, or -1. */
  next!: Int32Array;
  docOf!: Int32Array;
  /** Of a row: 1 / its length. */
  inverse!: Float32Array;
  rows!: Int8Array;

  constructor(dimensions: number) {
    this.stride = Math.ceil(dimensions / 32) * 32;
    compiled ??= new WebAssembly.Module(Buffer.from(KERNEL, "base64"));
    const imports = { env: { memory: this.#memory, abort: () => undefined } };
    this.#kernel = new WebAssembly.Instance(compiled, imports).exports as unknown as Kernel;
    this.#plan = plan(0, 0, this.stride);
    this.#view();
  }

  get rowRoom(): number {
    return this.#plan.rowRoom;
  }
  get docRoom(): number {
    return this.#plan.docRoom;
  }

  /** Makes room for so many rows and documents, and half as many again. */
  reserve(rows: number, docs: number): void {
    const { rowRoom, docRoom } = this.#plan;
    if (rows <= rowRoom && docs <= docRoom) return;
    const grown = (need: number, room: number) => (need <= room ? room : Math.ceil(need * 1.5) + 64);
    const old = this.#plan;
    const next = plan(grown(rows, rowRoom), grown(docs, docRoom), this.stride);
    const pages = Math.ceil(next.end / PAGE) - this.#memory.buffer.byteLength / PAGE;
    if (pages > 0) this.#memory.grow(pages);
    const bytes = new Uint8Array(this.#memory.buffer);
    const kept: [Region, number][] = [
      ["rows", rowRoom * this.stride],
      ["inverse", rowRoom * 4],
      ["docOf", rowRoom * 4],
      ["next", rowRoom * 4],
      ["first", docRoom * 4],
    ];
    for (const [region, size] of kept)
      bytes.copyWithin(next.at[region], old.at[region], old.at[region] + size);
    this.#plan = next;
    this.#view();
    this.first.fill(-1, docRoom);
  }

  /**
   * Fills `cosines` for the first `docs` documents from the first `rows` rows. Answers their sum, and in no order the documents
   * that are no further than the `limit`-th nearest.
   */
  run(
    rows: number,
    docs: number,
    { scale, masked, limit }: { readonly scale: number; readonly masked: boolean; readonly limit: number },
  ): { sum: number; nearest: Int32Array } {
    const { at } = this.#plan;
    const count = masked ? this.#kernel.pick(at.docOf, rows, at.mask, at.picked) : rows;
    const picked = masked ? at.picked : 0;
    const among = [at.rows, this.stride, picked, count, at.docOf, at.inverse];
    this.#kernel.cosines(...among, at.query, scale, at.cosines, docs);
    const most = Math.min(limit, HEAP);
    // What was picked is compared by now: its place is free.
    const near = most > 0 ? this.#kernel.nearest(at.cosines, docs, most, at.heap, at.picked) : 0;
    const nearest = new Int32Array(this.#memory.buffer, at.picked, near).slice();
    return { sum: this.#kernel.settle(at.cosines, docs), nearest };
  }

  #view(): void {
    const { at, rowRoom, docRoom } = this.#plan;
    const { buffer } = this.#memory;
    this.query = new Int16Array(buffer, at.query, this.stride);
    this.mask = new Uint8Array(buffer, at.mask, docRoom);
    this.cosines = new Float32Array(buffer, at.cosines, docRoom);
    this.first = new Int32Array(buffer, at.first, docRoom);
    this.next = new Int32Array(buffer, at.next, rowRoom);
    this.docOf = new Int32Array(buffer, at.docOf, rowRoom);
    this.inverse = new Float32Array(buffer, at.inverse, rowRoom);
    this.rows = new Int8Array(buffer, at.rows, rowRoom * this.stride);
  }
}

function plan(rowRoom: number, docRoom: number, stride: number): Plan {
  let end = START;
  const take = (bytes: number): number => {
    const begin = end;
    end = Math.ceil((end + bytes) / 64) * 64;
    return begin;
  };
  const at = {
    query: take(stride * 2),
    heap: take(HEAP * 4),
    mask: take(docRoom),
    cosines: take(docRoom * 4),
    first: take(docRoom * 4),
    picked: take(rowRoom * 4),
    next: take(rowRoom * 4),
    docOf: take(rowRoom * 4),
    inverse: take(rowRoom * 4),
    rows: take(rowRoom * stride),
  };
  return { rowRoom, docRoom, at, end };
}

/**
 * The direction of a vector in int8, its largest component at 127. Its length is not kept: only angles are ever
 * compared. A vector without direction, or with a component that is no number, becomes zeros.
 */
export function quantizeVector(vector: Numbers): Int8Array {
  const out = new Int8Array(vector.length);
  const largest = largestOf(vector);
  if (largest === 0) return out;
  const scale = 127 / largest;
  for (let at = 0; at < out.length; at++) out[at] = Math.round(vector[at]! * scale);
  return out;
}

/** The largest absolute component; 0 when one of them is not finite. */
function largestOf(vector: Numbers): number {
  let largest = 0;
  for (let at = 0; at < vector.length; at++) {
    const size = Math.abs(vector[at]!);
    if (!Number.isFinite(size)) return 0;
    if (size > largest) largest = size;
  }
  return largest;
}

function lengthOf(vector: Numbers): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! * vector[at]!;
  return Math.sqrt(sum);
}

/** A list of numbers of whatever kind: a typed array, a plain one, what a JSON parser gave. */
type Numbers = ArrayLike<number>;

/**
 * The cosine of the angle between two vectors, from -1 to 1. What cannot be compared is not alike: 0 when one is
 * missing, empty, without length or of another length than the other.
 */
export function cosineSimilarity(a: Numbers | null | undefined, b: Numbers | null | undefined): number {
  try {
    return cosine(a, b);
  } catch (error) {
    throw unreadable(error);
  }
}

function cosine(a: Numbers | null | undefined, b: Numbers | null | undefined): number {
  if (!a || !b || a.length === 0 || a.length !== b.length) return 0;
  let [dot, aa, bb] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at]!, b[at]!];
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  const found = dot / (Math.sqrt(aa) * Math.sqrt(bb));
  return Number.isFinite(found) ? Math.max(-1, Math.min(1, found)) : 0;
}
