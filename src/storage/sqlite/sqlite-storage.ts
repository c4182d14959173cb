import { join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Hash } from "../../core/base/index.js";
import { PalimpsestError, unreadable } from "../../core/base/index.js";
import type { Touch } from "../../core/ledger/index.js";
import { mutex } from "../mutex.js";
import type {
  Diagnosis,
  ObjectKind,
  RawPart,
  Ref,
  ScannedObject,
  ScanOptions,
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
import {
  attempt,
  checkStore,
  failure,
  fileProblems,
  integrity,
  packRows,
  replaceTouch,
  squeeze,
  waitingProblem,
  warning,
} from "./care.js";
import type { Connection, State } from "./connection.js";
import { systemDriver } from "./driver.js";
import { isDamage, storageError } from "./errors.js";
import { type FileSystemType, freeBytes, networkWarnings, rawFiles, removeOld, storeSize } from "./files.js";
import { Handle } from "./handle.js";
import { isSifted, scanRows } from "./lookup.js";
import { cutLog, removeObjects, scrub } from "./remove.js";
import {
  readMissing,
  readObject,
  readObjects,
  readRef,
  readRefs,
  readVectors,
  removeVectors,
  writeVectors,
} from "./tables.js";
import { Upkeep } from "./tend.js";
import { opsBefore, touchBefore, touchOfKey, touchOfLink, touchSince } from "./touch.js";
import {
  canBeFirst,
  type Packed,
  pack,
  readSide,
  readSides,
  remember,
  write,
  writeSide,
  writeSingle,
} from "./transact.js";
import { Watcher } from "./watch.js";

export interface SqliteOptions {
  /** How long a write waits for other processes before STORE_BUSY. */
  readonly busyLimitMs?: number;
  /** Transactions whose index may wait in memory until tend() writes it. */
  readonly tailRows?: number;
  /** A limit of the file's size, to simulate a full disk. */
  readonly maxPages?: number;
  /** Asked for the type of the file system below the store. */
  readonly fileSystemType?: FileSystemType;
}

/** So many share pages of the index when they are merged; a new process takes over what was noted of them. */
const TAIL_ROWS = 8192;
/** On a machine with far more to do than it can, a write waits for long; only a lock that nobody lets go of is an error. */
const BUSY_LIMIT_MS = 30_000;
const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** Rows handed out by scan() between two looks at the event loop. */
const SCAN_ROWS = 8;
/** The same, when SQLite leaves most of them out. */
const SIFTED_ROWS = 512;

class SqliteStorage implements Storage {
  readonly location: string;
  readonly #file: string;
  readonly #handle: Handle;
  readonly #upkeep: Upkeep;
  readonly #watcher: Watcher;
  readonly #tailRows: number;
  readonly #fileSystemType: FileSystemType | undefined;
  readonly #alone = mutex();
  #warnings: readonly string[] | undefined;
  #closed: Promise<void> | undefined;

  constructor(
    directory: string,
    { busyLimitMs = BUSY_LIMIT_MS, tailRows = TAIL_ROWS, maxPages, fileSystemType }: SqliteOptions,
  ) {
    this.location = resolve(directory);
    this.#file = join(this.location, "palimpsest.db");
    this.#handle = new Handle(this.#file, { busyLimitMs, maxPages });
    this.#upkeep = new Upkeep(this.#handle, tailRows);
    this.#watcher = new Watcher(this.#file, async () => (await this.version()).seq);
    this.#tailRows = tailRows;
    this.#fileSystemType = fileSystemType;
  }

  get directory(): string {
    return this.location;
  }

  get warnings(): readonly string[] {
    this.#warnings ??= networkWarnings(this.location, this.#fileSystemType);
    return this.#warnings;
  }

  async exists(): Promise<boolean> {
    this.#assertOpen();
    return this.#handle.exists();
  }

  get(hash: Hash): Promise<Uint8Array | undefined> {
    return this.#read(undefined, (connection) => readObject(connection, hash));
  }

  getMany(hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>> {
    return this.#read(new Map(), (connection) => readObjects(connection, hashes));
  }

  missing(hashes: readonly Hash[]): Promise<Hash[]> {
    return this.#read([...new Set(hashes)], (connection) => readMissing(connection, hashes));
  }

  ref(name: string): Promise<Ref | undefined> {
    return this.#read(undefined, (connection) => readRef(connection, name));
  }

  refs(prefix: string): Promise<Map<string, Ref>> {
    return this.#read(new Map(), (connection) => readRefs(connection, prefix));
  }

  version(): Promise<StoreVersion> {
    return this.#read({ seq: 0, epoch: 0 }, (connection) => {
      const { seq, epoch } = connection.refresh();
      return { seq, epoch };
    });
  }

  touchOf(scope: Hash, id: Hash, newest = UNLIMITED): Promise<Touch[]> {
    return this.#read([], (connection) => touchOfKey(connection, scope, id, newest));
  }

  touchLinked(link: Hash, newest = UNLIMITED): Promise<Touch[]> {
    return this.#read([], (connection) => touchOfLink(connection, link, newest));
  }

  touchSince(after: number, limit = UNLIMITED): Promise<{ seq: number; touch: Touch[] }> {
    return this.#read({ seq: after, touch: [] }, (connection) => touchSince(connection, after, limit));
  }

  touchBefore(before: number, limit = UNLIMITED): Promise<{ seq: number; touch: Touch[] }> {
    return this.#read({ seq: 0, touch: [] }, (connection) => touchBefore(connection, before, limit));
  }

  opsBefore(before: number, limit = UNLIMITED): Promise<{ seq: number; ops: Hash[] }> {
    return this.#read({ seq: 0, ops: [] }, (connection) => opsBefore(connection, before, limit));
  }

  async transact(transaction: Transaction): Promise<TransactResult> {
    this.#assertOpen();
    return this.#alone(() => {
      const done = this.#handle.atOnce((connection) => writeSingle(connection, transaction));
      return done ? this.#wrote(transaction, done.bytes, done.state) : this.#transact(transaction);
    });
  }

  async #transact(transaction: Transaction): Promise<TransactResult> {
    const packed = pack(transaction);
    const connection = await this.#handle.begin(canBeFirst(transaction));
    return connection ? this.#write(connection, packed, transaction) : "stale";
  }

  async exclusive<T>(
    fn: (transact: (transaction: Transaction) => Promise<TransactResult>) => Promise<T>,
  ): Promise<T> {
    this.#assertOpen();
    return this.#alone(async () => {
      const connection = (await this.#handle.begin(true))!;
      let usable = true;
      try {
        return await fn(async (transaction) => {
          if (!usable) throw new Error("An exclusive section may transact once, before it ends.");
          usable = false;
          return this.#write(connection, pack(transaction), transaction);
        });
      } finally {
        if (usable) this.#handle.rollback(connection);
        usable = false;
      }
    });
  }

  async *scan(options: ScanOptions = {}): AsyncGenerator<ScannedObject> {
    const { seq: end } = await this.version();
    const rows = isSifted(options) ? SIFTED_ROWS : SCAN_ROWS;
    for (let at = options.after ?? 0; at < end; at += rows)
      for (const object of await this.#read([], (connection) =>
        scanRows(connection, at, Math.min(at + rows, end), options),
      )) {
        this.#assertOpen();
        yield object;
      }
  }

  async objectsIn({ after, upTo }: SeqRange, kinds: readonly ObjectKind[]): Promise<ScannedObject[]> {
    const end = Math.min(upTo, (await this.version()).seq);
    return this.#read([], (connection) => scanRows(connection, after, end, { kinds }));
  }

  side(key: string): Promise<string | undefined> {
    return this.#read(undefined, (connection) => readSide(connection, key));
  }

  sides(prefix: string): Promise<Map<string, string>> {
    return this.#read(new Map(), (connection) => readSides(connection, prefix));
  }

  async setSide(key: string, value: string | null, expect?: string | null): Promise<boolean> {
    this.#assertOpen();
    return this.#alone(async () => {
      const connection = await this.#handle.begin(false);
      if (!connection) return false;
      const set = this.#handle.commit(connection, () => writeSide(connection, key, value, expect));
      if (set?.isShorter && key.startsWith("scratch/")) this.#upkeep.erased(connection);
      return set !== undefined;
    });
  }

  vectors(model: string, keys: readonly Hash[]): Promise<Map<Hash, Int8Array>> {
    return this.#read(new Map(), (connection) => readVectors(connection, model, keys));
  }

  async putVectors(model: string, entries: readonly StoredVectors[], epoch: number): Promise<TransactResult> {
    this.#assertOpen();
    return this.#alone(async () => {
      const connection = await this.#handle.begin(false);
      if (!connection) return "stale";
      const write = () => writeVectors(connection, model, entries, epoch);
      return this.#handle.commit(connection, write) ? "ok" : "stale";
    });
  }

  async removeVectors(sources: readonly Hash[]): Promise<number> {
    this.#assertOpen();
    return this.#alone(async () => {
      const connection = await this.#handle.begin(false);
      if (!connection) return 0;
      const { removed } = this.#handle.commit(connection, () => removeVectors(connection, sources));
      if (removed > 0) this.#upkeep.erased(connection);
      return removed;
    });
  }

  async remove(hashes: readonly Hash[], within?: SeqRange): Promise<number> {
    this.#assertOpen();
    return this.#alone(async () => {
      const connection = await this.#handle.begin(false);
      if (!connection) return 0;
      const { removed, erased, state } = this.#handle.commit(connection, () =>
        removeObjects(connection, hashes, within),
      );
      connection.committed(state);
      if (erased) this.#upkeep.erased(connection);
      return removed;
    });
  }

  async tend(): Promise<void> {
    this.#assertOpen();
    try {
      await this.#upkeep.tend(this.#alone);
    } catch (error) {
      throw storageError(error, this.location);
    }
  }

  async scrub(): Promise<boolean> {
    this.#assertOpen();
    return this.#alone(async () => {
      try {
        const connection = await this.#handle.open();
        return !connection || (await scrub(connection));
      } catch (error) {
        throw storageError(error, this.location);
      }
    });
  }

  async *raw(): AsyncGenerator<RawPart> {
    this.#assertOpen();
    yield* rawFiles(this.location);
  }

  async size(): Promise<StoreSize> {
    const free = await this.#read(0, freeBytes);
    return { bytes: await storeSize(this.location), free };
  }

  async compact({
    goOn = () => true,
    dropOld = false,
  }: {
    readonly goOn?: () => boolean;
    readonly dropOld?: boolean;
  } = {}): Promise<void> {
    this.#assertOpen();
    if (dropOld && goOn()) await removeOld(this.location);
    const { name } = await systemDriver();
    for (let at = 0, end = 1; at < end; ) {
      if (!goOn() || !(await this.exists())) return;
      const from = at;
      at = (await this.#inside((connection) => squeeze(connection, from)))?.seq ?? end;
      end = (await this.version()).seq;
      await nextTurn();
    }
    const { vacuumOutside } = await import("./outside.js");
    if (!(await vacuumOutside(this.#file, name, this.location, goOn))) return;
    await this.#alone(async () => {
      const connection = await this.#handle.open();
      if (connection) cutLog(connection);
    });
  }

  async rebuild(rows: AsyncIterable<TouchedBy>, upTo: number): Promise<void> {
    const packed = await packRows(rows);
    this.#assertOpen();
    await this.#alone(async () => {
      const connection = await this.#handle.begin(false);
      if (!connection) return;
      connection.committed(this.#handle.commit(connection, () => replaceTouch(connection, packed, upTo)));
    });
    await this.tend();
  }

  /** A write transaction past the journal's end; undefined when there is no store. */
  async #inside<T extends object>(body: (connection: Connection) => T): Promise<T | undefined> {
    this.#assertOpen();
    return this.#alone(async () => {
      const connection = await this.#handle.begin(false);
      return connection && this.#handle.commit(connection, () => body(connection));
    });
  }

  watch(listener: () => void): () => void {
    this.#assertOpen();
    return this.#watcher.add(listener);
  }

  async diagnose(): Promise<Diagnosis> {
    this.#assertOpen();
    const { name, version } = await systemDriver();
    const problems = this.warnings.map((text) => warning("network-file-system", text));
    problems.push(...(await fileProblems(this.#file)));
    const rows = await this.#read(0, (connection) => {
      const { seq, indexed } = connection.refresh();
      return seq - indexed;
    }).catch(() => 0);
    const waiting = waitingProblem(rows, this.#tailRows);
    return { engine: `SQLite ${version} (${name})`, problems: waiting ? [...problems, waiting] : problems };
  }

  /** Uses a connection of its own: one snapshot for the whole check, and nothing read from a warm cache. */
  async *check({ goOn }: { readonly goOn?: () => boolean } = {}): AsyncGenerator<StorageProblem> {
    this.#assertOpen();
    if (!(await this.exists())) return;
    let connection: Connection | undefined;
    try {
      connection = await this.#handle.connect();
      connection.sql("BEGIN").run();
      connection.refresh();
      const checked = connection;
      if (!goOn) yield* attempt("file-damaged", () => integrity(checked));
      yield* checkStore(connection, goOn ?? (() => true));
    } catch (cause) {
      const error = storageError(cause, this.location);
      if (!isDamage(error)) throw error;
      yield failure("file-damaged", error);
    } finally {
      connection?.close({ fold: false });
    }
  }

  close(): Promise<void> {
    this.#watcher.end();
    this.#closed ??= this.#alone(async () => {
      try {
        // Upkeep left undone loses nothing; a store that is damaged can still be closed.
        if (await this.#handle.isOpen()) await this.#upkeep.leave().catch(() => undefined);
      } finally {
        await this.#handle.end();
      }
    });
    return this.#closed;
  }

  async #read<T>(absent: T, read: (connection: Connection) => T): Promise<T> {
    this.#assertOpen();
    return this.#handle.read(absent, read);
  }

  #write(connection: Connection, packed: Packed, transaction: Transaction): TransactResult {
    const state = this.#handle.commit(connection, () => write(connection, packed, transaction));
    if (!state) return "stale";
    remember(connection, packed, state);
    if (transaction.erase) this.#upkeep.erased(connection);
    return this.#wrote(transaction, packed.bytes, state);
  }

  #wrote({ put }: Transaction, bytes: number, state: State): TransactResult {
    this.#upkeep.wrote(bytes, put.length, state);
    this.#watcher.committed(state.seq);
    return "ok";
  }

  #assertOpen(): void {
    if (this.#closed) throw closedError(this.location);
  }
}

export function sqliteStorage(directory: string, options: SqliteOptions = {}): Storage {
  if (typeof directory !== "string" || directory.includes("\0"))
    throw new PalimpsestError("INVALID_VALUE", "The place of a store is named by the text of a path.", {
      hint: "Give a directory.",
    });
  try {
    return new SqliteStorage(directory, { ...options });
  } catch (error) {
    throw unreadable(error);
  }
}
