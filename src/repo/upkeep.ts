import type { Clock } from "../core/base/index.js";
import { type Storage, sweepScratchFolders } from "../storage/index.js";
import type { Chores } from "./companion.js";

/**
 * Transactions between two looks at what is to be done; each look costs a little. Those that come while one is at work
 * count for the next, and closing the store looks once more.
 */
const EVERY = 256;
/** Nodes of passing states, left by bulk writes, that are worth a walk to drop them. */
const MANY_NODES = 100_000;

/**
 * What writes leave to be done: indexes, checkpoints of the file, expired scratchpads, what a killed process left, dropping derived nodes. It happens after the
 * writers were answered, one at a time, and never fails a write; what could not be done now is done next time.
 */
export class Upkeep {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #chores: Chores | undefined;
  #running: Promise<void> | undefined;
  #waiting = 0;
  #droppable = 0;

  constructor(storage: Storage, clock: Clock, chores?: Chores) {
    this.#storage = storage;
    this.#clock = clock;
    this.#chores = chores;
  }

  after(droppable: number): void {
    this.#waiting++;
    this.#droppable += droppable;
    if (this.#waiting >= EVERY || this.#droppable >= MANY_NODES) this.#running ??= this.#run();
  }

  /** Ends when nothing is left to be done. */
  async settle(): Promise<void> {
    while (this.#waiting > 0 || this.#running) {
      this.#running ??= this.#run();
      await this.#running;
    }
  }

  /** Once, even if writes go on meanwhile: they wait for their turn as the ones before them did. */
  async #run(): Promise<void> {
    do {
      this.#waiting = 0;
      await new Promise((resume) => setImmediate(resume));
      await this.#step();
    } while (this.#waiting >= EVERY);
    this.#running = undefined;
  }

  async #step(): Promise<void> {
    try {
      await this.#chores?.sweep(this.#clock());
      await sweepScratchFolders(this.#storage);
      await this.#storage.tend();
      if (this.#droppable < MANY_NODES) return;
      this.#droppable = 0;
      await this.#chores?.thin();
    } catch {
      // Nothing is lost by upkeep left undone; a store that fails says so at the next read or write.
    }
  }
}
