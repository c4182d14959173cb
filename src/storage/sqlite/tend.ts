import { setImmediate as nextTurn } from "node:timers/promises";
import type { Mutex } from "../mutex.js";
import type { Connection, State } from "./connection.js";
import type { Handle } from "./handle.js";
import { mergeSlice, noteWaiting, unnoted } from "./lookup.js";
import { isScrubDue, scrubNow } from "./remove.js";
import { FEW_ROWS } from "./watch.js";

/** Rows of bulk writes have many entries; then their number decides. */
const ENTRIES_PER_ROW = 8;
/** What one that was killed leaves to be read: notes have to be got onto the disk, so there should not be many. */
const ROWS_PER_NOTE = 512;
/** A slice blocks the event loop and the other writers; its length follows what the last one took. */
const GOAL_MS = 20;
/** What a commit writes besides its objects: the pages it only touches. */
const PAGES_PER_COMMIT = 8192;
/** After this much written by this process the log is folded into the file. */
const CHECKPOINT_BYTES = 8 * 1024 * 1024;

/** What writes leave to be done later, outside of any commit somebody waits for. */
export class Upkeep {
  readonly #handle: Handle;
  readonly #tailRows: number;
  /** Rows of a slice. Entries of many rows share pages, so few long slices cost less than many short ones. */
  #span = 64;
  #written = 0;
  /** Objects of this process that wait: who only writes has no tail to count its entries in. */
  #objects = 0;
  #hasWritten = false;

  /** More rows in the tail make merging cheaper, as more entries share a page. */
  constructor(handle: Handle, tailRows: number) {
    this.#handle = handle;
    this.#tailRows = tailRows;
  }

  wrote(bytes: number, objects: number, { seq, indexed }: State): void {
    this.#hasWritten = true;
    this.#written += bytes + PAGES_PER_COMMIT;
    this.#objects = indexed === seq ? 0 : this.#objects + objects;
  }

  /** With other readers at work it cannot be done now, but later, by the process that tends the store next. */
  erased(connection: Connection): void {
    try {
      scrubNow(connection);
    } catch {
      // The removal is committed; tend() tries again and says what is wrong.
    }
  }

  /** A writer that leaves notes all but a few rows: the next process starts the sooner. */
  async leave(): Promise<void> {
    await this.tend((step) => step(), this.#hasWritten ? FEW_ROWS : ROWS_PER_NOTE);
  }

  /** Each step runs `alone`: writers of this process go in between. */
  async tend(alone: Mutex, rowsPerNote = ROWS_PER_NOTE): Promise<void> {
    const connection = await this.#handle.open();
    if (!connection) return;
    // Only the rows that are there now: behind those who go on writing it would never end.
    if (this.#isTailLong(connection)) await this.#merge(alone, connection.state.seq);
    else while (isWorthNoting(connection, rowsPerNote) && (await alone(() => this.#note()))) await nextTurn();
    await alone(async () => this.#tidyLog());
  }

  /** Answers whether there was something to note. */
  async #note(): Promise<boolean> {
    const connection = await this.#handle.begin(false);
    return (
      connection !== undefined && this.#handle.commit(connection, () => noteWaiting(connection)) !== undefined
    );
  }

  async #tidyLog(): Promise<void> {
    const connection = await this.#handle.open();
    if (!connection) return;
    if (isScrubDue(connection)) scrubNow(connection);
    else if (this.#written > CHECKPOINT_BYTES) connection.sql("PRAGMA wal_checkpoint(PASSIVE)").all();
    else return;
    this.#handle.folded();
    this.#written = 0;
  }

  /**
   * Moves the tail up to `end` into the table, slice by slice, each in a transaction of its own. What is written meanwhile
   * waits for the next time: running after the writers would mean to index their rows one by one.
   */
  async #merge(alone: Mutex, end: number): Promise<void> {
    while (await alone(() => this.#mergeSlice(end))) await nextTurn();
    this.#objects = 0;
  }

  /**
   * Answers whether there is more. Then the next one is as long as this one lets expect, by what it took without getting
   * it onto the disk, which no length changes. A short one says little about long ones.
   */
  async #mergeSlice(end: number): Promise<boolean> {
    const connection = await this.#handle.begin(false);
    if (!connection) return false;
    let took = 1;
    const merged = this.#handle.commit(connection, () => {
      const start = performance.now();
      const slice = mergeSlice(connection, this.#span, end);
      took = Math.max(performance.now() - start, 1);
      return slice;
    });
    if (!merged) return false;
    const { state, rows } = merged;
    connection.committed(state);
    if (rows * 2 >= this.#span)
      this.#span = Math.max(1, Math.min(this.#span * 2, Math.round((rows * GOAL_MS) / took)));
    return state.indexed < end;
  }

  /** Does not load the tail: a process that only writes may never need it. */
  #isTailLong(connection: Connection): boolean {
    const { seq, indexed } = connection.refresh();
    const entries = connection.loadedTail()?.size ?? this.#objects;
    return seq - indexed > this.#tailRows || entries > this.#tailRows * ENTRIES_PER_ROW;
  }
}

function isWorthNoting(connection: Connection, rows: number): boolean {
  const { after, upTo } = unnoted(connection);
  if (upTo - after >= rows) return true;
  let entries = 0;
  connection.loadedTail()?.each(after, upTo, () => entries++);
  return entries >= rows * ENTRIES_PER_ROW;
}
