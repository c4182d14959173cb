import { type Clock, timestamp } from "../base/index.js";
import {
  budgetFrom,
  CostLedger,
  type MindOptions,
  type Model,
  modelFrom,
  type Purse,
} from "../mind/index.js";
import type { Storage } from "../storage/index.js";
import type { Companion } from "./companion.js";

interface MindHost {
  readonly storage: Storage;
  readonly clock: Clock;
}

/** The models of an open store and what they cost. */
export class Mind implements Companion {
  readonly #host: MindHost;
  readonly #options: MindOptions;
  /** What was spent while there was no store yet: asking a model creates none. */
  readonly #early = new Map<string, string>();

  constructor(host: MindHost, options: MindOptions = {}) {
    this.#host = host;
    this.#options = options;
  }

  /** The model a call uses: the one named for it, else the store's, else the environment's. */
  model(named?: Model | "none"): Model | undefined {
    const chosen = named ?? this.#options.model ?? modelFrom(process.env);
    return chosen === "none" ? undefined : chosen;
  }

  /** The cost ledger of the store: notes beside the memories, shared by all its processes. */
  ledger(): CostLedger {
    const today = () => timestamp(this.#host.clock()).slice(0, 10);
    return new CostLedger(this.#purse(), budgetFrom(process.env, this.#options.budget), today);
  }

  /** What was spent before there was a store is noted as soon as there is one. */
  async noteEarly(): Promise<void> {
    const { storage } = this.#host;
    if (this.#early.size === 0 || !(await storage.exists())) return;
    for (const [key, value] of this.#early)
      if (await storage.setSide(key, value, null)) this.#early.delete(key);
  }

  close(): Promise<void> {
    return this.noteEarly();
  }

  #purse(): Purse {
    const { storage } = this.#host;
    const early = this.#early;
    return {
      read: async (key) => (await storage.side(key)) ?? early.get(key),
      swap: async (key, value, expect) => {
        if (!(await storage.exists())) {
          early.set(key, value);
          return true;
        }
        const isKept = early.has(key) && (await storage.side(key)) === undefined;
        const done = await storage.setSide(key, value, isKept ? null : expect);
        if (done) early.delete(key);
        return done;
      },
    };
  }
}
