import { KERNEL } from "./kernel.js";

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
export class Block {
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
