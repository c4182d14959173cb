import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { PalimpsestError } from "../../core/base/index.js";
import type { Database, Driver, Queries, Statement } from "./driver.js";
import { damaged, isBusy, isDamage, outOfFiles, sqliteCode } from "./errors.js";
import { RowBuffer } from "./row-buffer.js";
import { APPLICATION_ID, configure, DURABLE, identify, SCHEMA_VERSION, upgrade } from "./schema.js";
import { Tail } from "./tail.js";
import type { TouchIndex } from "./touch-index.js";
import { followTail } from "./watch.js";
import { realOf } from "./whereabouts.js";

/** What a connection knows of the store as of its last look. */
export interface State {
  readonly seq: number;
  readonly epoch: number;
  /** Rows up to this seq are in `lookup`. */
  readonly indexed: number;
}

const STATE = `SELECT coalesce((SELECT max(seq) FROM journal), 0) AS seq,
  (SELECT value FROM meta WHERE key = 'epoch') AS epoch, (SELECT value FROM meta WHERE key = 'indexed') AS indexed`;

/** Whether the numbers can be right is for check() to say; without any nothing can be done. */
function wholeState(state: State): State {
  const { seq, epoch, indexed } = state;
  if ([seq, epoch, indexed].every((mark) => typeof mark === "number")) return state;
  throw damaged("The marks of the store are damaged.");
}

/** One open database with its prepared statements and the part of the index that lives in RAM. */
export class Connection implements Queries {
  readonly #db: Database;
  readonly #statements = new Map<string, Statement<unknown>>();
  /** Touch data of rows with many events, by seq. What a row says of events changes with the epoch only. */
  readonly largeRows = new Map<number, TouchIndex>();
  /** What refs say beside their target, as far as this connection knows; good as long as nobody else commits. */
  readonly refMeta = new Map<string, string | null>();
  #rowBuffer: RowBuffer | undefined;
  #state: State = { seq: 0, epoch: 0, indexed: 0 };
  #dataVersion = -1;
  #tail: Tail | undefined;
  /** Of one that may only read: is there something else to be read by now? */
  isOutdated: (() => boolean) | undefined;
  /** What a crash left in the log could not be made to last: nothing is written behind it before it does. */
  owesFold = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Prepared once per text. */
  sql<Row = never>(text: string): Statement<Row> {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = this.#db.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement as Statement<Row>;
  }

  /** The same for one that leans on things of this connection alone, made with its first use. */
  sqlAfter(setUp: readonly string[], text: string): Statement<never> {
    if (!this.#statements.has(text)) for (const step of setUp) this.#db.exec(step);
    return this.sql(text);
  }

  /** One writer uses it at a time, until the next one does. */
  get rowBuffer(): RowBuffer {
    this.#rowBuffer ??= new RowBuffer();
    return this.#rowBuffer;
  }

  get state(): State {
    return this.#state;
  }

  /** Looks whether another connection committed: one cheap pragma when none did. */
  refresh(): State {
    const { data_version } = this.sql<{ data_version: number }>("PRAGMA data_version").get()!;
    if (data_version !== this.#dataVersion) {
      this.refMeta.clear();
      this.committed(wholeState(this.sql<State>(STATE).get()!));
      this.doubtTail();
      this.#dataVersion = data_version;
    }
    return this.#state;
  }

  /** Takes note of a newer state. An own commit has to say so: the data version shows only those of others. */
  committed(state: State): void {
    // Rows may say something else of their events now.
    if (state.epoch !== this.#state.epoch) {
      this.largeRows.clear();
      this.#tail = undefined;
    }
    if (state.indexed < this.#state.indexed) this.#tail = undefined;
    else if (this.#tail && state.indexed > this.#state.indexed) this.#tail.prune(state.indexed);
    this.#state = state;
  }

  /** The tail, complete for the state last seen. Built at the first use. */
  tail(): Tail {
    this.#tail ??= new Tail(this.#state.indexed);
    if (this.#tail.upTo < this.#state.seq) followTail(this, this.#tail, this.#state);
    return this.#tail;
  }

  /** The tail if it is loaded and complete, to be extended without reading. */
  loadedTail(): Tail | undefined {
    return this.#tail?.upTo === this.#state.seq ? this.#tail : undefined;
  }

  /** Something may have been taken out of rows that are there. */
  doubtTail(): void {
    this.#tail?.doubt(this.#state.seq);
  }

  begin(): void {
    if (this.owesFold) {
      this.fold();
      this.owesFold = false;
    }
    this.sql("BEGIN IMMEDIATE").run();
  }

  commit(): void {
    this.sql("COMMIT").run();
  }

  rollback(): void {
    this.refMeta.clear();
    this.sql("ROLLBACK").run();
  }

  /** Brings what is in the log into the file. Busy is an error here: it is not done then. */
  fold(): void {
    const [done] = this.sql<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)").all();
    if (done?.busy !== 0)
      throw new PalimpsestError("STORE_BUSY", "Others keep the log of the store from being folded.");
  }

  /**
   * Ends every lock and, when all is well, folds the log into the file. Both by hand, because the close of
   * `@photostructure/sqlite` 1.x only takes effect when the garbage collector has met the last statement.
   */
  close({ fold }: { readonly fold: boolean }): void {
    for (const last of fold ? ["ROLLBACK", "PRAGMA wal_checkpoint(TRUNCATE)"] : ["ROLLBACK"]) {
      try {
        this.#db.exec(last);
      } catch {
        // No transaction was open, or others are at work on the log: it stays, and is as durable as the file.
      }
    }
    this.#statements.clear();
    this.#db.close();
  }
}

export interface OpenOptions {
  /** It is not known that this process has the file open already. */
  readonly isFirst?: boolean;
  readonly maxPages?: number | undefined;
}

/** Opens a file that is there; never creates one. Where nothing may be written, it can be read all the same. */
export function openConnection(driver: Driver, file: string, options: OpenOptions): Connection {
  const failed = options.isFirst ? foldLeftLog(driver, file) : undefined;
  try {
    const connection = connect(driver, file, "mode=rw", (db) => prepare(db, file, options));
    connection.owesFold = failed !== undefined;
    return connection;
  } catch (error) {
    const full = outOfFiles();
    if (full) throw full;
    if (!isUnwritable(error)) throw error;
    return openReading(driver, file, error);
  }
}

function openReading(driver: Driver, file: string, first: unknown): Connection {
  const withLog = hasLog(file);
  try {
    // Before it is opened: what changes from here on is not what it has seen.
    const mark = markOf(file, withLog);
    const mode = withLog ? "mode=ro" : "mode=ro&immutable=1";
    const connection = connect(driver, file, mode, (db) => prepareReading(db, file));
    connection.isOutdated = () => markOf(file, withLog) !== mark;
    return connection;
  } catch (error) {
    if (error instanceof PalimpsestError || isDamage(error)) throw error;
    if (!hasLog(file)) throw first;
    throw new PalimpsestError("STORE_READONLY", `The store ${file} was left in the middle of a write.`, {
      hint: "To read it, let its owner open it once, or copy its directory to where you may write.",
      cause: error,
    });
  }
}

function connect(driver: Driver, file: string, mode: string, prepareIt: (db: Database) => void): Connection {
  const db = driver.open(`${pathToFileURL(file).href}?${mode}`, { timeout: BLOCKING_MS });
  try {
    prepareIt(db);
    const connection = new Connection(db);
    connection.refresh();
    return connection;
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepare(db: Database, file: string, options: OpenOptions): void {
  const { version } = identify(db, file);
  configure(db, options);
  if (version < SCHEMA_VERSION) upgrade(db, file, version);
}

function prepareReading(db: Database, file: string): void {
  if (identify(db, file).version < SCHEMA_VERSION)
    throw new PalimpsestError(
      "STORE_READONLY",
      `The store ${file} was written by an older program, and may not be written to bring it up to date.`,
    );
}

/** Alone is who gets the whole file for itself: everybody else who has it open holds a part of it. */
const ALONE = `PRAGMA locking_mode = EXCLUSIVE;
  SELECT CASE WHEN (SELECT application_id FROM pragma_application_id) = ${APPLICATION_ID}
    AND (SELECT user_version FROM pragma_user_version) <= ${SCHEMA_VERSION} THEN 0 ELSE abs(-9223372036854775808) END;`;

/** Two that come at once stand in each other's way; one of them is alone a moment later. */
const TRIES = 2;

/**
 * A log that nobody has open was left by a crash. What it holds may be in the memory of the system only: the crash may have
 * been that the disk failed to take it, and the system does not try again. Who goes on behind such a log loses with the next
 * power cut what came after it, however well that was written. So it goes into the file first, which is then made durable.
 * Answers the error when that failed: then nothing may be acknowledged yet.
 */
function foldLeftLog(driver: Driver, file: string): unknown {
  for (let tries = 0; tries < TRIES && hasLog(file); tries++) {
    try {
      const db = driver.open(`${pathToFileURL(file).href}?mode=rw`, { timeout: tries });
      // Nothing is prepared, so that it is closed, and lets go of the file, at once.
      try {
        db.exec(ALONE);
        db.exec(`${DURABLE}; PRAGMA wal_checkpoint(TRUNCATE)`);
      } finally {
        db.close();
      }
      return undefined;
    } catch (error) {
      if (!isBusy(error)) return error;
    }
  }
  return undefined;
}

/** How long SQLite itself may wait for a lock: it does so by blocking the event loop. */
const BLOCKING_MS = 5;

/** Tries, at once if possible, until the lock is free. */
export function whenFree<T>(
  attempt: () => T | Promise<T>,
  limitMs: number,
  location: string,
): T | Promise<T> {
  try {
    const result = attempt();
    return result instanceof Promise
      ? result.catch((error) => retry(error, attempt, limitMs, location))
      : result;
  } catch (error) {
    return retry(error, attempt, limitMs, location);
  }
}

/**
 * The waits are asynchronous and random, so that many processes do not march in step and this one stays
 * responsive.
 */
async function retry<T>(
  first: unknown,
  attempt: () => T | Promise<T>,
  limitMs: number,
  location: string,
): Promise<T> {
  const start = performance.now();
  let failure = first;
  for (let tries = 0; ; tries++) {
    if (!isBusy(failure)) throw failure;
    const waited = performance.now() - start;
    if (waited >= limitMs)
      throw new PalimpsestError("STORE_BUSY", `The store ${location} stayed locked for ${limitMs} ms.`, {
        cause: failure,
      });
    await sleep(Math.random() * longestWait(tries, waited));
    try {
      return await attempt();
    } catch (error) {
      failure = error;
    }
  }
}

/** Longer and longer, because many are waiting; but who has waited for long asks more often than who came later. */
export const longestWait = (tries: number, waitedMs: number): number =>
  waitedMs > PATIENCE_MS ? SHORT_MS : Math.min(2 ** (tries + 1), LONG_MS);

const PATIENCE_MS = 1_000;
const SHORT_MS = 2;
const LONG_MS = 50;

/** READONLY, and CANTOPEN: in a folder that may not be written SQLite cannot make the files beside the store. */
const UNWRITABLE: ReadonlySet<number | undefined> = new Set([8, 14]);

const isUnwritable = (error: unknown): boolean => UNWRITABLE.has(sqliteCode(error));

/**
 * A log with content belongs to somebody who writes, or was left by one who was killed: to read it, the files beside the store
 * must be readable too. Without one the file is all there is.
 */
export const hasLog = (file: string): boolean => sizeOf(`${realOf(file)}-wal`) > 0;

/** Changes when what a connection reads is no longer what it has opened: the file itself, or with it the log that belongs to it. */
function markOf(file: string, withLog: boolean): string {
  const { ino, size, mtimeMs } = statSync(file);
  const log = statSync(`${realOf(file)}-wal`, { throwIfNoEntry: false });
  return withLog ? `${ino} ${log?.ino}` : `${ino} ${size} ${mtimeMs} ${log?.size ?? 0}`;
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
