import type { Hash, MemoryId, Scope } from "../base/index.js";
import type { Sensitivity } from "../ledger/index.js";
import { type Doc, docOf, type Held, termsOf } from "./document.js";
import { freeze } from "./freeze.js";
import {
  dictionaryOf,
  docAt,
  EMPTY,
  type Forward,
  type Frozen,
  findHash,
  forwardOf,
  idAt,
  partitionAt,
  sizeOf,
} from "./frozen.js";
import { type Layer, Open } from "./open.js";
import { type Partition, samePartition } from "./partition.js";
import { findString } from "./strings.js";

/** A stretch of the list of a term: memories `docs[from..to]`, ascending, with how much it counts in each. */
export interface Run {
  readonly docs: Uint32Array;
  readonly weights: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** All of this partition; of an open part, of any. */
  readonly partition: number | undefined;
}

/** Fewer changes than this are not worth freezing. */
const FEW = 4096;

/**
 * The live memories of one state in RAM: a directory and one inverted index of words and facets. A frozen part, made
 * once or read from an image, and what changed since on top of it. Pure: whoever owns it keeps it in step.
 */
export class View {
  #base: Frozen;
  #forward: Forward | undefined;
  readonly #layers: (Layer & { size: number })[];
  #dead: Uint8Array;
  #deadCount = 0;
  #version = 0;
  readonly #partitions: Partition[];
  /** Memories that end at some time. */
  readonly #ending = new Map<number, number>();

  constructor(base: Frozen = EMPTY) {
    this.#base = base;
    this.#layers = [{ open: new Open(), start: sizeOf(base), size: 0 }];
    this.#dead = new Uint8Array(sizeOf(base) + 64);
    this.#partitions = partitionsOf(base);
    this.#noteEnding();
  }

  /** A view that starts as this one and goes its own way; both share what they have in common. */
  fork(): View {
    const copy = new View(this.#base);
    copy.#forward = this.#forward;
    copy.#layers.splice(0, 1, ...this.#layers.map((layer) => ({ ...layer })), {
      open: new Open(),
      start: this.size,
      size: 0,
    });
    copy.#dead = this.#dead.slice();
    copy.#deadCount = this.#deadCount;
    copy.#partitions.splice(0, copy.#partitions.length, ...this.#partitions.map((each) => ({ ...each })));
    copy.#ending.clear();
    for (const [doc, time] of this.#ending) copy.#ending.set(doc, time);
    return copy;
  }

  /** Numbers given so far, those of dead memories included. */
  get size(): number {
    const { start, size } = this.#layers.at(-1)!;
    return start + size;
  }
  get live(): number {
    return this.size - this.#deadCount;
  }
  /** What changed since the frozen part was made. */
  get changes(): number {
    return this.size - sizeOf(this.#base) + this.#deadCount;
  }
  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }
  get partitions(): readonly Readonly<Partition>[] {
    return this.#partitions;
  }
  get ending(): ReadonlyMap<number, number> {
    return this.#ending;
  }
  /** Is every number a live memory? */
  get isClean(): boolean {
    return this.#deadCount === 0;
  }
  isDead(doc: number): boolean {
    return this.#dead[doc] === 1;
  }

  add(held: Held): number {
    const found = termsOf(held.record);
    const doc = docOf(held, found);
    const partition = this.#partition(doc.scope, doc.sensitivity);
    const layer = this.#layers.at(-1)!;
    const number = layer.start + layer.open.add(doc, partition, found.terms);
    layer.size++;
    if (number >= this.#dead.length) {
      const grown = new Uint8Array(this.#dead.length * 2);
      grown.set(this.#dead);
      this.#dead = grown;
    }
    this.#partitions[partition]!.count++;
    this.#partitions[partition]!.length += doc.length;
    if (Number.isFinite(doc.expires)) this.#ending.set(number, doc.expires);
    this.#version++;
    return number;
  }

  /** Takes out the memory whose version has this hash. */
  remove(hash: Hash): boolean {
    const doc = this.find(hash);
    if (doc === undefined) return false;
    this.#dead[doc] = 1;
    this.#deadCount++;
    this.#ending.delete(doc);
    const partition = this.#partitions[this.partitionOf(doc)]!;
    partition.count--;
    partition.length -= this.lengthOf(doc);
    this.#version++;
    return true;
  }

  find(hash: Hash): number | undefined {
    for (const { open, start, size } of this.#layers.toReversed()) {
      const at = open.byHash.get(hash);
      if (at !== undefined && at < size && !this.isDead(start + at)) return start + at;
    }
    const doc = findHash(this.#base, hash);
    return doc < 0 || this.isDead(doc) ? undefined : doc;
  }

  doc(number: number): Doc {
    const layer = this.#layerOf(number);
    return layer ? layer.open.docs[number - layer.start]! : docAt(this.#base, number);
  }
  idOf(number: number): MemoryId {
    const layer = this.#layerOf(number);
    return layer ? layer.open.docs[number - layer.start]!.id : idAt(this.#base, number);
  }
  /** False when an id surely neither begins nor ends with a part; spares making strings of the others. */
  mayFit(number: number, part: string): boolean {
    if (this.#layerOf(number)) return true;
    const { idBytes, idStarts } = this.#base;
    const [first, last] = [part.charCodeAt(0), part.charCodeAt(part.length - 1)];
    if (first > 127 || last > 127) return true;
    return idBytes[idStarts[number]!] === first || idBytes[idStarts[number + 1]! - 1] === last;
  }
  createdOf(number: number): number {
    return this.#number("created", number);
  }
  lengthOf(number: number): number {
    return this.#number("length", number);
  }
  /** When it was said or began to be true, else when it was written. */
  dateOf(number: number): number {
    const said = this.#number("said", number);
    return Number.isNaN(said) ? this.createdOf(number) : said;
  }
  partitionOf(number: number): number {
    const layer = this.#layerOf(number);
    return layer ? layer.open.partitions[number - layer.start]! : partitionAt(this.#base, number);
  }

  /** The list of a term over the partitions that are wanted, as stretches. */
  runs(term: string, wanted: (partition: number) => boolean): Run[] {
    const runs: Run[] = [];
    const { starts, docs, weights, bounds, partitions } = this.#base;
    const at = findString(dictionaryOf(this.#base), term);
    if (at >= 0) {
      const end = starts[at + 1]!;
      let from = starts[at]!;
      for (let partition = 0; partition < partitions.length && from < end; partition++) {
        const to = firstFrom(docs, from, end, bounds[partition + 1]!);
        if (to > from && wanted(partition)) runs.push({ docs, weights, from, to, partition });
        from = to;
      }
    }
    for (const { open, start, size } of this.#layers) {
      const list = open.list(term);
      const to = list ? firstFrom(list.docs, 0, list.docs.length, size) : 0;
      // Arrays of numbers of one kind only: mixed kinds would slow down every loop over them.
      if (list && to > 0)
        runs.push({
          docs: Uint32Array.from(list.docs, (doc) => doc + start),
          weights: Uint8Array.from(list.weights),
          from: 0,
          to,
          partition: undefined,
        });
    }
    return runs;
  }

  /** All memories of the partitions that are wanted, as stretches; their lists are the numbers themselves. */
  *everything(
    wanted: (partition: number) => boolean,
  ): Generator<[from: number, to: number, sorted: boolean]> {
    const { bounds, partitions } = this.#base;
    for (let partition = 0; partition < partitions.length; partition++)
      if (wanted(partition)) yield [bounds[partition]!, bounds[partition + 1]!, true];
    for (const { start, size } of this.#layers) if (size > 0) yield [start, start + size, false];
  }

  /** The lengths of all memories, dead ones included. */
  lengths(): Uint32Array {
    const lengths = new Uint32Array(this.size);
    lengths.set(this.#base.length);
    for (const { open, start, size } of this.#layers)
      for (let at = 0; at < size; at++) lengths[start + at] = open.docs[at]!.length;
    return lengths;
  }

  /** Has enough changed that joining the parts pays? */
  get isDue(): boolean {
    return this.changes >= Math.max(FEW, sizeOf(this.#base) / 4);
  }

  /** Joins everything into one frozen part. Memories get new numbers. */
  compact(): Frozen {
    if (this.changes === 0) return this.#base;
    this.#forward ??= forwardOf(this.#base);
    this.#base = freeze(this.#base, this.#forward, this.#layers, this.#partitions, (doc) => this.isDead(doc));
    this.#forward = undefined;
    this.#layers.splice(0, this.#layers.length, { open: new Open(), start: sizeOf(this.#base), size: 0 });
    this.#dead = new Uint8Array(sizeOf(this.#base) + 64);
    this.#deadCount = 0;
    this.#partitions.splice(0, this.#partitions.length, ...partitionsOf(this.#base));
    this.#ending.clear();
    this.#noteEnding();
    this.#version++;
    return this.#base;
  }

  #noteEnding(): void {
    const { expires } = this.#base;
    for (let doc = 0; doc < expires.length; doc++)
      if (expires[doc]! !== Number.POSITIVE_INFINITY) this.#ending.set(doc, expires[doc]!);
  }

  #layerOf(number: number): Layer | undefined {
    if (number < sizeOf(this.#base)) return undefined;
    return this.#layers.findLast(({ start }) => number >= start);
  }

  #number(column: "created" | "length" | "said", number: number): number {
    const layer = this.#layerOf(number);
    return layer ? layer.open.docs[number - layer.start]![column] : this.#base[column][number]!;
  }

  #partition(scope: Scope, sensitivity: Sensitivity): number {
    const wanted = { scope, sensitivity };
    const known = this.#partitions.findIndex((partition) => samePartition(partition, wanted));
    return known >= 0 ? known : this.#partitions.push({ ...wanted, count: 0, length: 0 }) - 1;
  }
}

function partitionsOf({ partitions, bounds, length }: Frozen): Partition[] {
  return partitions.map((partition, at) => {
    const [from, to] = [bounds[at]!, bounds[at + 1]!];
    let sum = 0;
    for (let doc = from; doc < to; doc++) sum += length[doc]!;
    return { ...partition, count: to - from, length: sum };
  });
}

/** First place at or after `from` that holds a number of `least` or more. */
function firstFrom(docs: ArrayLike<number>, from: number, to: number, least: number): number {
  if (to === from || docs[to - 1]! < least) return to;
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (docs[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
