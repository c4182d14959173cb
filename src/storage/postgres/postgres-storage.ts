import type { Hash } from "../../core/base/index.js";
import { unreadable } from "../../core/base/index.js";
import type { Touch } from "../../core/ledger/index.js";
import { mutex } from "../mutex.js";
import type {
  Beyond,
  Blobs,
  Diagnosis,
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
import { blobsOf } from "./blobs.js";
import { BEYOND, checkStore, diagnose, packRows, readRaw, replaceTouch, sizeOf, vacuum } from "./care.js";
import { canBeFirst, Lock, pack, write } from "./pack.js";
import { type Run, Server, Setup } from "./server.js";
import { readSide, readSides, writeSide } from "./side.js";
import {
  opsBefore,
  readMissing,
  readObjects,
  readRef,
  readRefs,
  removeObjects,
  scanObjects,
  touchBefore,
  touchOf,
  touchSince,
} from "./tables.js";
import { type Address, parseAddress } from "./url.js";
import { readVectors, removeVectors, writeVectors } from "./vectors.js";
import { Watcher } from "./watch.js";

export interface PostgresOptions {
  /** How long locks are waited for and lost connections are tried again; default 10,000. */
  readonly patienceMs?: number;
}

const VERSION = {
  name: "version",
  text: "SELECT seq::float8 AS seq, epoch::float8 AS epoch FROM palimpsest.stores WHERE store = $1",
};
const UNLIMITED = Number.MAX_SAFE_INTEGER;
const NOTHING: StoreVersion = { seq: 0, epoch: 0 };

class PostgresStorage implements Storage {
  readonly location: string;
  readonly blobs: Blobs = blobsOf((absent, work) => this.#read(absent, work));
  readonly warnings: readonly string[] = [];
  readonly #address: Address;
  readonly #server: Server;
  readonly #setup: Setup;
  readonly #watcher: Watcher;
  /** One writer of this process at a time, so that those who wait for the lock leave connections to the readers. */
  readonly #alone = mutex();
  readonly #pending = new Set<Promise<unknown>>();
  /** A version that was there when it was seen: what is being written now comes after it. */
  #seen: number | undefined;
  #closed: Promise<void> | undefined;

  constructor(url: string, { patienceMs = 10_000 }: PostgresOptions) {
    this.#address = parseAddress(url);
    this.location = this.#address.location;
    this.#server = new Server(this.#address, patienceMs);
    this.#setup = new Setup(this.#server, this.location);
    this.#watcher = new Watcher(this.#server, this.#address, async () => (await this.version()).seq);
  }

  async exists(): Promise<boolean> {
    return (await this.#readVersion()) !== undefined;
  }

  async get(hash: Hash): Promise<Uint8Array | undefined> {
    return (await this.getMany([hash])).get(hash);
  }

  getMany(hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>> {
    return this.#read(new Map(), (run, store) => readObjects(run, store, hashes));
  }

  missing(hashes: readonly Hash[]): Promise<Hash[]> {
    return this.#read([...new Set(hashes)], (run, store) => readMissing(run, store, hashes));
  }

  ref(name: string): Promise<Ref | undefined> {
    return this.#read(undefined, (run, store) => readRef(run, store, name));
  }

  refs(prefix: string): Promise<Map<string, Ref>> {
    return this.#read(new Map(), (run, store) => readRefs(run, store, prefix));
  }

  async version(): Promise<StoreVersion> {
    return (await this.#readVersion()) ?? NOTHING;
  }

  touchOf(scope: Hash, id: Hash, newest = UNLIMITED): Promise<Touch[]> {
    return this.#read([], (run, store) => touchOf(run, store, { scope, id }, newest));
  }

  touchLinked(link: Hash, newest = UNLIMITED): Promise<Touch[]> {
    return this.#read([], (run, store) => touchOf(run, store, { link }, newest));
  }

  touchSince(after: number, limit = UNLIMITED): Promise<{ seq: number; touch: Touch[] }> {
    return this.#read({ seq: after, touch: [] }, (run, store) => touchSince(run, store, after, limit));
  }

  touchBefore(before: number, limit = UNLIMITED): Promise<{ seq: number; touch: Touch[] }> {
    return this.#read({ seq: 0, touch: [] }, (run, store) => touchBefore(run, store, before, limit));
  }

  opsBefore(before: number, limit = UNLIMITED): Promise<{ seq: number; ops: Hash[] }> {
    return this.#read({ seq: 0, ops: [] }, (run, store) => opsBefore(run, store, before, limit));
  }

  async transact(transaction: Transaction): Promise<TransactResult> {
    this.#assertOpen();
    const packed = pack(transaction);
    return this.#begun(() =>
      this.#alone(async () => {
        if (canBeFirst(transaction)) await this.#setup.ensure();
        else if (!(await this.#setup.isThere())) return "stale";
        const since = this.#seen ?? (await this.#versionNow())?.seq ?? 0;
        const target = { address: this.#address, patience: this.#server.patience };
        return this.#written(await write(this.#server.run, target, transaction, packed, { since }));
      }),
    );
  }

  async exclusive<T>(
    fn: (transact: (transaction: Transaction) => Promise<TransactResult>) => Promise<T>,
  ): Promise<T> {
    this.#assertOpen();
    return this.#begun(() =>
      this.#alone(async () => {
        await this.#setup.ensure();
        const lock = await this.#server.persist(() => Lock.take(this.#server, this.#address));
        let usable = true;
        try {
          return await fn(async (transaction) => {
            if (!usable) throw new Error("An exclusive section may transact once, before it ends.");
            usable = false;
            return this.#written(await lock.write(transaction, pack(transaction)));
          });
        } finally {
          usable = false;
          await lock.free();
        }
      }),
    );
  }

  async *scan(
    options: { readonly kinds?: readonly ObjectKind[]; readonly after?: number } = {},
  ): AsyncGenerator<ScannedObject> {
    const { seq: upTo } = await this.version();
    if (upTo === 0) return;
    const range = { after: options.after ?? 0, upTo };
    for await (const object of scanObjects(this.#server.run, this.#address.store, range, options.kinds)) {
      this.#assertOpen();
      yield object;
    }
  }

  objectsIn(range: SeqRange, kinds: readonly ObjectKind[]): Promise<ScannedObject[]> {
    return this.#read<ScannedObject[]>([], async (run, store) => {
      const found: ScannedObject[] = [];
      for await (const object of scanObjects(run, store, range, kinds)) found.push(object);
      return found;
    });
  }

  side(key: string): Promise<string | undefined> {
    return this.#read(undefined, (run, store) => readSide(run, store, key));
  }

  sides(prefix: string): Promise<Map<string, string>> {
    return this.#read(new Map(), (run, store) => readSides(run, store, prefix));
  }

  setSide(key: string, value: string | null, expect?: string | null): Promise<boolean> {
    return this.#read(false, (_run, store) => writeSide(this.#server, store, key, value, expect));
  }

  vectors(model: string, keys: readonly Hash[]): Promise<Map<Hash, Int8Array>> {
    return this.#read(new Map(), (run, store) => readVectors(run, store, model, keys));
  }

  putVectors(model: string, entries: readonly StoredVectors[], epoch: number): Promise<TransactResult> {
    return this.#read("stale", (run, store) => writeVectors(run, store, model, entries, epoch));
  }

  removeVectors(sources: readonly Hash[]): Promise<number> {
    return this.#read(0, (run, store) => removeVectors(run, store, sources));
  }

  async remove(hashes: readonly Hash[], within?: SeqRange): Promise<number> {
    const { patience } = this.#server;
    return this.#read(0, (run, store) =>
      this.#alone(() => removeObjects(run, store, hashes, within, patience)),
    );
  }

  /** Dead rows are cleared away; what the server's log, its copies and its backups hold is the business of those who run it. */
  scrub(): Promise<boolean> {
    return this.#read(true, (run) => vacuum(run));
  }

  /** As far as the server gives it out: every row of the store, in all tables. */
  async *raw(): AsyncGenerator<RawPart> {
    if (await this.exists()) yield* readRaw(this.#server.run, this.#address.store);
  }

  async beyond(): Promise<readonly Beyond[]> {
    return (await this.exists()) ? BEYOND : [];
  }

  size(): Promise<StoreSize> {
    return this.#read({ bytes: 0, free: 0 }, (run, store) => sizeOf(run, store));
  }

  async compact({ goOn = () => true }: { readonly goOn?: () => boolean } = {}): Promise<void> {
    await this.#read(true, (run) => vacuum(run, goOn));
  }

  async rebuild(rows: AsyncIterable<TouchedBy>, upTo: number): Promise<void> {
    if (!(await this.exists())) return;
    const packed = await packRows(rows);
    await this.#begun(() =>
      this.#alone(() =>
        this.#server.persist(async () => {
          const lock = await Lock.take(this.#server, this.#address);
          try {
            await lock.commit((run) => replaceTouch(run, this.#address.store, packed, upTo));
          } finally {
            await lock.free();
          }
        }),
      ),
    );
  }

  watch(listener: () => void): () => void {
    this.#assertOpen();
    return this.#watcher.add(listener);
  }

  /** The server looks after its tables by itself. */
  async tend(): Promise<void> {
    this.#assertOpen();
  }

  async diagnose(): Promise<Diagnosis> {
    this.#assertOpen();
    return this.#begun(() => diagnose(this.#server.run));
  }

  async *check({ goOn }: { readonly goOn?: () => boolean } = {}): AsyncGenerator<StorageProblem> {
    if (!(await this.exists())) return;
    yield* checkStore(this.#server.run, this.#address.store, goOn ?? (() => true));
  }

  close(): Promise<void> {
    this.#closed ??= this.#finish();
    return this.#closed;
  }

  async #finish(): Promise<void> {
    await Promise.allSettled(this.#pending);
    await this.#watcher.end();
    await this.#server.end();
  }

  /** Before the schema is there every read finds nothing, and nothing but the first write makes it. */
  async #read<T>(absent: T, read: (run: Run, store: string) => Promise<T>): Promise<T> {
    this.#assertOpen();
    return this.#begun(async () => {
      if (!(await this.#setup.isThere())) return absent;
      return read(this.#server.run, this.#address.store);
    });
  }

  /** What was begun before the end is finished. */
  async #begun<T>(work: () => Promise<T>): Promise<T> {
    const running = work();
    this.#pending.add(running);
    try {
      return await running;
    } finally {
      this.#pending.delete(running);
    }
  }

  #readVersion(): Promise<StoreVersion | undefined> {
    return this.#read(undefined, () => this.#versionNow());
  }

  async #versionNow(): Promise<StoreVersion | undefined> {
    const { rows } = await this.#server.run<{ seq: number; epoch: number }>(VERSION, [this.#address.store]);
    const version = rows[0];
    if (version) this.#seen = Math.max(this.#seen ?? 0, version.seq);
    return version && { seq: version.seq, epoch: version.epoch };
  }

  #written(seq: number | undefined): TransactResult {
    if (seq === undefined) return "stale";
    this.#seen = Math.max(this.#seen ?? 0, seq);
    this.#watcher.committed(seq);
    return "ok";
  }

  #assertOpen(): void {
    if (this.#closed) throw closedError(this.location);
  }
}

/** A store in a database, named by its URL; see docs/postgres.md. Nothing is loaded or reached before it is used. */
export function postgresStorage(url: string, options: PostgresOptions = {}): Storage {
  try {
    return new PostgresStorage(url, { ...options });
  } catch (error) {
    throw unreadable(error);
  }
}
