import { timestamp } from "../core/base/index.js";
import { cleanText, type Modes } from "../gate/index.js";
import type { Companion, Engine } from "../repo/index.js";
import type { Storage } from "../storage/index.js";
import { type Budget, CostLedger, type Purse } from "./model/budget.js";
import { budgetFrom, modelFrom } from "./model/environment.js";
import type { Model } from "./model/port.js";

export interface MindOptions {
  /** Default `$PAL_MODEL` at `$PAL_MODEL_URL`; without one, rules alone. "none" means none. */
  readonly model?: Model | "none";
  readonly budget?: Budget;
}

/** What an open store was told of models, and what they cost while there was no store yet. */
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

/** The model a call uses: the one named for it, else the store's, else the environment's. */
export function modelOf(engine: Engine, named?: Model | "none"): Model | undefined {
  const chosen = named ?? engine.companion(Mind).options.model ?? modelFrom(process.env);
  return chosen === "none" ? undefined : chosen;
}

/** The cost ledger of a store: notes beside the memories, shared by all its processes. */
export function ledgerOf(engine: Engine): CostLedger {
  const today = () => timestamp(engine.clock()).slice(0, 10);
  const { options } = engine.companion(Mind);
  return new CostLedger(purseOf(engine), budgetFrom(process.env, options.budget), today);
}

function purseOf(engine: Engine): Purse {
  const { storage } = engine;
  const { early } = engine.companion(Mind);
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

/** Codes said in passing ("the door code is 8821") have no shape of their own; the words before them tell. */
const SPOKEN =
  /((?:\b(?:door|gate|alarm|entry|access|safe|lock|security|bank|sim|wi-?fi|verification|one-time)\s+)?\b(?:code|pin|passcode|combination|passphrase|password|kennwort|passwort|contraseña|mot de passe)\b(?:\s+(?:for|of|to)\s+(?:\S+\s+){1,4}?)?\s*(?:is|are|was|=|:|lautet|ist|es|est)\s+)(?!in\b|on\b|at\b|kept\b|stored\b|not\b|the\b|a\b)(["'“]?[\p{L}\p{N}][^\s,;]*)/giu;

export const REDACTED = "[redacted:";

/** A text without anything that must reach neither a model nor the store. */
export function guarded(text: string, modes: Modes): string {
  const clean = cleanText(text, modes);
  return clean.replace(SPOKEN, (_, lead: string, value: string) =>
    value.startsWith(REDACTED) ? lead + value : `${lead}${REDACTED}password]`,
  );
}
