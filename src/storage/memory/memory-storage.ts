import type { Hash } from "../../core/base/index.js";
import type { Touch } from "../../core/ledger/index.js";
import { mutex } from "../mutex.js";
import type {
  Diagnosis,
  Erasure,
  ObjectKind,
  RawPart,
  Ref,
  ScannedObject,
  SeqRange,
  Storage,
  StorageProblem,
  StoredVectors,
  StoreSize,
  StoreVersion,
  TouchedBy,
  Transaction,
  TransactResult,
} from "../port.js";
import { closedError } from "../port.js";

interface Entry {
  readonly seq: number;
  touch: readonly Touch[];
  readonly ops: readonly Hash[];
  /** What it brought that was not there before. */
  readonly put: readonly Hash[];
}

const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** A Buffer's own slice() would share its bytes. */
const copyOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

/** The reference for the contract: plain maps, nothing durable, nothing clever. */
class MemoryStorage implements Storage {
  readonly location = "memory";
  readonly warnings: readonly string[] = [];
  readonly #objects = new Map<Hash, ScannedObject>();
  readonly #refs = new Map<string, Ref>();
  readonly #log: Entry[] = [];
  readonly #side = new Map<string, string>();
  readonly #watchers = new Set<() => void>();
  readonly #vectors = new Map<string, StoredVectors>();
  readonly #alone = mutex();
  #epoch = 0;
  #closed = false;

  async exists(): Promise<boolean> {
    this.#assertOpen();
    return this.#log.length > 0;
  }

  async get(hash: Hash): Promise<Uint8Array | undefined> {
    this.#assertOpen();
    const object = this.#objects.get(hash);
    return object && copyOf(object.bytes);
  }

  async getMany(hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>> {
    this.#assertOpen();
    const found = new Map<Hash, Uint8Array>();
    for (const hash of hashes) {
      const object = this.#objects.get(hash);
      if (object) found.set(hash, copyOf(object.bytes));
    }
    return found;
  }

  async missing(hashes: readonly Hash[]): Promise<Hash[]> {
    this.#assertOpen();
    return [...new Set(hashes)].filter((hash) => !this.#objects.has(hash));
  }

  async ref(name: string): Promise<Ref | undefined> {
    this.#assertOpen();
    return this.#refs.get(name);
  }

  async refs(prefix: string): Promise<Map<string, Ref>> {
    this.#assertOpen();
    const found = [...this.#refs].filter(([name]) => name.startsWith(prefix));
    return new Map(found.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  }

  async transact(transaction: Transaction): Promise<TransactResult> {
    this.#assertOpen();
    return this.#alone(async () => this.#apply(transaction));
  }

  async exclusive<T>(
    fn: (transact: (transaction: Transaction) => Promise<TransactResult>) => Promise<T>,
  ): Promise<T> {
    this.#assertOpen();
    return this.#alone(async () => {
      let usable = true;
      try {
        return await fn(async (transaction) => {
          if (!usable) throw new Error("An exclusive section may transact once, before it ends.");
          usable = false;
          return this.#apply(transaction);
        });
      } finally {
        usable = false;
      }
    });
  }

  async version(): Promise<StoreVersion> {
    this.#assertOpen();
    return { seq: this.#log.length, epoch: this.#epoch };
  }

  async touchOf(scope: Hash, id: Hash, newest = UNLIMITED): Promise<Touch[]> {
    return this.#touchWhere((touch) => touch.id === id && touch.scope === scope).slice(-newest);
  }

  async touchLinked(link: Hash, newest = UNLIMITED): Promise<Touch[]> {
    return this.#touchWhere((touch) => touch.links.includes(link)).slice(-newest);
  }

  async touchSince(after: number, limit = UNLIMITED): Promise<{ seq: number; touch: Touch[] }> {
    this.#assertOpen();
    const touch: Touch[] = [];
    let seq = after;
    for (const entry of this.#log.slice(after)) {
      if (touch.length >= limit) break;
      touch.push(...entry.touch);
      seq = entry.seq;
    }
    return { seq, touch };
  }

  async touchBefore(before: number, limit = UNLIMITED): Promise<{ seq: number; touch: Touch[] }> {
    const { seq, found } = this.#downwards(before, limit, (entry) => entry.touch);
    return { seq, touch: found };
  }

  async opsBefore(before: number, limit = UNLIMITED): Promise<{ seq: number; ops: Hash[] }> {
    const { seq, found } = this.#downwards(before, limit, (entry) => entry.ops);
    return { seq, ops: found };
  }

  async *scan(
    options: { readonly kinds?: readonly ObjectKind[]; readonly after?: number } = {},
  ): AsyncGenerator<ScannedObject> {
    this.#assertOpen();
    for (const object of [...this.#objects.values()]) {
      this.#assertOpen();
      if (object.seq <= (options.after ?? 0) || options.kinds?.includes(object.kind) === false) continue;
      yield { ...object, bytes: copyOf(object.bytes) };
    }
  }

  async objectsIn({ after, upTo }: SeqRange, kinds: readonly ObjectKind[]): Promise<ScannedObject[]> {
    this.#assertOpen();
    const found: ScannedObject[] = [];
    for (const { put, seq } of this.#log.slice(Math.max(after, 0), upTo))
      for (const hash of put) {
        const object = this.#objects.get(hash);
        // It may have gone, and come again later.
        if (object?.seq === seq && kinds.includes(object.kind))
          found.push({ ...object, bytes: copyOf(object.bytes) });
      }
    return found;
  }

  async remove(hashes: readonly Hash[], within?: SeqRange): Promise<number> {
    this.#assertOpen();
    return this.#alone(async () => {
      let removed = 0;
      let erased = false;
      for (const hash of hashes) {
        const object = this.#objects.get(hash);
        if (!object || (within && (object.seq <= within.after || object.seq > within.upTo))) continue;
        this.#objects.delete(hash);
        removed++;
        erased ||= object.kind !== "node";
      }
      if (erased) this.#epoch++;
      return removed;
    });
  }

  async side(key: string): Promise<string | undefined> {
    this.#assertOpen();
    return this.#side.get(key);
  }

  async sides(prefix: string): Promise<Map<string, string>> {
    this.#assertOpen();
    return new Map([...this.#side].filter(([key]) => key.startsWith(prefix)));
  }

  async setSide(key: string, value: string | null, expect?: string | null): Promise<boolean> {
    this.#assertOpen();
    return this.#alone(async () => {
      if (expect !== undefined && (this.#side.get(key) ?? null) !== expect) return false;
      if (value === null) this.#side.delete(key);
      else this.#side.set(key, value);
      return true;
    });
  }

  watch(listener: () => void): () => void {
    this.#assertOpen();
    const own = () => listener();
    this.#watchers.add(own);
    return () => this.#watchers.delete(own);
  }

  async vectors(model: string, keys: readonly Hash[]): Promise<Map<Hash, Int8Array>> {
    this.#assertOpen();
    const found = new Map<Hash, Int8Array>();
    for (const key of keys) {
      const entry = this.#vectors.get(`${key} ${model}`);
      if (entry) found.set(key, entry.vectors.slice());
    }
    return found;
  }

  async putVectors(model: string, entries: readonly StoredVectors[], epoch: number): Promise<TransactResult> {
    this.#assertOpen();
    return this.#alone(async () => {
      if (this.#log.length === 0 || epoch !== this.#epoch) return "stale";
      for (const entry of entries)
        this.#vectors.set(`${entry.key} ${model}`, { ...entry, vectors: entry.vectors.slice() });
      return "ok";
    });
  }

  async removeVectors(sources: readonly Hash[]): Promise<number> {
    this.#assertOpen();
    return this.#alone(async () => {
      return this.#removeVectors(sources);
    });
  }

  #removeVectors(sources: readonly Hash[]): number {
    const gone = new Set(sources);
    let removed = 0;
    for (const [name, { source }] of this.#vectors)
      if (gone.has(source) && this.#vectors.delete(name)) removed++;
    return removed;
  }

  async scrub(): Promise<boolean> {
    this.#assertOpen();
    return true;
  }

  async *raw(): AsyncGenerator<RawPart> {
    this.#assertOpen();
    for (const { hash, bytes } of [...this.#objects.values()])
      yield { name: hash, bytes: copyOf(bytes), isStored: true };
    for (const [name, { vectors }] of [...this.#vectors])
      yield { name, bytes: copyOf(new Uint8Array(vectors.buffer)), isStored: true };
    const rest = { refs: [...this.#refs], side: [...this.#side], log: this.#log };
    for (const [name, value] of Object.entries(rest))
      yield { name, bytes: new Uint8Array(Buffer.from(JSON.stringify(value))), isStored: true };
  }

  async size(): Promise<StoreSize> {
    let bytes = 0;
    for await (const part of this.raw()) bytes += part.bytes.length;
    return { bytes, free: 0 };
  }

  async compact(): Promise<void> {
    this.#assertOpen();
  }

  async rebuild(rows: AsyncIterable<TouchedBy>, upTo: number): Promise<void> {
    this.#assertOpen();
    const made = new Map<number, readonly Touch[]>();
    for await (const { seq, touch } of rows) made.set(seq, structuredClone(touch));
    await this.#alone(async () => {
      for (const entry of this.#log) if (entry.seq <= upTo) entry.touch = made.get(entry.seq) ?? [];
      this.#epoch++;
    });
  }

  async tend(): Promise<void> {
    this.#assertOpen();
  }

  async diagnose(): Promise<Diagnosis> {
    this.#assertOpen();
    return { engine: "memory", problems: [] };
  }

  async *check(): AsyncGenerator<StorageProblem> {
    this.#assertOpen();
    yield* [];
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watchers.clear();
    await this.#alone(async () => undefined);
  }

  #erase({ objects, texts, notes }: Erasure): void {
    for (const hash of objects) this.#objects.delete(hash);
    for (const key of notes) this.#side.delete(key);
    this.#removeVectors(texts);
    this.#epoch++;
  }

  #apply({ put, refs, touch, ops, epoch, guard, erase, drop = [] }: Transaction): TransactResult {
    if (epoch !== this.#epoch) return "stale";
    if (guard && (this.#side.get(guard.key) ?? null) !== guard.value) return "stale";
    if (refs.some(({ name, expect }) => (this.#refs.get(name)?.target ?? null) !== expect)) return "stale";
    const seq = this.#log.length + 1;
    if (erase) this.#erase(erase);
    for (const hash of drop) this.#objects.delete(hash);
    const brought: Hash[] = [];
    for (const object of put)
      if (!this.#objects.has(object.hash)) {
        this.#objects.set(object.hash, { ...object, bytes: copyOf(object.bytes), seq });
        brought.push(object.hash);
      }
    for (const { name, next, join } of refs) {
      const before = this.#refs.get(name);
      const meta = join ? { ...before?.meta, ...next?.meta } : (next?.meta ?? before?.meta);
      if (next) this.#refs.set(name, structuredClone({ target: next.target, ...(meta && { meta }) }));
      else this.#refs.delete(name);
    }
    this.#log.push({
      seq,
      touch: touch.map((one) => ({ ...one, author: { ...one.author }, links: [...one.links] })),
      ops: [...ops],
      put: brought,
    });
    for (const listener of this.#watchers) queueMicrotask(listener);
    return "ok";
  }

  #touchWhere(fits: (touch: Touch) => boolean): Touch[] {
    this.#assertOpen();
    return this.#log.flatMap((entry) => entry.touch.filter(fits));
  }

  #downwards<T>(before: number, limit: number, pick: (entry: Entry) => readonly T[]) {
    this.#assertOpen();
    const found: T[] = [];
    for (let at = Math.min(before - 1, this.#log.length); at > 0; at--) {
      const entry = this.#log[at - 1]!;
      if (found.length >= limit) return { seq: entry.seq + 1, found };
      found.push(...pick(entry).toReversed());
    }
    return { seq: 0, found };
  }

  #assertOpen(): void {
    if (this.#closed) throw closedError(this.location);
  }
}

export const memoryStorage = (): Storage => new MemoryStorage();
