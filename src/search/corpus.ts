import type { Hash, MemoryId, Scope } from "../core/base/index.js";
import {
  clears,
  type MemoryRecord,
  type Sensitivity,
  type StateChange,
  sensitivityOf,
  stateDiff,
  type Tip,
} from "../core/ledger/index.js";
import { EMPTY_ROOT } from "../core/merkle/index.js";
import { VectorIndex } from "../index/index.js";
import { Newest, type Reader, type Sight, sweep } from "../repo/index.js";
import { Names } from "./embed/names.js";
import type { Embedder } from "./embed/port.js";
import { mentionOf, type Prepared, prepare } from "./embedding-text.js";

/** One live memory of a branch, and which vectors belong to it. */
export interface Doc {
  readonly scope: Scope;
  readonly id: MemoryId;
  readonly hash: Hash;
  readonly part: Part;
  readonly expiresAt: string | undefined;
  /** Undefined when there is nothing to embed. */
  readonly key: Hash | undefined;
}

/** Versions of memories with what is to be embedded of them. */
export type Batch = readonly { readonly hash: Hash; readonly prepared: Prepared }[];

/** The documents that a session sees. */
export interface Seen {
  /** A byte for each document: 1 for those seen. */
  readonly mask: Uint8Array;
  /** How many of them have a vector. */
  readonly embedded: number;
  /** Is there a vector that the session does not see? */
  readonly hidesAny: boolean;
  /** How many are to get one. */
  readonly missing: number;
}

/** As long as the version is the same, and within these times. */
interface Validity {
  readonly version: number;
  readonly from: string;
  readonly until: string;
}
const FOREVER = "~";

/** Prepared and looked up together; between two slices the event loop has its turn. */
const SLICE = 200;

/**
 * The memories of one branch and their vectors of one model. Follows the head by differences, and knows what has no
 * vector yet. A document's number is its own as long as its version lives.
 */
export class Corpus {
  readonly index: VectorIndex;
  readonly #reader: Reader;
  readonly #embedder: Embedder;
  readonly #names = new KnownNames();
  readonly #docs: (Doc | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #numbers = new Map<Hash, number>();
  readonly #newest: Newest;
  readonly #seen = new WeakMap<Sight, Seen & Validity>();
  #version = 0;
  #tip: Tip | undefined;
  #following: Promise<void> = Promise.resolve();

  constructor(reader: Reader, embedder: Embedder) {
    this.#reader = reader;
    this.#embedder = embedder;
    this.index = new VectorIndex(embedder.dimensions);
    this.#newest = new Newest(reader.storage);
  }

  /** Grows with every document and vector that comes or goes. */
  get version(): number {
    return this.#version;
  }
  /** Documents without a vector that are to get one. */
  get waiting(): number {
    return this.#newest.size;
  }
  /** Private memories that a service on another machine is not shown. */
  get withheld(): number {
    if (this.#embedder.local) return 0;
    return this.#docs.filter((doc) => doc && doc.part.sensitivity !== "normal").length;
  }
  get embedded(): number {
    return this.#docs.reduce((sum, doc, number) => (doc && this.index.has(number) ? sum + 1 : sum), 0);
  }

  /** Has it been brought to any state yet? */
  get isLoaded(): boolean {
    return this.#tip !== undefined;
  }

  doc(number: number): Doc | undefined {
    return this.#docs[number];
  }
  /** The number of a version of a memory. */
  numberOf(hash: Hash): number | undefined {
    return this.#numbers.get(hash);
  }
  names(sight: Sight) {
    return this.#names.seenBy(sight);
  }

  /** What a session sees now; made again only when something changed or ended. */
  seenBy(sight: Sight, now: string): Seen {
    const known = this.#seen.get(sight);
    if (known && known.version === this.#version && known.from <= now && now < known.until) return known;
    const seen = this.#see(sight, now);
    this.#seen.set(sight, seen);
    return seen;
  }

  #see(sight: Sight, now: string): Seen & Validity {
    const open: boolean[] = [];
    for (const part of this.#names.parts())
      open[part.at] = sight.sees(part.scope) && clears(sight.clearance, part.sensitivity);
    const mask = new Uint8Array(this.#docs.length);
    let [embedded, missing, hidesAny] = [0, 0, false];
    let until = FOREVER;
    for (const [number, doc] of this.#docs.entries()) {
      if (!doc) continue;
      if (!open[doc.part.at] || (doc.expiresAt !== undefined && doc.expiresAt <= now)) {
        hidesAny ||= this.index.has(number);
        continue;
      }
      if (doc.expiresAt !== undefined && doc.expiresAt < until) until = doc.expiresAt;
      mask[number] = 1;
      if (this.index.has(number)) embedded++;
      else if (doc.key !== undefined) missing++;
    }
    return {
      mask,
      embedded,
      hidesAny,
      missing,
      version: this.#version,
      from: now,
      until,
    };
  }

  /** Brings everything to the state of a commit. Calls wait for each other. */
  follow(tip: Tip): Promise<void> {
    const next = this.#following.then(() => this.#follow(tip));
    this.#following = next.catch(() => undefined);
    return next;
  }

  async #follow(tip: Tip): Promise<void> {
    const from = this.#tip;
    if (from?.commit.root === tip.commit.root) return;
    const start = from?.commit.root ?? EMPTY_ROOT;
    const tips = from ? [tip, from] : [tip];
    const { changes } = await this.#reader.read(tips, (source) => stateDiff(start, tip.commit.root, source));
    for (const { before } of changes) if (before !== undefined) this.#drop(before);
    const added = changes.flatMap(({ after }: StateChange) => after ?? []);
    for await (const records of sweep(this.#reader, new Set(added))) this.#names.learn(records.values());
    const changed = this.#names.settle();
    const known = changed.size === 0 ? [] : this.#hashesOf(changed);
    for await (const records of sweep(this.#reader, new Set([...known, ...added])))
      for (const part of slices([...records])) {
        await this.#place(part);
        await turn();
      }
    this.#tip = tip;
  }

  /** Gives records their documents, and those whose vectors are stored their vectors. */
  async #place(records: readonly (readonly [Hash, MemoryRecord])[]): Promise<void> {
    const placed: { number: number; hash: Hash; prepared: Prepared }[] = [];
    for (const [hash, record] of records) {
      const part = this.#names.partOf(record);
      const prepared = this.#prepare(record, part);
      const number = this.#numbers.get(hash) ?? this.#free.pop() ?? this.#docs.length;
      const known = this.#docs[number];
      if (known && known.key === prepared?.key) continue;
      const { scope, id, expiresAt } = record;
      this.#docs[number] = { scope, id, hash, part, expiresAt, key: prepared?.key };
      this.#numbers.set(hash, number);
      this.#newest.delete(hash);
      this.index.remove(number);
      this.#version++;
      if (prepared) placed.push({ number, hash, prepared });
    }
    const stored = await this.stored(placed.map(({ prepared }) => prepared.key));
    this.#version++;
    for (const { number, hash, prepared } of placed) {
      const vectors = stored.get(prepared.key);
      if (vectors) this.index.set(number, vectors);
      else this.#newest.add(hash);
    }
  }

  #prepare(record: MemoryRecord, part: Part): Prepared | undefined {
    if (part.sensitivity !== "normal" && !this.#embedder.local) return undefined;
    return prepare(record, this.#names.of(part), this.#embedder.maxTokens);
  }

  /** Vectors kept by anyone; those of another size than the model's cannot be its own. */
  async stored(keys: readonly Hash[]): Promise<Map<Hash, Int8Array>> {
    const found = await this.#reader.storage.vectors(this.#embedder.id, keys);
    for (const [key, vectors] of found)
      if (vectors.length === 0 || vectors.length % this.#embedder.dimensions !== 0) found.delete(key);
    return found;
  }

  /** The newest that have no vector, with what is to be embedded of them. */
  async next(limit: number): Promise<Batch> {
    return this.prepared(await this.#newest.next(limit));
  }

  /** What is to be embedded of some versions; those that are gone, or have nothing to embed, are left out. */
  async prepared(hashes: readonly Hash[]): Promise<Batch> {
    const records = await this.#reader.values("memory", hashes);
    for (const hash of hashes) if (!records.has(hash)) this.#newest.delete(hash);
    return [...records].flatMap(([hash, record]) => {
      const number = this.#numbers.get(hash) ?? -1;
      const doc = this.#docs[number];
      const prepared = doc && this.#prepare(record, doc.part);
      if (!prepared) return [];
      // Names may have been learnt since it was placed.
      this.#docs[number] = { ...doc, key: prepared.key };
      return [{ hash, prepared }];
    });
  }

  /** Takes in the vectors of a version, unless it is gone or is stripped differently by now. */
  fill(hash: Hash, key: Hash, vectors: Int8Array): void {
    const number = this.#numbers.get(hash);
    if (number === undefined || this.#docs[number]?.key !== key) return;
    this.index.set(number, vectors);
    this.#version++;
    this.#newest.delete(hash);
  }

  /** Puts a version that could not be embedded behind all others. */
  postpone(hash: Hash): void {
    this.#newest.postpone(hash);
  }

  #drop(hash: Hash): void {
    const number = this.#numbers.get(hash);
    if (number === undefined) return;
    this.#version++;
    this.#numbers.delete(hash);
    this.#newest.delete(hash);
    this.index.remove(number);
    this.#docs[number] = undefined;
    this.#free.push(number);
  }

  #hashesOf(parts: ReadonlySet<Part>): Hash[] {
    return this.#docs.flatMap((doc) => (doc && parts.has(doc.part) ? doc.hash : []));
  }
}

function* slices<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += SLICE) yield items.slice(at, at + SLICE);
}

const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** The memories of one scope and sensitivity: a session that sees one of them sees them all. */
interface Part {
  readonly at: number;
  readonly scope: Scope;
  readonly sensitivity: Sensitivity;
  readonly names: Names;
}

/**
 * The names that memories mention, by scope and sensitivity. A text is stripped only of names known from its own
 * scope at or below its own sensitivity: so nothing that a reader of the text does not see changes its vector.
 */
class KnownNames {
  readonly #parts = new Map<string, Part>();
  /** Made again when something was learnt. */
  #seen = new WeakMap<Sight, Names>();
  readonly #touched = new Set<Scope>();
  readonly #joined = new Map<Part, { readonly names: Names; readonly signature: string }>();

  partOf(record: MemoryRecord): Part {
    const [scope, sensitivity] = [record.scope, sensitivityOf(record)];
    const key = `${sensitivity} ${scope}`;
    let part = this.#parts.get(key);
    if (!part) {
      part = { at: this.#parts.size, scope, sensitivity, names: new Names() };
      this.#parts.set(key, part);
    }
    return part;
  }

  parts(): Iterable<Part> {
    return this.#parts.values();
  }

  /** Learns from records; what that changes is found out by `settle`, once for all of them. */
  learn(records: Iterable<MemoryRecord>): void {
    this.#seen = new WeakMap();
    for (const record of records) {
      this.partOf(record).names.learn(mentionOf(record));
      this.#touched.add(record.scope);
    }
  }

  /** Answers the parts whose texts may be stripped differently since the last call. */
  settle(): Set<Part> {
    const changed = new Set<Part>();
    for (const part of this.#parts.values()) {
      if (!this.#touched.has(part.scope)) continue;
      const names = this.#join(
        (other) => other.scope === part.scope && clears(part.sensitivity, other.sensitivity),
      );
      const { signature } = names;
      const before = this.#joined.get(part);
      if (before?.signature !== signature) changed.add(part);
      this.#joined.set(part, { names, signature });
    }
    this.#touched.clear();
    return changed;
  }

  /** For the texts of a part. */
  of(part: Part): Names {
    return this.#joined.get(part)?.names ?? part.names;
  }

  /** For a question: all that the one who asks may see. */
  seenBy(sight: Sight): Names {
    const known = this.#seen.get(sight);
    if (known) return known;
    const names = this.#join((part) => sight.sees(part.scope) && clears(sight.clearance, part.sensitivity));
    this.#seen.set(sight, names);
    return names;
  }

  #join(which: (part: Part) => boolean): Names {
    return new Names().join([...this.#parts.values()].filter(which).map(({ names }) => names));
  }
}
