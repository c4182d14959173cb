import { thinNodes } from "../care/index.js";
import type { Storage } from "../storage/index.js";

/** Transactions between two looks at what is to be done; each look costs a little. */
const EVERY = 64;

/**
 * What writes leave to be done: indexes, checkpoints of the file, dropping derived nodes. It happens after the
 * writers were answered, one at a time, and never fails a write; what could not be done now is done next time.
 */
export class Upkeep {
  readonly #storage: Storage;
  #running: Promise<void> | undefined;
  #waiting = 0;
  #isThinningDue = false;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  after(isCheckpoint: boolean): void {
    this.#waiting++;
    this.#isThinningDue ||= isCheckpoint;
    if (isCheckpoint || this.#waiting >= EVERY) this.#running ??= this.#run();
  }

  async settle(): Promise<void> {
    if (this.#waiting > 0) this.#running ??= this.#run();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting > 0) {
      this.#waiting = 0;
      await new Promise((resume) => setImmediate(resume));
      await this.#step();
    }
    this.#running = undefined;
  }

  async #step(): Promise<void> {
    try {
      const isThinningDue = this.#isThinningDue;
      this.#isThinningDue = false;
      if (isThinningDue) await thinNodes(this.#storage);
      await this.#storage.tend();
    } catch {
      // Nothing is lost by upkeep left undone; a store that fails says so at the next read or write.
    }
  }
}
