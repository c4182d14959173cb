import {
  type Hash,
  type HashList,
  hashFromBytes,
  type MemoryId,
  type Scope,
  writeHash,
} from "../core/base/index.js";
import { type Author, byCodeUnit, type Sensitivity } from "../core/ledger/index.js";
import type { Doc } from "./document.js";
import type { Steps } from "./slices.js";
import { type Dictionary, tableSize, textOf } from "./strings.js";

/**
 * The columns of a frozen part of a view: directory and inverted index as plain numbers and bytes. Memories are numbered
 * by partition, then in the order of creation, so that what a session sees is a few ranges of every list.
 */
export const LAYOUT = {
  /** Where each partition begins; one more entry than there are partitions. */
  bounds: Uint32Array,
  idBytes: Uint8Array,
  idStarts: Uint32Array,
  hashes: Uint8Array,
  hashTable: Uint32Array,
  version: Uint32Array,
  created: Float64Array,
  updated: Float64Array,
  commit: Uint32Array,
  commits: Uint8Array,
  author: Uint32Array,
  expires: Float64Array,
  /** Those that expire. */
  ending: Uint32Array,
  session: Uint32Array,
  turn: Float64Array,
  speaker: Uint32Array,
  role: Uint32Array,
  said: Float64Array,
  language: Uint32Array,
  traits: Uint8Array,
  confidence: Float32Array,
  length: Uint32Array,
  saying: Uint32Array,
  sayingTable: Uint32Array,
  sayingNext: Uint32Array,
  /** How often names are used; see `countUses`. */
  uses: Uint32Array,
  /** The memories of each conversation in the order in which they were said, and by the number of its name where it begins. */
  turns: Uint32Array,
  turnStarts: Uint32Array,
  termBytes: Uint8Array,
  termStarts: Uint32Array,
  termTable: Uint32Array,
  /** Where the list of each term begins. */
  starts: Uint32Array,
  docs: Uint32Array,
  weights: Uint8Array,
} as const;

type ArrayOf<T> = T extends typeof Uint8Array
  ? Uint8Array
  : T extends typeof Uint32Array
    ? Uint32Array
    : T extends typeof Float32Array
      ? Float32Array
      : Float64Array;
export type Columns = { readonly [K in keyof typeof LAYOUT]: ArrayOf<(typeof LAYOUT)[K]> };

export interface Frozen extends Columns {
  /** With the sum of the lengths of their memories. */
  readonly partitions: readonly Omit<Partition, "count">[];
  /** Authors, conversations, speakers, roles and languages, each once. */
  readonly names: readonly string[];
  /** A part of a column. Where columns are read from an image, it alone is read. */
  part<K extends keyof Columns>(column: K, from: number, to: number): Columns[K];
  /** Nothing is left to be read afterwards, so that nothing can turn out to be damaged. */
  complete(): Steps<void>;
}

/** A frozen part that was made here. */
export const inRam = (made: Columns & Pick<Frozen, "partitions" | "names">): Frozen => ({
  ...made,
  part: (column, from, to) => made[column].subarray(from, to) as Columns[typeof column],
  *complete() {},
});

/** In a column of numbers of names or commits: there is none. */
export const NONE = 0xffff_ffff;

export const sizeOf = ({ bounds }: Frozen): number => bounds[bounds.length - 1]!;
export const dictionaryOf = ({ termBytes, termStarts, termTable }: Frozen): Dictionary => ({
  bytes: termBytes,
  starts: termStarts,
  table: termTable,
});

export function partitionAt({ bounds }: Frozen, doc: number): number {
  let low = 0;
  let high = bounds.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (bounds[middle]! <= doc) low = middle;
    else high = middle;
  }
  return low;
}

export const idAt = (frozen: Frozen, doc: number): MemoryId =>
  textOf(frozen.part("idBytes", frozen.idStarts[doc]!, frozen.idStarts[doc + 1]!)) as MemoryId;

const hashBytes = (frozen: Frozen, doc: number): Uint8Array => frozen.part("hashes", doc * 32, doc * 32 + 32);
export const hashAt = (frozen: Frozen, doc: number): Hash => hashFromBytes(hashBytes(frozen, doc));

export function docAt(frozen: Frozen, doc: number): Doc {
  // An index that no array can have would be looked up as a property, and slowly.
  const name = (column: Uint32Array): string | undefined =>
    column[doc] === NONE ? undefined : frozen.names[column[doc]!];
  const { scope, sensitivity } = frozen.partitions[partitionAt(frozen, doc)]!;
  const commit = frozen.commit[doc]!;
  const turn = frozen.turn[doc]!;
  return {
    scope,
    sensitivity,
    id: idAt(frozen, doc),
    hash: hashAt(frozen, doc),
    version: frozen.version[doc]!,
    created: frozen.created[doc]!,
    updated: frozen.updated[doc]!,
    commit: commit === NONE ? undefined : hashFromBytes(frozen.commits, commit * 32),
    author: authorFrom(name(frozen.author)!),
    // Mostly nothing does, and then a column need not be read.
    expires: frozen.ending.length === 0 ? Number.POSITIVE_INFINITY : frozen.expires[doc]!,
    session: name(frozen.session),
    turn: Number.isNaN(turn) ? undefined : turn,
    speaker: name(frozen.speaker),
    role: name(frozen.role),
    said: frozen.said[doc]!,
    language: name(frozen.language)!,
    traits: frozen.traits[doc]!,
    confidence: frozen.confidence[doc]!,
    length: frozen.length[doc]!,
    saying: frozen.saying[doc]!,
  };
}

export const authorName = ({ kind, id }: Author): string => `${kind}\n${id}`;
export function authorFrom(name: string): Author {
  const cut = name.indexOf("\n");
  return { id: name.slice(cut + 1), kind: name.slice(0, cut) as Author["kind"] };
}

/** The memory whose version has this hash, or -1. */
export function findHash(frozen: Frozen, hash: Hash): number {
  const { hashTable } = frozen;
  const wanted = Buffer.from(hash, "hex");
  const mask = hashTable.length - 1;
  for (let place = wanted.readUInt32LE(0) & mask; ; place = (place + 1) & mask) {
    const doc = hashTable[place]! - 1;
    if (doc < 0) return -1;
    if (wanted.equals(hashBytes(frozen, doc))) return doc;
  }
}

export function hashTableOf(hashes: Uint8Array): Uint32Array {
  const count = hashes.length / 32;
  const table = new Uint32Array(tableSize(count));
  const mask = table.length - 1;
  const words = new DataView(hashes.buffer, hashes.byteOffset, hashes.byteLength);
  for (let doc = 0; doc < count; doc++) {
    let place = words.getUint32(doc * 32, true) & mask;
    while (table[place] !== 0) place = (place + 1) & mask;
    table[place] = doc + 1;
  }
  return table;
}

export const EMPTY: Frozen = inRam({
  ...(Object.fromEntries(
    Object.entries(LAYOUT).map(([name, Type]) => [name, new Type(0)]),
  ) as unknown as Columns),
  bounds: new Uint32Array(1),
  idStarts: new Uint32Array(1),
  hashTable: new Uint32Array(4),
  sayingTable: new Uint32Array(4),
  turnStarts: new Uint32Array(1),
  termStarts: new Uint32Array(1),
  termTable: new Uint32Array(4),
  starts: new Uint32Array(1),
  partitions: [],
  names: [],
});

/** Columns of numbers of names, and those that hold what a memory says itself. */
export const NAMED = ["author", "session", "speaker", "role", "language"] as const;
export const PLAIN = [
  "version",
  "created",
  "updated",
  "expires",
  "turn",
  "said",
  "traits",
  "confidence",
  "length",
  "saying",
] as const satisfies readonly (keyof Doc)[];

export type DirectoryColumns = ReturnType<typeof emptyColumns>;

export const emptyColumns = (count: number) => ({
  hashes: new Uint8Array(count * 32),
  version: new Uint32Array(count),
  created: new Float64Array(count),
  updated: new Float64Array(count),
  commit: new Uint32Array(count),
  author: new Uint32Array(count),
  expires: new Float64Array(count),
  session: new Uint32Array(count),
  turn: new Float64Array(count),
  speaker: new Uint32Array(count),
  role: new Uint32Array(count),
  said: new Float64Array(count),
  language: new Uint32Array(count),
  traits: new Uint8Array(count),
  confidence: new Float32Array(count),
  length: new Uint32Array(count),
  saying: new Uint32Array(count),
});

/** Writes all of a memory but its id. */
export function writeDoc(
  doc: Doc,
  columns: DirectoryColumns,
  at: number,
  names: Names,
  commits: HashList,
): void {
  writeHash(doc.hash, columns.hashes, at * 32);
  columns.commit[at] = doc.commit === undefined ? NONE : commits.add(doc.commit);
  columns.author[at] = names.of(authorName(doc.author));
  columns.session[at] = names.of(doc.session);
  columns.speaker[at] = names.of(doc.speaker);
  columns.role[at] = names.of(doc.role);
  columns.language[at] = names.of(doc.language);
  for (const column of PLAIN) columns[column][at] = doc[column] ?? Number.NaN;
}

/** Gives each name a number, the same when it comes again. */
export class Names {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(name: string | undefined): number {
    if (name === undefined) return NONE;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.all.length);
    return this.all.push(name) - 1;
  }
}

/** Memories of one scope and one sensitivity: a session sees all of them or none. */
export interface Partition {
  readonly scope: Scope;
  readonly sensitivity: Sensitivity;
  /** Live memories, and the sum of their lengths. */
  count: number;
  length: number;
}

export const samePartition = (
  a: Pick<Partition, "scope" | "sensitivity">,
  b: Pick<Partition, "scope" | "sensitivity">,
): boolean => a.scope === b.scope && a.sensitivity === b.sensitivity;

export const byPartition = (
  a: Pick<Partition, "scope" | "sensitivity">,
  b: Pick<Partition, "scope" | "sensitivity">,
): number => byCodeUnit(a.scope, b.scope) || byCodeUnit(a.sensitivity, b.sensitivity);
