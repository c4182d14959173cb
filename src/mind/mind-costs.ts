import { timestamp } from "../core/base/index.js";
import type { Engine } from "../repo/index.js";
import { Mind } from "./mind-host.js";
import { CostLedger, type Purse } from "./model/budget.js";
import { budgetFrom, modelFrom } from "./model/environment.js";
import type { Model } from "./model/port.js";

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
