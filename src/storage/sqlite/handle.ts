import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, open, rename, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { PalimpsestError } from "../../core/base/index.js";
import { makeDirectory } from "../make-directory.js";
import { closedError } from "../port.js";
import { type Connection, hasLog, openConnection, whenFree } from "./connection.js";
import { type Driver, systemDriver } from "./driver.js";
import { damaged, storageError } from "./errors.js";
import { APPLICATION_ID, migrate } from "./schema.js";
import { danglingLink, type Lost, Whereabouts } from "./whereabouts.js";

export interface HandleOptions {
  readonly busyLimitMs: number;
  readonly maxPages?: number | undefined;
}

/** The least page of SQLite, and every database has one. */
const SMALLEST = 512;

/** Nothing can look into a file that cannot be opened, but what lies in it may be whole. */
const UNOPENED = {
  hint: "Save what is left with `pal repair <new place>`, or bring back a backup with `pal restore`; the file was left as it is.",
};

/** The life of the one connection: opened when first needed, given up after a failure, opened again. */
export class Handle {
  readonly #file: string;
  readonly #location: string;
  readonly #options: HandleOptions;
  readonly #whereabouts: Whereabouts;
  #connection: Connection | undefined;
  #opening: Promise<Connection | undefined> | undefined;
  #ended = false;
  /** No store was there in this turn of the event loop: it need not be looked for again. */
  #isAbsent = false;

  constructor(file: string, options: HandleOptions) {
    this.#file = file;
    this.#location = dirname(file);
    this.#options = options;
    this.#whereabouts = new Whereabouts(file);
  }

  /** Is there a store? One that was open here and has gone is none that could be made anew. */
  async exists(): Promise<boolean> {
    this.#assertThere(this.#connection, { now: true });
    return (await this.fileSize()) !== undefined;
  }

  /** By stat only: another descriptor on the file would drop SQLite's locks when it is closed. */
  async fileSize(): Promise<number | undefined> {
    try {
      return (await stat(this.#file)).size;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const link = code === "ENOENT" ? danglingLink(this.#file) : undefined;
      if (link !== undefined)
        throw new PalimpsestError("STORE_UNREADABLE", `The link ${link} leads nowhere.`, {
          hint: "Bring back what it leads to (is a disk missing?), or choose another directory with --store.",
          cause: error,
        });
      if (code === "ENOENT") return undefined;
      if (code === "EACCES")
        throw new PalimpsestError(
          "STORE_UNREADABLE",
          `The directory of the store may not be entered: ${this.#location}.`,
          { hint: "See who owns it (`ls -ld`), or choose another directory with --store.", cause: error },
        );
      throw storageError(error, this.#location);
    }
  }

  /** The open connection, undefined when there is no store. */
  open(): Connection | Promise<Connection | undefined> {
    if (this.#connection) return this.#connection;
    if (this.#ended) throw closedError(this.#location);
    this.#opening ??= this.#openFile().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #openFile(): Promise<Connection | undefined> {
    const size = await this.fileSize();
    if (size === undefined && !this.#whereabouts.isKnown) {
      this.#isAbsent = true;
      setImmediate(() => {
        this.#isAbsent = false;
      });
      return undefined;
    }
    // Where there are no hard links a store is empty for a moment while it is created.
    if (size === 0) await sleep(100);
    for (;;) {
      const before = this.#whereabouts.look();
      if (!before) return undefined;
      const connection = await this.#connect({ isFirst: true });
      // What is read as if nobody wrote is read again when another file takes its place.
      if (connection.isOutdated || this.#whereabouts.opened(before)) {
        this.#connection = connection;
        return connection;
      }
      connection.close({ fold: false });
    }
  }

  /** A further connection to a store that is there. */
  async connect(): Promise<Connection> {
    this.#assertThere(this.#connection, { now: true });
    return this.#connect();
  }

  async #connect(how: { readonly isFirst?: boolean } = {}): Promise<Connection> {
    const size = await this.fileSize();
    // SQLite takes one that was cut before the end of its header for another program's.
    if (size !== undefined && size < SMALLEST)
      throw damaged(
        `The file of the store is ${size === 0 ? "empty" : "cut short"}: ${this.#file}.`,
        UNOPENED,
      );
    const driver = await systemDriver();
    try {
      return await this.whenFree(() => openConnection(driver, this.#file, { ...this.#options, ...how }));
    } catch (cause) {
      const error = storageError(cause, this.#location);
      if (!(error instanceof PalimpsestError) || error.code !== "DAMAGED") throw error;
      throw new PalimpsestError("DAMAGED", error.message, { ...UNOPENED, cause: error.cause ?? error });
    }
  }

  /**
   * What is open has to be what the path leads to. If it is not, what was acknowledged goes into the file, so that it is in
   * there wherever that lies, and the connection stays: as long as it is open, no other file can be taken for this one.
   */
  #assertThere(connection: Connection | undefined, how?: { readonly now: boolean }): void {
    if (!connection || connection.isOutdated) return;
    const lost = this.#whereabouts.lost(how);
    if (!lost) return;
    this.#save(connection, lost);
    throw lost.error;
  }

  #save(connection: Connection, { canFold }: Lost): void {
    if (!canFold) return;
    try {
      connection.fold();
    } catch {
      // It stays in the log, wherever that lies.
    }
  }

  /** Own work on the file: its times say no longer that somebody else was at it. */
  folded(): void {
    this.#whereabouts.lost({ now: true });
  }

  /** Takes the write lock, on a new store when `mayCreate`; undefined when there is none. */
  async begin(mayCreate: boolean): Promise<Connection | undefined> {
    try {
      // What kept it from being opened for writing may have passed: too few descriptors, for one.
      if (this.#connection?.isOutdated) this.#giveUp(this.#connection);
      this.#assertThere(this.#connection);
      let connection = this.#connection ?? (await this.open());
      if (!connection) {
        if (!mayCreate) return undefined;
        await createStore(await systemDriver(), this.#file);
        connection = (await this.open())!;
      }
      const opened = connection;
      const begun = this.whenFree(() => opened.begin());
      if (begun) await begun;
      return opened;
    } catch (error) {
      throw storageError(error, this.#location);
    }
  }

  /** A write that begins and commits by itself, where a connection is open; undefined when it was not made. */
  atOnce<T extends object>(write: (connection: Connection) => T | undefined): T | undefined {
    const connection = this.#connection;
    if (!connection || connection.isOutdated || connection.owesFold) return undefined;
    this.#assertThere(connection);
    try {
      return write(connection);
    } catch (error) {
      this.#giveUp(connection);
      throw storageError(error, this.#location);
    }
  }

  /**
   * Runs the body of a transaction that was begun and commits it, or rolls it back when the answer is undefined.
   * After any failure the connection is given up: a handle that failed to commit is not to be trusted again.
   */
  commit<T extends object | undefined>(connection: Connection, body: () => T): T {
    try {
      const result = body();
      if (result === undefined) connection.rollback();
      else connection.commit();
      return result;
    } catch (error) {
      this.#giveUp(connection);
      throw storageError(error, this.#location);
    }
  }

  rollback(connection: Connection): void {
    try {
      connection.rollback();
    } catch {
      this.#giveUp(connection);
    }
  }

  #giveUp(connection: Connection): void {
    this.#connection = undefined;
    connection.close({ fold: false });
  }

  /** Reads without waiting for writers of this process: they commit without a pause in between. */
  async read<T>(absent: T, read: (connection: Connection) => T): Promise<T> {
    try {
      return await this.whenFree(() =>
        this.#connection ? this.#readFrom(this.#connection, absent, read) : this.#openAndRead(absent, read),
      );
    } catch (error) {
      throw storageError(error, this.#location);
    }
  }

  async #openAndRead<T>(absent: T, read: (connection: Connection) => T): Promise<T> {
    if (this.#isAbsent && !this.#ended) return absent;
    const connection = await this.open();
    return connection ? this.#readFrom(connection, absent, read) : absent;
  }

  /** Who may only read does so as if nobody wrote: what changed under it, or before it came, is read again. */
  #readFrom<T>(connection: Connection, absent: T, read: (connection: Connection) => T): T | Promise<T> {
    if (!connection.isOutdated) {
      this.#assertThere(connection);
      return read(connection);
    }
    try {
      const found = connection.isOutdated() ? undefined : { value: read(connection) };
      if (found && !connection.isOutdated()) return found.value;
    } catch (error) {
      if (!connection.isOutdated()) throw error;
    }
    this.#giveUp(connection);
    return this.#openAndRead(absent, read);
  }

  whenFree<T>(attempt: () => T | Promise<T>): T | Promise<T> {
    return whenFree(attempt, this.#options.busyLimitMs, this.#location);
  }

  /** Is there a connection to look after before the end? */
  async isOpen(): Promise<boolean> {
    await this.#opening?.catch(() => undefined);
    return this.#connection !== undefined;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#opening?.catch(() => undefined);
    const connection = this.#connection;
    this.#connection = undefined;
    if (!connection) return;
    const lost = connection.isOutdated ? undefined : this.#whereabouts.lost({ now: true });
    if (lost) this.#save(connection, lost);
    connection.close({ fold: !lost });
  }
}

/**
 * The file appears whole or not at all: it is built under another name, made durable, and given its name by a
 * hard link, which fails when another process was faster. That one's file is then as good as ours.
 */
async function createStore(driver: Driver, file: string): Promise<void> {
  const directory = dirname(file);
  assertNoLog(file);
  await makeDirectory(directory, 0o700);
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await (await open(temporary, "wx", 0o600)).close();
    build(driver, temporary);
    await sync(temporary, "r+");
    await name(temporary, file);
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) await ignore(unlink(temporary + suffix), "ENOENT");
  }
  await sync(directory, "r");
}

/** SQLite would write the log of a store that is gone into the new file. */
export function assertNoLog(file: string): void {
  // In this order: a process that creates the store just now has its file before its log.
  if (!hasLog(file) || existsSync(file)) return;
  throw damaged(`The store ${file} is not there, but a log of one is: ${file}-wal.`, {
    hint: "Put the store's file back beside its log; or remove the log, if the store was removed on purpose.",
  });
}

/** WAL comes last, and no statement is prepared: so all is in the one file when it is closed. */
function build(driver: Driver, path: string): void {
  const db = driver.open(`${pathToFileURL(path).href}?mode=rw`, { timeout: 0 });
  try {
    db.exec(`PRAGMA page_size = 4096; PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec("PRAGMA synchronous = FULL; BEGIN IMMEDIATE");
    migrate(db, 0);
    db.exec("COMMIT; PRAGMA journal_mode = WAL");
  } finally {
    db.close();
  }
}

async function name(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST") return;
    if (!["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"].includes(code ?? "")) throw error;
    // No hard links here (exFAT, some network mounts): the process that makes the empty file may replace it.
    try {
      await (await open(file, "wx", 0o600)).close();
    } catch (lost) {
      if ((lost as NodeJS.ErrnoException).code === "EEXIST") return;
      throw lost;
    }
    await rename(temporary, file);
  }
}

/** Directories cannot be synced everywhere (Windows); what cannot be done is not an error. */
async function sync(path: string, flags: "r" | "r+"): Promise<void> {
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (["EISDIR", "EPERM", "EACCES"].includes(error.code ?? "")) return undefined;
    throw error;
  });
  try {
    await handle?.sync().catch((error: NodeJS.ErrnoException) => {
      if (!["EISDIR", "EPERM", "EINVAL", "ENOTSUP"].includes(error.code ?? "")) throw error;
    });
  } finally {
    await handle?.close();
  }
}

async function ignore(work: Promise<void>, code: string): Promise<void> {
  await work.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== code) throw error;
  });
}
