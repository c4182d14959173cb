import type { Companion } from "../repo/index.js";
import type { Storage } from "../storage/index.js";
import type { Budget } from "./model/budget.js";
import type { Model } from "./model/port.js";

export interface MindOptions {
  /** Default `$PAL_MODEL` at `$PAL_MODEL_URL`; without one, rules alone. "none" means none. */
  readonly model?: Model | "none";
  readonly budget?: Budget;
}

/** Which models an open store was given, and what they cost while there was no store yet. */
export class Mind implements Companion {
  readonly options: MindOptions;
  /** Notes of costs for a store that is not there: asking a model creates none. */
  readonly early = new Map<string, string>();
  readonly #storage: Storage;

  constructor(storage: Storage, options: MindOptions = {}) {
    this.#storage = storage;
    this.options = options;
  }

  /** What was spent before there was a store is noted as soon as there is one. */
  async noteEarly(): Promise<void> {
    if (this.early.size === 0 || !(await this.#storage.exists())) return;
    for (const [key, value] of this.early)
      if (await this.#storage.setSide(key, value, null)) this.early.delete(key);
  }

  close(): Promise<void> {
    return this.noteEarly();
  }
}
