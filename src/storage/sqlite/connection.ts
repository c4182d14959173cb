import { pathToFileURL } from "node:url";
import { PalimpsestError } from "../../core/base/index.js";
import { BLOCKING_MS } from "./busy.js";
import { Desk } from "./desk.js";
import type { Database, Driver, Queries, Statement } from "./driver.js";
import { damaged, isDamage, outOfFiles } from "./errors.js";
import { followTail } from "./follow.js";
import { foldLeftLog } from "./left-log.js";
import { hasLog, isUnwritable, markOf } from "./read-only.js";
import { configure, identify, SCHEMA_VERSION, upgrade } from "./schema.js";
import { Tail } from "./tail.js";
import type { TouchIndex } from "./touch-index.js";

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
  #desk: Desk | undefined;
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

  /** For whoever writes, until the next one does. */
  get desk(): Desk {
    this.#desk ??= new Desk();
    return this.#desk;
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
