import { type Hash, type JsonObject, MAIN, PalimpsestError } from "../core/base/index.js";
import type { Touch } from "../core/ledger/index.js";

export type ObjectKind = "memory" | "changeset" | "commit" | "note" | "operation" | "tombstone" | "node";

/** Immutable bytes under their hash. Adapters store and return them; checking the hash is the reader's duty. */
export interface StoredObject {
  readonly hash: Hash;
  readonly kind: ObjectKind;
  readonly bytes: Uint8Array;
  /** The bytes as the text they are the UTF-8 of, where their maker has it: then they need not be made at all. */
  readonly text?: string;
}

/** A named pointer to a commit (or, under `erased/`, a tombstone), with small data such as a branch's persona. */
export interface Ref {
  readonly target: Hash;
  readonly meta?: JsonObject;
}

/** `expect` is the target the mover saw, null for "there was none"; `next` null deletes, without `meta` keeps it. */
export interface RefMove {
  readonly name: string;
  readonly expect: Hash | null;
  readonly next: Ref | null;
  /** What `next` says beside the target is added to what is said already, key by key, instead of taking its place. */
  readonly join?: true;
}

/** A small text under a key, beside the truth. */
export interface Note {
  readonly key: string;
  readonly value: string;
}

/** What a note beside the truth is to say; null when there is to be none. */
export interface Guard {
  readonly key: string;
  readonly value: string | null;
}

/** What goes for good: not only out of reach, but out of the medium (see `scrub`). */
export interface Erasure {
  readonly objects: readonly Hash[];
  /** Hashes of texts: the vectors that came from them go, of every model. */
  readonly texts: readonly Hash[];
  /** Keys of notes beside the truth. */
  readonly notes: readonly string[];
}

export interface Transaction {
  readonly put: readonly StoredObject[];
  readonly refs: readonly RefMove[];
  readonly touch: readonly Touch[];
  /** Hashes of the operations among `put`, in order: the operation log. */
  readonly ops: readonly Hash[];
  /** The erase epoch this was judged on; a moved epoch makes it stale. */
  readonly epoch: number;
  /** Stale unless this note says this now: so a process that has lost a lease cannot act on it any more. */
  readonly guard?: Guard;
  /** Goes before anything is put, in the same transaction. The epoch grows by one, whatever was there. */
  readonly erase?: Erasure;
  /**
   * Objects of any kind that nothing names any more. The epoch stays. Only a caller that has just looked, in an exclusive
   * section, can know that a writer does not name them again.
   */
  readonly drop?: readonly Hash[];
}

export type TransactResult = "ok" | "stale";

/** Grows with every transaction of any process; `epoch` grows with every erase. */
export interface StoreVersion {
  readonly seq: number;
  readonly epoch: number;
}

/** Every event of one transaction, as `scan` tells its seq. */
export interface TouchedBy {
  readonly seq: number;
  readonly touch: readonly Touch[];
}

export interface ScannedObject extends StoredObject {
  readonly seq: number;
}

export interface ScanOptions {
  readonly kinds?: readonly ObjectKind[];
  readonly after?: number;
  /** The caller looks only at objects with one of these in their bytes: the storage may leave out all others, and need not. */
  readonly containing?: readonly Uint8Array[];
}

/** What a store takes on its medium. */
export interface StoreSize {
  readonly bytes: number;
  /** How many of them `compact` could give back, as far as is known without trying. */
  readonly free: number;
}

/** Transactions after < seq <= upTo. */
export interface SeqRange {
  readonly after: number;
  readonly upTo: number;
}

/** Vectors of one text, in int8 one after the other; derived from the text, and kept because they are slow to make. */
export interface StoredVectors {
  /** Hash of what was embedded. */
  readonly key: Hash;
  /** Hash of the text that it came from, by which they go when that is erased. */
  readonly source: Hash;
  readonly vectors: Int8Array;
}

/** A blob that is read in parts, when they are wanted. */
export interface OpenBlob {
  readonly size: number;
  /** Bytes of the reader's own; fewer than asked for where the blob was cut short meanwhile. Throws when it was closed. */
  read(from: number, to: number): Uint8Array;
  close(): void;
}

/** Larger bytes that can be made again, such as images of views. Each is written once, under a name of its own. */
export interface Blobs {
  open(name: string): Promise<OpenBlob | undefined>;
  /** What the pieces make one after the other. */
  write(name: string, pieces: readonly Uint8Array[]): Promise<void>;
  remove(name: string): Promise<void>;
  /** Every name, and how long ago it was written. */
  list(): Promise<readonly { readonly name: string; readonly ageMs: number }[]>;
}

/** What an adapter found wrong in its own files, beyond what hashes show. */
export interface StorageProblem {
  readonly problem: string;
  readonly severity: "error" | "warning";
  readonly object: string;
}

/** A look from outside, without reading what is stored. */
export interface Diagnosis {
  /** The program that keeps the bytes, such as "SQLite 3.51.3 (node:sqlite)". */
  readonly engine: string;
  readonly problems: readonly StorageProblem[];
}

/** A part of the bytes on the medium. */
export interface RawPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** It was kept from before an upgrade: nothing reads or writes it any more. */
  readonly isOld?: boolean;
  /** The store reads it, or made it of what it reads: whatever it says something stored says, unless that was taken out. */
  readonly isStored?: boolean;
}

/** A place outside of the store's reach, where bytes that it took out may still lie. */
export interface Beyond {
  readonly place: string;
  /** How they go from there. */
  readonly how: string;
}

/**
 * Where objects, refs, touch rows and the operation log live. Durable: when `transact` answers "ok" the bytes
 * survive a power cut. Atomic: all of a transaction or nothing. Safe with any number of processes.
 */
export interface Storage {
  /** For messages: a path, a URL, "memory". */
  readonly location: string;
  /** Where files that can be made again may lie beside the store; absent when there is no such place. */
  readonly directory?: string;
  /** Where they are kept by the store itself, because it has no such place that all its users share. */
  readonly blobs?: Blobs;
  /** Things a person should know, such as a network file system below the store. */
  readonly warnings: readonly string[];

  /** Does the store exist yet? The first transaction creates it; until then every read finds nothing. */
  exists(): Promise<boolean>;

  get(hash: Hash): Promise<Uint8Array | undefined>;
  /** Absent hashes are absent from the answer. */
  getMany(hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>>;
  missing(hashes: readonly Hash[]): Promise<Hash[]>;

  ref(name: string): Promise<Ref | undefined>;
  /** All refs whose name starts with `prefix`, by name. */
  refs(prefix: string): Promise<Map<string, Ref>>;

  transact(transaction: Transaction): Promise<TransactResult>;
  /** Runs `fn` with the write lock held: no other writer, here or elsewhere, commits before it ends. Keep it short. */
  exclusive<T>(
    fn: (transact: (transaction: Transaction) => Promise<TransactResult>) => Promise<T>,
  ): Promise<T>;

  version(): Promise<StoreVersion>;

  /** Every event of one key, oldest first; with `newest` at least the last so many, if there are. */
  touchOf(scope: Hash, id: Hash, newest?: number): Promise<Touch[]>;
  /** Every event whose record carried this link, likewise. */
  touchLinked(link: Hash, newest?: number): Promise<Touch[]>;
  /** Events of transactions with seq > `after`, oldest first, at most about `limit`; `seq` says how far it read. */
  touchSince(after: number, limit?: number): Promise<{ readonly seq: number; readonly touch: Touch[] }>;
  /** As `touchSince`, newest first, from `before` downwards (exclusive); the end is reached when `seq` is 0. */
  touchBefore(before: number, limit?: number): Promise<{ readonly seq: number; readonly touch: Touch[] }>;

  /** Hashes of operations, newest first, from `before` (exclusive) downwards. */
  opsBefore(before: number, limit?: number): Promise<{ readonly seq: number; readonly ops: Hash[] }>;

  /** Every stored object in the order of writing, read from the medium and not from caches. */
  scan(options?: ScanOptions): AsyncIterable<ScannedObject>;
  /** What a range of transactions wrote of some kinds, at once and in their order: far cheaper than each by its hash. */
  objectsIn(range: SeqRange, kinds: readonly ObjectKind[]): Promise<ScannedObject[]>;
  /**
   * Takes objects out: derived nodes, or anything else, which counts as an erasure. Returns how many were there. With `within` only
   * copies written by transactions after < seq <= upTo go.
   */
  remove(hashes: readonly Hash[], within?: SeqRange): Promise<number>;

  /** A small note that may be lost, such as a mark of upkeep or a lease; not part of the truth. */
  side(key: string): Promise<string | undefined>;
  /** All notes whose key starts with `prefix`. */
  sides(prefix: string): Promise<Map<string, string>>;
  /**
   * Sets a note, null deletes it. With `expect` (null for none) only if it says that now; answers whether it did. Notes
   * under `scratch/` are texts of callers: what a shorter one no longer says is to be gone from the medium.
   */
  setSide(key: string, value: string | null, expect?: string | null): Promise<boolean>;

  /**
   * Tells when somebody, here or elsewhere, may have committed: soon after it and without polling the truth all the
   * time. It may tell too often, and never keeps a process alive. Returns the way to end it.
   */
  watch(listener: () => void): () => void;
  /** Vectors of a model by key; absent keys, and those whose bytes are damaged, are absent from the answer. */
  vectors(model: string, keys: readonly Hash[]): Promise<Map<Hash, Int8Array>>;
  /** Keeps vectors, in place of those under the same keys; stale, and nothing is kept, when the epoch moved. */
  putVectors(model: string, entries: readonly StoredVectors[], epoch: number): Promise<TransactResult>;
  /** Takes out what came from these texts, of every model. Returns how many there were. */
  removeVectors(sources: readonly Hash[]): Promise<number>;

  /**
   * After an erasure: makes sure that the medium does not hold the bytes any longer, in free space or logs. False when
   * others keep it from doing so now; `tend` of any process tries again, also after a crash.
   */
  scrub(): Promise<boolean>;
  /** All bytes on the medium as they lie there, past the adapter's own reading: what a search after an erasure reads. */
  raw(): AsyncIterable<RawPart>;
  /** Where bytes that were taken out may lie, past `scrub` and `raw`; absent where there is no such place. */
  beyond?(): Promise<readonly Beyond[]>;
  size(): Promise<StoreSize>;
  /**
   * Gives free space back and writes everything anew, so that nothing is left of what was moved or removed. Others read
   * and write meanwhile. Ends early, having changed nothing that can be read, when `goOn` answers no. With `dropOld` what
   * was kept of the store from before an upgrade goes too.
   */
  compact(options?: { readonly goOn?: () => boolean; readonly dropOld?: boolean }): Promise<void>;
  /**
   * Makes the adapter's indexes again, and takes these touch rows, in order of seq, in place of all those of
   * transactions up to `upTo`. The epoch grows at the end, so that nobody goes on with what was there.
   */
  rebuild(rows: AsyncIterable<TouchedBy>, upTo: number): Promise<void>;

  /** Small upkeep after writes (indexes, checkpoints); safe to call at any time, in slices of at most 50 ms. */
  tend(): Promise<void>;
  /** What may keep the store from being read or written well, all in one answer. */
  diagnose(): Promise<Diagnosis>;
  /**
   * The adapter's own consistency: file structure, derived tables against the objects. With `goOn`, which is asked
   * every 50 ms or so and ends the check by answering no, it leaves out what cannot be interrupted.
   */
  check(options?: { readonly goOn?: () => boolean }): AsyncIterable<StorageProblem>;

  close(): Promise<void>;
}

export const closedError = (location: string): PalimpsestError =>
  new PalimpsestError("CLOSED", `The store ${location} was closed.`);

const HEAD = `heads/${MAIN}`;

/** A head that the operation log left somewhere and that is not there. */
export const lostHead = (name: string): PalimpsestError =>
  new PalimpsestError("DAMAGED", `The ref ${name} is lost, although the store has its history.`, {
    hint: "Save all that is there with `pal repair <new place>`, or restore a backup; nothing was written.",
    data: { ref: name },
  });

/**
 * The first branch, where there is one. It is made with the first operation, whichever that is, and never goes: a store
 * with operations and without it is not empty but damaged.
 */
export async function firstHead(storage: Storage): Promise<Ref | undefined> {
  const ref = await storage.ref(HEAD);
  if (ref || (await storage.opsBefore(Number.MAX_SAFE_INTEGER, 1)).ops.length === 0) return ref;
  // Somebody else may have made the first write just now.
  const made = await storage.ref(HEAD);
  if (made) return made;
  throw lostHead(HEAD);
}

/**
 * Nodes that are stored lean on nodes that were stored before. A writer that stores some asks for the age first, then looks
 * what is there, and names the age in the transaction; upkeep that drops nodes first takes the roots, then begins a new
 * age. So nothing that is stored after that leans on a state whose root is gone.
 */
const KEY = "node-age";

export async function nodeAge(storage: Storage): Promise<Guard> {
  return { key: KEY, value: (await storage.side(KEY)) ?? null };
}

/**
 * When it answers, every transaction of an older age is committed, or is stale. Two that begin one at once must not
 * begin the same: what one of them took after the other began would be leant on.
 */
export async function beginNodeAge(storage: Storage): Promise<void> {
  for (let begun = false; !begun; ) {
    const { value } = await nodeAge(storage);
    begun = await storage.setSide(KEY, String(Number(value ?? 0) + 1), value);
  }
  await storage.exclusive(async () => undefined);
}
