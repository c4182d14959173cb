import { type Hash, HashList, hashFromBytes, type MemoryId, type Scope } from "../core/base/index.js";
import type { Sensitivity } from "../core/ledger/index.js";
import { type DirectoryColumns, emptyColumns, Names, type PLAIN, writeDoc } from "./directory-columns.js";
import type { Doc } from "./document.js";
import { authorFrom, NONE } from "./frozen.js";
import { type Strings, StringsBuilder, textOf } from "./strings.js";
import type { NameColumn } from "./uses.js";

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
