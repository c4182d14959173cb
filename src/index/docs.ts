import { type Hash, HashList, hashFromBytes, type MemoryId, type Scope } from "../core/base/index.js";
import { byCodeUnit, type Sensitivity } from "../core/ledger/index.js";
import type { Doc } from "./document.js";
import {
  authorFrom,
  type Columns,
  type DirectoryColumns,
  emptyColumns,
  Names,
  NONE,
  type PLAIN,
  writeDoc,
} from "./frozen.js";
import { type Strings, StringsBuilder, textOf } from "./strings.js";

/** A power of two: so many are packed at a time. */
const BLOCK = 4096;
const BITS = 12;

type PlainColumn = (typeof PLAIN)[number];

/**
 * What a growing part of a view knows of its memories, by their numbers. The youngest are objects, which are read fastest;
 * the others lie in columns, since thousands of objects would be half a kilobyte of the heap each.
 */
export class Docs {
  #young: Doc[] = [];
  #packed: PackedDocs | undefined;
  #packedSize = 0;
  #idLength = 0;

  get length(): number {
    return this.#packedSize + this.#young.length;
  }

  /** Of all ids together, in characters. */
  get idLength(): number {
    return this.#idLength;
  }

  push(doc: Doc): void {
    this.#idLength += doc.id.length;
    if (this.#young.push(doc) < BLOCK) return;
    this.#packed ??= new PackedDocs();
    this.#packed.addBlock(this.#young);
    this.#packedSize += BLOCK;
    this.#young = [];
  }

  at(number: number): Doc {
    return this.#youngAt(number) ?? this.#packed!.at(number);
  }
  idOf(number: number): MemoryId {
    return this.#youngAt(number)?.id ?? this.#packed!.idOf(number);
  }
  hashOf(number: number): Hash {
    return this.#youngAt(number)?.hash ?? this.#packed!.hashOf(number);
  }
  /** NaN where there is none. */
  number(column: PlainColumn, number: number): number {
    const young = this.#youngAt(number);
    return young ? (young[column] ?? Number.NaN) : this.#packed!.number(column, number);
  }

  name(column: NameColumn, number: number): string | undefined {
    const young = this.#youngAt(number);
    return young ? young[column] : this.#packed!.name(column, number);
  }

  setCommit(number: number, commit: Hash): void {
    const young = this.#youngAt(number);
    // Another part may hold the same object.
    if (young) this.#young[number - this.#packedSize] = { ...young, commit };
    else this.#packed!.setCommit(number, commit);
  }

  #youngAt(number: number): Doc | undefined {
    return number < this.#packedSize ? undefined : this.#young[number - this.#packedSize];
  }
}

interface Block {
  readonly columns: DirectoryColumns;
  readonly scopes: Uint32Array;
  readonly sensitivities: Uint32Array;
  readonly ids: Strings;
}

class PackedDocs {
  readonly #blocks: Block[] = [];
  readonly #names = new Names();
  readonly #commits = new HashList();

  addBlock(docs: readonly Doc[]): void {
    const ids = new StringsBuilder(docs.reduce((sum, { id }) => sum + id.length, 0));
    const columns = emptyColumns(BLOCK);
    const [scopes, sensitivities] = [new Uint32Array(BLOCK), new Uint32Array(BLOCK)];
    for (const [at, doc] of docs.entries()) {
      ids.add(doc.id);
      writeDoc(doc, columns, at, this.#names, this.#commits);
      scopes[at] = this.#names.of(doc.scope);
      sensitivities[at] = this.#names.of(doc.sensitivity);
    }
    this.#blocks.push({ columns, scopes, sensitivities, ids: ids.done() });
  }

  at(number: number): Doc {
    const { columns, scopes, sensitivities } = this.#blocks[number >> BITS]!;
    const at = number & (BLOCK - 1);
    const name = (column: Uint32Array) =>
      column[at] === NONE ? undefined : this.#names.all[column[at] as number];
    const commit = columns.commit[at]!;
    const turn = columns.turn[at]!;
    return {
      scope: name(scopes) as Scope,
      sensitivity: name(sensitivities) as Sensitivity,
      id: this.idOf(number),
      hash: hashFromBytes(columns.hashes, at * 32),
      version: columns.version[at]!,
      created: columns.created[at]!,
      updated: columns.updated[at]!,
      commit: commit === NONE ? undefined : this.#commits.at(commit),
      author: authorFrom(name(columns.author)!),
      expires: columns.expires[at]!,
      session: name(columns.session),
      turn: Number.isNaN(turn) ? undefined : turn,
      speaker: name(columns.speaker),
      role: name(columns.role),
      said: columns.said[at]!,
      language: name(columns.language)!,
      traits: columns.traits[at]!,
      confidence: columns.confidence[at]!,
      length: columns.length[at]!,
      saying: columns.saying[at]!,
    };
  }

  idOf(number: number): MemoryId {
    const { bytes, starts } = this.#blocks[number >> BITS]!.ids;
    const at = number & (BLOCK - 1);
    return textOf(bytes.subarray(starts[at], starts[at + 1])) as MemoryId;
  }

  hashOf(number: number): Hash {
    return hashFromBytes(this.#blocks[number >> BITS]!.columns.hashes, (number & (BLOCK - 1)) * 32);
  }

  number(column: PlainColumn, number: number): number {
    return this.#blocks[number >> BITS]!.columns[column][number & (BLOCK - 1)]!;
  }

  name(column: NameColumn, number: number): string | undefined {
    const name = this.#blocks[number >> BITS]!.columns[column][number & (BLOCK - 1)]!;
    return name === NONE ? undefined : this.#names.all[name];
  }

  setCommit(number: number, commit: Hash): void {
    this.#blocks[number >> BITS]!.columns.commit[number & (BLOCK - 1)] = this.#commits.add(commit);
  }
}

/** Memories of which is known which are older. */
export interface Aged {
  /** Do the numbers of two memories tell which is older? */
  isInOrder(a: number, b: number): boolean;
  createdOf(doc: number): number;
  scopeOf(doc: number): Scope;
  idOf(doc: number): MemoryId;
}

/** The order of lists: by creation, then scope, then id. It never depends on how a view came about. */
export const byAge =
  (view: Aged) =>
  (a: number, b: number): number =>
    view.isInOrder(a, b)
      ? a - b
      : view.createdOf(a) - view.createdOf(b) ||
        byCodeUnit(view.scopeOf(a), view.scopeOf(b)) ||
        byCodeUnit(view.idOf(a), view.idOf(b));

const NAME_COLUMNS = ["session", "speaker", "role", "language"] as const;
export type NameColumn = (typeof NAME_COLUMNS)[number];

/** In a frozen part one after the other: partition, place in `NAME_COLUMNS`, number of the name, memories, their lengths. */
const WIDTH = 5;

/** How often each name is used in each partition, counted once so that no start has to go through all memories. */
export function countUses(
  columns: Pick<Columns, NameColumn | "length" | "bounds">,
  none: number,
): Uint32Array {
  const { bounds, length } = columns;
  const rows: number[] = [];
  for (let partition = 0; partition + 1 < bounds.length; partition++)
    for (const [at, column] of NAME_COLUMNS.entries()) {
      const rowOf = new Map<number, number>();
      const names = columns[column];
      for (let doc = bounds[partition]!; doc < bounds[partition + 1]!; doc++) {
        const name = names[doc]!;
        if (name === none) continue;
        let row = rowOf.get(name);
        if (row === undefined) {
          row = rows.push(partition, at, name, 0, 0) - WIDTH;
          rowOf.set(name, row);
        }
        rows[row + 3]!++;
        rows[row + 4]! += length[doc]!;
      }
    }
  return Uint32Array.from(rows);
}

/** How many memories use each name, by its number, and how long they are together. */
export class Uses {
  readonly counts: Uint32Array;
  readonly lengths: Float64Array;

  constructor(size: number) {
    this.counts = new Uint32Array(size);
    this.lengths = new Float64Array(size);
  }

  add(name: number, count: number, length: number): void {
    if (name < 0) return;
    this.counts[name]! += count;
    this.lengths[name]! += length;
  }

  /** All that a frozen part counted in the partitions that are wanted. */
  addFrozen(uses: Uint32Array, column: NameColumn, wanted: (partition: number) => boolean): void {
    const place = NAME_COLUMNS.indexOf(column);
    for (let at = 0; at < uses.length; at += WIDTH)
      if (uses[at + 1] === place && wanted(uses[at]!)) this.add(uses[at + 2]!, uses[at + 3]!, uses[at + 4]!);
  }
}
